// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Records a flight in memory, then flies the same spec with another seed but with the recorded wind
// and the recorded estimate in place of live ones. Nothing random is left, so the digests agree.

#include <cstdio>
#include <exception>

#include "tactus/record/memory_recorder.h"
#include "tactus/record/replay_source.h"
#include "tactus/scenario/assembly.h"
#include "tactus/scenario/load_spec.h"

namespace {

using tactus::Signal;
using tactus::SignalSet;

int record_and_replay() {
  tactus::Spec spec = tactus::load_spec(tactus::find_spec("default")).spec;

  tactus::Assembly live = tactus::assemble(spec);
  tactus::MemoryRecorder recorder;
  tactus::Observers observers;
  observers.recorder = &recorder;
  fly(live.run, observers);
  const auto recording = recorder.recording();
  std::printf("live    %s  %zu wind samples\n", to_hex(live.run.digest()).c_str(),
              recording->track<Signal::kWind>().size());

  const tactus::ReplaySource wind(recording, tactus::Stage::kWind, SignalSet::of(Signal::kWind));
  const tactus::ReplaySource estimate(recording, tactus::Stage::kSensors,
                                      SignalSet::of(Signal::kEstimate));
  spec.seed += 1;  // would be another flight if wind and estimate were live
  tactus::AssembleOptions options;
  options.instead = {&wind, &estimate};
  tactus::Assembly replay = tactus::assemble(spec, options);
  tactus::Observers nobody;
  fly(replay.run, nobody);
  std::printf("replay  %s\n", to_hex(replay.run.digest()).c_str());
  return replay.run.digest() == live.run.digest() ? 0 : 1;
}

}  // namespace

int main() {
  try {
    return record_and_replay();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "record_replay: %s\n", error.what());
    return 1;
  }
}
