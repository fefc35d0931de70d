// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/scenario/autopilot_assembly.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "tactus/autopilot/builtin.h"
#include "tactus/autopilot/builtin_rover.h"
#include "tactus/core/error.h"
#include "tactus/link/ground_station.h"
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
                    spec.mission_path.empty() ? plan.name : spec.mission_path, leg.line,
                    distance_m * 1e-3, origin.lat_deg, origin.lon_deg, kFarthestMission_m * 1e-3));
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

// ---- ground station

std::uint16_t port_number(std::int32_t port, const char* key, std::int32_t least) {
  if (port >= least && port <= 65535) return static_cast<std::uint16_t>(port);
  refuse_spec(
      fmt::format("autopilot.ground_station.{} = {}: must be from {} to 65535", key, port, least));
}

UdpPeer partner_of(const GroundStationSpec& station) {
  const std::optional<std::uint32_t> address = parse_ipv4(station.host);
  if (!address) {
    refuse_spec(
        fmt::format("autopilot.ground_station.host = \"{}\": must be an IPv4 address such "
                    "as 127.0.0.1",
                    station.host));
  }
  return {port_number(station.port, "port", 1), *address};
}

/// MAV_TYPE; what has no number of its own is shown as a quadrotor.
std::uint8_t vehicle_type(const Multirotor* vehicle) {
  constexpr std::uint8_t kRover = 10, kQuadrotor = 2;
  if (vehicle == nullptr) return kRover;
  switch (vehicle->counts.rotors) {
    case 3: return 15;
    case 6: return 13;
    case 8: return 14;
    case 10: return 35;
    case 12: return 29;
    default: return kQuadrotor;
  }
}

std::unique_ptr<Autopilot> make_ground_station(const Spec& spec, const Multirotor* vehicle,
                                               const OutsideHelp& help) {
  GroundStationSetup setup;
  setup.vehicle.type = vehicle_type(vehicle);
  setup.vehicle.flies = vehicle != nullptr;
  setup.vehicle.pack_count = vehicle == nullptr ? 0 : vehicle->counts.packs;
  setup.vehicle.origin = spec.multirotor.origin;
  setup.context = plan_context(spec);
  setup.mission = spec.mission;
  const UdpPeer partner = partner_of(spec.ground_station);
  const std::uint16_t own_port = port_number(spec.ground_station.own_port, "own_port", 0);
  std::unique_ptr<DatagramPort> port;
  if (help.from_ground_station != nullptr) {
    port = std::make_unique<RecordedPort>(help.from_ground_station);
  } else {
    port = std::make_unique<UdpPort>(partner, own_port, "the ground station");
  }
  return std::make_unique<GroundStation>(make_builtin(spec, vehicle), setup, std::move(port));
}

}  // namespace

std::unique_ptr<Autopilot> make_autopilot(const Spec& spec, const Multirotor* vehicle,
                                          const OutsideHelp& help) {
  if (spec.autopilot == AutopilotKind::kBuiltin) {
    if (!spec.ground_station.enabled) return make_builtin(spec, vehicle);
    return make_ground_station(spec, vehicle, help);
  }
  if (spec.ground_station.enabled) {
    refuse_spec(fmt::format(
        "autopilot.ground_station.enabled: \"{}\" has MAVLink of its own; this is for \"builtin\"",
        kNames<AutopilotKind>[static_cast<std::size_t>(spec.autopilot)]));
  }
  if (vehicle == nullptr) {
    refuse_spec(
        fmt::format("autopilot.kind = \"{}\" flies multirotors only; use \"builtin\" for a "
                    "rover",
                    kNames<AutopilotKind>[static_cast<std::size_t>(spec.autopilot)]));
  }
  if (!spec.mission.items.empty()) (void)make_plan(spec);  // its checks hold for every autopilot
  return make_outside_autopilot(spec, *vehicle, help);
}

}  // namespace tactus
