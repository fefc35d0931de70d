// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The realistic Iris must behave like the real class of vehicle: figures of its propeller from the
// UIUC wind tunnel, of its size and power from 1.5 kg quadrotors.

#include <gtest/gtest.h>

#include <cmath>

#include "tactus/plant/iris.h"
#include "tests/support/hover.h"

namespace tactus {
namespace {

using testing::operating_point;
using testing::OperatingPoint;

constexpr double kHeight_m = 100.0;  // out of ground effect

class IrisAtSeaLevel : public ::testing::TestWithParam<PropellerKind> {
 protected:
  IrisAtSeaLevel() {
    const MultirotorParameters p =
        GetParam() == PropellerKind::kQuadratic ? iris_quadratic_parameters() : iris_parameters();
    WorldParameters world;
    world.origin.alt_msl_m = -kHeight_m;
    iris = make_multirotor(p, make_world(world));
    hover = testing::hover_point(iris, kHeight_m);
    full = testing::full_command_point(iris, kHeight_m);
  }

  Multirotor iris;
  OperatingPoint hover;
  OperatingPoint full;
};

TEST_P(IrisAtSeaLevel, HoversLikeTheRealOne) {
  const double thrust = hover.out.thrust_n[0];
  const double torque = hover.out.rotor_torque_nm[0];
  EXPECT_NEAR(hover.out.air.density_kg_m3, 1.225, 1e-3);
  EXPECT_GE(hover.speed_rad_s, 470.0);
  EXPECT_LE(hover.speed_rad_s, 520.0);
  const double shaft_w = torque * hover.speed_rad_s;
  EXPECT_GE(shaft_w, 28.0);
  EXPECT_LE(shaft_w, 33.0);
  const double area = M_PI * 0.127 * 0.127;
  const double ideal_w = std::pow(thrust, 1.5) / std::sqrt(2.0 * 1.225 * area);
  EXPECT_GE(ideal_w / shaft_w, 0.62);
  EXPECT_LE(ideal_w / shaft_w, 0.70);
  EXPECT_GE(torque / thrust, 0.016);
  EXPECT_LE(torque / thrust, 0.018);
  const double electrical_w = hover.out.power.bus_v[0] * hover.out.power.load_current_a[0];
  EXPECT_GE(electrical_w, 140.0);
  EXPECT_LE(electrical_w, 190.0);
  EXPECT_GE(hover.command, 0.48);
  EXPECT_LE(hover.command, 0.60);
}

TEST_P(IrisAtSeaLevel, HasTheThrustAndTheLagOfTheRealOne) {
  const double ratio = full.out.thrust_n[0] / hover.out.thrust_n[0];
  EXPECT_GE(ratio, 1.9);
  EXPECT_LE(ratio, 2.5);
  EXPECT_GE(iris.rotor[0].motor.rotor_inertia_kg_m2, 4e-5);
  EXPECT_LE(iris.rotor[0].motor.rotor_inertia_kg_m2, 6e-5);
  const double d = 0.1;
  const auto rotor_rate = [&](double speed) {
    return operating_point(iris, kHeight_m, hover.command, speed).rotor_rate;
  };
  const double pole =
      -(rotor_rate(hover.speed_rad_s + d) - rotor_rate(hover.speed_rad_s - d)) / (2.0 * d);
  EXPECT_GE(1.0 / pole, 0.030);
  EXPECT_LE(1.0 / pole, 0.075);
}

INSTANTIATE_TEST_SUITE_P(Propellers, IrisAtSeaLevel,
                         ::testing::Values(PropellerKind::kBladeElement,
                                           PropellerKind::kQuadratic));

}  // namespace
}  // namespace tactus
