// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The built-in rover autopilot in closed loop with the rover's plant.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "tactus/autopilot/builtin/builtin_rover.h"
#include "tactus/autopilot/parameters/parameter_change.h"
#include "tactus/plant/rover.h"
#include "tactus/sensor/land_detector.h"
#include "tactus/solver/advance.h"
#include "tests/support/autopilot_input.h"

namespace tactus {
namespace {

constexpr DurationUs kPeriod{20'000};

Leg waypoint(double north_m, double east_m, double hold_s = 0.0) {
  Leg leg;
  leg.has_place = true;
  leg.position_W_m = {north_m, east_m, 0.0};
  leg.hold = duration_from_seconds(hold_s, "hold");
  leg.acceptance_m = 0.25;
  return leg;
}

class Drive {
 public:
  explicit Drive(std::vector<Leg> legs, const RoverParameters& rover = {})
      : autopilot_(BuiltinParameters{}, rover, plan_of(std::move(legs)), kPeriod) {
    system_.parameters = rover;
    config_.step_us = 5000;
  }

  void order(FlightMode mode, bool armed = true) {
    high_level.armed = armed;
    high_level.mode = mode;
    ++high_level.count;
  }

  void tick() {
    sense();
    autopilot_.step(
        testing::without_instruments(now, estimate, land, high_level, parameter, battery_, esc_),
        out);
    system_.input = {out.command.servo[0], out.command.servo[1]};
    memory_.invalidate_derivative();
    const TimeUs next = now + kPeriod;
    ASSERT_EQ(advance(system_, config_, memory_, now, next, x).status, Status::kOk);
    now = next;
  }

  bool until(const std::function<bool()>& done, double seconds) {
    const TimeUs end = now + duration_from_seconds(seconds, "seconds");
    while (now < end) {
      tick();
      if (done()) return true;
    }
    return false;
  }
  void run(double seconds) {
    until([] { return false; }, seconds);
  }

  [[nodiscard]] Vec3 position() const { return {x[0], x[1], 0.0}; }
  [[nodiscard]] const AutopilotStatus& status() const { return out.status; }

  double x[RoverLayout::kSize] = {};
  TimeUs now;
  Estimate estimate;
  LandStatus land;
  HighLevelCommand high_level;
  ParameterChange parameter;
  AutopilotOutput out;
  bool position_lost = false;

 private:
  static std::shared_ptr<const FlightPlan> plan_of(std::vector<Leg> legs) {
    FlightPlan plan;
    plan.legs = std::move(legs);
    return std::make_shared<const FlightPlan>(plan);
  }

  void sense() {
    const RoverMotion motion = rover_motion(system_.parameters, x);
    const double heading = x[RoverLayout::kHeading];
    Truth truth;
    truth.velocity_W_m_s = motion.speed_m_s * Vec3{std::cos(heading), std::sin(heading), 0.0};
    truth.rate_B_rad_s.z = motion.turn_rate_rad_s;
    estimate.position_W_m = position();
    estimate.velocity_W_m_s = truth.velocity_W_m_s;
    estimate.attitude = from_euler({0.0, 0.0, heading});
    estimate.rate_B_rad_s = truth.rate_B_rad_s;
    estimate.measured_at = now;
    estimate.horizontal_valid = !position_lost;
    land = step_land_detector({}, now, truth, {}, out.command, {.flies = false, .motors = 0}, 0.0,
                              detector_);
  }

  RoverSystem system_;
  SolverConfig config_;
  SolverMemory<RoverSystem::kCapacity> memory_;
  LandDetectorState detector_;
  BatteryStatus battery_[kMaxPacks];
  EscStatus esc_[kMaxMotors];
  BuiltinRover autopilot_;
};

std::vector<Leg> square() {
  return {waypoint(8.0, 0.0), waypoint(8.0, 8.0), waypoint(0.0, 8.0), waypoint(0.0, 0.0, 1.0)};
}

/// Distance of a point from the outline of the 8 m square at the origin.
double off_track(Vec3 p) {
  const double north = std::abs(p.x - 4.0) - 4.0, east = std::abs(p.y - 4.0) - 4.0;
  if (north > 0.0 || east > 0.0) return std::hypot(std::max(north, 0.0), std::max(east, 0.0));
  return -std::max(north, east);
}

TEST(BuiltinRover, DrivesASquareThroughItsCorners) {
  Drive d(square());
  d.order(FlightMode::kMission);
  double nearest[4] = {9.0, 9.0, 9.0, 9.0};
  double worst = 0.0;
  double from_setpoint = 0.0;
  const Vec3 corner[4] = {{8.0, 0.0, 0.0}, {8.0, 8.0, 0.0}, {0.0, 8.0, 0.0}, {0.0, 0.0, 0.0}};
  ASSERT_TRUE(d.until(
      [&] {
        for (int i = 0; i < 4; ++i) {
          if (i < 3 || d.status().mission_item == 3) {
            nearest[i] = math::min(nearest[i], norm(d.position() - corner[i]));
          }
        }
        worst = math::max(worst, off_track(d.position()));
        const Vec3 abreast = d.status().position_setpoint_W_m;
        from_setpoint = math::max(from_setpoint, norm(d.position() - abreast));
        return d.status().mission_finished;
      },
      120.0));
  EXPECT_EQ(d.status().items_reached, 4);
  for (const double distance : nearest) EXPECT_LT(distance, 0.3);
  EXPECT_LT(worst, 0.3);
  EXPECT_LT(from_setpoint, 0.5) << "the setpoint is the point abreast, not the waypoint";
  d.run(3.0);
  EXPECT_EQ(d.status().mode, FlightMode::kHold);
  EXPECT_LT(norm(d.position()), 0.1);
  EXPECT_TRUE(d.land.landed);
  RecordProperty("seconds", std::to_string(to_seconds(d.now)));
  RecordProperty("off_track_m", std::to_string(worst));
  RecordProperty("final_m", std::to_string(norm(d.position())));
}

TEST(BuiltinRover, GainsFollowTheRoverNotATable) {
  RoverParameters big;
  big.max_speed_m_s = 4.0;
  big.track_m = 0.8;
  big.max_turn_rate_rad_s = 1.0;
  big.wheel_time_constant_s = 0.4;
  Drive d({waypoint(40.0, 0.0), waypoint(40.0, 40.0), waypoint(0.0, 40.0, 1.0)}, big);
  d.order(FlightMode::kMission);
  ASSERT_TRUE(d.until([&] { return d.status().mission_finished; }, 120.0));
  d.run(3.0);
  EXPECT_LT(norm(d.position() - Vec3{0.0, 40.0, 0.0}), 0.25);
}

TEST(BuiltinRover, HoldStopsAndTheMissionGoesOn) {
  Drive d(square());
  d.order(FlightMode::kMission);
  ASSERT_TRUE(d.until([&] { return d.status().mission_item == 1; }, 60.0));
  d.run(3.0);
  d.order(FlightMode::kHold);
  d.run(2.0);
  const Vec3 held = d.position();
  EXPECT_TRUE(d.land.landed);
  d.run(2.0);
  EXPECT_LT(norm(d.position() - held), 5e-3);
  d.order(FlightMode::kMission);
  d.tick();
  EXPECT_EQ(d.status().mission_item, 1);
  EXPECT_TRUE(d.until([&] { return d.status().mission_finished; }, 120.0));
}

TEST(BuiltinRover, ReturnsHomeAndDisarms) {
  Drive d({waypoint(10.0, 3.0, 1.0)});
  d.order(FlightMode::kMission);
  ASSERT_TRUE(d.until([&] { return d.status().mission_finished; }, 60.0));
  d.order(FlightMode::kReturn);
  ASSERT_TRUE(d.until([&] { return !d.status().armed; }, 60.0));
  EXPECT_LT(norm(d.position()), 0.1);
  EXPECT_EQ(d.out.command.servo[0], 0.0);
  EXPECT_EQ(d.out.command.servo[1], 0.0);
}

TEST(BuiltinRover, StopsWithoutAPosition) {
  Drive d({waypoint(50.0, 0.0)});
  d.order(FlightMode::kMission);
  d.run(5.0);
  d.position_lost = true;
  d.run(3.0);
  EXPECT_EQ(d.status().failsafe, Failsafe::kEstimatorLost);
  EXPECT_TRUE(d.land.landed);
  d.position_lost = false;
  d.run(1.0);
  EXPECT_TRUE(d.land.landed) << "only a new order goes on";
  d.order(FlightMode::kMission);
  EXPECT_TRUE(d.until([&] { return d.status().mission_finished; }, 120.0));
}

TEST(BuiltinRover, SpeedChangesInFlight) {
  Drive d({waypoint(50.0, 0.0)});
  d.order(FlightMode::kMission);
  d.run(5.0);
  const double top = norm(d.estimate.velocity_W_m_s);
  EXPECT_GT(top, 0.8);
  d.parameter = {builtin_parameter_index("cruise_speed_m_s"), 1, 0.3};
  d.run(3.0);
  EXPECT_NEAR(norm(d.estimate.velocity_W_m_s), 0.3, 0.01);
}

TEST(BuiltinRover, ARefusedOrOldOrderDoesNothing) {
  Drive d(square());
  d.position_lost = true;
  d.order(FlightMode::kMission);
  d.run(0.2);
  EXPECT_FALSE(d.status().armed);
  d.position_lost = false;
  d.run(0.2);
  EXPECT_FALSE(d.status().armed);
  d.order(FlightMode::kMission);
  d.run(0.2);
  EXPECT_TRUE(d.status().armed);
  d.order(FlightMode::kNone, false);
  d.run(0.2);
  EXPECT_FALSE(d.status().armed);
}

}  // namespace
}  // namespace tactus
