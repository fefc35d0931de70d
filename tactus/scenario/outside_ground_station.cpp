// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "tactus/core/error.h"
#include "tactus/link/ground_station.h"
#include "tactus/scenario/outside_assembly.h"

namespace tactus {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw Error(ExitCode::kBadInput, message); }

std::uint16_t port_number(std::int32_t port, const char* key, std::int32_t least) {
  if (port >= least && port <= 65535) return static_cast<std::uint16_t>(port);
  refuse(
      fmt::format("autopilot.ground_station.{} = {}: must be from {} to 65535", key, port, least));
}

UdpPeer partner_of(const GroundStationSpec& station) {
  const std::optional<std::uint32_t> address = parse_ipv4(station.host);
  if (!address) {
    refuse(
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

}  // namespace

std::unique_ptr<Autopilot> with_ground_station(std::unique_ptr<BuiltinVehicle> autopilot,
                                               const Spec& spec, const Multirotor* vehicle,
                                               const OutsideHelp& help) {
  const std::int32_t system_id = spec.ground_station.system_id;
  if (system_id < 1 || system_id > kMostVehicles) {
    refuse(fmt::format("autopilot.ground_station.system_id = {}: must be from 1 to {}", system_id,
                       kMostVehicles));
  }
  GroundStationSetup setup;
  setup.vehicle_id = system_id - 1;
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
  return std::make_unique<GroundStation>(std::move(autopilot), setup, std::move(port));
}

}  // namespace tactus
