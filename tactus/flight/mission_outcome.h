// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// How the mission of a flight stands at its end.

#include <cstdint>
#include <optional>
#include <string>

#include "tactus/flight/flight.h"

namespace tactus {

enum class MissionState : std::uint8_t {
  kNone,        ///< no mission is loaded, or its beginning was not seen
  kNotOrdered,  ///< it is loaded, and that is all
  kNotStarted,  ///< ordered, but no item was ever flown
  kUnderWay,    ///< at the end of the run
  kAborted,     ///< another mode took over
  kFinished,
};
const char* to_text(MissionState state);
MissionState mission_state(const Flight& flight);

/// When the mission was left for another mode, for good; kAborted.
std::optional<TimeUs> mission_aborted_at(const FlightFacts& facts);

/// "failsafe battery_low at 22.340 s (20 % left)", "mode hold at 12.000 s": what ended the mission;
/// kAborted.
std::string abort_text(const Flight& flight);

/// Why no item was flown: "nothing ordered it", "refuses to arm: …"; kNotOrdered, kNotStarted.
std::string not_started_text(const Flight& flight);

}  // namespace tactus
