// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/flight/flight_summary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "tests/support/engine.h"

namespace tactus {
namespace {

constexpr VehicleCounts kCounts{4, 0, 1, 1, 4};

const VehicleType& multirotor() { return vehicle_type_of(MultirotorParameters{}); }

/// A flight made by hand: one boundary per call, on the autopilot's axis unless told.
struct Stand {
  Bus bus;
  FlightSummary summary{multirotor(), kCounts};
  std::uint64_t boundary = 0;

  void see(std::uint64_t t_us, bool autopilot_tick = true) {
    Due due;
    due.time = bus.time = TimeUs(t_us);
    if (autopilot_tick) due.axes = 1U << static_cast<unsigned>(Axis::kAutopilot);
    summary.after(Stage::kLog, testing::view_of(due, boundary++, bus));
  }
  [[nodiscard]] const FlightFacts& facts() const { return summary.facts(); }
};

TEST(FlightSummary, ReadsOnlyCompleteBoundaries) {
  const FlightSummary summary(multirotor(), kCounts);
  for (int i = 0; i < kStages; ++i) {
    EXPECT_EQ(summary.wants(static_cast<Stage>(i)), static_cast<Stage>(i) == Stage::kLog);
  }
}

TEST(FlightSummary, WindThatWasFlown) {
  Stand stand;
  stand.bus.environment.wind_W_m_s = {3.0, 0.0, 4.0};
  stand.see(0);
  stand.bus.environment.wind_W_m_s = {0.0, -8.0, 0.0};
  stand.see(1000);
  stand.see(1500, false);  // between two ticks nothing is sampled
  stand.bus.environment.wind_W_m_s = {};
  stand.see(2000);
  EXPECT_EQ(stand.facts().wind_max_m_s.value, 8.0);
  EXPECT_EQ(stand.facts().wind_max_m_s.time, TimeUs(1000));
  EXPECT_DOUBLE_EQ(stand.facts().wind_mean_m_s, 13.0 / 3.0);
}

TEST(FlightSummary, MissionModesAndArming) {
  Stand stand;
  AutopilotStatus& status = stand.bus.autopilot;
  status.mission_count = 3;
  stand.see(0);
  status.armed = true;
  status.mode = FlightMode::kMission;
  status.mission_item = 0;
  stand.see(1000);
  status.mission_item = 1;
  stand.see(2000);
  status.mission_item = -1;  // another mode flies for a while
  stand.see(2500);
  status.mission_item = 1;
  stand.see(2600);
  status.mission_item = 0;  // a jump back
  stand.see(2700);
  status.mission_item = -1;
  status.mission_finished = true;
  stand.see(3000);
  status.armed = false;
  stand.see(4000);

  const FlightFacts& facts = stand.facts();
  const std::int32_t expected[][3] = {{1000, -1, 0}, {2000, 0, 1}, {2700, 1, 0}, {3000, 0, 3}};
  ASSERT_EQ(facts.steps.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(facts.steps[i].time, TimeUs(static_cast<std::uint64_t>(expected[i][0]))) << i;
    EXPECT_EQ(facts.steps[i].from, expected[i][1]) << i;
    EXPECT_EQ(facts.steps[i].to, expected[i][2]) << i;
  }
  EXPECT_EQ(facts.mission_finished, TimeUs(3000));
  EXPECT_EQ(facts.mission_count, 3);
  ASSERT_EQ(facts.armed.size(), 2U);
  EXPECT_EQ(facts.armed[1].time, TimeUs(4000));
  ASSERT_EQ(facts.modes.size(), 1U);
  EXPECT_EQ(facts.modes[0].value, FlightMode::kMission);
  EXPECT_FALSE(facts.is_armed);
  EXPECT_EQ(facts.end, TimeUs(4000));
}

TEST(FlightSummary, ABallDepartsWhenItLeavesTheGroundAndNeverCrashes) {
  Stand stand;
  stand.summary = FlightSummary(vehicle_type_of(BallParameters{}), {.gear_points = 6});
  stand.bus.loads.gear_touching_mask = 1;
  stand.bus.land.landed = false;  // it slides
  stand.see(0);
  EXPECT_FALSE(stand.facts().departed);
  stand.bus.loads.gear_touching_mask = 0;
  stand.see(1000);
  EXPECT_EQ(stand.facts().departed, TimeUs(1000));
  stand.bus.loads.gear_touching_mask = 2;
  stand.bus.loads.impact_speed_m_s = 20.0;
  stand.see(2000);
  EXPECT_FALSE(stand.facts().crash);
}

TEST(FlightSummary, ARoverDepartsWhenItDrivesAndHasNoTrackingError) {
  FlightSummary summary(vehicle_type_of(RoverParameters{}), {.servos = 2});
  Bus bus;
  bus.autopilot.armed = true;
  bus.autopilot.mode = FlightMode::kMission;
  bus.land.landed = false;
  bus.truth.position_W_m = {100.0, 0.0, 0.0};
  Due due;
  due.axes = 1U << static_cast<unsigned>(Axis::kAutopilot);
  summary.after(Stage::kLog, testing::view_of(due, 0, bus));
  EXPECT_EQ(summary.facts().tracking_samples, 0U);
  EXPECT_EQ(summary.facts().departed, TimeUs(0));
}

TEST(FlightSummary, TrackingErrorCountsInTheAirInMissionModeOnly) {
  Stand stand;
  stand.bus.autopilot.armed = true;
  stand.bus.autopilot.mode = FlightMode::kMission;
  stand.bus.truth.position_W_m = {100.0, 0.0, 0.0};
  stand.bus.land.landed = true;
  stand.see(0);  // on the ground
  stand.bus.land.landed = false;
  stand.bus.truth.position_W_m = {3.0, 0.0, 0.0};
  stand.see(1000);
  stand.bus.truth.position_W_m = {0.0, 0.0, 4.0};
  stand.see(2000);
  stand.bus.truth.position_W_m = {50.0, 0.0, 0.0};
  stand.see(2500, false);  // not a tick of the autopilot
  stand.bus.autopilot.position_setpoint_W_m.x = std::numeric_limits<double>::quiet_NaN();
  stand.see(3000);
  stand.bus.autopilot.position_setpoint_W_m.x = 0.0;
  stand.bus.autopilot.mode = FlightMode::kHold;
  stand.see(4000);
  EXPECT_EQ(stand.facts().tracking_samples, 2U);
  EXPECT_DOUBLE_EQ(stand.facts().tracking_rms_m, std::sqrt(12.5));
  EXPECT_EQ(stand.facts().tracking_max_m.value, 4.0);
  EXPECT_EQ(stand.facts().tracking_max_m.time, TimeUs(2000));
}

TEST(FlightSummary, FiguresEndAtTheCrash) {
  Stand stand;
  stand.bus.autopilot.armed = true;
  stand.bus.autopilot.mode = FlightMode::kMission;
  stand.bus.land.landed = false;
  stand.bus.battery[0] = {.voltage_v = 12.0, .remaining = 0.9};
  stand.bus.truth.tilt_rad = 0.1;
  stand.see(0);
  EXPECT_FALSE(stand.facts().crash);
  stand.bus.loads.gear_touching_mask = 1;
  stand.bus.truth.tilt_rad = 1.2;  // above 60 degrees, on the ground
  stand.bus.battery[0].remaining = 0.8;
  stand.see(1000, false);  // also between two ticks
  stand.bus.truth.tilt_rad = 3.1;
  stand.bus.truth.speed_m_s = 20.0;
  stand.bus.truth.height_m = 9.0;
  stand.bus.truth.position_W_m = {30.0, 0.0, 0.0};
  stand.bus.battery[0] = {.voltage_v = 1.0, .remaining = 0.1};
  stand.see(2000);
  const FlightFacts& facts = stand.facts();
  ASSERT_TRUE(facts.crash);
  EXPECT_EQ(facts.crash->time, TimeUs(1000));
  EXPECT_EQ(facts.max_tilt_rad.value, 1.2);
  EXPECT_EQ(facts.max_tilt_rad.time, TimeUs(1000));
  EXPECT_EQ(facts.max_speed_m_s.value, 0.0);
  EXPECT_EQ(facts.max_height_m.value, 0.0);
  EXPECT_EQ(facts.tracking_max_m.value, 0.0);
  EXPECT_EQ(facts.tracking_samples, 2U);
  EXPECT_EQ(facts.packs[0].lowest_voltage_v.value, 12.0);
  EXPECT_EQ(facts.packs[0].remaining_at_end, 0.8);
  EXPECT_EQ(facts.end, TimeUs(2000));
  EXPECT_EQ(facts.home_distance_m, 30.0);  // where the wreck lies
}

TEST(FlightSummary, TurningMotorsOnTheGroundAreNoTakeoff) {
  Stand stand;
  stand.bus.loads.gear_touching_mask = 15;
  stand.see(0);
  stand.bus.land.landed = false;
  stand.see(1000);
  EXPECT_FALSE(stand.facts().departed);
  stand.bus.loads.gear_touching_mask = 0;
  stand.see(2000);
  stand.see(3000);
  EXPECT_EQ(stand.facts().departed, TimeUs(2000));
}

TEST(FlightSummary, OrdersOfAMissionCountAlsoIfTheyAreNotObeyed) {
  Stand stand;
  stand.see(0);
  EXPECT_FALSE(stand.facts().mission_ordered || stand.facts().takeoff_ordered);
  stand.bus.high_level.mode = FlightMode::kTakeoff;
  stand.see(1000);
  EXPECT_FALSE(stand.facts().mission_ordered);
  EXPECT_TRUE(stand.facts().takeoff_ordered);
  stand.bus.high_level.mode = FlightMode::kMission;
  stand.see(2000);
  EXPECT_TRUE(stand.facts().mission_ordered);
}

TEST(FlightSummary, AFailsafeHasItsModeAndTheChargeThatWasLeft) {
  Stand stand;
  stand.bus.battery[0].remaining = 0.3;
  stand.see(0);
  stand.bus.battery[0].remaining = 0.2;
  stand.bus.autopilot.failsafe = Failsafe::kBatteryLow;
  stand.bus.autopilot.mode = FlightMode::kReturn;
  stand.see(1000);
  ASSERT_EQ(stand.facts().failsafes.size(), 1U);
  EXPECT_EQ(stand.facts().failsafes[0].time, TimeUs(1000));
  EXPECT_EQ(stand.facts().failsafes[0].mode, FlightMode::kReturn);
  EXPECT_EQ(stand.facts().failsafes[0].remaining, 0.2);
}

TEST(FlightSummary, ExtremesBatteryAndHome) {
  Stand stand;
  stand.bus.truth.position_W_m = {10.0, 20.0, -1.0};
  stand.bus.battery[0].remaining = 0.9;
  stand.bus.battery[0].voltage_v = 12.4;
  stand.bus.power.bus_v[0] = 12.5;
  stand.see(0);
  stand.bus.truth.tilt_rad = 0.3;
  stand.bus.truth.speed_m_s = 5.0;
  stand.bus.truth.height_m = 12.0;
  stand.bus.battery[0].voltage_v = 11.0;
  stand.bus.power.bus_v[0] = 10.5;
  stand.see(1000);
  stand.bus.truth.tilt_rad = 0.1;
  stand.bus.power.bus_v[0] = 11.5;
  stand.bus.battery[0].voltage_v = 11.8;
  stand.bus.battery[0].remaining = 0.7;
  stand.bus.truth.position_W_m = {13.0, 24.0, 0.0};
  stand.bus.loads.impact_speed_m_s = 0.4;
  stand.bus.land.landed = true;
  stand.see(2000);

  const FlightFacts& facts = stand.facts();
  EXPECT_EQ(facts.max_tilt_rad.value, 0.3);
  EXPECT_EQ(facts.max_tilt_rad.time, TimeUs(1000));
  EXPECT_EQ(facts.max_speed_m_s.value, 5.0);
  EXPECT_EQ(facts.max_height_m.value, 12.0);
  ASSERT_EQ(facts.packs.size(), 1U);
  EXPECT_EQ(facts.packs[0].remaining_at_start, 0.9);
  EXPECT_EQ(facts.packs[0].remaining_at_end, 0.7);
  EXPECT_EQ(facts.packs[0].lowest_voltage_v.value, 11.0);
  EXPECT_EQ(facts.lowest_bus_v[0].value, 10.5);
  EXPECT_EQ(facts.lowest_bus_v[0].time, TimeUs(1000));
  EXPECT_EQ(facts.home_distance_m, 5.0);
  EXPECT_EQ(facts.impact_speed_m_s, 0.4);
  EXPECT_TRUE(facts.landed);
}

TEST(FlightSummary, EveryRefusalToArm) {
  Stand stand;
  stand.bus.autopilot.refusal = ArmingRefusal::kEstimate;
  stand.see(0);
  stand.see(1000);
  stand.bus.autopilot.refusal = ArmingRefusal::kNoBattery;
  stand.see(2000);
  stand.bus.autopilot.refusal = ArmingRefusal::kNone;
  stand.see(3000);
  ASSERT_EQ(stand.facts().refusals.size(), 2U);
  EXPECT_EQ(stand.facts().refusals[0].value, ArmingRefusal::kEstimate);
  EXPECT_EQ(stand.facts().refusals[1].time, TimeUs(2000));
}

TEST(FlightSummary, LostMotorsFailsafesAndNotes) {
  Stand stand;
  stand.see(0);
  stand.bus.autopilot.motor_lost_mask = 0b0101;
  stand.bus.autopilot.failsafe = Failsafe::kMotorLost;
  stand.see(1000);
  stand.bus.autopilot.motor_lost_mask = 0b0001;  // one came back: not lost again
  stand.bus.autopilot.yaw_given_up = true;
  stand.see(2000);
  stand.summary.note({TimeUs(2500), "touchdown", 2});

  const FlightFacts& facts = stand.facts();
  ASSERT_EQ(facts.lost_motors.size(), 2U);
  EXPECT_EQ(facts.lost_motors[1].value, 2);
  EXPECT_EQ(facts.lost_motors[1].time, TimeUs(1000));
  ASSERT_EQ(facts.returned_motors.size(), 1U);
  EXPECT_EQ(facts.returned_motors[0].value, 2);
  EXPECT_EQ(facts.returned_motors[0].time, TimeUs(2000));
  ASSERT_EQ(facts.yaw_given_up.size(), 1U);
  EXPECT_EQ(facts.yaw_given_up[0].time, TimeUs(2000));
  ASSERT_EQ(facts.failsafes.size(), 1U);
  EXPECT_EQ(facts.failsafes[0].value, Failsafe::kMotorLost);
  ASSERT_EQ(facts.notes.size(), 1U);
  EXPECT_EQ(std::string(facts.notes[0].what), "touchdown");
  for (int i = 0; i < 2000; ++i) stand.summary.note({TimeUs(3000), "touchdown", 0});
  EXPECT_EQ(facts.notes.size(), FlightFacts::kMostNotes);
  EXPECT_EQ(facts.note_count, 2001U);
}

}  // namespace
}  // namespace tactus
