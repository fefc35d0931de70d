// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// link: sundials_arkode sundials_nvecserial fmt

// The whole coupled plant against SUNDIALS, ten seconds of varying commands and wind.

#include <gtest/gtest.h>

#include <cmath>

#include "cli/extra/independent_flight.h"
#include "tactus/plant/iris.h"

namespace tactus {
namespace {

using verify::SundialsReference;

TEST(SundialsReference, IntegratesACosine) {
  SundialsReference reference(
      [](double, const double* x, double* dx) {
        dx[0] = x[1];
        dx[1] = -x[0];
      },
      {1.0, 0.0}, 1e-13);
  for (int i = 0; i < 10; ++i) reference.advance(0.5);
  EXPECT_NEAR(reference.x()[0], std::cos(5.0), 1e-11);
  EXPECT_NEAR(reference.x()[1], -std::sin(5.0), 1e-11);
}

void expect_agreement(const MultirotorParameters& parameters, const World& world = make_world({})) {
  const verify::IndependentComparison c = verify::compare_with_sundials(parameters, world);
  EXPECT_LE(c.own.position_m, 1e-8);
  EXPECT_LE(c.own.attitude_rad, 1e-9);
  EXPECT_LE(c.tactus.position_m, 1e-7);
  EXPECT_LE(c.tactus.attitude_rad, 1e-8);
  EXPECT_GT(c.tactus.position_m, 0.0);  // two flights, not one twice
}

TEST(Sundials, AgreesOnTheBladeElementIris) { expect_agreement(iris_parameters()); }

TEST(Sundials, AgreesOnTheQuadraticIris) { expect_agreement(iris_quadratic_parameters()); }

TEST(Sundials, AgreesWithFullInertiaBrakingMotorsAndNormalGravity) {
  MultirotorParameters p = iris_parameters();
  p.body.linear_drag_n_s_m = 0.1;
  p.body.angular_damping_nm_s = {0.01, 0.01, 0.005};
  p.body.inertia_kg_m2 = {
      {{0.029, 0.001, 0.0005}, {0.001, 0.031, -0.0005}, {0.0005, -0.0005, 0.055}}};
  for (int i = 0; i < 4; ++i) p.rotor[i].motor.mode = MotorMode::kDamped;
  expect_agreement(p, make_world({.gravity = {.kind = GravityKind::kWgs84}}));
}

/// The series of inputs is what it is meant to be: it moves everything and stays near hover.
TEST(SwayingFlight, IsLivelyAndStaysUpright) {
  const Multirotor iris = make_multirotor(iris_parameters());
  const verify::HoverTrim trim = verify::hover_trim(iris);
  MultirotorFlight flight = start_flight(iris, verify::same_command(trim.command), trim.state);
  double tilt = 0.0, speed = 0.0, low = 1.0, high = 0.0;
  for (const MultirotorInput& input : verify::swaying_inputs(iris, trim)) {
    fly(iris, verify::tight_config(1e-6), input, flight.now + verify::kHoldPeriod, flight);
    const EulerAngles e = to_euler(load_quat(flight.state.x + iris.layout.attitude));
    tilt = std::fmax(tilt, std::hypot(e.roll_rad, e.pitch_rad));
    speed = std::fmax(speed, norm(load_vec3(flight.state.x + iris.layout.velocity)));
    low = std::fmin(low, input.motor_command[0]);
    high = std::fmax(high, input.motor_command[0]);
  }
  EXPECT_GT(tilt, 0.1);
  EXPECT_LT(tilt, 0.5);
  EXPECT_GT(speed, 1.0);
  EXPECT_LT(speed, 15.0);
  EXPECT_GT(high - low, 0.03);
}

}  // namespace
}  // namespace tactus
