// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "tactus/core/checks.h"
#include "tactus/core/error.h"
#include "tactus/flight/external/external_autopilots.h"
#include "tactus/link/ground_station/ground_station.h"
#include "tactus/spec/vehicle/vehicle_type.h"

namespace tactus {
namespace {

std::uint16_t port_number(std::int32_t port, const char* key, std::int32_t least) {
  if (port >= least && port <= 65535) return static_cast<std::uint16_t>(port);
  refuse_key(fmt::format("autopilot.ground_station.{}", key), fmt::format("{}", port),
             fmt::format("must be from {} to 65535", least));
}

UdpPeer partner_of(const GroundStationSpec& station) {
  const std::optional<std::uint32_t> address = parse_ipv4(station.host);
  if (!address) {
    refuse_key("autopilot.ground_station.host", fmt::format("\"{}\"", station.host),
               "must be an IPv4 address such as 127.0.0.1");
  }
  return {port_number(station.port, "port", 1), *address};
}

}  // namespace

std::unique_ptr<Autopilot> with_ground_station(
    std::unique_ptr<BuiltinVehicle> autopilot, const Spec& spec,
    const ExternalAutopilotOptions::Received& from_ground_station) {
  const std::int32_t system_id = spec.ground_station.system_id;
  if (system_id < 1 || system_id > kMostVehicles) {
    refuse_key("autopilot.ground_station.system_id", fmt::format("{}", system_id),
               fmt::format("must be from 1 to {}", kMostVehicles));
  }
  GroundStationSetup setup;
  setup.vehicle_id = system_id - 1;
  const VehicleType& type = vehicle_type(spec);
  setup.vehicle.type = type.mav_type(spec);
  setup.vehicle.flies = type.flies();
  setup.vehicle.pack_count = type.counts(spec).packs;
  setup.vehicle.origin = spec.world.origin;
  setup.context = plan_context(spec);
  setup.mission = spec.mission;
  const UdpPeer partner = partner_of(spec.ground_station);
  const std::uint16_t own_port = port_number(spec.ground_station.own_port, "own_port", 0);
  std::unique_ptr<DatagramPort> port;
  if (from_ground_station != nullptr) {
    port = std::make_unique<RecordedPort>(from_ground_station);
  } else {
    port = std::make_unique<UdpPort>(partner, own_port, "the ground station");
  }
  return std::make_unique<GroundStation>(std::move(autopilot), setup, std::move(port));
}

}  // namespace tactus
