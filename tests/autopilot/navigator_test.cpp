// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// The built-in autopilot flies missions and orders.

#include "tactus/autopilot/builtin/navigator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "tactus/autopilot/parameters/parameter_change.h"
#include "tactus/core/error.h"
#include "tests/support/builtin_flight.h"

namespace tactus {
namespace {

using testing::Flight;
using testing::leg_at;
using testing::square;
using testing::takeoff_leg;
using testing::waypoint;

TEST(Builtin, FliesASquareLandsAtHomeAndDisarms) {
  Flight f(square(2.0));
  f.run(1.0);
  EXPECT_FALSE(f.status().armed);
  f.order(FlightMode::kMission);
  ASSERT_TRUE(f.until([&] { return f.status().mission_finished; }, 120.0));
  EXPECT_EQ(f.status().items_reached, 6);
  EXPECT_TRUE(f.status().armed);
  ASSERT_TRUE(f.until_disarmed(3.0));
  EXPECT_EQ(f.status().mode, FlightMode::kNone);
  EXPECT_EQ(f.status().failsafe, Failsafe::kNone);
  EXPECT_LT(norm(horizontal(f.world.position())), 0.3);
  EXPECT_LT(f.touchdown_speed, 1.0);
  EXPECT_LT(f.worst_tracking, 1.0);
  EXPECT_LT(f.top_speed, 6.0);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(f.out.command.motor[i], 0.0);
  std::string times;
  for (const double t : f.reached_s) times += std::to_string(t) + " ";
  RecordProperty("items_s", times);
  RecordProperty("landing_error_m", std::to_string(norm(horizontal(f.world.position()))));
  RecordProperty("touchdown_m_s", std::to_string(f.touchdown_speed));
  RecordProperty("worst_tracking_m", std::to_string(f.worst_tracking));
  RecordProperty("top_speed_m_s", std::to_string(f.top_speed));
}

TEST(Builtin, TouchdownDoesNotTakeMoreThanAHover) {
  Flight f({});
  f.order(FlightMode::kTakeoff);
  ASSERT_TRUE(f.until([&] { return f.status().mode == FlightMode::kHold; }, 20.0));
  f.world.input.wind_W_m_s = {5.0, 3.0, 0.0};
  f.run(5.0);
  const double hover = f.status().hover_thrust;
  f.order(FlightMode::kLand);
  ASSERT_TRUE(f.until([&] { return f.land.ground_contact; }, 20.0));
  while (f.status().armed) {
    f.tick();
    for (int i = 0; i < 4; ++i) ASSERT_LE(f.out.command.motor[i], hover) << "at " << f.now_s();
  }
}

TEST(Builtin, AWaypointOnAStraightLineCostsNoTime) {
  Flight direct({takeoff_leg(5.0), waypoint(60.0, 0.0, 5.0)});
  Flight over({takeoff_leg(5.0), waypoint(30.0, 0.0, 5.0), waypoint(60.0, 0.0, 5.0)});
  for (Flight* f : {&direct, &over}) {
    f->order(FlightMode::kMission);
    ASSERT_TRUE(f->until([f] { return f->status().mission_finished; }, 120.0));
  }
  EXPECT_NEAR(over.reached_s[2], direct.reached_s[1], 0.05);
}

TEST(Builtin, PassingACornerIsNotSlowerThanStoppingThere) {
  Flight stops(square(0.004)), passes(square(0.0));
  for (Flight* f : {&stops, &passes}) {
    f->order(FlightMode::kMission);
    ASSERT_TRUE(f->until([f] { return f->status().mission_finished; }, 120.0));
  }
  EXPECT_LE(passes.reached_s[4], stops.reached_s[4]);
}

TEST(Builtin, TheReferenceKeepsItsLimits) {
  Flight f(square(0.0));
  const BuiltinParameters p;
  f.order(FlightMode::kMission);
  Vec3 before;
  double acceleration = 0.0, jerk = 0.0, speed = 0.0;
  f.until(
      [&] {
        const NavigatorState& s = f.autopilot.navigator();
        const Vec3 a = s.reference.acceleration_W_m_s2;
        if (s.phase != Phase::kGround && !f.land.ground_contact) {
          acceleration = math::max(acceleration, norm(horizontal(a)));
          jerk = math::max(jerk, norm(a - before) / 0.004);
          speed = math::max(speed, norm(horizontal(s.reference.velocity_W_m_s)));
        }
        before = a;
        return f.status().items_reached == 5;
      },
      120.0);
  EXPECT_LE(acceleration, p.max_acceleration_m_s2 * (1.0 + 1e-9));
  EXPECT_LE(jerk, p.max_jerk_m_s3 * (1.0 + 1e-6));
  EXPECT_LE(speed, p.cruise_speed_m_s * 1.05);
  EXPECT_GT(speed, p.cruise_speed_m_s * 0.8);
}

TEST(Builtin, TakeoffHoldReturnAndLandByOrder) {
  Flight f({});
  f.order(FlightMode::kTakeoff);
  ASSERT_TRUE(f.until([&] { return f.status().mode == FlightMode::kHold; }, 10.0));
  f.run(5.0);
  EXPECT_NEAR(f.height(), 2.5, 0.3);
  f.order(FlightMode::kMission);  // there is none
  f.run(1.0);
  EXPECT_EQ(f.status().mode, FlightMode::kHold);
  f.order(FlightMode::kNone, false);  // no disarming in the air
  f.run(1.0);
  EXPECT_TRUE(f.status().armed);
  f.order(FlightMode::kLand);
  ASSERT_TRUE(f.until_disarmed(20.0));
  EXPECT_LT(norm(horizontal(f.world.position())), 0.3);
}

TEST(Builtin, ReturnClimbsGoesHomeAndLands) {
  Flight f({takeoff_leg(5.0), waypoint(30.0, 0.0, 5.0), waypoint(30.0, 30.0, 5.0)});
  f.order(FlightMode::kMission);
  ASSERT_TRUE(f.until([&] { return f.status().items_reached == 2; }, 40.0));
  f.order(FlightMode::kReturn);
  double highest = 0.0;
  ASSERT_TRUE(f.until(
      [&] {
        highest = math::max(highest, f.height());
        return !f.status().armed;
      },
      60.0));
  EXPECT_NEAR(highest, 10.0, 0.7);
  EXPECT_LT(norm(horizontal(f.world.position())), 0.3);
}

TEST(Builtin, HoldInterruptsAMissionAndAnotherOrderResumesIt) {
  Flight f(square(0.0));
  f.order(FlightMode::kMission);
  ASSERT_TRUE(f.until([&] { return f.status().mission_item == 2; }, 60.0));
  f.run(1.5);
  f.order(FlightMode::kHold);
  f.run(6.0);
  const Vec3 held = f.world.position();
  f.run(3.0);
  EXPECT_LT(norm(f.world.position() - held), 0.1);
  EXPECT_EQ(f.status().mission_item, -1);
  f.order(FlightMode::kMission);
  f.tick();
  EXPECT_EQ(f.status().mission_item, 2);
  ASSERT_TRUE(f.until([&] { return f.status().mission_finished; }, 120.0));
}

TEST(Builtin, LoiterTurnsDelayAndYaw) {
  Leg circle = leg_at(LegKind::kLoiter, 20.0, 0.0, 8.0);
  circle.radius_m = -6.0;
  circle.until = LoiterUntil::kTurns;
  circle.turns = 2.0;
  Leg turn;
  turn.kind = LegKind::kYaw;
  turn.yaw_rad = 270.0 * math::kDegToRad;
  turn.yaw_direction = 1;
  turn.yaw_relative = true;
  Leg delay;
  delay.kind = LegKind::kDelay;
  delay.hold = DurationUs(3'000'000);
  Flight f({takeoff_leg(8.0), circle, turn, delay});
  f.order(FlightMode::kMission);
  double worst = 0.0, swept = 0.0;
  Vec3 before;
  ASSERT_TRUE(f.until(
      [&] {
        const Vec3 rel = horizontal(f.world.position() - Vec3{20.0, 0.0, 0.0});
        if (f.autopilot.navigator().phase == Phase::kCircle) {
          worst = math::max(worst, math::abs(norm(rel) - 6.0));
          swept += math::atan2(cross(before, rel).z, dot(before, rel));
        }
        before = rel;
        return f.status().items_reached == 2;
      },
      90.0));
  EXPECT_NEAR(swept, -2.0 * math::kTwoPi, 0.5);  // anticlockwise from above
  EXPECT_LT(worst, 1.0);
  double turned = 0.0;
  double yaw = yaw_of(f.world.attitude());
  ASSERT_TRUE(f.until(
      [&] {
        const double next = yaw_of(f.world.attitude());
        turned += wrap_angle(next - yaw);
        yaw = next;
        return f.status().items_reached == 3;
      },
      30.0));
  EXPECT_NEAR(turned, 270.0 * math::kDegToRad, 0.3);
  ASSERT_TRUE(f.until([&] { return f.status().mission_finished; }, 10.0));
  EXPECT_NEAR(f.reached_s[3] - f.reached_s[2], 3.0, 0.01);
  EXPECT_EQ(f.status().mode, FlightMode::kHold);
}

TEST(Builtin, ACopyContinuesIdentically) {
  Flight f(square(0.0));
  f.order(FlightMode::kMission);
  f.run(12.0);
  Flight copy = f;
  f.run(8.0);
  copy.run(8.0);
  EXPECT_FALSE(first_difference(f.out.status, copy.out.status));
  EXPECT_FALSE(first_difference(f.out.command, copy.out.command));
}

TEST(Parameters, ChangeInFlightByIndexAndAreValidated) {
  Flight f({takeoff_leg(5.0), waypoint(200.0, 0.0, 5.0)});
  f.order(FlightMode::kMission);
  ASSERT_TRUE(f.until([&] { return f.status().items_reached == 1; }, 30.0));
  f.parameter = {builtin_parameter_index("cruise_speed_m_s"), 1, 2.0};
  f.run(10.0);
  EXPECT_NEAR(norm(f.world.velocity()), 2.0, 0.1);
  f.parameter = {builtin_parameter_index("cruise_speed_m_s"), 2, -2.0};
  EXPECT_THROW(f.tick(), Error);
}

TEST(Parameters, KeysAreThoseOfASpec) {
  const BuiltinParameters p;
  EXPECT_EQ(with_parameter(p, builtin_parameter_index("disarm_delay_s"), 1.5).disarm_delay.us,
            1'500'000u);
  const int action = builtin_parameter_index("low_battery_action");
  EXPECT_EQ(with_parameter(p, action, 2.0).low_battery_action, BatteryAction::kLand);
  EXPECT_THROW((void)with_parameter(p, action, 3.0), Error);
  EXPECT_THROW((void)with_parameter(p, -1, 3.0), Error);
  EXPECT_FALSE(
      with_parameter(p, builtin_parameter_index("detect_motor_loss"), 0.0).detect_motor_loss);
  try {
    (void)builtin_parameter_index("cruise_sped_m_s");
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("cruise_speed_m_s?"), std::string::npos);
  }
}

}  // namespace
}  // namespace tactus
