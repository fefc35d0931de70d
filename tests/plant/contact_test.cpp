// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The ground: drops, slopes, bounces, and the events that come with them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tactus/core/error.h"
#include "tactus/plant/iris.h"
#include "tests/support/plant.h"

namespace tactus {
namespace {

SolverConfig tight() {
  SolverConfig config;
  config.method = Method::kRk45;
  config.position = config.velocity = config.rate = {1e-8, 1e-8};
  config.attitude_atol_rad = 1e-8;
  return config;
}

Multirotor on_slope(double degrees, double friction) {
  MultirotorParameters p = iris_parameters();
  WorldParameters world;
  const double a = degrees * math::kDegToRad;
  world.ground.normal_W = {std::sin(a), 0.0, -std::cos(a)};  // falls toward north
  p.gear.friction = friction;
  return make_multirotor(p, make_world(world));
}

/// Feet on the ground, body parallel to it.
MultirotorState resting(const Multirotor& vehicle, double height) {
  MultirotorState s = vehicle.initial;
  const Vec3 n = vehicle.world.ground.normal_W;
  const double pitch = std::atan2(n.x, -n.z);
  store(s.x + vehicle.layout.attitude, from_euler({0.0, -pitch, 0.0}));
  store(s.x + vehicle.layout.position, (0.12 + height) * n);
  return s;
}

double lowest_foot(const Multirotor& vehicle, const double* x) {
  double lowest = 1e9;
  for (int k = 0; k < vehicle.counts.gear_points; ++k) {
    const Vec3 p =
        load_vec3(x) + rotate(load_quat(x + vehicle.layout.attitude), vehicle.gear.position_B_m[k]);
    lowest = std::min(lowest, height_m(vehicle.world, p));
  }
  return lowest;
}

double mechanical_energy(const Multirotor& vehicle, const double* x) {
  return stored_energy_j(vehicle, x) - vehicle.body.mass_kg * 9.80665 * x[2];
}

TEST(Contact, DropFromOneMetreIsCaughtSoftlyAndEnergyNeverRises) {
  MultirotorParameters p = iris_parameters();
  p.power.bus[0].avionics_power_w = 0.0;  // nothing electrical in the energy
  const Multirotor vehicle = make_multirotor(p);
  const MultirotorInput input;
  MultirotorFlight flight = start_flight(vehicle, input, resting(vehicle, 1.0));
  testing::EventList events;
  double deepest = 0.0;
  double energy = mechanical_energy(vehicle, flight.state.x);
  const double start = energy;
  // Elastic energy of the gear makes the sum dip and come back while touching; without contact it
  // must fall, and never exceed what was there before the impact.
  double ceiling = energy;
  for (std::uint64_t t = 100; t <= 3'000'000; t += 100) {
    fly(vehicle, tight(), input, TimeUs(t), flight, &events);
    const double low = lowest_foot(vehicle, flight.state.x);
    deepest = std::min(deepest, low);
    energy = mechanical_energy(vehicle, flight.state.x);
    ASSERT_LE(energy, ceiling + 1e-9 * start) << "at " << t;
    if (low > 0.0) ceiling = energy;
  }
  EXPECT_GT(deepest, -0.01);
  EXPECT_LT(deepest, -1e-4);
  EXPECT_GE(events.count(PlantEventKind::kTouchdown), 4);
  EXPECT_LT(norm(load_vec3(flight.state.x + vehicle.layout.velocity)), 1e-3);  // it came to rest
}

TEST(Contact, ParkedOnATenDegreeSlopeDoesNotCreep) {
  const Multirotor vehicle = on_slope(10.0, 0.8);
  const MultirotorInput input;
  MultirotorFlight flight = start_flight(vehicle, input, resting(vehicle, 0.0));
  const Vec3 start = load_vec3(flight.state.x);
  fly(vehicle, tight(), input, TimeUs(5'000'000), flight);
  const Vec3 settled = load_vec3(flight.state.x);
  fly(vehicle, tight(), input, TimeUs(60'000'000), flight);
  const Vec3 parked = load_vec3(flight.state.x);
  EXPECT_LT(norm(parked - start), 1e-3);
  EXPECT_LT(norm(parked - settled), 1e-6);
}

TEST(Contact, SlidesDownFortyFiveDegrees) {
  const Multirotor vehicle = on_slope(45.0, 0.3);
  const MultirotorInput input;
  MultirotorFlight flight = start_flight(vehicle, input, resting(vehicle, 0.0));
  fly(vehicle, tight(), input, TimeUs(1'000'000), flight);
  // a = g (sin − µ cos) once the bristles have yielded.
  const double a = 9.80665 * (std::sin(math::kPi / 4) - 0.3 * std::cos(math::kPi / 4));
  EXPECT_NEAR(norm(load_vec3(flight.state.x)), 0.5 * a, 0.1 * a);
}

TEST(Contact, FrictionEightTenthsDoesNotHoldFortyFiveDegrees) {
  const Multirotor vehicle = on_slope(45.0, 0.8);
  const MultirotorInput input;
  MultirotorFlight flight = start_flight(vehicle, input, resting(vehicle, 0.0));
  fly(vehicle, tight(), input, TimeUs(2'000'000), flight);
  EXPECT_GT(norm(load_vec3(flight.state.x)), 1.0);
}

TEST(Contact, NormalForceNeverPullsAndFrictionStaysInItsCone) {
  std::mt19937_64 engine{1};
  const auto number = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  };
  const GearParameters gear;
  const GroundParameters ground;
  const GroundBasis basis = ground_basis(ground);
  for (int i = 0; i < 100000; ++i) {
    const ContactForce f = contact_force(gear, ground, basis, number(-0.01, 0.0),
                                         {number(-5, 5), number(-5, 5), number(-5, 5)},
                                         {number(-1.5, 1.5), number(-1.5, 1.5)});
    ASSERT_GE(f.normal_n, 0.0);
    ASSERT_LE(std::hypot(f.force_W.x, f.force_W.y), gear.friction * f.normal_n * (1 + 1e-12));
    ASSERT_LE(f.force_W.z, 0.0);
  }
}

TEST(Contact, TheLawHasNoCornersWhileTouching) {
  // Along random lines through velocity and bristle space the slope of the force must not jump: the
  // second difference of a C¹ function with bounded curvature falls with the square of the spacing.
  std::mt19937_64 engine{4};
  const auto number = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  };
  const GearParameters gear;
  const GroundParameters ground;
  const GroundBasis basis = ground_basis(ground);
  const auto worst_bend = [&](int cells) {
    std::mt19937_64 lines{9};
    engine = lines;
    double worst = 0.0;
    for (int line = 0; line < 60; ++line) {
      const Vec3 v0{number(-1, 1), number(-1, 1), number(-1, 1)};
      const Vec3 v1{number(-1, 1), number(-1, 1), number(-1, 1)};
      const Bristle z0{number(-1.5, 1.5), number(-1.5, 1.5)};
      const Bristle z1{number(-1.5, 1.5), number(-1.5, 1.5)};
      const auto at = [&](int k) {
        const double t = static_cast<double>(k) / cells;
        const ContactForce f =
            contact_force(gear, ground, basis, -0.002, v0 + t * (v1 - v0),
                          {z0.z1 + t * (z1.z1 - z0.z1), z0.z2 + t * (z1.z2 - z0.z2)});
        return Vec3{f.force_W.x, f.rate.z1 * 0.01, f.force_W.z};
      };
      for (int k = 1; k < cells; ++k) {
        worst = std::max(worst, norm(at(k + 1) - 2.0 * at(k) + at(k - 1)) * cells);
      }
    }
    return worst;  // change of slope over one cell
  };
  const double coarse = worst_bend(60000);
  const double fine = worst_bend(240000);
  EXPECT_LT(fine, 0.4 * coarse);  // a corner would leave it as it is
}

