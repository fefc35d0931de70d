// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/rerun.h"

#include <utility>

#include "tactus/record/stream_recorder.h"

namespace tactus {

RecordedFlight fly_recorded(const LoadedSpec& loaded, Tier tier, const BuildIdentity& build,
                            const AssembleOptions& options,
                            const std::function<bool()>& interrupted) {
  Assembly flight = assemble(loaded.spec, options);
  MemorySink memory;
  StreamRecorderSetup setup;
  setup.meta = recording_meta(loaded, tier, build);
  setup.wind_is_linear = loaded.spec.wind.rule == WindRule::kLinear;
  StreamRecorder recorder(std::move(setup), memory);
  Observers observers;
  observers.recorders.push_back(&recorder);
  RecordedFlight flown;
  try {
    fly(flight.run, observers, interrupted);
  } catch (const Error& error) {
    if (memory.recording()->tables.empty()) throw;
    flown.stopped = error;
  }
  flown.recording = memory.recording();
  return flown;
}

}  // namespace tactus
