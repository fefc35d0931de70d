// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Verdicts on flights that are made up boundary by boundary.

#include "tactus/scenario/expectations.h"

#include <gtest/gtest.h>

#include <string>

#include "tactus/core/error.h"
#include "tests/support/engine.h"

namespace tactus {
namespace {

Expectation expect(ExpectationKind kind) {
  Expectation expectation;
  expectation.id = "it";
  expectation.kind = kind;
  expectation.where = "test.toml:7:1";
  return expectation;
}

Expectation by(Expectation expectation, std::uint64_t us) {
  expectation.by = TimeUs(us);
  return expectation;
}

Expectation about(ExpectationKind kind, const std::string& signal, double limit) {
  Expectation expectation = expect(kind);
  expectation.signal = signal;
  expectation.limit = limit;
  return expectation;
}

ExpectationSetup setup_of(const Expectation& expectation) {
  Event event;
  event.id = "fault";
  ExpectationSetup setup;
  setup.expectations = {expectation};
  setup.events = {event};
  setup.leaves = bus_leaves({.motors = 4, .packs = 1, .buses = 1, .gear_points = 4});
  setup.home_W_m = {10.0, 0.0, 0.0};
  return setup;
}

/// A flight that stands on the ground at home until the test changes the bus.
class Watched {
 public:
  explicit Watched(const Expectation& expectation) : monitor(setup_of(expectation)) { home(); }
  Watched() : monitor(ExpectationSetup()) { home(); }

  void at(std::uint64_t us) {
    bus.time = TimeUs(us);
    monitor.after(Stage::kLog, testing::view_of(Due{.time = bus.time}, 0, bus));
  }
  void take_off() {
    bus.land = {false, false};
    bus.autopilot.armed = true;
    bus.loads.gear_touching_mask = 0;
  }
  void land() {
    bus.land = {true, true};
    bus.autopilot.armed = false;
    bus.loads.gear_touching_mask = 15;
  }
  ExpectationResult result() const { return monitor.outcome().results.at(0); }

  ExpectationMonitor monitor;
  Bus bus;

