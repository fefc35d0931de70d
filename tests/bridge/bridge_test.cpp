// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/bridge/bridge.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/two_simulators.h"

namespace tactus {
namespace {

using testing::echo_vehicle;
using testing::error_text;
using testing::kEnd;
using testing::quick;
using testing::ScriptedSimulator;
using testing::TestClock;
using testing::times_of;
using testing::TwoSimulators;

// ---- lockstep

TEST(Bridge, EveryControlLoopRunsOnceBeforeTheFirstStepAndThenAtEveryExchange) {
  TwoSimulators two;
  two.bridge.start();
  EXPECT_EQ(two.bridge.sim_time_us(), 0u);
  for (const VehicleId id : two.bridge.vehicles()) {
    EXPECT_EQ(times_of(two.bridge, id), std::vector<TimeUs>{TimeUs()});
  }
  two.bridge.step();
  EXPECT_EQ(two.bridge.sim_time_us(), 20'000u);
  EXPECT_EQ(times_of(two.bridge, 3).back(), TimeUs(20'000));
}

TEST(Bridge, CommandsAnswerTheFrameOfTheSameInstant) {
  TwoSimulators two;
  two.bridge.run_until(kEnd);
  two.bridge.stop();
  ASSERT_EQ(two.good->commands.size(), 202u);
  for (const ActuatorCommand& command : two.good->commands) {
    EXPECT_EQ(command.command.servo[0], static_cast<double>(command.time.us % 1'000'000) * 1e-6);
  }
}

TEST(Bridge, AVehicleExchangesAtItsOwnPeriod) {
  Bridge bridge;
  bridge.register_adapter("one", std::make_shared<ScriptedSimulator>());
  bridge.spawn(echo_vehicle(0, DurationUs(4000)), "one");
  bridge.spawn(echo_vehicle(1, DurationUs(10'000)), "one");
  bridge.run_until(TimeUs(20'000));
  EXPECT_EQ(bridge.step_size(), DurationUs(2000));
  EXPECT_EQ(times_of(bridge, 0).size(), 6u);
  EXPECT_EQ(times_of(bridge, 1), (std::vector<TimeUs>{TimeUs(0), TimeUs(10'000), TimeUs(20'000)}));
}

TEST(Bridge, WithoutVehiclesItStepsBy20Milliseconds) {
  Bridge bridge;
  bridge.step();
  EXPECT_EQ(bridge.sim_time_us(), 20'000u);
}

TEST(Bridge, AStepThatDoesNotFitIsRefused) {
  TwoSimulators longer({}, {.step = DurationUs(40'000)});
  EXPECT_NE(error_text([&] { longer.bridge.start(); }).find("must not be longer"),
            std::string::npos);
  TwoSimulators odd({}, {.step = DurationUs(3000)});
  EXPECT_NE(error_text([&] { odd.bridge.start(); }).find("nearest are 18000 and 21000"),
            std::string::npos);
  TwoSimulators coarse;
  coarse.bad->able.own_step = DurationUs(3000);
  EXPECT_NE(error_text([&] {
              coarse.bridge.start();
            }).find("steps by 3000 us, which does not divide step_us = 20000"),
            std::string::npos);
}

// ---- who is there

TEST(Bridge, NamesIdsAndPortsAreUnique) {
  TwoSimulators two;
  EXPECT_NE(error_text([&] { two.bridge.register_adapter("good", two.good); }).find("already"),
            std::string::npos);
  EXPECT_NE(error_text([&] { two.bridge.spawn(echo_vehicle(3), "good"); }).find("vehicle 3"),
            std::string::npos);
  VehicleSetup clash = echo_vehicle(9);
  clash.mavlink_port = 14551;
  EXPECT_NE(error_text([&] { two.bridge.spawn(std::move(clash), "good"); }).find("14551"),
            std::string::npos);
  EXPECT_NE(error_text([&] {
              two.bridge.spawn(echo_vehicle(9), "nowhere");
            }).find("there are: bad, good"),
            std::string::npos);
  EXPECT_NE(error_text([&] { two.bridge.spawn(echo_vehicle(254), "good"); }).find("0 to 253"),
            std::string::npos);
}

TEST(Bridge, WhatIsNotThereIsNamed) {
  TwoSimulators two;
  const auto refuses = [](const std::function<void()>& action, const char* what) {
    EXPECT_NE(error_text(action).find(what), std::string::npos) << error_text(action);
  };
  refuses([&] { (void)two.bridge.adapter("nowhere"); },
          "there is no simulator nowhere; there are: bad, good");
  refuses([&] { two.bridge.unregister_adapter("nowhere"); }, "there is no simulator nowhere");
  refuses([&] { two.bridge.assign(1, "nowhere"); }, "there is no simulator nowhere");
  refuses([&] { (void)two.bridge.vehicle(9); }, "there is no vehicle 9");
  refuses([&] { two.bridge.despawn(9); }, "there is no vehicle 9");
  refuses([&] { two.bridge.assign(9, "good"); }, "there is no vehicle 9");
}

TEST(Bridge, AVehicleFliesWhereItWasAssignedToLast) {
  TwoSimulators two;
  two.bridge.assign(1, "good");
  two.bridge.assign(3, "good");
  two.bridge.unregister_adapter("bad");
  EXPECT_EQ(two.bridge.adapters(), std::vector<std::string>{"good"});
  two.bridge.run_until(TimeUs(100'000));
  two.bridge.stop();
  EXPECT_EQ(two.good->commands.size(), 4u * 6u);
  EXPECT_TRUE(two.bad->commands.empty());
}

TEST(Bridge, NothingIsCommandedBeforeTheFirstFrame) {
  TwoSimulators two;
  const Command& command = two.bridge.vehicle(0).command().command;
  for (const double motor : command.motor) EXPECT_EQ(motor, 0.0);
  for (const double servo : command.servo) EXPECT_EQ(servo, 0.0);
  EXPECT_FALSE(two.bridge.vehicle(0).command().status.armed);
}

TEST(Bridge, NoAssignmentIsLeftDangling) {
  TwoSimulators two;
  EXPECT_NE(error_text([&] { two.bridge.unregister_adapter("bad"); }).find("1, 3"),
            std::string::npos);
  two.bridge.despawn(3);
  two.bridge.spawn(echo_vehicle(3), "bad");  // its id is free again
  two.bridge.run_until(TimeUs(100'000));
  two.bridge.set_paused(true);
  two.bridge.despawn(1);
  two.bridge.despawn(3);
  two.bridge.set_paused(false);
  two.bridge.run_until(TimeUs(200'000));
  EXPECT_EQ(two.bridge.vehicles(), (std::vector<VehicleId>{0, 2}));
  EXPECT_EQ(times_of(two.bridge, 2).size(), 11u);
}

TEST(Bridge, FiftyVehiclesFit) {
  Bridge bridge({.threads = 2});
  bridge.register_adapter("one", std::make_shared<ScriptedSimulator>());
  for (int id = 0; id < 50; ++id) bridge.spawn(echo_vehicle(static_cast<VehicleId>(id)), "one");
  bridge.run_until(kEnd);
  EXPECT_EQ(times_of(bridge, 49).size(), 101u);
}

TEST(Bridge, CapabilitiesAreCheckedBeforeTheStart) {
  TwoSimulators crowded;
  crowded.bad->able.most_vehicles = 1;
  EXPECT_NE(error_text([&] { crowded.bridge.start(); }).find("holds 1 at most"), std::string::npos);
  TwoSimulators free;
  free.bad->able.lockstep = false;
  EXPECT_NE(error_text([&] { free.bridge.start(); }).find("cannot be held in lockstep"),
            std::string::npos);
  TwoSimulators chosen(quick(LatePolicy::kFreeRunning));
  chosen.bad->able.lockstep = false;
  chosen.bridge.run_until(kEnd);
  EXPECT_EQ(chosen.bridge.warnings().size(), 1u);
  EXPECT_EQ(times_of(chosen.bridge, 0).size(), 101u);
}

// ---- time

TEST(Bridge, ScaledTimeLosesNoFraction) {
  const auto clock = std::make_shared<TestClock>();
  Bridge bridge({.clock = clock});
  bridge.set_time_mode(TimeMode::scaled(3.0));
  bridge.run_until(TimeUs(30'000'000));
  EXPECT_EQ(bridge.sim_time_us(), 30'000'000u);
  EXPECT_NEAR(static_cast<double>(clock->ns - 1'000), 10e9, 1.0);
}

TEST(Bridge, ChangingTheModeKeepsTimeMonotone) {
  const auto clock = std::make_shared<TestClock>();
  Bridge bridge({.clock = clock});
  std::uint64_t last = 0;
  bridge.after_step = [&](Bridge& b) {
    EXPECT_EQ(b.sim_time_us(), last + 20'000);
    last = b.sim_time_us();
    if (last % 100'000 == 0) b.set_time_mode(TimeMode::scaled(0.37));
    if (last % 100'000 == 40'000) b.set_time_mode(TimeMode::free_running());
    if (last % 100'000 == 80'000) b.set_time_mode(TimeMode::lockstep());
  };
  bridge.run_until(TimeUs(1'000'000));
  EXPECT_EQ(last, 1'000'000u);
}

TEST(Bridge, APauseHoldsTimeAndASingleStepGoesOn) {
  const auto clock = std::make_shared<TestClock>();
  Bridge bridge({.clock = clock});
  bridge.set_time_mode(TimeMode::scaled(1.0));
  bridge.step();
  bridge.set_paused(true);
  clock->ns += 5'000'000'000;
  EXPECT_EQ(bridge.sim_time_us(), 20'000u);
  bridge.step();
  EXPECT_EQ(bridge.sim_time_us(), 40'000u);
  bridge.set_paused(false);
  const std::uint64_t before = clock->ns;
  bridge.run_until(TimeUs(140'000));
  EXPECT_NEAR(static_cast<double>(clock->ns - before), 0.1e9, 1e6);
}

TEST(Bridge, AFactorThatIsNoneIsRefused) {
  Bridge bridge;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double factor : {0.0, -1.0, 1e-16, 1e300, kInfinity, kInfinity - kInfinity}) {
    EXPECT_NE(error_text([&] {
                bridge.set_time_mode(TimeMode::scaled(factor));
              }).find("must be from 0.001 to 1000000 times real time"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace tactus
