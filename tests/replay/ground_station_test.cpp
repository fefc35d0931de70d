// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// What a ground station did in a recorded flight comes back in every kind of replay.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tactus/core/error.h"
#include "tactus/replay/branch/branch.h"
#include "tactus/replay/replay.h"
#include "tactus/replay/rerun.h"
#include "tests/support/ground_station_bench.h"

namespace tactus {
namespace {

/// Uploads, flies, changes a parameter and the mode on the way, lands.
std::shared_ptr<const Recording> flown() {
  testing::StationBench bench(testing::kStandingIris, {{"time.end_s", "60.0"}});
  bench.run(1.0);
  EXPECT_EQ(bench.upload(testing::short_mission()), 0);
  EXPECT_EQ(bench.command(300), 0);
  bench.run(12.0);
  mavlink::ParamSet set;
  set.target_system = set.target_component = 1;
  mavlink::set_text(set.param_id, "CRUISE_SPEED");
  set.param_value = 2.0F;
  bench.station.send(set);
  bench.run(3.0);
  EXPECT_EQ(bench.command(20), 0) << "return";
  bench.run(100.0);
  EXPECT_TRUE(bench.flight.run.finished());
  EXPECT_GT(bench.vehicle().frames(), 6U);
  EXPECT_FALSE(bench.armed());
  return bench.recording();
}

const std::shared_ptr<const Recording>& recording() {
  static const std::shared_ptr<const Recording> kept = flown();
  return kept;
}

TEST(GroundStationReplay, ReplaysWholeAndPlantOnly) {
  for (const ReplayMode mode : {ReplayMode::kFull, ReplayMode::kPlant}) {
    ReplayPlan plan;
    plan.mode = mode;
    const ReplayOutcome outcome = replay(recording(), plan);
    EXPECT_TRUE(outcome.reproduces()) << to_text(mode) << " " << outcome.stopped;
    ASSERT_TRUE(outcome.digest.has_value());
  }
}

TEST(GroundStationReplay, TheAutopilotReceivesItAgain) {
  ReplayPlan component;
  component.mode = ReplayMode::kComponent;
  component.component = FlightPart::kAutopilot;
  EXPECT_TRUE(replay(recording(), component).reproduces());
  ReplayPlan live;
  live.mode = ReplayMode::kLive;
  live.live = {FlightPart::kAutopilot, FlightPart::kEstimator, FlightPart::kLand,
               FlightPart::kScenario, FlightPart::kWind};
  const ReplayOutcome outcome = replay(recording(), live);
  EXPECT_TRUE(outcome.reproduces()) << outcome.stopped;
}

TEST(GroundStationReplay, FlownAgainWithItsBytesItIsTheSameFlight) {
  AssembleOptions how;
  const auto received = from_ground_station(*recording());
  EXPECT_GT(received->size(), 5U);
  how.external = external_autopilots({.from_ground_station = received});
  const RecordedFlight again =
      fly_recorded(recorded_spec(*recording()), Tier::kComponents, {}, how);
  EXPECT_FALSE(again.stopped.has_value());
  EXPECT_EQ(again.recording->end.flight_digest, recording()->end.flight_digest);
}

TEST(GroundStationReplay, ACopyOfOneThatReceivesARecordingGoesOnAlike) {
  AssembleOptions how;
  how.external = external_autopilots({.from_ground_station = from_ground_station(*recording())});
  const Spec spec = recorded_spec(*recording()).spec;
  Assembly original = assemble(spec, how);
  Observers none;
  while (original.run.now().us < 10'000'000) proceed(original.run, none);
  tactus::Run copy(original.run);
  fly(original.run, none);
  fly(copy, none);
  EXPECT_EQ(original.run.digest(), copy.digest());
}

TEST(GroundStationReplay, ItCannotBeBranched) {
  BranchSetup setup;
  setup.parent = recording();
  setup.at = TimeUs{} + DurationUs{5'000'000};
  try {
    const Branch branch(setup);
    FAIL() << "it was";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("came from outside"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace tactus
