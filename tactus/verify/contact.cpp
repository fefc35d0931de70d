// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The Iris on the ground: drop, parked on a slope, sliding down a steeper one.

#include <algorithm>
#include <cmath>

#include "tactus/plant/iris.h"
#include "tactus/vehicle/multirotor_flight.h"
#include "tactus/verify/check.h"
#include "tactus/verify/problems.h"
#include "tactus/world/gravity.h"

namespace tactus::verify {
namespace {

constexpr char kTheme[] = "contact";
constexpr double kGravity = kStandardGravity_m_s2;

/// Height of the lowest gear point above the ground.
double lowest_point_m(const Multirotor& iris, const double* x) {
  double lowest = 1e9;
  for (int k = 0; k < iris.gear.count; ++k) {
    const Vec3 p_W = load_vec3(x + iris.layout.position) +
                     rotate(load_quat(x + iris.layout.attitude), iris.gear.position_B_m[k]);
    lowest = std::min(lowest, height_m(iris.world, p_W));
  }
  return lowest;
}

/// Kinetic energy, weight, and the springs of the gear: ∫ k δ^1.5 dδ.
double mechanical_energy_j(const Multirotor& iris, const double* x) {
  double energy =
      stored_energy_j(iris, x) - iris.body.mass_kg * kGravity * x[iris.layout.position + 2];
  for (int k = 0; k < iris.gear.count; ++k) {
    const Vec3 p_W = load_vec3(x + iris.layout.position) +
                     rotate(load_quat(x + iris.layout.attitude), iris.gear.position_B_m[k]);
    const double depth = std::max(0.0, -height_m(iris.world, p_W));
    energy += 0.4 * iris.gear.stiffness_n_m15 * std::pow(depth, 2.5);
  }
  return energy;
}

struct Drop {
  double penetration_m = 0.0;
  double energy_rise_j = 0.0;
};

/// Falls for two seconds. Energy stored in bristles is not counted, so a drop with friction
/// compares only instants at which nothing touches.
Drop drop(Quat attitude, Vec3 velocity, bool only_in_air) {
  MultirotorParameters p = iris_parameters();
  p.power.pack[0].rc_count = 0;  // else the avionics charge it, and that is stored energy too
  const Multirotor iris = make_multirotor(p);
  MultirotorState state = iris.initial;
  store(state.x + iris.layout.attitude, attitude);
  store(state.x + iris.layout.velocity, velocity);
  state.x[iris.layout.position + 2] -= 1.0 - lowest_point_m(iris, state.x);
  MultirotorFlight flight = start_flight(iris, {}, state);
  const SolverConfig config = fixed_config(Method::kRk4, 50);
  double least = mechanical_energy_j(iris, state.x);
  Drop result;
  for (std::uint64_t i = 1; i <= 4000; ++i) {
    fly(iris, config, {}, TimeUs(500 * i), flight);
    const double height = lowest_point_m(iris, flight.state.x);
    result.penetration_m = std::max(result.penetration_m, -height);
    if (only_in_air && height <= 0.0) continue;
    const double energy = mechanical_energy_j(iris, flight.state.x);
    result.energy_rise_j = std::max(result.energy_rise_j, energy - least);
    least = std::min(least, energy);
  }
  return result;
}

// 1 cm and "never" are what a landing gear owes. Never: up to rounding of 15 J in 40,000 steps.
Rows drop_from_1_m() {
  const Drop flat = drop({}, {}, false);
  const Drop tilted = drop(from_euler({0.2, -0.15, 0.5}), {1.0, 0.5, 0.0}, true);
  return {
      {"flat drop from 1 m: penetration vs 1 cm", flat.penetration_m, 0.01, "m"},
      {"flat drop: largest rise of energy vs never", flat.energy_rise_j, 1e-12, "J"},
      {"tilted drop with 1.1 m/s: penetration vs 1 cm", tilted.penetration_m, 0.01, "m"},
      {"tilted drop: rise of energy between bounces vs never", tilted.energy_rise_j, 1e-12, "J"}};
}

/// An Iris set on ground that falls off to the east by `slope`.
struct OnSlope {
  Multirotor iris;
  MultirotorFlight flight;
  Vec3 downhill_W;

  explicit OnSlope(double slope_rad) {
    MultirotorParameters p = iris_parameters();
    p.body.drag_area_m2 = {};
    WorldParameters world;
    world.ground.normal_W = {0.0, std::sin(slope_rad), -std::cos(slope_rad)};
    downhill_W = {0.0, std::cos(slope_rad), std::sin(slope_rad)};
    iris = make_multirotor(p, make_world(world));
    MultirotorState state = iris.initial;
    store(state.x + iris.layout.position, Vec3{});
    store(state.x + iris.layout.attitude, from_euler({slope_rad, 0.0, 0.0}));
    // Feet as deep as the normal force presses them, so that it does not fall first.
    const double normal_n = p.body.mass_kg * kGravity * std::cos(slope_rad) / 4.0;
    const double depth_m = std::pow(normal_n / p.gear.stiffness_n_m15, 2.0 / 3.0);
    const double raised_m = lowest_point_m(iris, state.x) + depth_m;
    store(state.x + iris.layout.position, -raised_m * world.ground.normal_W);
    flight = start_flight(iris, {}, state);
  }
  /// Distance along the slope.
  double slid_after(TimeUs end) {
    fly(iris, fixed_config(Method::kRk4, 1000), {}, end, flight);
    return dot(downhill_W, load_vec3(flight.state.x + iris.layout.position));
  }
};

// tan 10° = 0.18 < µ = 0.8: held, the bristles give way elastically by 0.18/0.8 · 2 mm = 0.44 mm.
Rows parked_on_slope() {
  OnSlope parked(10.0 * M_PI / 180.0);
  double farthest = 0.0;
  for (std::uint64_t i = 1; i <= 60; ++i) {
    farthest = std::max(farthest, std::fabs(parked.slid_after(TimeUs(1'000'000 * i))));
  }
  return {{"parked on 10°, µ 0.8: moved in 60 s vs 1 mm", farthest, 1e-3, "m"}};
}

// tan 45° > µ: a = g (sin 45° − µ cos 45°). The bristles reach their limit within some
// milliseconds, which shifts the parabola by part of a millimetre; by differences of distance it
// drops out.
Rows slide_down_slope() {
  OnSlope sliding(M_PI / 4.0);
  const double s1 = sliding.slid_after(TimeUs(500'000));
  const double s2 = sliding.slid_after(TimeUs(1'000'000));
  const double s3 = sliding.slid_after(TimeUs(1'500'000));
  const double measured = (s3 - 2.0 * s2 + s1) / 0.25;
  const double exact = kGravity * std::sqrt(0.5) * (1.0 - 0.8);
  return {{"slides on 45°, µ 0.8: acceleration vs g (sin − µ cos)",
           100.0 * std::fabs(measured / exact - 1.0), 0.5, "%"}};
}

}  // namespace

std::vector<Check> contact_checks() {
  return {{"drop_from_1_m", kTheme, "penetration and energy of a dropped Iris", drop_from_1_m},
          {"parked_on_slope", kTheme, "an Iris on 10 degrees stays where it is", parked_on_slope},
          {"slide_down_slope", kTheme, "an Iris on 45 degrees slides like Coulomb's block",
           slide_down_slope}};
}

}  // namespace tactus::verify
