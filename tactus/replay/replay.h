// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Flies a recording again and compares every stream with what was recorded, bit by bit.
//
//   full       every part that the recording holds is played, the plant is integrated
//   plant      the same, but the estimator is live: plant and estimator may be changed
//   live       the chosen parts are live, the rest is played, the plant is integrated
//   component  the plant is played too (tier 1); the chosen part alone is live, and its outputs are
//              compared
// A part that the recording does not hold is live in any case: at tier 0 the estimator.
//
// Boundaries that were scheduled come back. Events of the plant (touchdown, brown-out …) are found
// anew, at the same microsecond as long as nothing is changed. Instants at which the scenario found
// a `when` condition fulfilled come back as scheduled ones.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tactus/core/digest.h"
#include "tactus/core/time.h"
#include "tactus/record/recording.h"
#include "tactus/record/recording_meta.h"
#include "tactus/replay/playback/flight_part.h"
#include "tactus/replay/verdict.h"

namespace tactus {

enum class ReplayMode : std::uint8_t { kFull, kPlant, kLive, kComponent };

const char* to_text(ReplayMode mode);

struct ReplayPlan {
  ReplayMode mode = ReplayMode::kFull;
  std::vector<FlightPart> live;                  ///< kLive
  FlightPart component = FlightPart::kScenario;  ///< kComponent
  /// Of the recorded spec. A fixed method that takes the place of the recorded one without a step
  /// gets a usual one (usual_step()).
  std::vector<Override> overrides;
  std::function<bool()> interrupted;  ///< ends the replay early; called once per boundary
};

/// Where a recording of the replay goes.
struct ReplayRecording {
  RowSink* sink = nullptr;  ///< null: nowhere
  BuildIdentity build;
};

struct ReplayOutcome {
  std::vector<std::string> played;
  std::vector<std::string> live;
  std::vector<std::string> notes;  ///< what is not compared and why, what else the user should know
  std::vector<TableVerdict> tables;
  TimeUs end;                ///< the last boundary that was flown
  std::string stopped;       ///< why it could not go on to the end; empty: it did
  bool interrupted = false;  ///< it was compared as far as it went
  Digest128 recorded_digest;
  std::optional<Digest128> digest;  ///< of the replay; none: it cannot be compared

  [[nodiscard]] bool reproduces() const;
};

/// Throws Error: kBadInput if the recording does not hold what the plan needs (the message names
/// the tier that does) or does not fit this program.
ReplayOutcome replay(const std::shared_ptr<const Recording>& recording, const ReplayPlan& plan,
                     const ReplayRecording& record = {});

}  // namespace tactus
