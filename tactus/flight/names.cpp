// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/flight/names.h"

#include <fmt/format.h>

#include "tactus/spec/schema/schema_enums.h"

namespace tactus {

std::string seconds_text(TimeUs time) { return fmt::format("{:.3f} s", to_seconds(time)); }

const char* explain(ArmingRefusal refusal) {
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

const char* to_text(MissionCommand command) {
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

std::string item_name(const Mission& mission, int item) {
  const bool known = item >= 0 && static_cast<std::size_t>(item) < mission.items.size();
  return known ? to_text(mission.items[static_cast<std::size_t>(item)].command) : "";
}

std::string flight_name(const Spec& spec) { return spec.name.empty() ? "flight" : spec.name; }

const std::vector<std::string>& ids_of_note(std::string_view what, const Spec& spec) {
  if (what.starts_with("rotor")) return spec.parts.rotors;
  return what.starts_with("pack") ? spec.parts.packs : spec.parts.buses;
}

std::string action_name(const Event& event) {
  std::string text = kNames<ActionKind>[static_cast<std::size_t>(event.action.kind)];
  if (!event.action.target.empty()) text += " " + event.action.target;
  return text;
}

}  // namespace tactus
