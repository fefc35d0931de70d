// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The ball against closed forms.

#include "tactus/plant/ball.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tactus/core/error.h"
#include "tactus/solver/advance.h"

namespace tactus {
namespace {

SolverConfig tight() {
  SolverConfig config;
  config.method = Method::kRk45;
  config.position = config.velocity = config.rate = {1e-12, 1e-12};
  config.attitude_atol_rad = 1e-12;
  return config;
}

/// Without ground, in uniform gravity.
World open_air(double gravity_m_s2 = 9.80665) {
  return make_world({.ground = {.present = false}, .gravity = {.uniform_m_s2 = gravity_m_s2}});
}

/// Never leaves the altitude of its air, and spins about one axis alone.
struct Flight {
  explicit Flight(const Ball& flown) : ball(flown) { x[BallLayout::kAttitude] = 1.0; }

  void fly(TimeUs end) {
    BallSystem system{.ball = &ball, .wind_W_m_s = wind_W_m_s};
    const AdvanceResult result = advance(system, tight(), memory, now, end, x);
    ASSERT_EQ(result.status, Status::kOk);
    now = end;
  }
  [[nodiscard]] Vec3 velocity() const { return load_vec3(x + BallLayout::kVelocity); }
  [[nodiscard]] Vec3 rate() const { return load_vec3(x + BallLayout::kRate); }
  [[nodiscard]] Quat attitude() const { return load_quat(x + BallLayout::kAttitude); }

