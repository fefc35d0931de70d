// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sensor/land_detector.h"

#include <gtest/gtest.h>

#include <string>
#include <type_traits>

#include "tactus/core/error.h"
#include "tactus/core/fields.h"

namespace tactus {
namespace {

static_assert(std::is_trivially_copyable_v<LandDetectorState>);

constexpr double kHover = 0.5;
constexpr DurationUs kTick{10'000};

/// A quadrotor that stands with its motors off, to be changed by the test.
struct Bench {
  LandStatus step() {
    const LandStatus status =
        step_land_detector(parameters, now, truth, loads, command, vehicle, hover, state);
    now += kTick;
    return status;
  }
  void set_motors(double drive) {
    for (int i = 0; i < vehicle.motors; ++i) command.motor[i] = drive;
  }
  /// Ticks until landed, at most 1000.
  int ticks_until_landed() {
    for (int k = 0; k < 1000; ++k) {
      if (step().landed) return k;
    }
    return -1;
  }

  LandDetectorParameters parameters;
  TimeUs now;
  Truth truth;
  VehicleLoads loads{.gear_touching_mask = 0xF};
  Command command;
  LandedVehicle vehicle{.flies = true, .motors = 4};
  double hover = kHover;
  LandDetectorState state;
};

/// The same, in flight.
Bench flying() {
  Bench bench;
  bench.loads.gear_touching_mask = 0;
  bench.set_motors(kHover);
  for (int k = 0; k < 100; ++k) {
    const LandStatus status = bench.step();
    EXPECT_FALSE(status.ground_contact || status.landed);
  }
  return bench;
}

TEST(LandDetector, AVehicleThatStandsHasLandedFromTheStart) {
  Bench bench;
  for (int k = 0; k < 10; ++k) {
    const LandStatus status = bench.step();
    EXPECT_TRUE(status.ground_contact && status.landed);
  }
}

TEST(LandDetector, AVehicleThatStartsInFlightHasNot) {
  Bench bench;
  bench.loads.gear_touching_mask = 0;
  EXPECT_FALSE(bench.step().landed);
}

TEST(LandDetector, LandedExactlyAfterBothHoldTimes) {
  Bench bench = flying();
  bench.loads.gear_touching_mask = 1;
  bench.set_motors(0.1);
  EXPECT_EQ(bench.ticks_until_landed(), 60);
}

TEST(LandDetector, LiftOffCountsAtOnce) {
  Bench bench;
  EXPECT_TRUE(bench.step().landed);
  bench.loads.gear_touching_mask = 0;
  const LandStatus status = bench.step();
  EXPECT_FALSE(status.ground_contact || status.landed);
}

TEST(LandDetector, ABounceStartsTheTimesAgain) {
  Bench bench = flying();
  bench.set_motors(0.1);
  bench.loads.gear_touching_mask = 1;
  for (int k = 0; k < 59; ++k) EXPECT_FALSE(bench.step().landed);
  bench.loads.gear_touching_mask = 0;
  EXPECT_FALSE(bench.step().landed);
  bench.loads.gear_touching_mask = 2;
  EXPECT_EQ(bench.ticks_until_landed(), 60);
}

TEST(LandDetector, EveryConditionIsNeededAndEndsItAtOnce) {
  const auto breaks = [](auto&& change) {
    Bench standing;
    EXPECT_TRUE(standing.step().landed);
    change(standing);
    EXPECT_FALSE(standing.step().landed);
    Bench landing = flying();
    landing.loads.gear_touching_mask = 0xF;
    landing.set_motors(0.0);
    change(landing);
    EXPECT_EQ(landing.ticks_until_landed(), -1);
  };
  breaks([](Bench& b) { b.truth.velocity_W_m_s.z = 0.21; });
  breaks([](Bench& b) { b.truth.velocity_W_m_s.z = -0.21; });
  breaks([](Bench& b) { b.truth.velocity_W_m_s = {0.8, 0.8, 0.0}; });
  breaks([](Bench& b) { b.truth.rate_B_rad_s = {0.2, 0.2, 0.2}; });
  breaks([](Bench& b) { b.set_motors(kHover); });
}

/// PX4 wants thrusts; at their least, the commands made of them are above the limit of commands.
TEST(LandDetector, CommandsMadeOfThrustsAreComparedAsThrusts) {
  constexpr double kCurve = 0.6;
  EXPECT_DOUBLE_EQ(thrust_of_command(0.5, kCurve), 0.6 * 0.25 + 0.4 * 0.5);
  EXPECT_EQ(thrust_of_command(0.5, 0.0), 0.5);
  EXPECT_EQ(thrust_of_command(1.0, kCurve), 1.0);
  EXPECT_EQ(thrust_of_command(0.0, kCurve), 0.0);
  Bench bench;
  bench.hover = 0.47;
  bench.loads.gear_touching_mask = 0xF;
  bench.set_motors(
      0.226);  // a thrust of 0.121 as a command; the limit is 0.225 or, of thrusts, 0.18
  EXPECT_FALSE(bench.step().landed);
  bench.vehicle.thrust_curve = kCurve;
  EXPECT_GT(bench.ticks_until_landed(), 0);
  bench.set_motors(0.33);
  EXPECT_FALSE(bench.step().landed);
}

TEST(LandDetector, LowCommandFollowsTheRule) {
  const LandDetectorParameters p;
  EXPECT_DOUBLE_EQ(low_command_limit(p, 0.5), 0.12 + 0.3 * (0.5 - 0.12));
  EXPECT_DOUBLE_EQ(low_command_limit(p, 0.1), 0.1);
  EXPECT_EQ(low_command_limit(p, 0.0), 0.0);
  Bench bench;
  bench.set_motors(0.233);
  EXPECT_TRUE(bench.step().landed);
  bench.set_motors(0.235);
  EXPECT_FALSE(bench.step().landed);
  // The mean decides, not a single motor, and only motors that exist.
  Bench uneven;
  uneven.command.motor[0] = 0.9;
  uneven.command.motor[7] = 1.0;
  EXPECT_TRUE(uneven.step().landed);
}

TEST(LandDetector, ARoverHasLandedWhileItStandsStill) {
  Bench rover;
  rover.vehicle = {.flies = false, .motors = 0};
  rover.loads.gear_touching_mask = 0;
  EXPECT_TRUE(rover.step().landed);
  rover.truth.velocity_W_m_s.x = 0.06;
  const LandStatus driving = rover.step();
  EXPECT_TRUE(driving.ground_contact);
  EXPECT_FALSE(driving.landed);
  rover.truth.velocity_W_m_s.x = 0.04;
  EXPECT_EQ(rover.ticks_until_landed(), 60);
  rover.truth.rate_B_rad_s.z = 0.5;
  EXPECT_FALSE(rover.step().landed);
}

TEST(LandDetector, WhatFliesWithoutMotorsLandsByItsContacts) {
  Bench ball;
  ball.vehicle = {.flies = true, .motors = 0};
  ball.loads.gear_touching_mask = 0;
  const LandStatus falling = ball.step();  // at the top of its path it stands still
  EXPECT_FALSE(falling.ground_contact || falling.landed);
  ball.loads.gear_touching_mask = 1;
  EXPECT_TRUE(ball.step().ground_contact);
  EXPECT_EQ(ball.ticks_until_landed(), 59);
  ball.truth.velocity_W_m_s.z = 0.21;
  EXPECT_FALSE(ball.step().landed);
}

TEST(LandDetector, ParametersOutOfRangeAreRefusedByName) {
  validate(LandDetectorParameters{}, "land_detector");
  for (int target = 0; target < 7; ++target) {
    LandDetectorParameters p;
    int position = 0;
    std::string name;
    for_each_leaf(p, [&](const LeafPath& path, auto& value) {
      if (position++ != target) return;
      using Leaf = std::remove_reference_t<decltype(value)>;
      value = std::is_same_v<Leaf, double> ? static_cast<Leaf>(-1.0) : Leaf(60'000'001);
      name = path.text();
    });
    EXPECT_THROW(validate(p, "land_detector"), Error) << name;
  }
}

}  // namespace
}  // namespace tactus
