// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Every fleet that is shipped can be read, with ground stations too, and every spec in it builds a
// vehicle.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tactus/bridge/scenario_orders.h"
#include "tactus/fleet/fleet_file.h"
#include "tactus/scenario/assembly.h"

namespace tactus {
namespace {

std::vector<std::string> shipped() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator("scenarios/fleets")) {
    names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

TEST(ShippedFleets, AreThose) {
  EXPECT_EQ(shipped(), (std::vector<std::string>{"fleet_autopilots", "fleet_hil", "fleet_json",
                                                 "fleet_mixed", "fleet_ten", "fleet_twins"}));
}

TEST(ShippedFleets, CanBeReadAndBuilt) {
  for (const std::string& name : shipped()) {
    SCOPED_TRACE(name);
    FleetChanges stations;
    stations.ground_stations = true;
    (void)load_fleet(find_fleet(name), stations);
    const FleetPlan plan = load_fleet(find_fleet(name));
    EXPECT_EQ(plan.name, name);
    EXPECT_FALSE(plan.description.empty());
    for (const VehiclePlan& one : plan.vehicles) {
      const Spec& spec = one.loaded.spec;
      const auto place =
          std::find_if(plan.simulators.begin(), plan.simulators.end(),
                       [&](const SimulatorPlan& each) { return each.name == one.simulator; });
      AssembleOptions by_caller;
      by_caller.command_from = CommandFrom::kCaller;
      (void)assemble(spec, by_caller);
      if (place->kind != SimulatorKind::kBuiltin) (void)ScenarioOrders(spec);
    }
  }
}

TEST(ShippedFleets, SaysWhoFlies) {
  const FleetPlan plan = load_fleet(find_fleet("fleet_autopilots"));
  std::vector<AutopilotKind> kinds;
  std::vector<int> instances;
  for (const VehiclePlan& one : plan.vehicles) {
    kinds.push_back(one.loaded.spec.autopilot);
    instances.push_back(one.loaded.spec.external.instance);
  }
  EXPECT_EQ(kinds, (std::vector{AutopilotKind::kPx4Sitl, AutopilotKind::kPx4Sitl,
                                AutopilotKind::kArdupilot, AutopilotKind::kArdupilot}));
  EXPECT_EQ(instances, (std::vector{0, 1, 2, 3}));
}

}  // namespace
}  // namespace tactus
