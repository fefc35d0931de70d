// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// A vehicle that begins on the ground begins at rest: contact carries its weight.

#include "tactus/vehicle/stance.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tactus/core/error.h"
#include "tactus/core/random.h"
#include "tactus/plant/iris.h"
#include "tactus/vehicle/multirotor_flight.h"
#include "tests/support/engine.h"
#include "tests/support/plant.h"

namespace tactus {
namespace {

MultirotorState standing(const Multirotor& vehicle, double north_m = 0.0, double east_m = 0.0,
                         double heading_rad = 0.0) {
  MultirotorState state = vehicle.initial;
  stand(vehicle, north_m, east_m, heading_rad, state);
  return state;
}

Vec3 position_of(const MultirotorState& state) { return load_vec3(state.x); }
Quat attitude_of(const Multirotor& vehicle, const MultirotorState& state) {
  return load_quat(state.x + vehicle.layout.attitude);
}

/// Acceleration and angular acceleration by the whole right-hand side, which knows nothing of how
/// the stance was found.
void expect_at_rest(const Multirotor& vehicle, const MultirotorState& state, double within) {
  const MultirotorOutputs out = outputs(vehicle, {}, start_flight(vehicle, {}, state));
  EXPECT_LT(norm(out.acceleration_W_m_s2), within);
  EXPECT_LT(norm(out.angular_acceleration_B_rad_s2), 100.0 * within);
  const Vec3 up_B = rotate_inverse(attitude_of(vehicle, state), {0.0, 0.0, -1.0});
  EXPECT_LT(norm(out.specific_force_B_m_s2 - 9.80665 * up_B), within);
}

World sloping(double north_deg, double east_deg) {
  WorldParameters world;
  const Vec3 steep{std::tan(north_deg * math::kDegToRad), std::tan(east_deg * math::kDegToRad),
                   -1.0};
  world.ground.normal_W = steep / norm(steep);
  return make_world(world);
}

TEST(Stance, OnFlatGroundItIsLevelAndPressedIn) {
  const Multirotor vehicle = make_multirotor(iris_parameters());
  const double heading = 0.7;
  const MultirotorState state = standing(vehicle, 3.0, -4.0, heading);
  expect_at_rest(vehicle, state, 1e-9);
  EXPECT_EQ(attitude_of(vehicle, state), from_euler({0.0, 0.0, heading})) << "exactly level";
  // Four points, each with a quarter of the weight: k δ^1.5 = m g / 4.
  const double quarter_n = vehicle.body.mass_kg * 9.80665 / 4.0;
  const double depth = std::pow(quarter_n / vehicle.gear.stiffness_n_m15, 2.0 / 3.0);
  EXPECT_NEAR(position_of(state).z, -0.12 + depth, 1e-12);
  EXPECT_EQ(position_of(state).x, 3.0);
  EXPECT_EQ(position_of(state).y, -4.0);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(state.x[vehicle.layout.bristle + i], 0.0);
}

TEST(Stance, ItStaysWhereItStands) {
  for (const double slope_deg : {0.0, 4.0, 20.0, 25.0}) {
    const Multirotor vehicle =
        make_multirotor(iris_parameters(), sloping(slope_deg, -0.5 * slope_deg));
    const MultirotorState state = standing(vehicle, 0.0, 0.0, 1.1);
    expect_at_rest(vehicle, state, 1e-3);
    MultirotorFlight flight = start_flight(vehicle, {}, state);
    fly(vehicle, default_config(Method::kRk45), {}, TimeUs(5'000'000), flight);
    // The gear itself gives 2e-4 m.
    EXPECT_LT(norm(position_of(flight.state) - position_of(state)), 1e-7) << slope_deg;
  }
}

TEST(Stance, LegsOfAnyLengthCarryTheWeight) {
  const RandomStream random(7, "stance");
  std::uint64_t drawn = 0;
  const auto between = [&](double low, double high) {
    return low + (high - low) * random.uniform(drawn++);
  };
  for (int i = 0; i < 300; ++i) {
    MultirotorParameters p = iris_parameters();
    p.body.mass_kg = between(0.1, 20.0);
    p.gear.count = 3 + i % 4;
    p.gear.stiffness_n_m15 = between(1e5, 1e6);
    for (int k = 0; k < p.gear.count; ++k) {
      const double around = (k + between(-0.1, 0.1)) * 2.0 * math::kPi / p.gear.count;
      const double radius = between(0.2, 0.3);
      p.gear.position_B_m[k] = {radius * std::cos(around), radius * std::sin(around),
                                between(0.05, 0.15)};
    }
    const Multirotor vehicle = make_multirotor(p);
    SCOPED_TRACE(i);
    expect_at_rest(
        vehicle, standing(vehicle, between(-50.0, 50.0), between(-50.0, 50.0), between(-3.0, 3.0)),
        1e-8);
  }
}

TEST(Stance, ATailThatIsShorterComesDown) {
  MultirotorParameters p = iris_parameters();
  p.gear.count = 3;
  p.gear.position_B_m[0] = {0.05, 0.1, 0.15};
  p.gear.position_B_m[1] = {0.05, -0.1, 0.15};
  p.gear.position_B_m[2] = {-0.3, 0.0, 0.05};
  const Multirotor vehicle = make_multirotor(p);
  const MultirotorState state = standing(vehicle);
  expect_at_rest(vehicle, state, 1e-8);
  EXPECT_NEAR(to_euler(attitude_of(vehicle, state)).pitch_rad, std::atan2(0.10, 0.35), 0.01);
}

TEST(Stance, ACentreOfMassBesideTheMiddleTiltsIt) {
  MultirotorParameters p = iris_parameters();
  for (int k = 0; k < p.gear.count; ++k) p.gear.position_B_m[k].x += 0.04;  // tail-heavy
  const Multirotor vehicle = make_multirotor(p);
  const MultirotorState state = standing(vehicle);
  expect_at_rest(vehicle, state, 1e-8);
  EXPECT_GT(to_euler(attitude_of(vehicle, state)).pitch_rad, 1e-5) << "nose up";
}

TEST(Stance, SteeperThanFrictionHoldsItSlides) {
  MultirotorParameters p = iris_parameters();
  p.gear.friction = 0.1;
  const Multirotor vehicle = make_multirotor(p, sloping(10.0, 0.0));
  MultirotorFlight flight = start_flight(vehicle, {}, standing(vehicle));
  fly(vehicle, default_config(Method::kRk45), {}, TimeUs(500'000), flight);
  const double sine = std::sin(10.0 * math::kDegToRad);
  const double cosine = std::cos(10.0 * math::kDegToRad);
  const double without_friction = 0.5 * 9.80665 * sine * 0.25 * cosine;
  const double with_friction = without_friction * (1.0 - 0.1 * cosine / sine);
  EXPECT_GT(position_of(flight.state).x, 0.9 * with_friction);
  EXPECT_LT(position_of(flight.state).x, without_friction);
}

TEST(Stance, WithoutWeightItJustTouches) {
  const World weightless = make_world({.gravity = {.uniform_m_s2 = 0.0}});
  const Multirotor vehicle = make_multirotor(iris_parameters(), weightless);
  EXPECT_NEAR(position_of(standing(vehicle)).z, -0.12, 1e-15);
}

TEST(Stance, WhatWouldFallOverIsRefused) {
  const auto refused = [](const MultirotorParameters& p, const World& world = make_world({})) {
    const Multirotor vehicle = make_multirotor(p, world);
    return testing::refusal([&] { (void)standing(vehicle); }, ExitCode::kBadInput);
  };
  MultirotorParameters aside = iris_parameters();
  for (int k = 0; k < aside.gear.count; ++k) aside.gear.position_B_m[k].x += 0.2;
  EXPECT_NE(refused(aside).find("fall over"), std::string::npos);
  MultirotorParameters two = iris_parameters();
  two.gear.count = 2;
  EXPECT_NE(refused(two).find("fall over"), std::string::npos);
  MultirotorParameters line = iris_parameters();
  for (int k = 0; k < line.gear.count; ++k) line.gear.position_B_m[k].y = 0.0;
  EXPECT_NE(refused(line).find("fall over"), std::string::npos);
  EXPECT_NE(refused(iris_parameters(), sloping(60.0, 0.0)).find("fall over"), std::string::npos);
}

}  // namespace
}  // namespace tactus
