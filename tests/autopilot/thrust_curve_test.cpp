// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The static thrust curve against the plant itself, run until its rotors are steady; the hover
// against a trim on the plant's right-hand side; the fit against its definition.

#include "tactus/autopilot/airframe/thrust_curve.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tactus/core/error.h"
#include "tests/support/external_bench.h"
#include "tests/support/hover.h"

namespace tactus {
namespace {

class ThrustCurveOf : public ::testing::TestWithParam<const char*> {};

TEST_P(ThrustCurveOf, IsWhereThePlantSettles) {
  const MultirotorParameters p = testing::shipped(GetParam());
  const Multirotor vehicle = make_multirotor(p);
  for (const double command : {0.25, 0.55, 0.85, 1.0}) {
    const SteadyRotors steady = steady_rotors(vehicle, command);
    const MultirotorOutputs plant = testing::on_thrust_stand(p, testing::command_all(command));
    for (int i = 0; i < p.rotor_count; ++i) {
      EXPECT_NEAR(steady.thrust_n[i] / plant.thrust_n[i], 1.0, 1e-4) << command;
      EXPECT_NEAR(steady.torque_nm[i] / plant.rotor_torque_nm[i], 1.0, 1e-4) << command;
    }
    EXPECT_NEAR(steady.bus_v[0], plant.power.bus_v[0], 1e-3) << command;
  }
}

TEST_P(ThrustCurveOf, HoversWhereThePlantDoes) {
  const Multirotor vehicle =
      make_multirotor(testing::shipped(GetParam()), make_world({.ground = {.present = false}}));
  const SteadyRotors hover = hover_rotors(vehicle);
  const testing::OperatingPoint trim = testing::hover_point(vehicle, 0.0);
  EXPECT_NEAR(hover.command / trim.command, 1.0, 1e-5);
  EXPECT_NEAR(hover.speed_rad_s[0] / trim.speed_rad_s, 1.0, 1e-5);
}

TEST_P(ThrustCurveOf, SlopeIsThatOfOneRotorAlone) {
  const MultirotorParameters p = testing::shipped(GetParam());
  const Multirotor vehicle = make_multirotor(p);
  const SteadyRotors hover = hover_rotors(vehicle);
  constexpr double kStep = 0.01;
  MultirotorInput up = testing::command_all(hover.command);
  MultirotorInput down = up;
  up.motor_command[0] += kStep;
  down.motor_command[0] -= kStep;
  const double slope = (testing::on_thrust_stand(p, up).thrust_n[0] -
                        testing::on_thrust_stand(p, down).thrust_n[0]) /
                       (2.0 * kStep);
  // In the plant the voltage of the shared bus gives way a little.
  EXPECT_NEAR(thrust_slope_n(vehicle, hover, 0) / slope, 1.0, 0.06);
}

TEST_P(ThrustCurveOf, FitIsTheBestAndGood) {
  const Multirotor vehicle = make_multirotor(testing::shipped(GetParam()));
  const double fitted = fit_curvature(vehicle, {});
  const double most = steady_rotors(vehicle, 1.0).lift_n;
  double worst = 0.0;
  double squares[3] = {};
  for (int n = 1; n < 20; ++n) {
    const double c = n / 20.0;
    const double t = steady_rotors(vehicle, c).lift_n / most;
    worst = std::fmax(worst, std::fabs(t - model_thrust(fitted, c)));
    for (int k = 0; k < 3; ++k) {
      squares[k] += std::pow(t - model_thrust(fitted + 0.02 * (k - 1), c), 2);
    }
  }
  EXPECT_LT(worst, 0.09);
  EXPECT_LT(squares[1], squares[2]);
  if (fitted > 0.0) {
    EXPECT_LT(squares[1], squares[0]);
  }
}

/// The balance of one rotor by plain halving.
double halved_speed(const Multirotor& vehicle, int rotor, double command, double bus_v) {
  const Motor& motor = vehicle.rotor[rotor].motor;
  const PropellerFlow still{0.0, 0.0, air_density_at(vehicle.world, Vec3{}), math::infinity()};
  double low = 0.0;
  double high = bus_v / motor.torque_constant_nm_a;
  for (int k = 0; k < 34; ++k) {
    const double speed = 0.5 * (low + high);
    const double current = motor_current(motor, motor_electrical(motor, command, speed), bus_v);
    const double surplus = motor_torque(motor, current, speed, false) -
                           propeller_load(vehicle.rotor[rotor].propeller, speed, still).torque_nm;
    (surplus > 0.0 ? low : high) = speed;
  }
  return low;
}

TEST_P(ThrustCurveOf, HasTheBitsOfPlainHalving) {
  const Multirotor vehicle = make_multirotor(testing::shipped(GetParam()));
  for (int step = 0; step <= 40; ++step) {
    const SteadyRotors steady = steady_rotors(vehicle, 0.025 * step);
    for (int i = 0; i < vehicle.counts.rotors; ++i) {
      const double bus_v = steady.bus_v[vehicle.rotor[i].bus];
      ASSERT_EQ(steady.speed_rad_s[i], halved_speed(vehicle, i, steady.command, bus_v))
          << steady.command;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shipped, ThrustCurveOf, ::testing::ValuesIn(testing::kMultirotors),
                         [](const auto& test) { return std::string(test.param); });

TEST(ThrustCurve, RefusesWhatCannotHover) {
  MultirotorParameters p = testing::shipped("iris");
  p.body.mass_kg = 4.0;
  try {
    hover_rotors(make_multirotor(p));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    EXPECT_NE(std::string(error.what()).find("body.mass_kg = 4"), std::string::npos);
  }
}

TEST(ThrustCurve, SlopeOfTheModelIsItsDerivative) {
  for (const double k : {0.0, 0.3, 1.0}) {
    for (const double c : {0.1, 0.5, 0.9}) {
      const double slope = (model_thrust(k, c + 1e-6) - model_thrust(k, c - 1e-6)) / 2e-6;
      EXPECT_NEAR(model_slope(k, c), slope, 1e-9);
    }
  }
  EXPECT_DOUBLE_EQ(model_thrust(0.4, 1.0), 1.0);
}

}  // namespace
}  // namespace tactus
