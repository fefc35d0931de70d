// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The stand-in for PX4's commander, alone.

#include "tactus/link/px4/px4_commander.h"

#include <gtest/gtest.h>

namespace tactus {
namespace {

class Commander : public ::testing::Test {
 protected:
  void step(int count = 1) {
    for (int i = 0; i < count; ++i) {
      estimate.measured_at = TimeUs(stale ? 0 : now_us);
      commander.step({TimeUs(now_us), estimate, land, order, parameter, battery, esc, imu, mag,
                      baro, gps, airspeed, range, nullptr},
                     px4);
      now_us += 4000;
    }
  }
  void send_order(bool armed, FlightMode mode) { order = {armed, mode, order.count + 1}; }
  void take_off() {
    send_order(true, FlightMode::kMission);
    step();
    land.landed = false;
    step();
  }

  std::uint64_t now_us = 1'000'000;
  bool stale = false;
  Estimate estimate;
  LandStatus land{true, true};
  HighLevelCommand order;
  ParameterChange parameter;
  BatteryStatus battery[kMaxPacks];
  EscStatus esc[kMaxMotors];
  ImuReading imu[kMaxImus];
  MagnetometerReading mag[kMaxMagnetometers];
  BarometerReading baro[kMaxBarometers];
  GpsReading gps[kMaxGps];
  AirspeedReading airspeed[kMaxAirspeeds];
  RangeReading range[kMaxRangeFinders];
  Px4Report px4{.mission_loaded = true, .mission_valid = true};
  Px4Commander commander{Px4LibrarySettings{}};
};

TEST_F(Commander, ModesAreThoseOfPx4) {
  const std::pair<FlightMode, int> modes[] = {{FlightMode::kMission, 3},
                                              {FlightMode::kHold, 4},
                                              {FlightMode::kReturn, 5},
                                              {FlightMode::kTakeoff, 17},
                                              {FlightMode::kLand, 18}};
  for (const auto& [mode, number] : modes) {
    send_order(true, mode);
    step();
    EXPECT_EQ(static_cast<int>(commander.nav_state()), number);
    EXPECT_EQ(mode_of(commander.nav_state()), mode);
  }
}

TEST_F(Commander, ArmsOnceEverythingIsThere) {
  estimate.horizontal_valid = false;
  send_order(true, FlightMode::kMission);
  step();
  EXPECT_FALSE(commander.armed());
  EXPECT_EQ(commander.refusal(), ArmingRefusal::kEstimate);
  estimate.horizontal_valid = true;
  battery[0].connected = false;
  step();
  EXPECT_EQ(commander.refusal(), ArmingRefusal::kNoBattery);
  battery[0].remaining = 0.0;
  step();
  EXPECT_EQ(commander.refusal(), ArmingRefusal::kBatteryCritical);
  battery[0] = {.warning = BatteryWarning::kCritical};
  step();
  EXPECT_EQ(commander.refusal(), ArmingRefusal::kBatteryCritical);
  battery[0] = {};
  estimate.attitude = {0.0, 1.0, 0.0, 0.0};
  step();
  EXPECT_EQ(commander.refusal(), ArmingRefusal::kOverturned);
  estimate.attitude = {};
  step();  // the order still stands
  EXPECT_TRUE(commander.armed());
  EXPECT_EQ(commander.nav_state(), Px4NavState::kMission);
  EXPECT_EQ(commander.refusal(), ArmingRefusal::kNone);
}

TEST_F(Commander, WaitsForAValidMission) {
  px4.mission_valid = false;
  send_order(true, FlightMode::kMission);
  step(10);
  EXPECT_TRUE(commander.armed());
  EXPECT_EQ(commander.nav_state(), Px4NavState::kManual);
  px4.mission_valid = true;
  step();
  EXPECT_EQ(commander.nav_state(), Px4NavState::kMission);
  px4.mission_loaded = false;
  send_order(true, FlightMode::kMission);
  step();
  EXPECT_EQ(commander.refusal(), ArmingRefusal::kNoMission);
}

TEST_F(Commander, BatteryActsAsComLowBatAct3) {  // golden test 11b, the reaction
  take_off();
  battery[1].warning = BatteryWarning::kLow;
  step();
  EXPECT_EQ(commander.nav_state(), Px4NavState::kMission);
  battery[1].warning = BatteryWarning::kCritical;
  step();
  EXPECT_EQ(commander.nav_state(), Px4NavState::kReturn);
  EXPECT_EQ(commander.failsafe(), Failsafe::kBatteryCritical);
  send_order(true, FlightMode::kHold);  // the user takes over: once per level
  step(10);
  EXPECT_EQ(commander.nav_state(), Px4NavState::kLoiter);
  battery[1].warning = BatteryWarning::kEmergency;
  step();
  EXPECT_EQ(commander.nav_state(), Px4NavState::kLand);
  EXPECT_EQ(worst_warning(battery), BatteryWarning::kEmergency);
}

TEST_F(Commander, BatteryActsAsComLowBatAct0And2) {
  for (const int action : {0, 2}) {
    Px4LibrarySettings settings;
    settings.com_low_bat_act = action;
    commander = Px4Commander(settings);
    order = {};
    land.landed = true;
    battery[0] = {};
    take_off();
    battery[0].warning = BatteryWarning::kCritical;
    step();
    EXPECT_EQ(commander.nav_state(), action == 0 ? Px4NavState::kMission : Px4NavState::kLand);
  }
}

TEST_F(Commander, DisarmsAfterLandingAndNotInTheAir) {
  send_order(true, FlightMode::kMission);
  step(1000);  // stands on the ground, armed
  EXPECT_TRUE(commander.armed());
  land.landed = false;
  step();
  send_order(false, FlightMode::kNone);
  step();
  EXPECT_TRUE(commander.armed());
  EXPECT_EQ(commander.refusal(), ArmingRefusal::kInTheAir);
  land.landed = true;
  step(499);
  EXPECT_TRUE(commander.armed());
  step(2);
  EXPECT_FALSE(commander.armed());
  step(1000);  // the old order does not arm it again
  EXPECT_FALSE(commander.armed());
}

TEST_F(Commander, EndOfAMissionIsAHold) {
  px4.finished = true;  // said of the mission before
  take_off();
  step(5);
  EXPECT_EQ(commander.nav_state(), Px4NavState::kMission);
  px4.finished = false;
  step();
  px4.finished = true;
  step();
  EXPECT_EQ(commander.nav_state(), Px4NavState::kLoiter);
  EXPECT_TRUE(commander.mission_finished());
}

TEST_F(Commander, ReturnAndLandOfTheMission) {
  take_off();
  px4.return_requested = true;
  step();
  EXPECT_EQ(commander.nav_state(), Px4NavState::kReturn);
  px4.return_requested = false;
  send_order(true, FlightMode::kMission);
  step();
  px4.land_requested = true;
  step();
  EXPECT_EQ(commander.nav_state(), Px4NavState::kLand);
}

TEST_F(Commander, DescendsWhenThePositionIsLost) {
  take_off();
  stale = true;
  step();
  EXPECT_EQ(commander.nav_state(), Px4NavState::kDescend);
  EXPECT_EQ(commander.failsafe(), Failsafe::kEstimatorLost);
  EXPECT_EQ(mode_of(commander.nav_state()), FlightMode::kLand);
}

}  // namespace
}  // namespace tactus
