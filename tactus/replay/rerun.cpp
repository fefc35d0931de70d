// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/rerun.h"

#include <utility>
#include <vector>

#include "tactus/core/fp_environment.h"
#include "tactus/link/net/outside_network.h"
#include "tactus/record/stream_recorder.h"

namespace tactus {

namespace {

ExternalAutopilotOptions::Received received_from(const Recording& recording,
                                                 const std::string& peer) {
  auto received = std::make_shared<std::vector<ReceivedBytes>>();
  for (const BlobTrack& track : recording.blobs) {
    if (track.path != "/external/" + peer) continue;
    for (const BlobTrack::Piece& piece : track.pieces) {
      received->push_back({piece.time, piece.bytes});
    }
  }
  return received;
}

}  // namespace

ExternalAutopilotOptions::Received from_ground_station(const Recording& recording) {
  return received_from(recording, "ground_station");
}

std::function<std::unique_ptr<OutsideNetwork>()> recorded_outside(const Recording& recording) {
  return [received = received_from(recording, kOutsidePeer)] {
    return std::make_unique<RecordedNetwork>(received);
  };
}

RecordedFlight fly_recorded(const LoadedSpec& loaded, Tier tier, const BuildIdentity& build,
                            const AssembleOptions& options,
                            const std::function<bool()>& interrupted) {
  Assembly flight = assemble(loaded.spec, options);
  MemorySink memory;
  StreamRecorderSetup setup;
  setup.meta = recording_meta(loaded, tier, build);
  setup.wind_is_linear = loaded.spec.world.wind.rule == WindRule::kLinear;
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

RecordedFlight fly_again(const Recording& recording, const std::vector<Override>& overrides,
                         const BuildIdentity& build) {
  require_same_bits();
  require_one_spec(recording);
  if (recording.commanded_externally()) {
    throw Error(
        ExitCode::kBadInput,
        "the commands of the recording came from outside the program, so it cannot be flown "
        "again by itself; a replay plays them");
  }
  AssembleOptions how;
  how.external = external_autopilots({.from_ground_station = from_ground_station(recording),
                                      .outside = recorded_outside(recording)});
  return fly_recorded(recorded_spec(recording, overrides), recording.meta.tier, build, how);
}

}  // namespace tactus
