// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/scenario/autopilot_assembly.h"

#include <fmt/format.h>

#include <utility>

#include "tactus/autopilot/parameters/parameter_change.h"
#include "tactus/core/checks.h"
#include "tactus/core/error.h"
#include "tactus/scenario/program_actions.h"
#include "tactus/spec/schema/schema_enums.h"
#include "tactus/spec/vehicle/vehicle_type.h"

namespace tactus {

PlanContext plan_context(const Spec& spec) {
  return {.origin = spec.world.origin,
          .ground = spec.world.ground,
          .flies = vehicle_type(spec).flies(),
          .from_ground = spec.initial.on_ground};
}

namespace {

constexpr double kFarthestMission_m = 50'000.0;

// ---- built-in

/// A mission on another continent than the world is a mistake.
void require_near(const FlightPlan& plan, const Spec& spec) {
  for (const Leg& leg : plan.legs) {
    if (!leg.has_place) continue;
    const double distance_m = math::hypot(leg.position_W_m.x, leg.position_W_m.y);
    if (distance_m <= kFarthestMission_m) continue;
    const WorldOrigin& origin = spec.world.origin;
    throw Error(ExitCode::kBadInput,
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

}  // namespace

int parameter_index(const Spec& spec, std::string_view key, double value) {
  if (spec.autopilot != AutopilotKind::kBuiltin) return changed_parameter_index(spec.events, key);
  const int index = builtin_parameter_index(key);
  (void)with_parameter(spec.builtin, index, value);  // refuses what is out of range
  return index;
}

namespace {

const ExternalAutopilots& require_external(const ExternalAutopilots* external) {
  if (external != nullptr) return *external;
  refuse_key("autopilot.kind", "only the built-in autopilot without a ground station flies here");
}

std::unique_ptr<Autopilot> make_any_autopilot(const Spec& spec,
                                              const ExternalAutopilots* external) {
  const VehicleType& type = vehicle_type(spec);
  if (spec.autopilot == AutopilotKind::kBuiltin) {
    std::unique_ptr<BuiltinVehicle> builtin = type.builtin_autopilot(spec, make_plan(spec));
    if (!spec.ground_station.enabled) return builtin;
    return require_external(external).with_ground_station(std::move(builtin), spec);
  }
  if (spec.ground_station.enabled) {
    refuse_key("autopilot.ground_station.enabled",
               fmt::format("\"{}\" has MAVLink of its own; this is for \"builtin\"",
                           kNames<AutopilotKind>[static_cast<std::size_t>(spec.autopilot)]));
  }
  require_reachable(spec);
  if (!spec.mission.items.empty()) (void)make_plan(spec);  // its checks hold for every autopilot
  return type.external_autopilot(spec, require_external(external));
}

}  // namespace

std::unique_ptr<Autopilot> make_autopilot(const Spec& spec, const ExternalAutopilots* external) {
  try {
    return make_any_autopilot(spec, external);
  } catch (const Error& error) {
    // "square.plan:12: reason": the key of the spec that names the mission is wrong, too.
    const std::string message = error.what();
    const std::string& name = spec.mission.name;
    if (name.empty() || !message.starts_with(name + ":")) throw;
    const std::string& path = spec.mission_path.empty() ? name : spec.mission_path;
    throw Error(error.code(), ErrorSubject{.key = "autopilot.mission",
                                           .note = {},
                                           .value = {},
                                           .reason = path + message.substr(name.size())});
  }
}

}  // namespace tactus