 private:
  void home() {
    bus.truth.position_W_m = {10.0, 0.0, 0.0};
    bus.loads.gear_touching_mask = 15;
    bus.autopilot.mission_count = 5;
  }
};

void expect_text(const ExpectationResult& result, const std::string& text) {
  EXPECT_NE(result.message.find(text), std::string::npos) << result.message;
}

TEST(ReachItem, InTimeLateAndNever) {
  Expectation expectation = by(expect(ExpectationKind::kReachItem), 5'000'000);
  expectation.item = 2;
  for (const std::uint64_t when : {4'000'000U, 6'000'000U}) {
    Watched flight(expectation);
    flight.at(0);
    flight.bus.autopilot.items_reached = 2;  // items 0 and 1
    flight.at(1'000'000);
    EXPECT_FALSE(flight.result().passed);
    flight.bus.autopilot.items_reached = 3;
    flight.at(when);
    EXPECT_EQ(flight.result().passed, when <= 5'000'000);
    EXPECT_DOUBLE_EQ(flight.result().margin, when <= 5'000'000 ? 1.0 : -1.0);
    expect_text(flight.result(), when == 4'000'000 ? "done at 4 s" : "1 s late");
  }
  Watched never(expectation);
  never.at(9'000'000);
  EXPECT_FALSE(never.result().passed);
  expect_text(never.result(), "nothing ordered the mission");
  never.bus.high_level.mode = FlightMode::kMission;
  never.at(10'000'000);
  expect_text(never.result(), "0 of 5 items");
  never.bus.autopilot.mission_count = 0;
  never.at(11'000'000);
  expect_text(never.result(), "no mission is loaded");
}

TEST(MissionComplete, NeedsTheWholeMission) {
  Watched flight(expect(ExpectationKind::kMissionComplete));
  flight.bus.autopilot.items_reached = 4;
  flight.at(1'000);
  EXPECT_FALSE(flight.result().passed);
  flight.bus.autopilot.mission_finished = true;
  flight.at(2'000);
  EXPECT_TRUE(flight.result().passed);
}

TEST(LandBy, StandingStillIsNoLanding) {
  Watched flight(by(expect(ExpectationKind::kLandBy), 60'000'000));
  flight.land();
  flight.at(0);
  flight.at(60'000'000);
  EXPECT_FALSE(flight.result().passed);
  expect_text(flight.result(), "never took off");
  EXPECT_EQ(flight.monitor.outcome().end, FlightEnd::kNeverFlew);
  flight.bus.land.landed = false;  // its motors turn, and it stands
  flight.at(61'000'000);
  EXPECT_EQ(flight.monitor.outcome().end, FlightEnd::kNeverFlew);
}

TEST(Results, TellWhatWasJudgedAndWhen) {
  Watched flight(about(ExpectationKind::kSignalMax, "truth.height_m", 30.0));
  flight.at(0);
  flight.bus.truth.height_m = 33.0;
  flight.at(2'000'000);
  flight.bus.truth.height_m = 31.0;
  flight.at(3'000'000);
  EXPECT_EQ(flight.result().kind, ExpectationKind::kSignalMax);
  EXPECT_EQ(flight.result().value, 33.0);
  EXPECT_EQ(flight.result().margin, -3.0);
  EXPECT_EQ(flight.result().at, TimeUs(2'000'000));
  EXPECT_FALSE(flight.result().open);
}

TEST(Results, TheMarginIsThatOfTheWorstBound) {
  Expectation expectation = expect(ExpectationKind::kStayInside);
  expectation.low_m = 0.0;
  expectation.high_m = 10.0;
  Watched flight(expectation);
  flight.bus.truth.height_m = -1.0;  // the first violation is what is told
  flight.at(0);
  flight.bus.truth.height_m = 15.0;
  flight.at(1'000'000);
  EXPECT_EQ(flight.result().margin, -5.0);
  EXPECT_EQ(flight.result().value, 15.0);
  EXPECT_EQ(flight.result().at, TimeUs(1'000'000));
}

TEST(Results, AreOpenWhileALongerRunMightDecideOtherwise) {
  Watched flight(by(expect(ExpectationKind::kLandBy), 60'000'000));
  flight.at(0);
  flight.take_off();
  flight.at(10'000'000);
  EXPECT_TRUE(flight.result().open);
  EXPECT_FALSE(flight.result().value);
  flight.at(60'000'001);
  EXPECT_FALSE(flight.result().open);
  flight.land();
  flight.at(62'000'000);
  EXPECT_EQ(flight.result().value, 62.0);
  EXPECT_EQ(flight.result().margin, -2.0);
  Watched wreck(by(expect(ExpectationKind::kLandBy), 60'000'000));
  wreck.bus.loads.impact_speed_m_s = 5.0;
  wreck.at(0);
  EXPECT_FALSE(wreck.result().open);  // it will not land any more
}

TEST(LandBy, JudgesTheDistanceFromHome) {
  Expectation expectation = by(expect(ExpectationKind::kLandBy), 60'000'000);
  expectation.tolerance = 0.5;
  for (const double miss_m : {0.4, 0.6}) {
    Watched flight(expectation);
    flight.at(0);
    flight.take_off();
    flight.at(10'000'000);
    EXPECT_EQ(flight.monitor.outcome().end, FlightEnd::kInTheAir);
    expect_text(flight.result(), "in the air");
    flight.land();
    flight.bus.truth.position_W_m = {10.0, miss_m, 0.0};
    flight.at(50'000'000);
    EXPECT_EQ(flight.monitor.outcome().end, FlightEnd::kLanded);
    EXPECT_EQ(flight.result().passed, miss_m < 0.5);
    expect_text(flight.result(), miss_m < 0.5 ? "0.400 m from home" : "0.600 m from home");
  }
}

TEST(LandBy, ReportsTheInstantOfTheLandingAndNotTheEndOfTheRun) {
  Expectation expectation = by(expect(ExpectationKind::kLandBy), 60'000'000);
  expectation.tolerance = 0.5;
  Watched flight(expectation);
  flight.take_off();
  flight.at(0);
  expect_text(flight.result(), "when the run ended at 0 s: it was in the air");
  flight.land();
  flight.bus.truth.position_W_m = {10.0, 3.0, 0.0};
  flight.at(40'250'000);
  flight.at(60'000'000);
  EXPECT_EQ(flight.result().message,
            "not landed and disarmed by 60 s: it landed 3.000 m from home at 40.25 s, allowed 0.5 "
            "m");
}

TEST(LandBy, ACrashIsNoLanding) {
  Watched flight(by(expect(ExpectationKind::kLandBy), 60'000'000));
  flight.take_off();
  flight.at(0);
  flight.land();
  flight.bus.loads.impact_speed_m_s = 9.0;
  flight.at(20'000'000);
  flight.at(60'000'000);
  EXPECT_FALSE(flight.result().passed);
  EXPECT_EQ(flight.result().message, "not landed and disarmed by 60 s: it crashed at 20 s");
}

TEST(Outside, JudgesWhatTheSimulatorReportsAndNothingElse) {
  const SignalSet known = SignalSet::of(Signal::kTruth, Signal::kLand, Signal::kAutopilot);
  const auto flown = [known](const Expectation& expectation) {
    Watched flight(expectation);
    flight.monitor.fly_outside({10.0, 0.0, 0.0}, known);
    flight.at(0);
    flight.take_off();
    flight.bus.truth.height_m = 30.0;
    flight.bus.loads.impact_speed_m_s = 9.0;  // of what is not known nothing counts
    flight.at(4000);
    EXPECT_FALSE(flight.monitor.outcome().crashed());
    return flight.result();
  };
  EXPECT_TRUE(flown(about(ExpectationKind::kSignalMax, "truth.height_m", 20.0)).failed());
  EXPECT_TRUE(flown(about(ExpectationKind::kSignalMax, "truth.height_m", 40.0)).passed);
  EXPECT_TRUE(flown(by(expect(ExpectationKind::kLandBy), 4000)).failed());
  const ExpectationResult voltage =
      flown(about(ExpectationKind::kSignalMin, "battery[0].voltage_v", 10.0));
  EXPECT_FALSE(voltage.applies);
  EXPECT_EQ(voltage.message, "not applicable: its simulator does not report battery");
  EXPECT_FALSE(flown(expect(ExpectationKind::kSurvive)).applies);
}

TEST(LandBy, LatenessIsADecimalNumber) {
  Watched flight(by(expect(ExpectationKind::kLandBy), 75'000'000));
  flight.take_off();
  flight.at(0);
  flight.land();
  flight.at(157'620'000);
  EXPECT_EQ(flight.result().margin, -82.62);
  expect_text(flight.result(), ", 82.62 s late");
}

TEST(StayInside, NamesTheFirstBoundThatWasLeft) {
  Expectation expectation = expect(ExpectationKind::kStayInside);
  expectation.radius_m = 20.0;
  expectation.low_m = -1.0;
  expectation.high_m = 30.0;
  Watched flight(expectation);
  flight.bus.truth.height_m = 29.0;
  flight.bus.truth.position_W_m = {10.0 + 12.0, 16.0, 0.0};  // 20 m exactly
  flight.at(1'000);
  EXPECT_TRUE(flight.result().passed);
  EXPECT_EQ(flight.result().margin, 0.0);
  EXPECT_EQ(flight.result().message,
            "distance from home max 20 m at 0.001 s, limit 20 m; height min 29 m at 0.001 s, limit "
            "-1 m; height max 29 m at 0.001 s, limit 30 m");
  flight.bus.truth.height_m = 31.2;
  flight.at(12'400'000);
  flight.bus.truth.height_m = 50.0;
  flight.at(12'500'000);
  EXPECT_FALSE(flight.result().passed);
  EXPECT_EQ(flight.result().message, "height 31.2 m above 30 m at 12.4 s; max 50 m at 12.5 s");
  EXPECT_DOUBLE_EQ(flight.result().margin, -20.0);
}

TEST(SignalLimits, HoldInTheirWindowOnly) {
  Expectation expectation = by(about(ExpectationKind::kSignalMax, "truth.speed_m_s", 5.0), 3'000);
  expectation.from = TimeUs(2'000);
  Watched flight(expectation);
  flight.bus.truth.speed_m_s = 9.0;
  flight.at(1'000);
  EXPECT_FALSE(flight.result().passed);  // nothing seen yet
  expect_text(flight.result(), "nothing to judge");
  flight.bus.truth.speed_m_s = 5.0;
  flight.at(2'000);
  EXPECT_TRUE(flight.result().passed);
  flight.bus.truth.speed_m_s = 9.0;
  flight.at(3'001);
  EXPECT_TRUE(flight.result().passed);
  EXPECT_EQ(flight.result().message, "max 5 m/s at 0.002 s, limit 5 m/s");
}

TEST(SignalLimits, MinimumNamesValueAndTime) {
  Watched flight(about(ExpectationKind::kSignalMin, "battery[0].voltage_v", 10.5));
  flight.bus.battery[0].voltage_v = 11.0;
  flight.at(0);
  flight.bus.battery[0].voltage_v = 10.25;
  flight.at(1'500'000);
  EXPECT_EQ(flight.result().message,
            "battery[0].voltage_v 10.25 V below 10.5 V at 1.5 s; min 10.25 V at 1.5 s");
  EXPECT_DOUBLE_EQ(flight.result().margin, -0.25);
}

TEST(SignalLimits, ANumberThatIsNeverThereDoesNotPass) {
  Watched flight(about(ExpectationKind::kSignalMax, "autopilot.yaw_setpoint_rad", 1.0));
  flight.bus.autopilot.yaw_setpoint_rad = math::canonical_nan();
  flight.at(0);
  EXPECT_FALSE(flight.result().passed);
}

TEST(Final, JudgesTheLastBoundary) {
  Expectation expectation = expect(ExpectationKind::kFinal);
  expectation.signal = "truth.height_m";
  expectation.value = 10.0;
  expectation.tolerance = 0.5;
  Watched flight(expectation);
  flight.bus.truth.height_m = 10.0;
  flight.at(0);
  EXPECT_TRUE(flight.result().passed);
  flight.bus.truth.height_m = 10.75;
  flight.at(1'000);
  EXPECT_FALSE(flight.result().passed);
  EXPECT_DOUBLE_EQ(flight.result().margin, -0.25);
}

TEST(Survive, NeedsTheFaultAndNoCrash) {
  Expectation expectation = expect(ExpectationKind::kSurvive);
  expectation.event = "fault";
  Watched flight(expectation);
  flight.take_off();
  flight.at(0);
  EXPECT_FALSE(flight.result().passed);
  expect_text(flight.result(), "never acted");
  flight.bus.marker.fired_mask = 1;
  flight.at(20'000'000);
  flight.at(30'000'000);
  EXPECT_TRUE(flight.result().passed);
  EXPECT_DOUBLE_EQ(flight.result().margin, 10.0);
  flight.bus.loads.impact_speed_m_s = 3.5;
  flight.at(31'000'000);
  EXPECT_FALSE(flight.result().passed);
  expect_text(flight.result(), "11 s after event \"fault\"");
}

TEST(Survive, IsNotDecidedByACrashBeforeTheEvent) {
  Expectation expectation = expect(ExpectationKind::kSurvive);
  expectation.event = "fault";
  Watched flight(expectation);
  flight.take_off();
  flight.at(0);
  flight.bus.loads.impact_speed_m_s = 9.0;
  flight.at(11'866'000);
  for (const std::uint64_t mask : {0U, 1U}) {  // the event acts on the wreck
    flight.bus.marker.fired_mask = mask;
    flight.at(75'000'000);
    EXPECT_FALSE(flight.result().passed);
    EXPECT_FALSE(flight.result().evaluated);
    EXPECT_FALSE(flight.result().value);
    EXPECT_EQ(flight.result().message, "crashed at 11.866 s, before event \"fault\"");
  }
}

/// At 10 s; then it rolls on its back, and its autopilot reports that it has flown the mission.
ExpectationResult crashed_result(const Expectation& expectation) {
  Watched flight(expectation);
  flight.bus.truth.tilt_rad = 0.5;
  flight.bus.high_level.mode = FlightMode::kMission;
  flight.take_off();
  flight.at(0);
  flight.bus.truth.tilt_rad = 0.75;
  flight.bus.loads.impact_speed_m_s = 9.0;
  flight.at(10'000'000);
  flight.bus.truth.tilt_rad = 3.0;
  flight.bus.autopilot.items_reached = 5;
  flight.bus.autopilot.mission_finished = true;
  flight.at(20'000'000);
  return flight.result();
}

TEST(Crash, EndsEveryWindow) {
  Expectation expectation = about(ExpectationKind::kSignalMax, "truth.tilt_rad", 1.0);
  ExpectationResult result = crashed_result(expectation);
  EXPECT_TRUE(result.passed);
  EXPECT_EQ(result.message, "max 0.75 rad at 10 s, limit 1 rad");  // the crash itself is seen
  expectation.from = TimeUs(15'000'000);
  expectation.limit = 9.0;
  result = crashed_result(expectation);
  EXPECT_FALSE(result.passed);
  EXPECT_FALSE(result.evaluated);
  EXPECT_EQ(result.message, "nothing to judge between 15 s and the end; it crashed at 10 s");
  result = crashed_result(expect(ExpectationKind::kMissionComplete));
  EXPECT_FALSE(result.passed);
  EXPECT_EQ(result.message, "mission not complete when the run ended at 20 s: it crashed at 10 s");
  Expectation final = about(ExpectationKind::kFinal, "truth.tilt_rad", 0.0);
  final.value = 3.0;
  result = crashed_result(final);
  EXPECT_FALSE(result.passed);
  EXPECT_FALSE(result.evaluated);
  EXPECT_FALSE(result.value);
  EXPECT_EQ(result.message, "crashed at 10 s, before the end");
}

TEST(MissionComplete, WithoutAnAutopilotThatIsTheReason) {
  ExpectationSetup setup = setup_of(expect(ExpectationKind::kMissionComplete));
  setup.has_autopilot = false;
  const ExpectationMonitor monitor(setup);
  expect_text(monitor.outcome().results.at(0), "no autopilot flies");
}

/// The numbers that PX4 and ArduPilot leave at their defaults say nothing about their flight.
TEST(NotApplicable, WhatTheAutopilotDoesNotReportNeitherPassesNorFails) {
  const Expectation yaw = about(ExpectationKind::kSignalMin, "autopilot.yaw_given_up", 1.0);
  for (const AutopilotKind kind :
       {AutopilotKind::kPx4Library, AutopilotKind::kPx4Sitl, AutopilotKind::kArdupilot}) {
    ExpectationSetup setup = setup_of(yaw);
    setup.autopilot = kind;
    ExpectationMonitor monitor(setup);
    Bus bus;
    monitor.after(Stage::kLog, testing::view_of(Due{}, 0, bus));
    const FlightOutcome outcome = monitor.outcome();
    const ExpectationResult& result = outcome.results.at(0);
    EXPECT_FALSE(result.applies);
    EXPECT_FALSE(result.passed);
    EXPECT_FALSE(result.failed());
    EXPECT_FALSE(result.value);
    EXPECT_NE(result.message.find("does not report autopilot.yaw_given_up"), std::string::npos);
    EXPECT_TRUE(outcome.passed());
  }
  Watched builtin(yaw);
  builtin.at(0);
  EXPECT_TRUE(builtin.monitor.outcome().results.at(0).failed());
  EXPECT_FALSE(builtin.monitor.outcome().passed());
}

TEST(NotApplicable, WhatItReportsIsJudged) {
  ExpectationSetup setup = setup_of(about(ExpectationKind::kSignalMax, "autopilot.failsafe", 0.0));
  setup.autopilot = AutopilotKind::kPx4Sitl;
  ExpectationMonitor monitor(setup);
  Bus bus;
  bus.autopilot.failsafe = Failsafe::kBatteryCritical;
  monitor.after(Stage::kLog, testing::view_of(Due{}, 0, bus));
  EXPECT_TRUE(monitor.outcome().results.at(0).applies);
  EXPECT_FALSE(monitor.outcome().passed());
}

TEST(Crash, IsAHardTouchOrATiltedOne) {
  Watched hard;
  hard.bus.loads.impact_speed_m_s = 3.0;
  hard.at(0);
  EXPECT_FALSE(hard.monitor.outcome().crashed());
  EXPECT_TRUE(hard.monitor.outcome().passed());
  hard.bus.loads.impact_speed_m_s = 3.01;
  hard.at(12'345'678);
  hard.at(13'000'000);
  EXPECT_TRUE(hard.monitor.outcome().crashed());
  EXPECT_FALSE(hard.monitor.outcome().passed());
  EXPECT_EQ(hard.monitor.outcome().crash_time.us, 12'345'678U);
  EXPECT_EQ(hard.monitor.outcome().crash_message,
            "crashed at 12.345678 s: met the ground at 3.01 m/s (limit 3 m/s)");

  Watched tilted;
  tilted.take_off();
  tilted.bus.truth.tilt_rad = 2.0;
  tilted.at(0);
  EXPECT_FALSE(tilted.monitor.outcome().crashed());  // in the air
  tilted.bus.loads.gear_touching_mask = 2;
  tilted.bus.truth.tilt_rad = 59.9 * math::kDegToRad;
  tilted.at(1);
  EXPECT_FALSE(tilted.monitor.outcome().crashed());
  tilted.bus.truth.tilt_rad = 60.1 * math::kDegToRad;
  tilted.at(2);
  EXPECT_TRUE(tilted.monitor.outcome().crashed());
  EXPECT_NE(tilted.monitor.outcome().crash_message.find("60.1 deg"), std::string::npos);
}

TEST(Rover, NeitherLandsNorCrashes) {
  ExpectationSetup setup;
  setup.flies = false;
  ExpectationMonitor monitor(setup);
  Bus bus;
  bus.loads.gear_touching_mask = 1;
  bus.truth.tilt_rad = 3.0;
  monitor.after(Stage::kLog, testing::view_of(Due{}, 0, bus));
  EXPECT_EQ(monitor.outcome().end, FlightEnd::kOnGround);
}

void expect_refused(const Expectation& expectation, const std::string& word) {
  try {
    const ExpectationMonitor monitor(setup_of(expectation));
    FAIL() << "must throw: " << word;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    const std::string text = error.what();
    EXPECT_NE(text.find("test.toml:7:1"), std::string::npos) << text;
    EXPECT_NE(text.find(word), std::string::npos) << text;
  }
}

TEST(Checks, NameTheExpectation) {
  expect_refused(about(ExpectationKind::kSignalMax, "truth.hight_m", 1.0), "truth.height_m");
  Expectation expectation = expect(ExpectationKind::kSurvive);
  expectation.event = "other";
  expect_refused(expectation, "other");
  expect_refused(expect(ExpectationKind::kStayInside), "radius_m");
  expectation = by(about(ExpectationKind::kSignalMax, "truth.height_m", 1.0), 1'000);
  expectation.from = TimeUs(2'000);
  expect_refused(expectation, "2ms");
  expectation = expect(ExpectationKind::kReachItem);
  expectation.item = -1;
  expect_refused(expectation, "-1");
}

}  // namespace
}  // namespace tactus
