// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The built-in autopilot in closed loop with the plant, on the true state, in calm air.

#include "tactus/autopilot/navigator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tactus/autopilot/builtin.h"
#include "tactus/autopilot/parameter_change.h"
#include "tactus/core/error.h"
#include "tactus/sensor/land_detector.h"
#include "tests/support/controlled_flight.h"

namespace tactus {
namespace {

using testing::ControlledFlight;

Leg takeoff_leg(double height_m) {
  Leg leg;
  leg.kind = LegKind::kTakeoff;
  leg.position_W_m.z = -height_m;
  return leg;
}

Leg leg_at(LegKind kind, double north_m, double east_m, double height_m) {
  Leg leg;
  leg.kind = kind;
  leg.has_place = true;
  leg.position_W_m = {north_m, east_m, -height_m};
  return leg;
}

Leg waypoint(double north_m, double east_m, double height_m, double hold_s = 0.0) {
  Leg leg = leg_at(LegKind::kWaypoint, north_m, east_m, height_m);
  leg.hold = duration_from_seconds(hold_s, "hold");
  return leg;
}

std::vector<Leg> square(double hold_s) {
  return {takeoff_leg(12.0),
          waypoint(12.0, 12.0, 12.0, hold_s),
          waypoint(12.0, -12.0, 12.0, hold_s),
          waypoint(-12.0, -12.0, 12.0, hold_s),
          waypoint(-12.0, 12.0, 12.0, hold_s),
          leg_at(LegKind::kLand, 0.0, 0.0, 0.0)};
}

std::shared_ptr<const FlightPlan> plan_of(std::vector<Leg> legs) {
  FlightPlan plan;
  plan.legs = std::move(legs);
  return std::make_shared<const FlightPlan>(plan);
}

/// Plant, land detector and autopilot, without the engine.
class Flight {
 public:
  explicit Flight(std::vector<Leg> legs, const BuiltinParameters& parameters = {},
                  double height_m = 0.0, const MultirotorParameters& vehicle = iris_parameters())
      : world(vehicle, height_m),
        autopilot(parameters, world.vehicle, plan_of(std::move(legs)), world.period) {
    if (height_m > 0.0) detector.maybe_landed = detector.landed = {false, false, {}};
  }

  void order(FlightMode mode, bool armed = true) {
    high_level.armed = armed;
    high_level.mode = mode;
    ++high_level.count;
  }

  void tick() {
    world.tick([&](const ControlInput& in) {
      sense();
      if (estimate_lost) {
        Estimate& e = world.estimate;
        e.horizontal_valid = false;
        e.vertical_valid = !vertical_lost;
        e.position_W_m = {1e3, -1e3, vertical_lost ? 50.0 : e.position_W_m.z};
        e.velocity_W_m_s = {9.0, -9.0, vertical_lost ? 9.0 : e.velocity_W_m_s.z};
      } else {
        world.estimate.horizontal_valid = world.estimate.vertical_valid = true;
      }
      autopilot.step({in.now, in.estimate, land, high_level, parameter, in.battery, in.esc}, out);
      world.command = out.command;
    });
    look();
  }

  /// Until the condition holds; false if that takes longer.
  bool until(const std::function<bool()>& done, double seconds) {
    const TimeUs end = world.flight.now + duration_from_seconds(seconds, "seconds");
    while (world.flight.now < end) {
      tick();
      if (done()) return true;
    }
    return false;
  }
  void run(double seconds) {
    until([] { return false; }, seconds);
  }
  bool until_disarmed(double seconds) {
    return until([&] { return !out.status.armed; }, seconds);
  }

  [[nodiscard]] double height() const { return -world.position().z; }
  [[nodiscard]] const AutopilotStatus& status() const { return out.status; }
  [[nodiscard]] double now_s() const { return to_seconds(world.flight.now); }

  ControlledFlight world;
  BuiltinAutopilot autopilot;
  AutopilotOutput out;
  HighLevelCommand high_level;
  ParameterChange parameter;
  LandStatus land;
  bool estimate_lost = false;
  bool vertical_lost = false;
  double touchdown_speed = 0.0;
  double top_speed = 0.0;
  double worst_tracking = 0.0;
  std::vector<double> reached_s;  ///< when each item was done

