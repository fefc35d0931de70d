// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/plant/propeller.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "tactus/core/error.h"
#include "tests/support/scale.h"

namespace tactus {
namespace {

constexpr double kDensity = 1.225;
constexpr double kFar = std::numeric_limits<double>::infinity();

Propeller slow_flyer() { return make_propeller(PropellerParameters{}, "propeller"); }

Propeller quadratic(double inflow_thrust, double inflow_torque) {
  PropellerParameters p;
  p.kind = PropellerKind::kQuadratic;
  p.thrust_constant_m4 = 6.611020796089e-5;
  p.torque_constant_m5 = 3.305510398045e-6;
  p.thrust_inflow_factor = inflow_thrust;
  p.torque_inflow_factor = inflow_torque;
  return make_propeller(p, "propeller");
}

PropellerFlow air(double climb, double in_plane, double height = kFar) {
  return {climb, in_plane * in_plane, kDensity, height};
}

/// Speed at which the propeller lifts this much, by bisection.
double speed_for_thrust(const Propeller& propeller, double thrust_n, const PropellerFlow& flow) {
  double low = 1.0;
  double high = 3000.0;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    (propeller_load(propeller, middle, flow).thrust_n < thrust_n ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

class Uniform {
 public:
  double operator()(double low, double high) {
    return low + (high - low) * 0x1.0p-53 * static_cast<double>(bits_() >> 11U);
  }

 private:
  std::mt19937_64 bits_{20260101};
};

struct Measured {
  double rpm, advance_ratio, thrust, power;
};

std::vector<Measured> read_wind_tunnel() {
  std::ifstream file("tests/data/uiuc_apcsf_10x4.7.csv");
  std::vector<Measured> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] < '0' || line[0] > '9') continue;
    std::istringstream text(line);
    Measured m{};
    char comma = 0;
    text >> m.rpm >> comma >> m.advance_ratio >> comma >> m.thrust >> comma >> m.power;
    rows.push_back(m);
  }
  return rows;
}

TEST(BladeElement, MeetsWindTunnelThrustAndPower) {
  const Propeller propeller = slow_flyer();
  const std::vector<Measured> rows = read_wind_tunnel();
  ASSERT_EQ(rows.size(), 33U) << "run from the root of the repository";
  const double d = 2.0 * propeller.radius_m;
  for (const Measured& m : rows) {
    const double n = m.rpm / 60.0;
    const double speed = n * math::kTwoPi;
    const PropellerLoad load = propeller_load(propeller, speed, air(m.advance_ratio * n * d, 0.0));
    const double ct = load.thrust_n / (kDensity * n * n * d * d * d * d);
    const double cp = load.torque_nm * speed / (kDensity * n * n * n * d * d * d * d * d);
    // Limits asked for: 10 % and 8 %. Held: 2 % and 4 %.
    EXPECT_NEAR(ct / m.thrust, 1.0, 0.02) << m.rpm << " rpm, J " << m.advance_ratio;
    EXPECT_NEAR(cp / m.power, 1.0, 0.04) << m.rpm << " rpm, J " << m.advance_ratio;
  }
}

TEST(BladeElement, HoversLikeThePropellerOfA1500GramQuad) {
  const Propeller propeller = slow_flyer();
  const double thrust = 1.5 * 9.80665 / 4.0;
  const double speed = speed_for_thrust(propeller, thrust, air(0.0, 0.0));
  const PropellerLoad load = propeller_load(propeller, speed, air(0.0, 0.0));
  const double ideal_w = thrust * std::sqrt(thrust / (2.0 * kDensity * propeller.disc_area_m2));
  const double shaft_w = load.torque_nm * speed;
  EXPECT_NEAR(load.induced_velocity_m_s * thrust, ideal_w, 1e-12 * ideal_w);
  EXPECT_GT(speed, 470.0);
  EXPECT_LT(speed, 520.0);
  EXPECT_GT(shaft_w, 28.0);
  EXPECT_LT(shaft_w, 33.0);
  EXPECT_GT(ideal_w / shaft_w, 0.62);
  EXPECT_LT(ideal_w / shaft_w, 0.70);
  EXPECT_GT(load.torque_nm / thrust, 0.016);
  EXPECT_LT(load.torque_nm / thrust, 0.018);
}

TEST(BladeElement, InducedVelocityObeysGlauertWhereMomentumTheoryHolds) {
  const Propeller propeller = slow_flyer();
  Uniform uniform;
  const long count = testing::scaled(100000);
  for (long i = 0; i < count; ++i) {
    const double climb = uniform(0.0, 15.0);
    const double in_plane = uniform(0.0, 20.0);
    const PropellerLoad load =
        propeller_load(propeller, uniform(100.0, 1000.0), air(climb, in_plane));
    const double vi = load.induced_velocity_m_s;
    // Through zero thrust into the mirrored windmill state; beyond it the measured curve rules.
    if (vi < 0.0 && -climb / vi < 2.3) continue;
    const double momentum =
        2.0 * kDensity * propeller.disc_area_m2 * vi * std::hypot(in_plane, climb + vi);
    ASSERT_NEAR(load.thrust_n, momentum, 1e-12 * (1.0 + std::fabs(load.thrust_n)));
  }
}

TEST(BladeElement, DescentFollowsTheMeasuredCurveAndTheWindmillBranch) {
  const Propeller propeller = slow_flyer();
  double lowest_x = 0.0;
  for (double climb = -0.05; climb > -30.0; climb -= 0.01) {
    const PropellerLoad load = propeller_load(propeller, 490.0, air(climb, 0.0));
    const double vh = std::sqrt(load.thrust_n / (2.0 * kDensity * propeller.disc_area_m2));
    const double x = climb / vh;
    const double y = load.induced_velocity_m_s / vh;
    lowest_x = std::min(lowest_x, x);
    if (x < -0.3 && x > -1.9) {
      const double curve = 1.0 + x * (-1.125 + x * (-1.372 + x * (-1.718 - 0.655 * x)));
      EXPECT_NEAR(y / curve, 1.0, 5e-3) << "x " << x;
    } else if (x < -2.02) {
      EXPECT_NEAR(y, -0.5 * x - std::sqrt(0.25 * x * x - 1.0), 1e-12) << "x " << x;
    } else if (x >= -0.3) {
      // Between climb theory, which ends with slope −1/2, and the measured curve.
      EXPECT_GT(y, 1.0);
      EXPECT_LT(y, 1.0 - 1.125 * x);
    }
  }
  EXPECT_LT(lowest_x, -2.1) << "the sweep must reach the windmill-brake state";
}

/// Largest change of slope between neighbours of a sweep, relative to the largest slope. A kink
/// keeps its size when the step shrinks; a C¹ function does not.
template <class F>
double slope_change(F f, double from, double to, double step) {
  double largest_slope = 0.0;
  double largest_change = 0.0;
  double before = f(from + step) - f(from);
  for (double x = from + step; x < to; x += step) {
    const double after = f(x + step) - f(x);
    largest_slope = std::max(largest_slope, std::fabs(after));
    largest_change = std::max(largest_change, std::fabs(after - before));
    before = after;
  }
  return largest_change / largest_slope;
}

TEST(BladeElement, LoadsAreSmoothThroughEveryFlightState) {
  const Propeller propeller = slow_flyer();
  for (const double in_plane : {0.0, 0.5, 5.0}) {
    for (const double speed : {250.0, 490.0}) {
      for (const double height : {0.15, kFar}) {
        const auto thrust = [&](double climb) {
          return propeller_load(propeller, speed, air(climb, in_plane, height)).thrust_n;
        };
        const auto torque = [&](double climb) {
          return propeller_load(propeller, speed, air(climb, in_plane, height)).torque_nm;
        };
        EXPECT_LT(slope_change(thrust, -25.0, 25.0, 2e-3), 0.02) << in_plane << " " << speed;
        EXPECT_LT(slope_change(torque, -25.0, 25.0, 2e-3), 0.02) << in_plane << " " << speed;
      }
    }
  }
  for (const double climb : {-8.0, -2.0, 0.0, 5.0}) {
    const auto over_speed = [&](double speed) {
      return propeller_load(propeller, speed, air(climb, 1.0)).thrust_n;
    };
    const auto over_in_plane = [&](double v) {
      return propeller_load(propeller, 490.0, air(climb, v)).thrust_n;
    };
    EXPECT_LT(slope_change(over_speed, 1.0, 1000.0, 0.1), 0.02) << climb;
    EXPECT_LT(slope_change(over_in_plane, -20.0, 20.0, 2e-3), 0.02) << climb;
  }
}

TEST(BladeElement, ConvergesToTheOneRoot) {
  Uniform uniform;
  const long count = testing::scaled(200000);
  for (long i = 0; i < count; ++i) {
    const double tip = uniform(0.1, 200.0);
    const double lift = uniform(0.05, 0.6);
    const double pitch = uniform(0.1, 0.5);
    const double climb = uniform(-30.0, 30.0);
    const double in_plane2 = i % 3 == 0 ? 0.0 : std::pow(uniform(0.0, 25.0), 2.0);
    const double ground = i % 2 == 0 ? 0.0 : uniform(0.0, 0.35);
    const double c0 = 0.5 * lift * tip * (pitch / 3.0 * tip - 0.5 * climb);
    const double c1 = 0.25 * lift * tip;
    const double vd = disc_induced_velocity(c0, c1, climb, in_plane2, ground);
    // The answer as vi of the mirrored problem, and a bisection that knows no slopes.
    const double sign = c0 < 0.0 ? -1.0 : 1.0;
    double low = 0.0;
    double high = sign * c0 / (c1 * (1.0 - ground));
    for (int k = 0; k < 120; ++k) {
      const double vi = 0.5 * (low + high);
      const auto r = detail::inflow_residual(vi, sign * c0, c1, sign * climb, in_plane2, ground);
      (r.value > 0.0 ? high : low) = vi;
    }
    const auto truth = detail::inflow_residual(low, sign * c0, c1, sign * climb, in_plane2, ground);
    ASSERT_NEAR(vd, sign * truth.through_disc_m_s, 1e-12 * (1e-2 + std::fabs(vd)))
        << "tip " << tip << " climb " << climb << " in plane² " << in_plane2;
  }
}

/// All iterations, spent one after the other.
double seven_iterations(double c0, double c1, double climb_m_s, double in_plane2, double ground) {
  const double sign = c0 < 0.0 ? -1.0 : 1.0;
  const double target = sign * c0;
  const double climb = sign * climb_m_s;
  const auto residual_at = [&](double vi) {
    return detail::inflow_residual(vi, target, c1, climb, in_plane2, ground);
  };
  const double b = 0.5 * (c1 + math::max(0.0, climb));
  double vi = target / (b + math::sqrt(b * b + target));
  double low = 0.0;
  double high = target / (c1 * (1.0 - ground));
  for (int i = 0; i < 7; ++i) {
    const detail::InflowResidual r = residual_at(vi);
    (r.value > 0.0 ? high : low) = vi;
    const double next = vi - r.value / r.slope;
    vi = next >= low && next <= high ? next : 0.5 * (low + high);
  }
  return sign * residual_at(vi).through_disc_m_s;
}

TEST(BladeElement, SparedIterationsChangeNoBit) {
  Uniform uniform;
  const long count = testing::scaled(200000);
  for (long i = 0; i < count; ++i) {
    const double tip = uniform(20.0, 120.0);
    const double range = i % 2 == 0 ? 1.0 : 15.0;  // near hover the iterations end early
    const double climb = uniform(-range, range);
    const double in_plane2 = i % 5 == 0 ? 0.0 : std::pow(uniform(0.0, range), 2.0);
    const double ground = i % 3 == 0 ? uniform(0.0, 0.35) : 0.0;
    const double c0 = 0.5 * 0.2 * tip * (0.07 * tip - 0.5 * climb);
    const double c1 = 0.25 * 0.2 * tip;
    ASSERT_EQ(disc_induced_velocity(c0, c1, climb, in_plane2, ground),
              seven_iterations(c0, c1, climb, in_plane2, ground))
        << "tip " << tip << " climb " << climb << " in plane² " << in_plane2;
  }
  // Back to where a bisection came from: the next one goes elsewhere.
  const double c0 = 0.83408051201031241, c1 = 3.3156125949425133;
  const double climb = 9.0321537555218843, in_plane2 = 47.256621501223229;
  EXPECT_EQ(disc_induced_velocity(c0, c1, climb, in_plane2, 0.0),
            seven_iterations(c0, c1, climb, in_plane2, 0.0));
}

TEST(BladeElement, ShaftPowerIsWorkOnTheVehiclePlusLossesToTheAir) {
  const Propeller propeller = slow_flyer();
  Uniform uniform;
  const long count = testing::scaled(200000);
  for (long i = 0; i < count; ++i) {
    const double speed = uniform(0.0, 1000.0);
    const PropellerFlow flow =
        air(uniform(-25.0, 25.0), uniform(0.0, 20.0), i % 2 == 0 ? kFar : uniform(0.0, 1.0));
    const PropellerLoad load = propeller_load(propeller, speed, flow);
    const double v2 = flow.in_plane_speed_squared_m2_s2;
    const double shaft = load.torque_nm * speed;
    const double work = load.thrust_n * flow.climb_m_s - load.in_plane_drag_n_s_m * v2;
    const double induced =
        propeller.induced_power_factor * load.thrust_n * load.induced_velocity_m_s;
    const double tip = speed * propeller.radius_m;
    const double stall = tip * tip / (tip * tip + 0.1 * (flow.climb_m_s * flow.climb_m_s + v2));
    const double profile = kDensity * propeller.disc_area_m2 * propeller.profile_constant /
                           detail::reynolds_scale(propeller, speed) * tip *
                           (tip * tip + (2.0 + stall) * v2);
    ASSERT_GE(induced, 0.0);
    ASSERT_GE(profile, 0.0);
    const double scale = std::fabs(shaft) + std::fabs(work) + induced + profile;
    ASSERT_NEAR(shaft, work + induced + profile, 1e-12 * scale);
  }
}

TEST(BladeElement, ThrustGrowsWithSpeedAndFallsWithClimb) {
  const Propeller propeller = slow_flyer();
  for (const double climb : {0.0, 2.0}) {
    double before = -1.0;
    for (double speed = 100.0; speed < 1000.0; speed += 5.0) {
      const double thrust = propeller_load(propeller, speed, air(climb, 3.0)).thrust_n;
      EXPECT_GT(thrust, before);
      before = thrust;
    }
  }
  EXPECT_GT(propeller_load(propeller, 490.0, air(0.0, 0.0)).thrust_n,
            propeller_load(propeller, 490.0, air(3.0, 0.0)).thrust_n);
  EXPECT_LT(propeller_load(propeller, 490.0, air(25.0, 0.0)).thrust_n, 0.0);
  EXPECT_LT(propeller_load(propeller, 200.0, air(25.0, 0.0)).torque_nm, 0.0) << "it windmills";
}

TEST(BladeElement, StoppedPropellerIsLoadFree) {
  const Propeller propeller = slow_flyer();
  for (const double climb : {-20.0, 0.0, 20.0}) {
    for (const double speed : {0.0, 1e-300, 1e-12}) {
      const PropellerLoad load = propeller_load(propeller, speed, air(climb, 10.0, 0.0));
      EXPECT_NEAR(load.thrust_n, 0.0, 1e-9);
      EXPECT_NEAR(load.torque_nm, 0.0, 1e-9);
      EXPECT_NEAR(load.in_plane_drag_n_s_m, 0.0, 1e-9);
      EXPECT_TRUE(math::is_finite(load.induced_velocity_m_s));
    }
  }
  EXPECT_EQ(propeller_load(propeller, 500.0, {0.0, 0.0, 0.0, kFar}).thrust_n, 0.0) << "vacuum";
}

/// A rotor that coasts for minutes turns slower than its square can be written.
TEST(BladeElement, RotorsThatHaveAlmostStoppedAreLoadFreeToo) {
  for (double speed = 1e-100; speed > 0.0; speed *= 0.1) {
    const PropellerLoad load = propeller_load(slow_flyer(), speed, air(2.0, 3.0, 0.1));
    EXPECT_LT(std::abs(load.thrust_n), 1e-90) << speed;
    EXPECT_LT(std::abs(load.torque_nm), 1e-90) << speed;
  }
}

TEST(GroundEffect, IsCheesemanAndBennettAtEqualInducedPower) {
  const Propeller propeller = slow_flyer();
  const PropellerLoad free = propeller_load(propeller, 490.0, air(0.0, 0.0));
  const double power = free.thrust_n * free.induced_velocity_m_s;
  for (const double ratio : {0.5, 0.75, 1.0, 2.0, 4.0}) {
    const PropellerFlow flow = air(0.0, 0.0, ratio * propeller.radius_m);
    double low = 300.0;
    double high = 700.0;
    for (int i = 0; i < 100; ++i) {
      const double speed = 0.5 * (low + high);
      const PropellerLoad load = propeller_load(propeller, speed, flow);
      (load.thrust_n * load.induced_velocity_m_s < power ? low : high) = speed;
    }
    const double thrust = propeller_load(propeller, low, flow).thrust_n;
    const double expected = 1.0 / (1.0 - 1.0 / (16.0 * ratio * ratio));
    EXPECT_NEAR(thrust / free.thrust_n, expected, 1e-9) << "z/R " << ratio;
  }
}

TEST(GroundEffect, ClampsBelowHalfARadiusAndFadesWithAdvance) {
  const Propeller propeller = slow_flyer();
  const auto gain = [&](double in_plane, double height) {
    return propeller_load(propeller, 490.0, air(0.0, in_plane, height)).thrust_n /
           propeller_load(propeller, 490.0, air(0.0, in_plane)).thrust_n;
  };
  EXPECT_EQ(gain(0.0, 0.5 * propeller.radius_m), gain(0.0, -1.0));
  EXPECT_GT(gain(0.0, propeller.radius_m), gain(3.0, propeller.radius_m));
  EXPECT_GT(gain(3.0, propeller.radius_m), gain(15.0, propeller.radius_m));
  EXPECT_NEAR(gain(20.0, propeller.radius_m), 1.0, 2e-3);
}

TEST(Quadratic, IsThePublishedLaw) {
  Uniform uniform;
  for (const auto& [k_thrust, k_torque] : {std::pair{8.0, 8.0}, {8.0, 3.0}, {-1.0, 8.0}}) {
    const Propeller propeller = quadratic(k_thrust, k_torque);
    for (int i = 0; i < 1000; ++i) {
      const double speed = i == 0 ? 0.0 : uniform(0.0, 600.0);
      const double climb = uniform(-15.0, 15.0);
      const double mu = climb / std::max(1e-3, speed * 0.127);
      const auto f = [mu](double k) { return k <= 0.0 ? 1.0 : 1.0 / (1.0 + k * mu * mu); };
      const double t = 6.611020796089e-5 * kDensity * speed * speed * f(k_thrust);
      const double q = 3.305510398045e-6 * kDensity * speed * speed * f(k_torque);
      const PropellerLoad load = propeller_load(propeller, speed, air(climb, 4.0));
      ASSERT_NEAR(load.thrust_n, t, 1e-14 * t);
      ASSERT_NEAR(load.torque_nm, q, 1e-14 * q);
      ASSERT_EQ(load.in_plane_drag_n_s_m, 0.0);
    }
  }
}

TEST(PropellerParameters, ImpossibleOnesAreRefusedWithTheReason) {
  const auto message = [](auto change) -> std::string {
    PropellerParameters p;
    change(p);
    try {
      make_propeller(p, "rotor 2");
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  using P = PropellerParameters;
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(message([](P& p) { p.static_power_coefficient = 0.03; }), "figure of merit"));
  EXPECT_TRUE(has(message([](P& p) { p.advance_power_coefficient = 0.02; }), "ideal power"));
  EXPECT_TRUE(has(message([](P& p) { p.advance_power_coefficient = 0.045; }), "too high"));
  EXPECT_TRUE(has(message([](P& p) { p.advance_power_coefficient = 0.030; }), "profile power"));
  EXPECT_TRUE(has(message([](P& p) { p.advance_thrust_coefficient = 0.2; }), "rotor 2"));
  EXPECT_TRUE(has(message([](P& p) { p.advance_ratio = 0.001; }), "static point"));
  EXPECT_TRUE(has(message([](P& p) { p.radius_m = 0.0; }), "radius_m"));
  EXPECT_TRUE(has(message([](P& p) { p.speed_exponent = kFar; }), "speed_exponent"));
  EXPECT_TRUE(has(message([](P& p) {
                    p.kind = PropellerKind::kQuadratic;
                    p.thrust_constant_m4 = -1.0;
                  }),
                  "thrust_constant_m4"));
}

}  // namespace
}  // namespace tactus
