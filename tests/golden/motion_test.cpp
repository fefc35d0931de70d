// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Motion against closed forms, flown through spec, assembly and engine: fall, steady turn, drop,
// signs of the rotors, their order, and hover in thinner air.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tactus/record/memory_log.h"
#include "tests/golden/flown.h"
#include "tests/support/engine.h"

namespace tactus {
namespace {

using testing::all_motors;
using testing::fly_by_hand;
using testing::quiet_iris;
using testing::spec_of;

/// Nothing but gravity: no drag, no ground, rotors at rest.
std::string bare_body(const std::string& method, const std::string& more) {
  return quiet_iris(R"(
    world.ground.present = false
    solver.method = ")" +
                    method + "\"\n" + more + R"(
    [body]
    linear_drag_n_s_m = 0.0
    angular_damping_nm_s = [0.0, 0.0, 0.0]
  )");
}

Command no_drive(const Bus& /*bus*/) { return {}; }

class EveryMethod : public ::testing::TestWithParam<const char*> {};

TEST_P(EveryMethod, FallsAsGalileoSays) {
  const Spec spec = spec_of(bare_body(GetParam(), R"(
    initial = { on_ground = false, velocity_ned_m_s = [1.0, -2.0, 0.0] }
    time = { end_s = 1.0, autopilot_s = 0.002, sensors_s = 0.002 }
  )"));
  const auto run = fly_by_hand(spec, no_drive);
  const Truth& truth = run.bus().truth;
  const double g = 9.80665;
  const bool first_order = std::string(GetParam()) == "euler";
  EXPECT_NEAR(truth.velocity_W_m_s.z, g, 1e-11);
  // Euler loses exactly half a step of the final speed: z = g t (t − dt) / 2.
  EXPECT_NEAR(truth.position_W_m.z, first_order ? 0.5 * g * (1.0 - 0.002) : 0.5 * g, 1e-11);
  EXPECT_NEAR(truth.position_W_m.x, 1.0, 1e-12);
  EXPECT_NEAR(truth.position_W_m.y, -2.0, 1e-12);
  // What nothing acts on keeps its bits.
  EXPECT_EQ(truth.attitude, (Quat{1, 0, 0, 0}));
  EXPECT_EQ(truth.rate_B_rad_s, Vec3{});
  EXPECT_EQ(run.bus().battery[0].remaining, 1.0);
  EXPECT_EQ(run.bus().esc[3].speed_rad_s, 0.0);
  EXPECT_EQ(fly_by_hand(spec, no_drive).digest(), run.digest());
}

std::string name_of_method(const ::testing::TestParamInfo<const char*>& test) { return test.param; }
INSTANTIATE_TEST_SUITE_P(GoldenMotion, EveryMethod,
                         ::testing::Values("euler", "rk23", "rk4", "rk45", "lie_rk4"),
                         name_of_method);

/// Error of the heading after 10 s at a steady 1 rad/s or faster.
double heading_error(double rate_rad_s, const std::string& step_us) {
  const auto run = fly_by_hand(spec_of(bare_body("rk4", "solver.step_us = " + step_us + R"(
        time = { end_s = 10.0, autopilot_s = 0.004, sensors_s = 0.004 }
        initial = { on_ground = false, rate_body_rad_s = [0.0, 0.0, )" +
                                                            std::to_string(rate_rad_s) + "] }\n")),
                               no_drive);
  const Truth& truth = run.bus().truth;
  EXPECT_NEAR(norm(truth.attitude), 1.0, 1e-12);
  EXPECT_EQ(truth.rate_B_rad_s.z, rate_rad_s);
  return std::fabs(std::remainder(yaw_of(truth.attitude) - 10.0 * rate_rad_s, 2.0 * math::kPi));
}

TEST(GoldenMotion, ASteadyTurnKeepsItsHeadingToTheFourthOrder) {
  EXPECT_LT(heading_error(1.0, "1000"), 1e-6);
  const double coarse = heading_error(40.0, "2000");
  const double fine = heading_error(40.0, "1000");
  EXPECT_GT(fine, 1e-10);  // well above rounding, or the ratio would mean nothing
  EXPECT_NEAR(coarse / fine, 16.0, 0.5);
}

TEST(GoldenMotion, ADropFromOneMetreIsCaughtWithinACentimetreAndLosesEnergy) {
  const Spec spec = spec_of(quiet_iris(R"(
    solver.method = "rk4"
    log.period_s = 0.002
    time = { end_s = 3.0, autopilot_s = 0.002, sensors_s = 0.002 }
    initial = { on_ground = false, position_ned_m = [0.0, 0.0, -1.12] }
  )"));
  MemoryLog log({"truth.height_m", "truth.speed_m_s", "loads.gear_touching_mask"});
  fly_by_hand(spec, no_drive, {}, {&log});
  const auto& height = log.column("truth.height_m");
  const auto& speed = log.column("truth.speed_m_s");
  const auto& touching = log.column("loads.gear_touching_mask");
  ASSERT_EQ(height.size(), 1'501U);
  double deepest = 0.0;
  // While the gear is pressed it stores energy; between touches the sum is all there is.
  double ceiling = 9.80665 * 1.0;
  int bounces = 0;
  for (std::size_t k = 0; k < height.size(); ++k) {
    ASSERT_TRUE(std::isfinite(height[k]) && std::isfinite(speed[k]));
    const double foot_m = height[k] - 0.12;
    deepest = std::min(deepest, foot_m);
    const double energy = 9.80665 * foot_m + 0.5 * speed[k] * speed[k];
    ASSERT_LE(energy, ceiling + 1e-9) << k;
    if (touching[k] != 0.0 || k == 0) continue;
    if (touching[k - 1] != 0.0) {
      ++bounces;
      EXPECT_LT(energy, 0.9 * ceiling);
    }
    ceiling = energy;
  }
  EXPECT_GT(deepest, -0.01);
  EXPECT_LT(deepest, -1e-3);
  EXPECT_GE(bounces, 1);
  EXPECT_LT(speed.back(), 1e-3);
}

/// Acceleration of an Iris in the air 20 ms after one rotor got more than the others.
Vec3 turning(const std::string& more, int rotor) {
  const Spec spec = spec_of(quiet_iris(R"(
    time = { end_s = 0.02, autopilot_s = 0.01, sensors_s = 0.01 }
    initial = { on_ground = false, position_ned_m = [0.0, 0.0, -50.0], rotor_speed_rad_s = 218.0 }
  )" + more));
  testing::RowList list;
  fly_by_hand(spec,
              [rotor](const Bus&) {
                Command command = all_motors(0.585);
                command.motor[rotor] += 0.05;
                return command;
              },
              {}, {&list});
  return list.rows.back().bus.truth.angular_acceleration_B_rad_s2;
}

TEST(GoldenMotion, AFasterRotorTurnsTheBodyAsItsSignAndItsPlaceSay) {
  // Front right and rear left push the nose to the right, the others to the left.
  const int yaw[] = {1, 1, -1, -1};
  const int roll[] = {-1, 1, 1, -1};
  const int pitch[] = {1, -1, 1, -1};
  for (int i = 0; i < 4; ++i) {
    const Vec3 alpha = turning("", i);
    EXPECT_GT(alpha.z * yaw[i], 0.01) << i;
    EXPECT_GT(alpha.x * roll[i], 0.1) << i;
    EXPECT_GT(alpha.y * pitch[i], 0.1) << i;
  }
  const std::string flipped = R"(
    rotor = [{ id = "front_right", reaction_sign = -1 }, { id = "rear_left", reaction_sign = -1 },
             { id = "front_left", reaction_sign = 1 }, { id = "rear_right", reaction_sign = 1 }]
  )";
  for (int i = 0; i < 4; ++i) EXPECT_LT(turning(flipped, i).z * yaw[i], -0.01) << i;
}

TEST(GoldenMotion, ChannelsBelongToRotorsInTheOrderOfTheSpec) {
  // Left and right exchanged: the vehicle in the mirror.
  const std::string mirrored = R"(
    rotor = [
      { id = "front_right", position_body_m = [0.1515, -0.2450, 0.0], reaction_sign = -1 },
      { id = "rear_left", position_body_m = [-0.1515, 0.1875, 0.0], reaction_sign = -1 },
      { id = "front_left", position_body_m = [0.1515, 0.2450, 0.0], reaction_sign = 1 },
      { id = "rear_right", position_body_m = [-0.1515, -0.1875, 0.0], reaction_sign = 1 }]
  )";
  for (int i = 0; i < 4; ++i) {
    const Vec3 a = turning("", i);
    const Vec3 b = turning(mirrored, i);
    EXPECT_NEAR(b.x, -a.x, 1e-9);
    EXPECT_NEAR(b.y, a.y, 1e-9);
    EXPECT_NEAR(b.z, -a.z, 1e-9);
  }
}

TEST(GoldenMotion, EightRotorsFollowEightCommands) {
  const Spec spec = spec_of(R"(
    extends = "../aircraft/octa.toml"
    wind = { turbulence = "none" }
    time = { end_s = 1.0 }
    initial = { on_ground = false, position_ned_m = [0.0, 0.0, -100.0] }
  )");
  ASSERT_EQ(spec.parts.rotors.size(), 8U);
  MemoryLog log;
  const auto run = fly_by_hand(spec,
                               [](const Bus&) {
                                 Command command;
                                 for (int i = 0; i < 8; ++i)
                                   command.motor[i] = 0.40 + 0.02 * ((3 * i) % 8);
                                 return command;
                               },
                               {}, {&log});
  for (const BusLeaf& leaf : log.leaves()) {
    if (leaf.name.rfind("autopilot.", 0) == 0) continue;
    for (const double value : log.column(leaf.name)) ASSERT_TRUE(std::isfinite(value)) << leaf.name;
  }
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 8; ++j) {
      EXPECT_EQ(run.bus().esc[i].speed_rad_s < run.bus().esc[j].speed_rad_s,
                run.bus().command.motor[i] < run.bus().command.motor[j])
          << i << " " << j;
    }
  }
}

/// Two propellers that pull forward, side by side: the difference of their thrusts yaws, the
/// difference of their torques rolls, and flying forward takes thrust away.
TEST(GoldenMotion, TwinForwardPropellersYawAndRoll) {
  const auto first_row = [](const std::string& speed) {
    const Spec spec = spec_of(quiet_iris(R"(
      world.ground.present = false
      time = { end_s = 0.1, autopilot_s = 0.01, sensors_s = 0.01 }
      initial = { on_ground = false, rotor_speed_rad_s = 200.0, velocity_ned_m_s = [)" +
                                         speed +
                                         R"(, 0.0, 0.0] }
      rotor = [
        { id = "front_right", position_body_m = [0.0, 0.3, 0.0], axis_body = [-1.0, 0.0, 0.0] },
        { id = "rear_left", position_body_m = [0.0, -0.3, 0.0], axis_body = [-1.0, 0.0, 0.0] },
        { id = "front_left", remove = true }, { id = "rear_right", remove = true }]
    )"));
    testing::RowList list;
    fly_by_hand(spec,
                [](const Bus&) {
                  Command command;
                  command.motor[0] = 0.5;
                  return command;
                },
                {}, {&list});
    return list.rows;
  };
  const auto still = first_row("0.0");
  const Bus& start = still.front().bus;
  const double thrust = 6.6110207960891077e-05 * start.environment.density_kg_m3 * 200.0 * 200.0;
  EXPECT_NEAR(start.loads.thrust_n[0], thrust, 1e-9);
  EXPECT_NEAR(start.truth.acceleration_W_m_s2.x, 2.0 * thrust / 1.5, 1e-9);
  EXPECT_NEAR(start.truth.acceleration_W_m_s2.z, 9.80665, 1e-12);
  // Later the right one is faster and pulls the nose to the left.
  const Bus& later = still.back().bus;
  EXPECT_GT(later.loads.thrust_n[0], later.loads.thrust_n[1]);
  const double yaw_moment = 0.3 * (later.loads.thrust_n[1] - later.loads.thrust_n[0]);
  EXPECT_LT(yaw_moment, -0.1);
  EXPECT_LT(later.truth.angular_acceleration_B_rad_s2.z, 0.0);
  EXPECT_LT(later.truth.rate_B_rad_s.x, 0.0);  // sign +1: torque about the axis, which points back
  EXPECT_LT(first_row("10.0").front().bus.loads.thrust_n[0], 0.9 * thrust);
}

/// Rotor speed that the autopilot settles at in a hover 10 m above an origin at that altitude.
double hover_speed(double altitude_m) {
  Spec spec = spec_of(quiet_iris(R"(
    time = { end_s = 40.0 }
    log.period_s = 0.1
    [[pack]]
    id = "main"
    capacity_ah = 1.0e5
    [[event]]
    id = "up"
    at_s = 1.0
    do = "arm"
    [[event]]
    id = "go"
    at_s = 1.5
    do = "takeoff"
  )"));
  spec.world.origin.alt_msl_m = altitude_m;
  spec.builtin.takeoff_height_m = 10.0;
  MemoryLog log({"truth.height_m", "esc[0].speed_rad_s", "esc[1].speed_rad_s", "esc[2].speed_rad_s",
                 "esc[3].speed_rad_s"});
  Assembly flight = assemble(spec);
  testing::fly_spec(flight, {}, {&log});
  EXPECT_NEAR(log.column("truth.height_m").back(), 10.0 + 0.12, 0.2);
  double square = 0.0;
  for (int i = 0; i < 4; ++i) {
    const double speed = log.column("esc[" + std::to_string(i) + "].speed_rad_s").back();
    square += 0.25 * speed * speed;
  }
  return std::sqrt(square);
}

/// T = kt ρ Ω² = weight / 4 in both: Ω ~ 1/√ρ with the density of the standard atmosphere.
TEST(GoldenMotion, AnOriginFiveHundredMetresHigherHoversFasterByTheRootOfDensity) {
  const auto density = [](double h) {
    return 1.225 * std::pow(1.0 - 0.0065 * h / 288.15, 4.255876);
  };
  const double low = hover_speed(488.0);
  const double high = hover_speed(988.0);
  const double expected = std::sqrt(density(498.0) / density(998.0));
  EXPECT_GT(expected, 1.02);
  EXPECT_NEAR(high / low, expected, 1e-5);
  EXPECT_NEAR(low, std::sqrt(1.5 * 9.80665 / 4.0 / (6.6110207960891077e-05 * density(498.0))),
              0.01);
}

}  // namespace
}  // namespace tactus