 private:
  void sense() {
    Truth truth;
    truth.velocity_W_m_s = world.velocity();
    truth.attitude = world.attitude();
    truth.rate_B_rad_s = world.estimate.rate_B_rad_s;
    VehicleLoads loads;
    loads.gear_touching_mask = world.flight.modes.gear_touching;
    const bool touched = land.ground_contact;
    land = step_land_detector({}, world.flight.now, truth, loads, world.command,
                              world.vehicle.counts.rotors, out.status.hover_thrust, detector);
    if (!touched && land.ground_contact) {
      touchdown_speed = math::max(touchdown_speed, truth.velocity_W_m_s.z);
    }
  }

  void look() {
    top_speed = math::max(top_speed, norm(world.velocity()));
    if (is_finite(out.status.position_setpoint_W_m) && !land.ground_contact) {
      worst_tracking = math::max(
          worst_tracking, norm(out.status.position_setpoint_W_m - world.estimate.position_W_m));
    }
    while (static_cast<int>(reached_s.size()) < out.status.items_reached) {
      reached_s.push_back(now_s());
    }
  }

  LandDetectorState detector;
};

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

// Failsafes: what was ordered, what happens, what it leads to.
struct BatteryCase {
  BatteryWarning warning;
  BatteryAction low;
  FlightMode mode;
  Failsafe failsafe;
};

TEST(Failsafe, BatteryActsAsItsTableSays) {
  const BatteryCase cases[] = {
      {BatteryWarning::kLow, BatteryAction::kReturn, FlightMode::kReturn, Failsafe::kBatteryLow},
      {BatteryWarning::kLow, BatteryAction::kLand, FlightMode::kLand, Failsafe::kBatteryLow},
      {BatteryWarning::kLow, BatteryAction::kNone, FlightMode::kHold, Failsafe::kNone},
      {BatteryWarning::kCritical, BatteryAction::kReturn, FlightMode::kLand,
       Failsafe::kBatteryCritical},
      {BatteryWarning::kEmergency, BatteryAction::kReturn, FlightMode::kLand,
       Failsafe::kBatteryCritical},
  };
  for (const BatteryCase& c : cases) {
    BuiltinParameters parameters;
    parameters.low_battery_action = c.low;
    Flight f({}, parameters, 20.0);
    f.order(FlightMode::kHold);
    f.run(0.1);
    f.world.battery[0].warning = c.warning;
    f.tick();
    EXPECT_EQ(f.status().mode, c.mode);
    EXPECT_EQ(f.status().failsafe, c.failsafe);
  }
}

TEST(Failsafe, OnlyANewOrderOverridesIt) {
  Flight f({takeoff_leg(8.0), waypoint(60.0, 0.0, 8.0)});
  f.order(FlightMode::kMission);
  ASSERT_TRUE(f.until([&] { return f.status().items_reached == 1; }, 30.0));
  f.run(2.0);
  f.world.battery[0].warning = BatteryWarning::kLow;
  f.run(2.0);
  EXPECT_EQ(f.status().mode, FlightMode::kReturn);
  f.order(FlightMode::kMission);
  f.run(2.0);
  EXPECT_EQ(f.status().mode, FlightMode::kMission);
  EXPECT_EQ(f.status().failsafe, Failsafe::kNone);
  f.world.battery[0].warning = BatteryWarning::kCritical;
  ASSERT_TRUE(f.until_disarmed(60.0));
  EXPECT_EQ(f.status().failsafe, Failsafe::kBatteryCritical);
}

TEST(Failsafe, TheWorstConnectedPackCounts) {
  Flight f({}, {}, 20.0, testing::heavy_like());
  f.order(FlightMode::kHold);
  f.run(0.1);
  f.world.battery[2].warning = BatteryWarning::kEmergency;  // there are two packs
  f.world.battery[1].warning = BatteryWarning::kCritical;
  f.world.battery[1].connected = false;
  f.tick();
  EXPECT_EQ(f.status().failsafe, Failsafe::kNone);
  f.world.battery[1].connected = true;
  f.tick();
  EXPECT_EQ(f.status().failsafe, Failsafe::kBatteryCritical);
}

TEST(Failsafe, WithoutPositionItDescendsLevelAndLands) {
  Flight f({takeoff_leg(8.0), waypoint(60.0, 0.0, 8.0)});
  f.order(FlightMode::kMission);
  ASSERT_TRUE(f.until([&] { return f.status().items_reached == 1; }, 30.0));
  f.run(4.0);
  f.estimate_lost = true;
  f.tick();
  EXPECT_EQ(f.status().failsafe, Failsafe::kEstimatorLost);
  EXPECT_TRUE(std::isnan(f.status().position_setpoint_W_m.x));
  ASSERT_TRUE(f.until_disarmed(60.0));
  EXPECT_LT(f.touchdown_speed, 1.5);
}

TEST(Failsafe, WithoutHeightItSinksOnThrustAlone) {
  Flight f({takeoff_leg(8.0), waypoint(60.0, 0.0, 8.0)});
  f.order(FlightMode::kMission);
  ASSERT_TRUE(f.until([&] { return f.status().items_reached == 1; }, 30.0));
  f.run(1.0);
  f.estimate_lost = f.vertical_lost = true;
  ASSERT_TRUE(f.until_disarmed(60.0));
  EXPECT_LT(f.touchdown_speed, 3.0);
}

/// What a climb needs on top of the weight is not part of the hover thrust: it must not carry on.
TEST(Failsafe, WithoutHeightInAClimbItSoonSinks) {
  BuiltinParameters parameters;
  parameters.takeoff_speed_m_s = 3.0;
  Flight f({takeoff_leg(60.0)}, parameters);
  f.order(FlightMode::kMission);
  ASSERT_TRUE(f.until([&] { return f.height() > 20.0; }, 30.0));
  f.estimate_lost = f.vertical_lost = true;
  double highest = 0.0;
  f.until([&] { return (highest = math::max(highest, f.height())) - f.height() > 2.0; }, 30.0);
  EXPECT_LT(highest, 25.0);
  ASSERT_TRUE(f.until_disarmed(90.0));
  EXPECT_LT(f.touchdown_speed, 3.0);
}

TEST(Failsafe, AnOldEstimateIsALostOne) {
  Navigator navigator(plan_of({}), DurationUs(4'000));
  const BuiltinParameters parameters;
  Estimate estimate;
  LandStatus land{false, false};
  HighLevelCommand wish{true, FlightMode::kHold, 1};
  BatteryStatus battery[kMaxPacks];
  FlightSetpoint setpoint;
  const auto step = [&](std::uint64_t t_us) {
    navigator.step({TimeUs(t_us), estimate, land, wish, battery, 1, true, true}, parameters,
                   setpoint);
    return navigator.state().failsafe;
  };
  EXPECT_EQ(step(0), Failsafe::kNone);
  EXPECT_EQ(step(500'000), Failsafe::kNone);
  EXPECT_TRUE(setpoint.horizontal);
  EXPECT_EQ(step(504'000), Failsafe::kEstimatorLost);
  EXPECT_FALSE(setpoint.horizontal);
  EXPECT_FALSE(setpoint.vertical);
  estimate.measured_at = TimeUs(508'000);
  EXPECT_EQ(step(508'000), Failsafe::kEstimatorLost) << "it goes on landing";
  EXPECT_TRUE(setpoint.horizontal);
}

TEST(Failsafe, AQuadThatLosesAMotorSaysSo) {
  Flight f({}, {}, 20.0);
  f.order(FlightMode::kHold);
  f.run(2.0);
  f.world.input.motor_off_mask = 1;
  ASSERT_TRUE(f.until([&] { return f.status().failsafe == Failsafe::kMotorLost; }, 1.0));
  EXPECT_EQ(f.status().motor_lost_mask, 1u);
  EXPECT_EQ(f.status().mode, FlightMode::kLand);
}

TEST(Failsafe, AnOctaThatLosesAMotorFliesOn) {
  Flight f(square(0.0), {}, 0.0, testing::octa_like());
  f.order(FlightMode::kMission);
  ASSERT_TRUE(f.until([&] { return f.status().items_reached == 2; }, 60.0));
  f.world.input.motor_off_mask = 1;
  ASSERT_TRUE(f.until([&] { return f.status().mission_finished; }, 120.0));
  EXPECT_EQ(f.status().motor_lost_mask, 1u);
  EXPECT_EQ(f.status().failsafe, Failsafe::kNone);
  EXPECT_LT(norm(horizontal(f.world.position())), 0.3);
}

TEST(Failsafe, AVehicleOnItsBackStopsItsMotors) {
  Flight f(square(0.0));
  f.order(FlightMode::kMission);
  ASSERT_TRUE(f.until([&] { return f.height() > 2.0; }, 20.0));
  f.world.input.motor_off_mask = 0b0001;
  ASSERT_TRUE(f.until([&] { return f.land.ground_contact; }, 10.0));
  ASSERT_TRUE(f.until_disarmed(3.0));
  EXPECT_EQ(f.status().failsafe, Failsafe::kCrashed);
  EXPECT_EQ(f.status().mode, FlightMode::kNone);
  EXPECT_EQ(f.status().motor_lost_mask, 1u) << "what the flight suffered stays known";
  for (int i = 0; i < 4; ++i) EXPECT_EQ(f.out.command.motor[i], 0.0);
}

TEST(Failsafe, AVehicleThatDoesNotLeaveTheGroundStopsItsMotors) {
  Flight f(square(0.0));
  for (double& scale : f.world.input.thrust_scale) scale = 0.3;
  f.order(FlightMode::kMission);
  f.run(3.5);
  EXPECT_TRUE(f.status().armed);
  ASSERT_TRUE(f.until_disarmed(1.0));
  EXPECT_EQ(f.status().failsafe, Failsafe::kCrashed);
}

TEST(Orders, ThatAreNotObeyedAreRefused) {
  Flight f({});
  f.order(FlightMode::kMission);
  f.tick();
  EXPECT_TRUE(f.status().armed);
  EXPECT_EQ(f.status().refusal, ArmingRefusal::kNoMission);
  f.order(FlightMode::kTakeoff);
  f.run(6.0);
  EXPECT_EQ(f.status().refusal, ArmingRefusal::kNone);
  f.order(FlightMode::kNone, false);
  f.tick();
  EXPECT_TRUE(f.status().armed);
  EXPECT_EQ(f.status().refusal, ArmingRefusal::kInTheAir);

  Flight without_takeoff({waypoint(5.0, 0.0, 5.0)});
  without_takeoff.order(FlightMode::kMission);
  without_takeoff.tick();
  EXPECT_EQ(without_takeoff.status().refusal, ArmingRefusal::kNoTakeoff);
  without_takeoff.order(FlightMode::kNone, false);
  without_takeoff.tick();
  EXPECT_FALSE(without_takeoff.status().armed);
  EXPECT_EQ(without_takeoff.status().refusal, ArmingRefusal::kNone);
}

TEST(Arming, IsRefusedForEveryReasonAlone) {
  struct Case {
    std::function<void(Flight&)> spoil;
    ArmingRefusal refusal;
  };
  const Case cases[] = {
      {[](Flight& f) { f.estimate_lost = true; }, ArmingRefusal::kEstimate},
      {[](Flight& f) { f.world.battery[0].connected = false; }, ArmingRefusal::kNoBattery},
      {[](Flight& f) { f.world.battery[0].warning = BatteryWarning::kCritical; },
       ArmingRefusal::kBatteryCritical},
      {[](Flight& f) {
         const Quat on_its_side = from_euler({.roll_rad = 1.6, .pitch_rad = 0.0, .yaw_rad = 0.0});
         store(f.world.flight.state.x + f.world.vehicle.layout.attitude, on_its_side);
       },
       ArmingRefusal::kOverturned},
  };
  for (const Case& c : cases) {
    Flight f(square(0.0));
    c.spoil(f);
    f.order(FlightMode::kMission);
    f.tick();
    EXPECT_FALSE(f.status().armed);
    EXPECT_EQ(f.status().refusal, c.refusal);
  }
  Flight f(square(0.0));
  f.order(FlightMode::kNone);
  f.run(0.1);
  EXPECT_TRUE(f.status().armed);
  EXPECT_EQ(f.status().refusal, ArmingRefusal::kNone);
  EXPECT_EQ(f.status().mode, FlightMode::kNone);
  EXPECT_TRUE(f.land.ground_contact);
}

TEST(Arming, OrdersAreObeyedOnceAndNotAfterARestart) {
  Flight f({});
  f.order(FlightMode::kTakeoff);
  f.run(0.1);
  EXPECT_TRUE(f.status().armed);
  f.autopilot.restart();
  f.run(0.1);
  EXPECT_FALSE(f.status().armed) << "the order is older than the restart";
  f.order(FlightMode::kTakeoff);
  f.tick();
  EXPECT_TRUE(f.status().armed);
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
    EXPECT_NE(std::string(error.what()).find("\"cruise_speed_m_s\""), std::string::npos);
  }
}

}  // namespace
}  // namespace tactus
