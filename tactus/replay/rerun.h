// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/flight/external/external_autopilots.h"
#include "tactus/record/recording.h"
#include "tactus/record/recording_meta.h"
#include "tactus/scenario/assembly.h"

namespace tactus {

struct RecordedFlight {
  std::shared_ptr<const Recording> recording;  ///< up to where it stopped
  std::optional<Error> stopped;                ///< by an error on the way
};

/// What came from a ground station in a recorded flight, to be received again; nothing
/// if there was none.
ExternalAutopilotOptions::Received from_ground_station(const Recording& recording);

/// What others sent to its external autopilot, likewise.
std::function<std::unique_ptr<OutsideNetwork>()> recorded_outside(const Recording& recording);

/// Flies a spec to its end, or until `interrupted` says so, and keeps the recording in memory. What
/// keeps it from starting is thrown.
RecordedFlight fly_recorded(const LoadedSpec& loaded, Tier tier, const BuildIdentity& build,
                            const AssembleOptions& options = {},
                            const std::function<bool()>& interrupted = {});

/// The spec of a recording, some keys with other values, flown now and recorded as it was; what a
/// ground station sent is heard again. Throws Error(kBadInput) if its commands came from outside.
RecordedFlight fly_again(const Recording& recording, const std::vector<Override>& overrides,
                         const BuildIdentity& build);

}  // namespace tactus
