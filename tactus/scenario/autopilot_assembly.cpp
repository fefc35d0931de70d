// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/scenario/autopilot_assembly.h"

#include <fmt/format.h>

#include <utility>

#include "tactus/autopilot/builtin.h"
#include "tactus/autopilot/builtin_rover.h"
#include "tactus/autopilot/parameter_change.h"
#include "tactus/core/error.h"
#include "tactus/scenario/outside_assembly.h"
#include "tactus/scenario/schema_enums.h"

namespace tactus {

PlanContext plan_context(const Spec& spec) {
  return {.origin = spec.multirotor.origin,
          .ground = spec.multirotor.ground,
          .flies = spec.vehicle != VehicleKind::kRover,
          .from_ground = spec.initial.on_ground};
}

namespace {

constexpr double kFarthestMission_m = 50'000.0;

[[noreturn]] void refuse_spec(const std::string& message) {
  throw Error(ExitCode::kBadInput, message);
}

// ---- built-in

/// A mission on another continent than the world is a mistake.
void require_near(const FlightPlan& plan, const Spec& spec) {
  for (const Leg& leg : plan.legs) {
    if (!leg.has_place) continue;
    const double distance_m = math::hypot(leg.position_W_m.x, leg.position_W_m.y);
    if (distance_m <= kFarthestMission_m) continue;
    const WorldOrigin& origin = spec.multirotor.origin;
    refuse_spec(
        fmt::format("{}:{}: {:.1f} km from the world origin ({}, {}), more than {:.0f} km; "
                    "set world.latitude_deg and world.longitude_deg to where the mission "
                    "is",
                    plan.name, leg.line, distance_m * 1e-3, origin.lat_deg, origin.lon_deg,
                    kFarthestMission_m * 1e-3));
  }
}

std::shared_ptr<const FlightPlan> make_plan(const Spec& spec) {
  auto plan = std::make_shared<FlightPlan>();
  if (!spec.mission.items.empty()) {
    *plan = compile_flight_plan(spec.mission, plan_context(spec));
    require_near(*plan, spec);
  }
  return plan;
}

std::unique_ptr<BuiltinVehicle> make_builtin(const Spec& spec, const Multirotor* vehicle) {
  const DurationUs period = spec.timeline.autopilot;
  if (vehicle == nullptr) {
    return std::make_unique<BuiltinRover>(spec.builtin, spec.rover, make_plan(spec), period);
  }
  return std::make_unique<BuiltinAutopilot>(spec.builtin, *vehicle, make_plan(spec), period);
}

}  // namespace

int parameter_index(const Spec& spec, std::string_view key, double value) {
  if (spec.autopilot != AutopilotKind::kBuiltin) return changed_parameter_index(spec.events, key);
  const int index = builtin_parameter_index(key);
  (void)with_parameter(spec.builtin, index, value);  // refuses what is out of range
  return index;
}

namespace {

std::unique_ptr<Autopilot> make_any_autopilot(const Spec& spec, const Multirotor* vehicle,
                                              const OutsideHelp& help) {
  if (spec.autopilot == AutopilotKind::kBuiltin) {
    std::unique_ptr<BuiltinVehicle> builtin = make_builtin(spec, vehicle);
    if (!spec.ground_station.enabled) return builtin;
    return with_ground_station(std::move(builtin), spec, vehicle, help);
  }
  if (spec.ground_station.enabled) {
    refuse_spec(fmt::format(
        "autopilot.ground_station.enabled: \"{}\" has MAVLink of its own; this is for \"builtin\"",
        kNames<AutopilotKind>[static_cast<std::size_t>(spec.autopilot)]));
  }
  if (vehicle == nullptr) {
    refuse_spec("autopilot.kind: this one flies multirotors only; use \"builtin\" for a rover");
  }
  if (!spec.mission.items.empty()) (void)make_plan(spec);  // its checks hold for every autopilot
  return make_outside_autopilot(spec, *vehicle, help);
}

}  // namespace

std::unique_ptr<Autopilot> make_autopilot(const Spec& spec, const Multirotor* vehicle,
                                          const OutsideHelp& help) {
  try {
    return make_any_autopilot(spec, vehicle, help);
  } catch (const Error& error) {
    // "square.plan:12: reason": the key of the spec that names the mission is wrong, too.
    const std::string message = error.what();
    const std::string& name = spec.mission.name;
    if (name.empty() || !message.starts_with(name + ":")) throw;
    const std::string& path = spec.mission_path.empty() ? name : spec.mission_path;
    throw Error(error.code(), "autopilot.mission: " + path + message.substr(name.size()));
  }
}

}  // namespace tactus