  Ball ball;
  Vec3 wind_W_m_s;
  double x[BallLayout::kCapacity] = {};
  SolverMemory<BallLayout::kCapacity> memory;
  TimeUs now;
};

TEST(Ball, FallsAtTheTerminalVelocityOfQuadraticDrag) {
  const BallParameters p;
  Flight flight(make_ball(p, open_air()));
  flight.fly(TimeUs(20'000'000));
  // Where it is by then: v² = 2 m g / ρ S C_D, up to the change of density on the way down.
  const double density = air_density_at(flight.ball.world, load_vec3(flight.x));
  const double terminal =
      std::sqrt(2.0 * p.mass_kg * 9.80665 / (density * p.reference_area_m2 * p.drag_coefficient.z));
  EXPECT_NEAR(flight.velocity().z / terminal, 1.0, 0.01);
}

TEST(Ball, ItsSpeedIsTheHyperbolicTangentOfTime) {
  // Heavy air drag and a short way: the density is that of the start.
  BallParameters p;
  p.mass_kg = 0.01;
  Flight flight(make_ball(p, open_air()));
  const double density = air_density_at(flight.ball.world, {});
  const double k = 0.5 * density * p.reference_area_m2 * 0.47 / p.mass_kg;
  const double terminal = std::sqrt(9.80665 / k);
  for (const double t : {0.1, 0.3, 0.6}) {
    flight.fly(TimeUs(static_cast<std::uint64_t>(std::lround(t * 1e6))));
    EXPECT_NEAR(flight.velocity().z / (terminal * std::tanh(t * 9.80665 / terminal)), 1.0, 2e-4);
  }
}

TEST(Ball, AWindCarriesItAlong) {
  BallParameters p;
  p.mass_kg = 0.01;
  Flight flight(make_ball(p, open_air(1e-9)));
  flight.wind_W_m_s = {0.0, 5.0, 0.0};
  flight.fly(TimeUs(1'000'000));
  // v' = k (w - v)²: w - v = w / (1 + k w t).
  const double k =
      0.5 * air_density_at(flight.ball.world, {}) * p.reference_area_m2 * 0.47 / p.mass_kg;
  EXPECT_NEAR(flight.velocity().y, 5.0 - 5.0 / (1.0 + 5.0 * k), 1e-9);
}

TEST(Ball, ATumblingBrickKeepsAngularMomentumAndEnergy) {
  BallParameters p;
  p.inertia_kg_m2 = {{{0.010, 0.001, -0.0005}, {0.001, 0.018, 0.0007}, {-0.0005, 0.0007, 0.024}}};
  p.drag_coefficient = {};
  Flight flight(make_ball(p, open_air()));
  store(flight.x + BallLayout::kRate, Vec3{0.3, 9.0, -0.2});  // about the middle axis: it flips
  const auto momentum_W = [&] {
    return rotate(flight.attitude(), p.inertia_kg_m2 * flight.rate());
  };
  const auto energy = [&] { return 0.5 * dot(flight.rate(), p.inertia_kg_m2 * flight.rate()); };
  const Vec3 before_W = momentum_W();
  const double before_j = energy();
  double lowest_rate = 9.0;
  for (std::uint64_t i = 1; i <= 100; ++i) {
    flight.fly(TimeUs(100'000 * i));
    EXPECT_LT(norm(momentum_W() - before_W), 1e-9 * norm(before_W));
    EXPECT_NEAR(energy() / before_j, 1.0, 1e-9);
    lowest_rate = std::fmin(lowest_rate, flight.rate().y);
  }
  EXPECT_LT(lowest_rate, -5.0) << "it has flipped";
}

/// No weight and no drag: the flow past it stays as it is.
BallParameters spinning() {
  BallParameters p;
  p.drag_coefficient = {};
  p.reference_length_m = {0.1, 0.2, 0.3};
  return p;
}

TEST(Ball, RateDampingInAFlowIsExponential) {
  BallParameters p = spinning();
  p.rate_damping_coefficient = {0.5, 0.8, 1.1};
  const double speed = 20.0;
  const double lengths[] = {0.1, 0.2, 0.3};
  const double coefficients[] = {0.5, 0.8, 1.1};
  for (int axis = 0; axis < 3; ++axis) {
    Flight flight(make_ball(p, open_air(1e-9)));
    store(flight.x + BallLayout::kVelocity, Vec3{speed, 0.0, 0.0});
    flight.x[BallLayout::kRate + axis] = 7.0;
    flight.fly(TimeUs(2'000'000));
    const double density = air_density_at(flight.ball.world, {});
    const double l = lengths[axis];
    const double per_s =
        0.25 * density * p.reference_area_m2 * l * l * coefficients[axis] * speed / 0.001;
    EXPECT_NEAR(flight.x[BallLayout::kRate + axis], 7.0 * std::exp(-2.0 * per_s), 1e-8) << axis;
  }
}

TEST(Ball, SpinInStillAirDecaysHyperbolically) {
  BallParameters p = spinning();
  p.spin_damping_coefficient = {0.5, 0.8, 1.1};
  const double lengths[] = {0.1, 0.2, 0.3};
  const double coefficients[] = {0.5, 0.8, 1.1};
  for (int axis = 0; axis < 3; ++axis) {
    Flight flight(make_ball(p, open_air(1e-9)));
    flight.x[BallLayout::kRate + axis] = -30.0;
    flight.fly(TimeUs(3'000'000));
    const double l = lengths[axis];
    const double k_per_s = 0.5 * air_density_at(flight.ball.world, {}) * p.reference_area_m2 * l *
                           l * l * coefficients[axis] * 30.0 / 0.001;
    EXPECT_NEAR(flight.x[BallLayout::kRate + axis], -30.0 / (1.0 + 3.0 * k_per_s), 1e-8) << axis;
  }
}

TEST(Ball, GuardsTellTouchAndLift) {
  const Ball ball = make_ball({}, make_world({}));
  ASSERT_EQ(ball.points, 6);
  double x[BallLayout::kCapacity] = {};
  double g[BallSystem::kGuardCapacity];
  x[BallLayout::kAttitude] = 1.0;
  x[BallLayout::kPosition + 2] = -0.06;
  BallSystem system{.ball = &ball};
  system.guards(0.0, x, g);
  EXPECT_NEAR(g[4], -0.01, 1e-15) << "the lowest point is 1 cm above the ground";
  x[BallLayout::kPosition + 2] = -0.04;
  system.guards(0.0, x, g);
  EXPECT_GT(g[4], 0.0);
  EXPECT_LT(g[5], 0.0);
  system.modes.touching = bit(4);
  system.guards(0.0, x, g);
  EXPECT_LT(g[4], 0.0) << "until it lifts";
}

TEST(Ball, RefusesWhatCannotBe) {
  const auto refusal = [](auto change) {
    BallParameters p;
    change(p);
    try {
      make_ball(p, make_world({}));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  using P = BallParameters;
  EXPECT_NE(refusal([](P& p) { p.mass_kg = 0.0; }).find("ball.mass_kg = 0"), std::string::npos);
  EXPECT_NE(refusal([](P& p) { p.reference_length_m.y = 0.0; }).find("ball.reference_length_m"),
            std::string::npos);
  EXPECT_NE(refusal([](P& p) { p.drag_coefficient.z = -1.0; }).find("ball.drag_coefficient = -1"),
            std::string::npos);
  EXPECT_NE(refusal([](P& p) { p.contact.bristle_m = 0.0; }).find("ball.contact.bristle_m"),
            std::string::npos);
  EXPECT_NE(refusal([](P& p) { p.inertia_kg_m2.m[0][0] = 1.0; }).find("ball.inertia_kg_m2"),
            std::string::npos);
}

}  // namespace
}  // namespace tactus
