// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// A fleet flown by the library: every vehicle is as it is alone.

#include "tactus/fleet/fleet_flight.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tactus/fleet/fleet_json.h"

namespace tactus {
namespace {

constexpr char kFleet[] = R"(
name = "pair"
[[simulator]]
name = "left"
[[simulator]]
name = "right"
[[vehicle]]
id = 0
simulator = "left"
spec = "default"
seed = 7
[[vehicle]]
id = 1
simulator = "right"
spec = "default"
seed = 8
)";

FleetPlan pair_of_flights() {
  const std::string path = ::testing::TempDir() + "/fleet_flight_test.toml";
  std::ofstream(path) << kFleet;
  FleetChanges changes;
  changes.specs = {{"time.end_s", "3.0"}};
  return load_fleet(path, changes);
}

TEST(FleetFlight, EveryVehicleIsAsItIsAlone) {
  const FleetPlan plan = pair_of_flights();
  FleetOptions options;
  options.threads = 2;
  std::size_t steps = 0;
  options.after_step = [&steps](Bridge&) { ++steps; };
  FleetFlight fleet(plan, options);
  fleet.fly();
  const std::vector<FleetMember> members = fleet.members();
  ASSERT_EQ(members.size(), 2U);
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Flight alone = fly(plan.vehicles[i].loaded);
    ASSERT_TRUE(members[i].digest);
    EXPECT_EQ(*members[i].digest, alone.digest);
    EXPECT_EQ(members[i].sentence, alone.sentence);
    EXPECT_EQ(members[i].verdict, alone.verdict);
    EXPECT_EQ(members[i].failures, failures(alone));
  }
  EXPECT_GT(steps, 0U);
  EXPECT_EQ(exit_code(members), ExitCode::kCheckFailed);  // three seconds are no mission
  const auto json = nlohmann::json::parse(fleet_json(plan, fleet, 1.0));
  EXPECT_EQ(json["schema"], kBridgeSchema);
  EXPECT_EQ(json["vehicles"][1]["digest"], to_hex(*members[1].digest));
}

TEST(FleetFlight, TheWorstVehicleDecidesTheExitCode) {
  FleetMember passed, failed, missing, interrupted;
  failed.verdict = Verdict::kCrashed;
  missing.verdict = Verdict::kFailed;
  missing.missing = true;
  interrupted.verdict = Verdict::kInterrupted;
  EXPECT_EQ(exit_code(std::vector{passed}), ExitCode::kOk);
  EXPECT_EQ(exit_code(std::vector{passed, failed}), ExitCode::kCheckFailed);
  EXPECT_EQ(exit_code(std::vector{missing, failed}), ExitCode::kPeer);
  EXPECT_EQ(exit_code(std::vector{missing, interrupted}), ExitCode::kInterrupted);
}

}  // namespace
}  // namespace tactus
