// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tactus/core/error.h"
#include "tactus/plant/rover.h"
#include "tactus/solver/advance.h"

namespace tactus {
namespace {

struct Rover {
  RoverSystem system;
  double x[RoverLayout::kSize] = {};

  void drive(std::uint64_t t_us) {
    SolverConfig config;
    config.step_us = 1000;
    SolverMemory<RoverSystem::kCapacity> memory;
    ASSERT_EQ(advance(system, config, memory, TimeUs(0), TimeUs(t_us), x).status, Status::kOk);
  }
};

TEST(Rover, StraightAheadIsNorthAtZeroHeading) {
  Rover r;
  r.system.input = {1.0, 1.0};
  r.x[RoverLayout::kLeftSpeed] = r.x[RoverLayout::kRightSpeed] = 1.0;
  r.drive(2'000'000);
  EXPECT_NEAR(r.x[0], 2.0, 1e-12);
  EXPECT_EQ(r.x[1], 0.0);
}

TEST(Rover, ConstantWheelSpeedsDriveACircle) {
  // Left faster turns right: clockwise circle of radius v/r about the point on the right.
  Rover r;
  r.system.input = {0.6, 0.5};
  r.x[RoverLayout::kLeftSpeed] = 0.6;
  r.x[RoverLayout::kRightSpeed] = 0.5;
  r.drive(3'000'000);
  const double rate = 0.1 / 0.15, radius = 0.55 / rate, angle = rate * 3.0;
  EXPECT_NEAR(r.x[RoverLayout::kHeading], angle, 1e-12);
  EXPECT_NEAR(r.x[0], radius * std::sin(angle), 1e-10);
  EXPECT_NEAR(r.x[1], radius * (1.0 - std::cos(angle)), 1e-10);
}

TEST(Rover, WheelsFollowTheirCommandExponentially) {
  Rover r;
  r.system.input = {1.0, -1.0};
  r.drive(100'000);
  EXPECT_NEAR(r.x[RoverLayout::kLeftSpeed], 1.0 - std::exp(-1.0), 1e-9);
  EXPECT_NEAR(r.x[RoverLayout::kRightSpeed], std::exp(-1.0) - 1.0, 1e-9);
}

TEST(Rover, TurnRateIsLimited) {
  Rover r;
  r.x[RoverLayout::kLeftSpeed] = 1.0;
  r.x[RoverLayout::kRightSpeed] = -1.0;
  EXPECT_EQ(rover_motion(r.system.parameters, r.x).turn_rate_rad_s, 2.0);
}

TEST(Rover, HeadingIsControlledApartFromPosition) {
  // A tolerance of a kilometre on positions must not loosen the heading.
  Rover r;
  r.system.input = {1.0, -0.2};
  r.system.parameters.max_turn_rate_rad_s = 100.0;
  SolverConfig config = default_config(Method::kRk45);
  config.position = config.velocity = {0.0, 1e3};
  config.rate = {0.0, 1e-9};
  SolverMemory<RoverSystem::kCapacity> memory;
  ASSERT_EQ(advance(r.system, config, memory, TimeUs(0), TimeUs(120'000), r.x).status, Status::kOk);
  // ψ = 1.2/b (t − τ (1 − e^(−t/τ))) with b = 0.15, τ = 0.1.
  const double exact = 8.0 * (0.12 - 0.1 * (1.0 - std::exp(-1.2)));
  EXPECT_NEAR(r.x[RoverLayout::kHeading], exact, 1e-8);
}

void expect_refused(const char* key, const auto& value) {
  try {
    validate(value, "rover");
    ADD_FAILURE() << "accepted a bad " << key;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(key), std::string::npos) << error.what();
  }
}

TEST(Rover, BadParametersAndCommandsAreRefusedByName) {
  EXPECT_NO_THROW(validate(RoverParameters{}, "rover"));
  EXPECT_NO_THROW(validate(RoverInput{1.0, -1.0}, "rover"));
  RoverParameters p;
  p.track_m = 0.0;
  expect_refused("rover.track_m = 0", p);
  expect_refused("rover.left_command = 1.5", RoverInput{1.5, 0.0});
  expect_refused("rover.right_command = nan", RoverInput{0.0, std::nan("")});
}

}  // namespace
}  // namespace tactus
