// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/plant/motor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "tactus/core/error.h"
#include "tactus/plant/propeller.h"
#include "tests/support/scale.h"

namespace tactus {
namespace {

class Uniform {
 public:
  double operator()(double low, double high) {
    return low + (high - low) * 0x1.0p-53 * static_cast<double>(bits_() >> 11U);
  }

 private:
  std::mt19937_64 bits_{20260102};
};

/// Any motor a parameter file may hold, both modes, both stops.
Motor any_motor(Uniform& uniform) {
  MotorParameters p;
  p.kv_rpm_per_v = uniform(200.0, 3000.0);
  p.resistance_ohm = uniform(0.02, 0.5);
  p.no_load_current_a = uniform(0.0, 2.0);
  p.viscous_friction_nm_s = uniform(0.0, 1e-5);
  p.phase_current_limit_a = uniform(5.0, 60.0);
  p.bus_current_limit_a = uniform(2.0, 60.0);
  p.efficiency = uniform(0.8, 1.0);
  p.dead_zone = uniform(0.0, 0.05);
  p.mode = uniform(0.0, 1.0) < 0.5 ? MotorMode::kDrive : MotorMode::kDamped;
  p.stop = uniform(0.0, 1.0) < 0.5 ? MotorStop::kCoast : MotorStop::kBrake;
  return make_motor(p, "motor");
}

/// The motor of the published reference table.
MotorParameters reference_motor() {
  MotorParameters p;
  p.kv_rpm_per_v = 920.0;
  p.resistance_ohm = 0.25;
  p.no_load_current_a = 0.6;
  p.viscous_friction_nm_s = 2.0e-6;
  p.rotor_inertia_kg_m2 = 1.2e-5;
  p.phase_current_limit_a = 60.0;
  p.bus_current_limit_a = 60.0;
  p.efficiency = 0.98;
  return p;
}

Propeller reference_propeller() {
  PropellerParameters p;
  p.kind = PropellerKind::kQuadratic;
  p.thrust_constant_m4 = 6.611020796089e-5;
  p.torque_constant_m5 = 3.305510398045e-6;
  return make_propeller(p, "propeller");
}

double propeller_torque(const Propeller& propeller, double speed, double density) {
  return propeller_load(propeller, speed,
                        {0.0, 0.0, density, std::numeric_limits<double>::infinity()})
      .torque_nm;
}

/// Net torque on the rotor on a stiff bus.
double net_torque(const Motor& motor, const Propeller& propeller, double duty, double bus_v,
                  double speed, double density) {
  const MotorElectrical e = motor_electrical(motor, duty, speed);
  return motor_torque(motor, motor_current(motor, e, bus_v), speed, false) -
         propeller_torque(propeller, speed, density);
}

double steady_speed(const Motor& motor, const Propeller& propeller, double duty, double bus_v,
                    double density) {
  double low = 0.0;
  double high = 3000.0;
  for (int i = 0; i < 200; ++i) {
    const double speed = 0.5 * (low + high);
    (net_torque(motor, propeller, duty, bus_v, speed, density) > 0.0 ? low : high) = speed;
  }
  return low;
}

TEST(MotorPower, BalancesAndNoLossIsNegativeInEitherDirection) {
  Uniform uniform;
  const long count = testing::scaled(1000000);
  for (long i = 0; i < count; ++i) {
    const Motor motor = any_motor(uniform);
    const double speed = uniform(0.0, 2000.0);
    const double bus_v = uniform(0.0, 30.0);
    const double command = i % 10 == 0 ? 0.0 : uniform(-0.1, 1.1);
    const MotorElectrical e = motor_electrical(motor, command, speed);
    const double current = motor_current(motor, e, bus_v);
    const MotorPower p = motor_power(motor, e, bus_v, current, speed);
    ASSERT_GE(p.conversion_loss_w, 0.0);
    ASSERT_GE(p.limiter_loss_w, 0.0);
    ASSERT_GE(p.copper_loss_w, 0.0);
    ASSERT_GE(p.friction_loss_w, 0.0);
    const double bus_w = bus_v * bus_current(motor, e, current);
    const double sum = p.conversion_loss_w + p.limiter_loss_w + p.copper_loss_w + p.shaft_w;
    const double scale = p.conversion_loss_w + p.limiter_loss_w + p.copper_loss_w +
                         std::fabs(p.shaft_w) + std::fabs(bus_w);
    ASSERT_NEAR(bus_w, sum, 1e-12 * scale);
    const double torque = motor_torque(motor, current, speed, false);
    ASSERT_NEAR(torque * speed, p.shaft_w - p.friction_loss_w,
                1e-12 * (std::fabs(p.shaft_w) + p.friction_loss_w));
  }
}

TEST(MotorLoadCurve, EqualsTheDirectLawAndIsContinuousAndMonotone) {
  Uniform uniform;
  const long count = testing::scaled(200000);
  for (long i = 0; i < count; ++i) {
    const Motor motor = any_motor(uniform);
    const MotorElectrical e = motor_electrical(motor, uniform(-0.1, 1.1), uniform(0.0, 2000.0));
    LoadCurve curve;
    motor_load_curve(motor, e, curve);
    ASSERT_GE(curve.count, 1);
    ASSERT_LE(curve.count, LoadCurve::kMaxSegments);
    for (int k = 0; k < curve.count; ++k) ASSERT_GE(curve.slope_a_per_v[k], 0.0);
    for (int k = 0; k + 1 < curve.count; ++k) {
      const double v = curve.break_v[k];
      if (k > 0) {
        ASSERT_GT(v, curve.break_v[k - 1]);
      }
      const double left = curve.slope_a_per_v[k] * v + curve.offset_a[k];
      const double right = curve.slope_a_per_v[k + 1] * v + curve.offset_a[k + 1];
      const double scale = std::fabs(curve.slope_a_per_v[k] * v) + std::fabs(curve.offset_a[k]) +
                           std::fabs(curve.slope_a_per_v[k + 1] * v);
      ASSERT_NEAR(left, right, 1e-13 * (1.0 + scale));
    }
    for (int k = 0; k < 20; ++k) {
      const double bus_v = uniform(-5.0, 60.0);
      const double direct = bus_current(motor, e, motor_current(motor, e, bus_v));
      const double scale = curve.slope_a_per_v[segment_at(curve, bus_v)] * 60.0;
      ASSERT_NEAR(current_at(curve, bus_v), direct, 1e-13 * (1.0 + scale + std::fabs(direct)));
    }
  }
}

TEST(MotorLimits, HoldInBothDirections) {
  MotorParameters p;
  p.resistance_ohm = 0.1;
  p.phase_current_limit_a = 20.0;
  p.bus_current_limit_a = 10.0;
  p.mode = MotorMode::kDamped;
  const Motor motor = make_motor(p, "motor");
  const auto current = [&](double duty, double bus_v, double speed) {
    return motor_current(motor, motor_electrical(motor, duty, speed), bus_v);
  };
  EXPECT_DOUBLE_EQ(current(1.0, 12.0, 0.0), 10.0) << "bus limit at full duty";
  EXPECT_DOUBLE_EQ(current(0.4, 12.0, 0.0), 20.0) << "phase limit at low duty";
  EXPECT_DOUBLE_EQ(current(0.8, 12.0, 0.0), 12.5) << "duty times current is the bus limit";
  EXPECT_DOUBLE_EQ(current(0.1, 12.0, 1000.0), -20.0);
  EXPECT_DOUBLE_EQ(current(0.8, 0.0, 1000.0), -12.5);
}

TEST(MotorModes, DriveNeverBrakesDampedDoes) {
  MotorParameters p;
  for (const MotorMode mode : {MotorMode::kDrive, MotorMode::kDamped}) {
    p.mode = mode;
    const Motor motor = make_motor(p, "motor");
    const MotorElectrical e = motor_electrical(motor, 0.1, 800.0);
    const double current = motor_current(motor, e, 12.0);
    if (mode == MotorMode::kDrive) {
      EXPECT_EQ(current, 0.0);
      EXPECT_EQ(bus_current(motor, e, current), 0.0);
    } else {
      EXPECT_LT(current, 0.0);
      EXPECT_LT(bus_current(motor, e, current), 0.0) << "braking feeds the bus";
    }
  }
}

TEST(MotorStopping, CoastOpensTheWindingsBrakeShortsThem) {
  MotorParameters p;
  const double ke = 60.0 / (math::kTwoPi * p.kv_rpm_per_v);
  for (const double command : {0.0, -1.0, 0.5 * p.dead_zone}) {
    p.stop = MotorStop::kCoast;
    const Motor coast = make_motor(p, "motor");
    EXPECT_EQ(motor_current(coast, motor_electrical(coast, command, 100.0), 12.0), 0.0);
    p.stop = MotorStop::kBrake;
    const Motor brake = make_motor(p, "motor");
    const MotorElectrical e = motor_electrical(brake, command, 100.0);
    EXPECT_NEAR(motor_current(brake, e, 12.0), -ke * 100.0 / p.resistance_ohm, 1e-12);
    EXPECT_EQ(bus_current(brake, e, motor_current(brake, e, 12.0)), 0.0);
    EXPECT_EQ(motor_current(brake, motor_electrical(brake, command, 1e4), 12.0),
              -p.phase_current_limit_a);
  }
}

TEST(MotorFriction, HoldsAtRestAndBreaksAwayAtTheNoLoadCurrent) {
  const Motor motor = make_motor(reference_motor(), "motor");
  EXPECT_EQ(motor_torque(motor, 0.3, 0.0, true), 0.0);
  EXPECT_LT(break_away_excess(motor, 0.59, 0.0), 0.0);
  EXPECT_GT(break_away_excess(motor, 0.61, 0.0), 0.0);
  EXPECT_GT(break_away_excess(motor, 0.0, -1.0), 0.0) << "the wind may start it";
  EXPECT_LT(motor_torque(motor, 0.0, 10.0, false), 0.0) << "an undriven rotor slows down";
}

TEST(MotorReference, TorqueLawIsThePublishedOneAboveTheNoLoadCurrent) {
  const Motor motor = make_motor(reference_motor(), "motor");
  for (double current = 0.6; current < 60.0; current += 0.7) {
    const double published = motor.torque_constant_nm_a * std::max(0.0, current - 0.6);
    EXPECT_NEAR(motor_torque(motor, current, 200.0, false) + 2.0e-6 * 200.0, published, 1e-15);
  }
}

TEST(MotorReference, ReproducesThePublishedOperatingPoints) {
  const Propeller propeller = reference_propeller();
  MotorParameters p = reference_motor();
  const Motor motor = make_motor(p, "motor");
  EXPECT_NEAR(motor.torque_constant_nm_a, 0.0103796702, 5e-11);
  p.no_load_current_a = 0.0;  // the published thrust calibration leaves it out
  EXPECT_NEAR(steady_speed(make_motor(p, "motor"), propeller, 1.0, 12.0, 1.225), 301.3621, 5e-5);

  const double full_speed = steady_speed(motor, propeller, 1.0, 12.0, 1.225);
  EXPECT_NEAR(6.611020796089e-5 * 1.225 * full_speed * full_speed, 7.249, 5e-4);

  const double hover_density = 1.1686295;  // 488 m
  const double hover_speed = std::sqrt(3.67749375 / (6.611020796089e-5 * hover_density));
  EXPECT_NEAR(hover_speed, 218.1741, 5e-5);
  const double load = propeller_torque(propeller, hover_speed, hover_density);
  const double current =
      (load + motor.coulomb_torque_nm + 2.0e-6 * hover_speed) / motor.torque_constant_nm_a;
  EXPECT_NEAR(current, 18.3569, 5e-5);
  EXPECT_NEAR(motor.torque_constant_nm_a * hover_speed + 0.25 * current, 6.8538, 5e-5);
  // With the published bus voltage and duty the rotor neither gains nor loses speed.
  EXPECT_NEAR(0.58460 * 11.72397, 6.8538, 1e-4);
  const MotorElectrical e = motor_electrical(motor, 0.58460, hover_speed);
  EXPECT_NEAR(motor_current(motor, e, 11.72397), current, 1e-3);
  EXPECT_NEAR(4.0 * bus_current(motor, e, current), 43.802, 1e-3);

  const double step = 1e-3;
  const double slope =
      (net_torque(motor, propeller, 0.58460, 11.72397, hover_speed + step, hover_density) -
       net_torque(motor, propeller, 0.58460, 11.72397, hover_speed - step, hover_density)) /
      (2.0 * step);
  EXPECT_NEAR(-slope * motor.inverse_inertia, 176.5, 0.05);
}

TEST(MotorSpinUp, WithoutPropellerIsExponentialWithTheMechanicalTimeConstant) {
  MotorParameters p;
  p.viscous_friction_nm_s = 1e-6;
  p.phase_current_limit_a = 1000.0;
  p.bus_current_limit_a = 1000.0;
  const Motor motor = make_motor(p, "motor");
  const double k = motor.torque_constant_nm_a;
  const double rate = (k * k / p.resistance_ohm + 1e-6) / p.rotor_inertia_kg_m2;
  const double final_speed =
      (k * 6.0 / p.resistance_ohm - k * p.no_load_current_a) / (k * k / p.resistance_ohm + 1e-6);
  const auto derivative = [&](double speed) {
    const MotorElectrical e = motor_electrical(motor, 0.5, speed);
    return motor_torque(motor, motor_current(motor, e, 12.0), speed, false) * motor.inverse_inertia;
  };
  double speed = 0.0;
  const double h = 1e-4 / rate;
  for (int i = 0; i < 10000; ++i) {
    const double k1 = derivative(speed);
    const double k2 = derivative(speed + 0.5 * h * k1);
    const double k3 = derivative(speed + 0.5 * h * k2);
    const double k4 = derivative(speed + h * k3);
    speed += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  EXPECT_NEAR(speed, final_speed * (1.0 - std::exp(-1.0)), 1e-9 * final_speed);
}

TEST(MotorParameters, ImpossibleOnesAreRefusedByName) {
  const auto message = [](auto change) -> std::string {
    MotorParameters p;
    change(p);
    try {
      make_motor(p, "motor 3");
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  using P = MotorParameters;
  const auto names = [](const std::string& text, const char* key) {
    return text.find("motor 3") != std::string::npos && text.find(key) != std::string::npos;
  };
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(names(message([](P& p) { p.kv_rpm_per_v = 0.0; }), "kv_rpm_per_v"));
  EXPECT_TRUE(names(message([](P& p) { p.resistance_ohm = -1.0; }), "resistance_ohm"));
  EXPECT_TRUE(names(message([](P& p) { p.no_load_current_a = 40.0; }), "never start"));
  EXPECT_TRUE(names(message([](P& p) { p.rotor_inertia_kg_m2 = kNan; }), "rotor_inertia_kg_m2"));
  EXPECT_TRUE(names(message([](P& p) { p.efficiency = 1.1; }), "efficiency"));
  EXPECT_TRUE(names(message([](P& p) { p.efficiency = 0.0; }), "efficiency"));
  EXPECT_TRUE(names(message([](P& p) { p.dead_zone = -0.1; }), "dead_zone"));
  EXPECT_TRUE(names(message([](P& p) { p.bus_current_limit_a = 0.0; }), "bus_current_limit_a"));
}

}  // namespace
}  // namespace tactus