TEST(Contact, HardLandingsWithSlipAndTiltAreIntegratedAtTightTolerances) {
  std::mt19937_64 engine{12};
  const auto number = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  };
  const Multirotor vehicle = make_multirotor(iris_parameters());
  const MultirotorInput input;
  for (int trial = 0; trial < 30; ++trial) {
    MultirotorState s = resting(vehicle, 0.3);
    store(s.x + vehicle.layout.velocity, Vec3{number(-2, 2), number(-2, 2), number(0, 2)});
    store(s.x + vehicle.layout.attitude,
          from_euler({number(-0.2, 0.2), number(-0.2, 0.2), number(-3, 3)}));
    for (const double tolerance : {1e-7, 1e-9}) {
      SolverConfig config = tight();
      config.method = tolerance < 1e-8 ? Method::kRk45 : Method::kRk23;
      config.position = config.velocity = config.rate = {tolerance, tolerance};
      config.attitude_atol_rad = tolerance;
      MultirotorFlight flight = start_flight(vehicle, input, s);
      ASSERT_NO_THROW(fly(vehicle, config, input, TimeUs(2'000'000), flight)) << trial;
    }
  }
}

TEST(Contact, StaticSinkCarriesTheWeight) {
  const Multirotor vehicle = make_multirotor(iris_parameters());
  const MultirotorInput input;
  MultirotorFlight flight = start_flight(vehicle, input, resting(vehicle, 0.0));
  fly(vehicle, tight(), input, TimeUs(5'000'000), flight);
  const MultirotorOutputs out = outputs(vehicle, input, flight);
  double sum = 0.0;
  for (int k = 0; k < 4; ++k) sum += out.gear_force_n[k];
  EXPECT_NEAR(sum, 1.5 * 9.80665, 1e-3);
  EXPECT_NEAR(norm(out.specific_force_B_m_s2), 9.80665, 1e-3);
}

