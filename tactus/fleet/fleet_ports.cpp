// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/fleet/fleet_ports.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "tactus/link/ardupilot/ardupilot_start.h"
#include "tactus/link/net/used_port.h"
#include "tactus/link/px4/px4_process.h"

namespace tactus {
namespace {

struct Claim {
  std::string who;
  std::string remedy;  ///< the key that moves it
  const TomlPosition* at;
  UsedPort port;
};

std::vector<Claim> claims_of(const SimulatorPlan& plan) {
  const std::string who = "simulator " + plan.name;
  const auto claim = [&](Transport transport, std::uint16_t port) {
    return std::vector<Claim>{{who, "port", &plan.at, {transport, port, "its own protocol"}}};
  };
  switch (plan.kind) {
    case SimulatorKind::kHil: return claim(Transport::kTcp, plan.hil.port);
    case SimulatorKind::kJson: return claim(Transport::kUdp, plan.json.port);
    case SimulatorKind::kBuiltin: break;
  }
  return {};
}

std::vector<UsedPort> ports_of_autopilot(const Spec& spec) {
  if (!spec.external.free && !spec.external.attach) return {};  // conducted: it has none
  if (spec.autopilot == AutopilotKind::kPx4Sitl)
    return used_ports(px4_ports(spec.external.instance));
  if (spec.autopilot != AutopilotKind::kArdupilot) return {};
  ArdupilotParameters parameters;
  parameters.instance = spec.external.instance;
  parameters.wait = spec.external.wait;
  parameters.attach = spec.external.attach;
  return used_ports(parameters);
}

std::vector<Claim> claims_of(const VehiclePlan& plan) {
  const std::string who = fmt::format("vehicle {}", plan.id);
  const Spec& spec = plan.loaded.spec;
  std::vector<Claim> claims;
  for (UsedPort& port : ports_of_autopilot(spec)) {
    claims.push_back({who, "autopilot.outside.instance", &plan.at, std::move(port)});
  }
  const bool watched = spec.ground_station.enabled;
  claims.push_back({who,
                    "mavlink_port",
                    &plan.at,
                    {Transport::kUdp, plan.mavlink_port,
                     watched ? "its ground station" : "kept for a ground station"}});
  const std::int32_t own = spec.ground_station.own_port;
  if (watched && own != 0) {
    const UsedPort port{Transport::kUdp, static_cast<std::uint16_t>(own), "its MAVLink"};
    claims.push_back({who, "autopilot.ground_station.own_port", &plan.at, port});
  }
  return claims;
}

[[noreturn]] void refuse(const Claim& first, const Claim& second) {
  throw PlacedError(
      ExitCode::kBadInput, *second.at, second.remedy,
      fmt::format("{} needs {} port {} ({}), which {} has ({}); change {} of the one or {} of the "
                  "other",
                  second.who, to_text(second.port.transport), second.port.port, second.port.what,
                  first.who, first.port.what, second.remedy, first.remedy));
}

void add(std::vector<Claim> claims, std::vector<Claim>& all) {
  const std::size_t others = all.size();
  for (Claim& claim : claims) {
    for (std::size_t i = 0; i < others; ++i) {
      if (all[i].port.is_same(claim.port)) refuse(all[i], claim);
    }
    all.push_back(std::move(claim));
  }
}

}  // namespace

void require_own_ports(const FleetPlan& plan) {
  std::vector<Claim> all;
  for (const SimulatorPlan& simulator : plan.simulators) add(claims_of(simulator), all);
  for (const VehiclePlan& vehicle : plan.vehicles) add(claims_of(vehicle), all);
}

}  // namespace tactus
