// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The same inputs through different integrators: how far each is from a much tighter one, in what
// order they come, and that the comparison repeats to the last bit.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/golden/flown.h"
#include "tests/support/engine.h"

namespace tactus {
namespace {

using testing::fly_by_hand;
using testing::quiet_iris;
using testing::spec_of;

/// Two seconds in the air, all axes shaken by commands that depend on time alone, so that every
/// integrator gets the same; a gust and a weak rotor on the way.
Run flown_with(const std::string& solver) {
  const Spec spec = spec_of(quiet_iris(R"(
    world.ground.present = false
    time = { end_s = 2.0, autopilot_s = 0.004, sensors_s = 0.004 }
    initial = { on_ground = false, position_ned_m = [0.0, 0.0, -100.0], rotor_speed_rad_s = 218.0 }
    [[event]]
    id = "gust"
    at_s = 0.5
    do = "wind_step"
    vector = [3.0, 2.0, 0.0]
    [[event]]
    id = "weak"
    at_s = 1.0
    do = "thrust_loss"
    rotor = "rear_right"
    value = 0.02
    [solver]
  )" + solver));
  return fly_by_hand(spec, [](const Bus& bus) { return testing::wiggle(bus.time, {}); });
}

struct Distance {
  double position_m;
  double attitude_rad;
  double rotor_rad_s;
};

Distance distance(const Bus& a, const Bus& b) {
  return {norm(a.truth.position_W_m - b.truth.position_W_m),
          attitude_distance(a.truth.attitude, b.truth.attitude),
          std::fabs(a.esc[0].speed_rad_s - b.esc[0].speed_rad_s)};
}

std::string tolerance(const std::string& value) {
  std::string text = "method = \"rk45\"\nattitude_atol_rad = " + value + "\n";
  for (const char* group : {"position", "velocity", "rate", "rotor", "charge", "polarisation"}) {
    text += std::string(group) + " = { rtol = " + value + ", atol = " + value + " }\n";
  }
  return text;
}

TEST(GoldenIntegrators, AreAsFarFromTheReferenceAsTheirOrderSays) {
  const auto reference = flown_with(tolerance("1e-12"));
  ASSERT_GT(norm(reference.bus().truth.position_W_m - Vec3{0, 0, -100}), 0.3);  // it went places
  const auto from_reference = [&reference](const std::string& solver) {
    return distance(flown_with(solver).bus(), reference.bus());
  };
  const Distance euler = from_reference("method = \"euler\"\nstep_us = 1000");
  const Distance rk4 = from_reference("method = \"rk4\"\nstep_us = 1000");
  const Distance rk4_half = from_reference("method = \"rk4\"\nstep_us = 500");
  const Distance rk45 = from_reference(tolerance("1e-9"));
  EXPECT_GT(euler.position_m, 1e-4);
  EXPECT_GT(euler.position_m, 1e3 * rk4.position_m);
  EXPECT_GT(euler.attitude_rad, 1e3 * rk4.attitude_rad);
  EXPECT_NEAR(rk4.position_m / rk4_half.position_m, 16.0, 3.0);
  EXPECT_LT(rk4.position_m, 1e-8);
  EXPECT_LT(rk45.position_m, 1e-10);
  EXPECT_LT(rk45.attitude_rad, 1e-9);
  EXPECT_LT(rk45.rotor_rad_s, 1e-6);
}

TEST(GoldenIntegrators, RepeatToTheLastBit) {
  for (const char* solver :
       {"method = \"euler\"\nstep_us = 1000", "method = \"rk4\"\nstep_us = 1000",
        "method = \"lie_rk4\"\nstep_us = 1000", "method = \"rk23\"", "method = \"rk45\""}) {
    EXPECT_EQ(flown_with(solver).digest(), flown_with(solver).digest()) << solver;
  }
}

}  // namespace
}  // namespace tactus
