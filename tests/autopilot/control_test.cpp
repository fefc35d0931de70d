// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tactus/core/error.h"
#include "tests/support/controlled_flight.h"

namespace tactus {
namespace {

using testing::ControlledFlight;

struct Airframe {
  const char* name;
  MultirotorParameters parameters;
};

std::vector<Airframe> airframes() {
  return {{"iris", iris_parameters()},
          {"racer", testing::racer_like()},
          {"hexa", testing::hexa_like()},
          {"octa", testing::octa_like()},
          {"heavy", testing::heavy_like()}};
}

FlightSetpoint at(Vec3 position) {
  FlightSetpoint setpoint;
  setpoint.position_W_m = position;
  return setpoint;
}

double tilt_of(Quat q) { return math::acos(math::clamp(rotation_matrix(q).m[2][2], -1.0, 1.0)); }

double mean_command(const ControlledFlight& f) {
  double sum = 0.0;
  for (int i = 0; i < f.vehicle.counts.rotors; ++i) sum += f.command.motor[i];
  return sum / f.vehicle.counts.rotors;
}

struct StepResponse {
  double overshoot = 0.0;  ///< of the step
  double settled_s = 0.0;  ///< last time outside 5 % or 0.5°
};

StepResponse attitude_step(ControlledFlight& f, EulerAngles goal, double EulerAngles::*axis) {
  AttitudeSetpoint setpoint;
  setpoint.thrust_n = f.control.model().hover_thrust_n;
  f.hold(setpoint, 1.0, [] {});
  setpoint.attitude = from_euler(goal);
  const TimeUs start = f.flight.now;
  const double size = goal.*axis;
  const double tolerance = math::max(0.05 * size, 0.5 * math::kDegToRad);
  StepResponse response;
  f.hold(setpoint, 4.0, [&] {
    const double value = to_euler(f.attitude()).*axis;
    response.overshoot = math::max(response.overshoot, value / size - 1.0);
    if (math::abs(value - size) > tolerance) response.settled_s = to_seconds(f.flight.now - start);
  });
  return response;
}

void expect_good(const StepResponse& response) {
  EXPECT_LT(response.overshoot, 0.25);
  EXPECT_LT(response.settled_s, 3.0);
}

TEST(Control, AttitudeStepsSettleOnEveryAirframe) {
  MultirotorParameters lagged = iris_parameters();
  lagged.motor_actuator.kind = ActuatorKind::kFirstOrder;
  lagged.motor_actuator.time_constant_s = 0.05;
  std::vector<Airframe> all = airframes();
  all.push_back({"lagged", lagged});
  for (const std::uint64_t period_us : {4'000U, 10'000U}) {
    for (const Airframe& a : all) {
      SCOPED_TRACE(std::string(a.name) + " at " + std::to_string(period_us) + " us");
      const auto fly_step = [&](EulerAngles goal, double EulerAngles::*axis) {
        ControlledFlight f(a.parameters, 50.0, DurationUs(period_us));
        const StepResponse response = attitude_step(f, goal, axis);
        expect_good(response);
        EXPECT_EQ(f.control.motor_lost_mask(), 0U);
      };
      fly_step({.roll_rad = 10.0 * math::kDegToRad}, &EulerAngles::roll_rad);
      fly_step({.pitch_rad = 10.0 * math::kDegToRad}, &EulerAngles::pitch_rad);
      fly_step({.yaw_rad = 45.0 * math::kDegToRad}, &EulerAngles::yaw_rad);
    }
  }
}

TEST(Control, HoversWhereItIs) {
  for (const Airframe& a : airframes()) {
    SCOPED_TRACE(a.name);
    ControlledFlight f(a.parameters);
    double worst = 0.0;
    f.follow(at({0.0, 0.0, -20.0}), 6.0, [&] {
      worst = math::max(worst, norm(f.position() - Vec3{0.0, 0.0, -20.0}));
    });
    EXPECT_LT(worst, 0.1);
    EXPECT_LT(norm(f.velocity()), 0.01);
    EXPECT_NEAR(f.status.hover_thrust, mean_command(f), 0.01);
    EXPECT_NEAR(f.status.thrust_setpoint, mean_command(f), 0.01);
  }
}

TEST(Control, LearnsTheHoverThrustOfALoad) {
  // The vehicle weighs 20 % more than its controller assumes.
  MultirotorParameters loaded = iris_parameters();
  ControlledFlight f(loaded);
  const double assumed = f.control.hover_thrust();
  loaded.body.mass_kg *= 1.2;
  f.vehicle = make_multirotor(loaded);
  f.follow(at({0.0, 0.0, -20.0}), 10.0);
  EXPECT_LT(norm(f.position() - Vec3{0.0, 0.0, -20.0}), 0.05);
  EXPECT_NEAR(f.status.hover_thrust, mean_command(f), 0.01);
  EXPECT_GT(f.status.hover_thrust, assumed + 0.03);
}

TEST(Control, FliesAPositionStepWithinItsLimits) {
  for (const Airframe& a : airframes()) {
    SCOPED_TRACE(a.name);
    ControlledFlight f(a.parameters);
    double tilt = 0.0;
    double farthest = 0.0;
    double off_height = 0.0;
    f.follow(at({10.0, 0.0, -20.0}), 12.0, [&] {
      tilt = math::max(tilt, tilt_of(f.attitude()));
      farthest = math::max(farthest, f.position().x);
      off_height = math::max(off_height, math::abs(f.position().z + 20.0));
    });
    EXPECT_LT(tilt, BuiltinParameters{}.max_tilt_rad * 1.15);
    EXPECT_LT(farthest, 11.0);
    EXPECT_LT(off_height, 0.5);
    EXPECT_LT(norm(f.position() - Vec3{10.0, 0.0, -20.0}), 0.05);
    EXPECT_EQ(f.control.motor_lost_mask(), 0U);
  }
}

TEST(Control, HoldsPositionInSteadyWindWithoutWindingUp) {
  ControlledFlight f(iris_parameters());
  f.input.wind_W_m_s = {6.0, 2.0, 0.0};
  f.follow(at({0.0, 0.0, -20.0}), 12.0);
  EXPECT_LT(norm(f.position() - Vec3{0.0, 0.0, -20.0}), 0.05);
  // A wind that the tilt allowed cannot hold, then calm: it returns without swinging through.
  BuiltinParameters little_tilt;
  little_tilt.max_tilt_rad = 6.0 * math::kDegToRad;
  f.control.set_parameters(little_tilt);
  f.input.wind_W_m_s = {-12.0, 0.0, 0.0};
  f.follow(at({0.0, 0.0, -20.0}), 6.0);
  EXPECT_LT(f.position().x, -2.0);
  f.input.wind_W_m_s = {};
  double overshoot = 0.0;
  f.follow(at({0.0, 0.0, -20.0}), 25.0, [&] { overshoot = math::max(overshoot, f.position().x); });
  EXPECT_LT(overshoot, 2.0);
  EXPECT_LT(norm(f.position() - Vec3{0.0, 0.0, -20.0}), 0.1);
}

TEST(Control, ControlsVelocityWherePositionIsNotGiven) {
  ControlledFlight f(iris_parameters());
  FlightSetpoint setpoint;
  setpoint.position_W_m.z = -20.0;
  setpoint.velocity_W_m_s = {3.0, -1.0, 0.0};
  f.follow(setpoint, 8.0);
  EXPECT_NEAR(f.velocity().x, 3.0, 0.05);
  EXPECT_NEAR(f.velocity().y, -1.0, 0.05);
  EXPECT_NEAR(f.position().z, -20.0, 0.05);
}

TEST(Control, StaysLevelWithoutAHorizontalEstimate) {
  ControlledFlight f(iris_parameters());
  f.follow(at({0.0, 0.0, -20.0}), 2.0);
  FlightSetpoint setpoint;
  setpoint.horizontal = false;
  setpoint.velocity_W_m_s = {0.0, 0.0, 0.7};
  f.follow(setpoint, 5.0);
  EXPECT_LT(tilt_of(f.attitude()), 0.02);
  EXPECT_NEAR(f.velocity().z, 0.7, 0.05);
  setpoint.vertical = false;
  setpoint.velocity_W_m_s = {};
  f.follow(setpoint, 2.0);
  EXPECT_NEAR(f.estimate.acceleration_W_m_s2.z, 0.0, 0.2);
}

TEST(Control, TakesOffFromTheGroundAndLands) {
  for (const Airframe& a : airframes()) {
    SCOPED_TRACE(a.name);
    ControlledFlight f(a.parameters, 0.0);
    const double ground_z = f.position().z;
    FlightSetpoint setpoint;
    setpoint.idle = true;
    f.follow(setpoint, 1.0);
    EXPECT_NEAR(f.position().z, ground_z, 0.01);
    EXPECT_GT(f.esc[0].speed_rad_s, 0.0);
    setpoint = at({0.0, 0.0, math::canonical_nan()});
    setpoint.velocity_W_m_s = {0.0, 0.0, -1.5};
    while (f.flight.now < TimeUs{6'000'000}) {
      setpoint.thrust_limit_weight = 2.0 * (to_seconds(f.flight.now) - 1.0);
      setpoint.grounded = f.position().z > ground_z - 0.02;
      f.follow(setpoint, 0.02);
    }
    EXPECT_LT(f.position().z, ground_z - 4.0);
    setpoint.thrust_limit_weight = 100.0;
    setpoint.velocity_W_m_s = {0.0, 0.0, 0.7};
    double touch = 0.0;
    for (int k = 0; k < 1000 && f.flight.modes.gear_touching == 0; ++k) {
      f.follow(setpoint, 0.02);
      touch = f.velocity().z;
    }
    EXPECT_LT(touch, 1.0);
    EXPECT_LT(math::hypot(f.position().x, f.position().y), 0.2);
    setpoint.grounded = true;
    for (double cap = 1.0; cap > 0.0; cap -= 0.04) {
      setpoint.thrust_limit_weight = cap;
      f.follow(setpoint, 0.02);
    }
    f.control.stop(f.command);
    EXPECT_EQ(f.command.motor[0], 0.0);
    EXPECT_LT(norm(f.velocity()), 0.2);
    EXPECT_LT(tilt_of(f.attitude()), 0.05);
    EXPECT_EQ(f.control.motor_lost_mask(), 0U);
  }
}

TEST(Control, CompensatesTheVoltageOfAnEmptyPack) {
  MultirotorParameters p = iris_parameters();
  p.power.pack[0].soc0 = 0.15;
  ControlledFlight full(iris_parameters());
  ControlledFlight empty(p);
  full.follow(at({0.0, 0.0, -20.0}), 4.0);
  empty.follow(at({0.0, 0.0, -20.0}), 4.0);
  EXPECT_LT(norm(empty.position() - Vec3{0.0, 0.0, -20.0}), 0.02);
  EXPECT_GT(empty.command.motor[0], 1.05 * full.command.motor[0]);
}

TEST(Control, ACopyContinuesIdentically) {
  ControlledFlight f(testing::octa_like());
  f.follow(at({3.0, 1.0, -22.0}), 1.5);
  ControlledFlight copy = f;
  f.follow(at({0.0, 0.0, -20.0}), 1.0);
  copy.follow(at({0.0, 0.0, -20.0}), 1.0);
  EXPECT_FALSE(first_difference(f.control.state(), copy.control.state()));
  EXPECT_FALSE(first_difference(f.command, copy.command));
}

TEST(Control, SlowLoopsKeepTheirPhase) {
  // Ticks of 3 ms: the slow loops run at the first tick at or after each multiple of 20 ms.
  ControlledFlight f(iris_parameters(), 20.0, DurationUs{3'000});
  f.solver.step_us = 1000;
  std::uint64_t runs = 0;
  TimeUs due = f.control.state().next_position_step;
  f.follow(at({0.0, 0.0, -20.0}), 3.0, [&] {
    const TimeUs next = f.control.state().next_position_step;
    EXPECT_EQ(next.us % 20'000, 0U);
    if (next != due) ++runs;
    due = next;
  });
  EXPECT_EQ(runs, 150U);
}

TEST(Control, RefusesAVehicleThatCannotFly) {
  MultirotorParameters p = iris_parameters();
  p.body.mass_kg = 5.0;
  const Multirotor vehicle = make_multirotor(p);
  try {
    const MultirotorControl control(vehicle, {}, DurationUs{4'000});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("body.mass_kg"), std::string::npos);
  }
}

TEST(BuiltinParameters, DefaultsAreValidAndEveryNumberIsChecked) {
  validate(BuiltinParameters{}, "autopilot");
  BuiltinParameters whole;
  for_each_leaf(whole, [&](const LeafPath& path, auto& value) {
    if constexpr (std::is_same_v<std::remove_reference_t<decltype(value)>, double>) {
      const double before = value;
      for (const double wrong : {-1.0, 1e9, math::canonical_nan()}) {
        value = wrong;
        EXPECT_THROW(validate(whole, "autopilot"), Error) << path.text();
      }
      value = before;
    }
  });
}

}  // namespace
}  // namespace tactus
