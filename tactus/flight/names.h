// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Words for what a flight reports as numbers.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/autopilot/mission/mission.h"
#include "tactus/core/time.h"
#include "tactus/signal/schedule.h"
#include "tactus/signal/signals.h"
#include "tactus/spec/model/event.h"
#include "tactus/spec/model/spec.h"

namespace tactus {

/// "20.500 s": seconds for people, without the noise of microseconds.
std::string seconds_text(TimeUs time);

inline constexpr Axis kPeriodicAxes[] = {Axis::kAutopilot,    Axis::kSensors,    Axis::kWind,
                                         Axis::kPhysics,      Axis::kLog,        Axis::kImu,
                                         Axis::kMagnetometer, Axis::kBarometer,  Axis::kGps,
                                         Axis::kAirspeed,     Axis::kRangeFinder};

/// "refuses to arm: …", "refuses to disarm: …", "refuses to fly the mission: …"
const char* explain(ArmingRefusal refusal);

const char* to_text(MissionCommand command);

/// "waypoint"; empty: the mission has no such item.
std::string item_name(const Mission& mission, int item);

/// Under which every report names a flight.
std::string flight_name(const Spec& spec);

/// The id, or the position where there is none.
template <class Index>
std::string name_at(const std::vector<std::string>& ids, Index index) {
  const auto i = static_cast<std::size_t>(index);
  return i < ids.size() && !ids[i].empty() ? ids[i] : std::to_string(i);
}

/// Whose index a note of the plant has: rotors, packs or buses.
const std::vector<std::string>& ids_of_note(std::string_view what, const Spec& spec);

/// "motor_off front_left"
std::string action_name(const Event& event);

}  // namespace tactus
