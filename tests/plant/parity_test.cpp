// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Every number of the earlier simulator's regression table, to its printed digits, from the coupled
// plant. The expected values are that simulator's documented regression values, each recomputed
// numerically from its equations.

#include <gtest/gtest.h>

#include <cmath>

#include "tactus/core/error.h"
#include "tests/support/hover.h"
#include "tests/support/prior_art.h"

namespace tactus {
namespace {

using testing::OperatingPoint;

/// Half a unit of the last printed digit.
void expect_printed(double value, double printed, double last_digit) {
  EXPECT_NEAR(value, printed, 0.5001 * last_digit);
}

// On the ground: the quadratic propeller does not know it, and the prior vehicles have no gear.
OperatingPoint hover(const Multirotor& vehicle) { return testing::hover_point(vehicle, 0.0); }
OperatingPoint full_duty(const Multirotor& vehicle) {
  return testing::full_command_point(vehicle, 0.0);
}

TEST(Parity, Calibration) {
  const MultirotorParameters iris = testing::prior_art_iris();
  const auto iris_calibration = testing::calibrate(1.5, 4, iris.rotor[0].motor);
  expect_printed(iris_calibration.kt, 6.611020796089e-5, 1e-17);
  expect_printed(0.05 * iris_calibration.kt, 3.305510398045e-6, 1e-18);
  expect_printed(iris_calibration.full_duty_speed_rad_s, 301.3621, 1e-4);
  const auto octa_calibration = testing::calibrate(2.0, 8, iris.rotor[0].motor);
  expect_printed(octa_calibration.kt, 1.171630426366e-5, 1e-17);
  expect_printed(0.05 * octa_calibration.kt, 5.858152131831e-7, 1e-19);
  expect_printed(octa_calibration.full_duty_speed_rad_s, 584.4966, 1e-4);
  expect_printed(make_multirotor(iris).rotor[0].motor.torque_constant_nm_a, 0.0103796702, 1e-10);
}

TEST(Parity, AnUnreachableThrustIsRefused) {
  // Thrust over the constant is bounded by Kt V / (R km) = 9.964 N per rotor: 2.03 kg on four. The
  // earlier simulator silently went on with a thrust constant of 105.
  const MotorParameters motor = testing::prior_art_iris().rotor[0].motor;
  EXPECT_THROW(testing::calibrate(3.0, 4, motor), Error);
  EXPECT_THROW(testing::calibrate(2.04, 4, motor), Error);
  // Just below the bound the constant is beyond the first upper end of the bisection.
  const auto heavy = testing::calibrate(2.0, 4, motor);
  EXPECT_GT(heavy.kt, 1e-4);
  const double speed = heavy.full_duty_speed_rad_s;
  EXPECT_NEAR(heavy.kt * 1.225 * speed * speed, 9.80665, 1e-9);
}

TEST(Parity, IrisHoverAt488Metres) {
  const Multirotor iris =
      make_multirotor(testing::prior_art_iris(), make_world(testing::prior_art_world()));
  const OperatingPoint h = hover(iris);
  expect_printed(h.out.thrust_n[0], 3.67749375, 1e-8);
  expect_printed(h.out.air.density_kg_m3, 1.1686295, 1e-7);
  expect_printed(h.speed_rad_s, 218.1741, 1e-4);
  expect_printed(h.out.motor_current_a[0], 18.3569, 1e-4);
  expect_printed(h.command * h.out.power.bus_v[0], 6.8538, 1e-4);
  expect_printed(h.command, 0.58460, 1e-5);
  expect_printed(h.out.power.bus_v[0], 11.72397, 1e-5);
  expect_printed(h.out.power.load_current_a[0], 43.802, 1e-3);
  expect_printed(h.out.power.load_current_a[0] * h.out.power.bus_v[0], 513.5, 0.1);
  // Rotor pole at a stiff bus: −d(Ω̇)/dΩ with the duty voltage held.
  const Motor& m = iris.rotor[0].motor;
  const double kq = iris.rotor[0].propeller.torque_constant_m5;
  const double pole =
      (m.torque_constant_nm_a * m.torque_constant_nm_a / m.resistance_ohm +
       2.0 * kq * h.out.air.density_kg_m3 * h.speed_rad_s + m.viscous_friction_nm_s) /
      m.rotor_inertia_kg_m2;
  expect_printed(pole, 176.5, 0.1);
}

TEST(Parity, OctaHoverAt488Metres) {
  const OperatingPoint h =
      hover(make_multirotor(testing::prior_art_octa(), make_world(testing::prior_art_world())));
  expect_printed(h.out.thrust_n[0], 2.4516625, 1e-7);
  expect_printed(h.speed_rad_s, 423.1522, 1e-4);
  expect_printed(h.out.motor_current_a[0], 12.4915, 1e-4);
  expect_printed(h.command * h.out.power.bus_v[0], 7.5150, 1e-4);
}

TEST(Parity, IrisFullDuty) {
  MultirotorParameters p = testing::prior_art_iris();
  WorldParameters world = testing::prior_art_world();
  const OperatingPoint sagging = full_duty(make_multirotor(p, make_world(world)));
  expect_printed(sagging.out.thrust_n[0], 5.949, 1e-3);
  expect_printed(sagging.out.power.bus_v[0], 10.207, 1e-3);
  expect_printed(4.0 * sagging.out.thrust_n[0] / (1.5 * 9.80665), 1.62, 1e-2);
  // A stiff 12 V at sea level.
  world.origin.alt_msl_m = 0.0;
  p.power.pack[0].ocv_v[0] = p.power.pack[0].ocv_v[1] = 12.0;
  p.power.pack[0].r0_ohm = 1e-9;
  const OperatingPoint stiff = full_duty(make_multirotor(p, make_world(world)));
  expect_printed(stiff.out.thrust_n[0], 7.249, 1e-3);
  expect_printed(stiff.out.thrust_n[0] / 3.67749375, 1.971, 1e-3);
}

}  // namespace
}  // namespace tactus
