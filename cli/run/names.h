// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Words for what a flight reports as numbers.

#include <string>
#include <string_view>
#include <vector>

#include "tactus/autopilot/mission.h"
#include "tactus/core/schedule.h"
#include "tactus/core/signals.h"
#include "tactus/scenario/event.h"
#include "tactus/scenario/schema_enums.h"
#include "tactus/scenario/spec.h"

namespace tactus::cli {

inline constexpr Axis kPeriodicAxes[] = {Axis::kAutopilot,    Axis::kSensors,    Axis::kWind,
                                         Axis::kPhysics,      Axis::kLog,        Axis::kImu,
                                         Axis::kMagnetometer, Axis::kBarometer,  Axis::kGps,
                                         Axis::kAirspeed,     Axis::kRangeFinder};

/// "refuses to arm: …", "refuses to disarm: …", "refuses to fly the mission: …"
inline const char* explain(ArmingRefusal refusal) {
  constexpr const char* kTexts[] = {
      "",
      "refuses to arm: there is no recent, valid estimate",
      "refuses to arm: a pack is not connected",
      "refuses to arm: a pack is empty or nearly empty",
      "refuses to arm: it lies on its side",
      "refuses to disarm: it is in the air",
      "refuses to fly the mission: none is loaded",
      "refuses to fly the mission: it does not start with a takeoff",
  };
  return kTexts[static_cast<std::size_t>(refusal)];
}

inline const char* to_text(MissionCommand command) {
  switch (command) {
    case MissionCommand::kWaypoint: return "waypoint";
    case MissionCommand::kLoiterUnlimited: return "loiter unlimited";
    case MissionCommand::kLoiterTurns: return "loiter turns";
    case MissionCommand::kLoiterTime: return "loiter time";
    case MissionCommand::kReturnToLaunch: return "return to launch";
    case MissionCommand::kLand: return "land";
    case MissionCommand::kTakeoff: return "takeoff";
    case MissionCommand::kDelay: return "delay";
    case MissionCommand::kConditionDelay: return "condition delay";
    case MissionCommand::kConditionYaw: return "condition yaw";
    case MissionCommand::kDoJump: return "jump";
    case MissionCommand::kDoChangeSpeed: return "change speed";
  }
  return "unknown";
}

inline std::string item_name(const Mission& mission, int item) {
  const bool known = item >= 0 && static_cast<std::size_t>(item) < mission.items.size();
  return known ? to_text(mission.items[static_cast<std::size_t>(item)].command) : "";
}

/// Under which a flight is told of everywhere.
inline std::string flight_name(const Spec& spec) {
  return spec.name.empty() ? "flight" : spec.name;
}

/// The id, or the position where there is none.
template <class Index>
std::string name_at(const std::vector<std::string>& ids, Index index) {
  const auto i = static_cast<std::size_t>(index);
  return i < ids.size() && !ids[i].empty() ? ids[i] : std::to_string(i);
}

/// Whose index a note of the plant has: rotors, packs or buses.
inline const std::vector<std::string>& ids_of_note(std::string_view what, const Spec& spec) {
  if (what.starts_with("rotor")) return spec.rotor_ids;
  return what.starts_with("pack") ? spec.pack_ids : spec.bus_ids;
}

/// "motor_off front_left"
inline std::string action_name(const Event& event) {
  std::string text = kNames<ActionKind>[static_cast<std::size_t>(event.action.kind)];
  if (!event.action.target.empty()) text += " " + event.action.target;
  return text;
}

}  // namespace tactus::cli