TEST(Contact, TouchdownIsFoundToTheMicrosecond) {
  MultirotorParameters p = iris_parameters();
  p.body.drag_area_m2 = {};
  const Multirotor vehicle = make_multirotor(p);
  const MultirotorInput input;
  for (const Method method :
       {Method::kEuler, Method::kRk4, Method::kRk23, Method::kRk45, Method::kLieRk4}) {
    SolverConfig config = tight();
    config.method = method;
    config.step_us = is_adaptive(method) ? 0 : 200;
    MultirotorFlight flight = start_flight(vehicle, input, resting(vehicle, 0.2));
    testing::EventList events;
    fly(vehicle, config, input, TimeUs(300'000), flight, &events);
    ASSERT_FALSE(events.entries.empty()) << to_text(method);
    EXPECT_EQ(events.entries[0].event.kind, PlantEventKind::kTouchdown);
    const double exact_us = 1e6 * std::sqrt(2.0 * 0.2 / 9.80665);
    const double allowed = method == Method::kEuler ? 120.0 : 1.0;  // Euler: h / 2
    EXPECT_NEAR(static_cast<double>(events.entries[0].time.us), exact_us, allowed)
        << to_text(method);

    // Same bits when that instant had been scheduled beforehand.
    MultirotorFlight scheduled = start_flight(vehicle, input, resting(vehicle, 0.2));
    fly(vehicle, config, input, events.entries[0].time, scheduled);
    MultirotorFlight found = start_flight(vehicle, input, resting(vehicle, 0.2));
    fly(vehicle, config, input, TimeUs(events.entries[0].time.us + 2000), found);
    fly(vehicle, config, input, TimeUs(events.entries[0].time.us + 2000), scheduled);
    for (int i = 0; i < vehicle.layout.size; ++i) {
      ASSERT_EQ(found.state.x[i], scheduled.state.x[i])
          << to_text(method) << " " << state_entry_name(vehicle.counts, i);
    }
  }
}

TEST(Contact, ATooLongFixedStepIsRefusedWithTheReason) {
  const Multirotor vehicle = make_multirotor(iris_parameters());
  SolverConfig config;
  config.step_us = 20'000;
  try {
    require_step_resolves(vehicle, config, DurationUs(20'000));
    FAIL() << "accepted";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("contact stiffness"), std::string::npos) << e.what();
  }
  config.step_us = 1000;
  EXPECT_NO_THROW(require_step_resolves(vehicle, config, DurationUs(4000)));
  config.method = Method::kEuler;
  EXPECT_THROW(require_step_resolves(vehicle, config, DurationUs(4000)), Error);
  config.step_us = 100;
  EXPECT_NO_THROW(require_step_resolves(vehicle, config, DurationUs(4000)));
  config.method = Method::kRk4;
  config.step_us = 1000;
  MultirotorParameters p = iris_parameters();
  p.motor_actuator.kind = ActuatorKind::kFirstOrder;
  p.motor_actuator.time_constant_s = 0.0003;
  EXPECT_THROW(require_step_resolves(make_multirotor(p), config, DurationUs(4000)), Error);
  EXPECT_STRNE(motor_lag_note(p), "");
  EXPECT_STREQ(motor_lag_note(iris_parameters()), "");
}

TEST(Contact, BadParametersAreRefused) {
  MultirotorParameters p = iris_parameters();
  p.gear.bristle_m = 0.0;
  EXPECT_THROW(make_multirotor(p), Error);
  p = iris_parameters();
  p.gear.count = kMaxGearPoints + 1;
  EXPECT_THROW(make_multirotor(p), Error);
}

}  // namespace
}  // namespace tactus
