// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// The built-in autopilot when something is wrong: failsafes, and what it refuses to do.

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/builtin_flight.h"

namespace tactus {
namespace {

using testing::Flight;
using testing::plan_of;
using testing::square;
using testing::takeoff_leg;
using testing::waypoint;

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
  HighLevelCommand wanted{true, FlightMode::kHold, 1};
  BatteryStatus battery[kMaxPacks];
  FlightSetpoint setpoint;
  const auto step = [&](std::uint64_t t_us) {
    navigator.step({TimeUs(t_us), estimate, land, wanted, battery, 1, true, true}, parameters,
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
      {[](Flight& f) {
         f.world.battery[0].connected = false;
         f.world.battery[0].remaining = 0.0;
       },
       ArmingRefusal::kBatteryCritical},
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

}  // namespace
}  // namespace tactus
