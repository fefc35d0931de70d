// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// When events act, on a bare schedule: exact microseconds, order, repetition, copies, refusals.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tactus/core/error.h"
#include "tests/support/scenario_player.h"

namespace tactus {
namespace {

using namespace tactus::testing;  // NOLINT(google-build-using-namespace)

TEST(AtTime, ActsAtThatMicrosecondBetweenTicks) {
  Player player({at_time("fail", 5'000, plain(ActionKind::kMotorOff, "front_left"))});
  player.play();
  EXPECT_EQ(player.changes(off_mask), Times{5'000});
  EXPECT_EQ(player.bus.faults.motor_off_mask, 4U);
}

TEST(AtTime, ActsAtTheStartAndAtTheEnd) {
  Player player({at_time("a", 0, plain(ActionKind::kMarker)),
                 at_time("b", 100'000, plain(ActionKind::kMarker)),
                 at_time("c", 100'001, plain(ActionKind::kMarker))});
  player.play();
  EXPECT_EQ(player.markers(), (Times{0, 100'000}));
}

TEST(AtTime, RepeatsWithoutDrift) {
  Event event = at_time("tick", 1'000, plain(ActionKind::kMarker));
  event.trigger.mode = TriggerMode::kRepeat;
  event.trigger.every = DurationUs(3'333);
  Player player({event}, 1'000'000);
  player.play();
  const Times times = player.markers();
  ASSERT_EQ(times.size(), 300U);
  for (std::size_t k = 0; k < times.size(); ++k) EXPECT_EQ(times[k], 1'000 + k * 3'333);
}

TEST(Records, CountActionsAndEndsOfEffects) {
  Action gust = plain(ActionKind::kWindStep);
  gust.vector = {1.0, 0.0, 0.0};
  gust.duration = DurationUs(5'000);
  Event repeated = at_time("gust", 10'000, gust);
  repeated.trigger.mode = TriggerMode::kRepeat;
  repeated.trigger.every = DurationUs(40'000);
  Player player({repeated, at_time("late", 200'000, plain(ActionKind::kMarker))}, 91'000);
  player.play();  // 10, 50, 90 ms; the last one stands at the end
  const std::vector<EventRecord>& records = player.source.records();
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].count, 3U);
  EXPECT_EQ(records[0].first, TimeUs(10'000));
  EXPECT_EQ(records[0].last, TimeUs(90'000));
  EXPECT_EQ(records[0].ended, 2U);
  EXPECT_EQ(records[0].last_end, TimeUs(55'000));
  EXPECT_EQ(records[1].count, 0U);
}

TEST(AtTime, SnapsUpToATick) {
  std::vector<Event> events;
  for (const std::uint64_t us : {4'999U, 10'000U, 10'001U}) {
    events.push_back(at_time(std::to_string(us), us, plain(ActionKind::kMarker)));
    events.back().trigger.snap_to_autopilot = true;
  }
  Player player(events);
  player.play();
  EXPECT_EQ(player.firings(0), Times{10'000});
  EXPECT_EQ(player.firings(1), Times{10'000});
  EXPECT_EQ(player.firings(2), Times{20'000});
  for (const Bus& seen : player.seen) EXPECT_EQ(seen.time.us % 10'000, 0U);  // no boundary added
}

TEST(AtStep, ActsAtThatBoundaryAndSnaps) {
  Event plain_event = at_time("a", 0, plain(ActionKind::kMarker));
  plain_event.trigger.kind = TriggerKind::kAtStep;
  plain_event.trigger.step = 3;
  Event snapping = plain_event;
  snapping.id = "b";
  snapping.trigger.snap_to_autopilot = true;
  Player player({plain_event, snapping, at_time("c", 25'000, plain(ActionKind::kMarker))});
  player.play();  // boundaries 0, 10, 20, 25, 30 ms
  EXPECT_EQ(player.firings(0), Times{25'000});
  EXPECT_EQ(player.firings(1), Times{30'000});
}

TEST(Order, TiesGoByTheSpecAndLaterEventsSeeEarlierOnes) {
  Player player(
      {when("sees", "faults.motor_off_mask", Comparison::kAbove, 1.0, plain(ActionKind::kMarker)),
       at_time("stuck", 5'000, plain(ActionKind::kMotorStuck, "front_right", 0.2)),
       at_time("again", 5'000, plain(ActionKind::kMotorStuck, "front_right", 0.3)),
       at_time("off", 5'000, plain(ActionKind::kMotorOff, "front_right")),
       when("too", "faults.motor_off_mask", Comparison::kAbove, 1.0,
            plain(ActionKind::kMotorRestore, "front_right"))});
  player.play();
  EXPECT_EQ(player.firings(4), Times{5'000});
  EXPECT_EQ(player.bus.faults.motor_stuck[0], 0.0);
  // The condition that stands before the fault is evaluated again in a second pass; by then it is
  // gone.
  EXPECT_TRUE(player.firings(0).empty());
}

TEST(Order, AFollowerWithoutDelayActsAtTheSameInstantInAnyOrder) {
  Player player({after("third", "second", 0, plain(ActionKind::kMarker)),
                 after("second", "first", 0, plain(ActionKind::kMarker)),
                 at_time("first", 7'000, plain(ActionKind::kMarker)),
                 after("late", "first", 123, plain(ActionKind::kMarker))});
  player.play();
  EXPECT_EQ(player.markers(), (Times{7'000, 7'123}));
  EXPECT_EQ(player.bus.marker.count, 4U);
  EXPECT_EQ(player.bus.marker.event, 3);
}

TEST(Order, ALongChainWrittenBackwardsActsAtOneInstant) {
  std::vector<Event> events;
  for (int i = 0; i < 500; ++i) {
    events.push_back(
        after(std::to_string(i), std::to_string(i + 1), 0, plain(ActionKind::kMarker)));
  }
  events.push_back(at_time("500", 7'000, plain(ActionKind::kMarker)));
  Player player(events);
  player.play();
  EXPECT_EQ(player.markers(), (Times{7'000}));
  EXPECT_EQ(player.bus.marker.count, 501U);
}

/// What is planned cannot run away; a condition can.
TEST(Order, OnlyRepeatingConditionsAreLimitedInNumber) {
  Event often = at_time("often", 0, plain(ActionKind::kMarker));
  often.trigger.mode = TriggerMode::kRepeat;
  often.trigger.every = DurationUs(50);
  Player planned({often});
  planned.play();
  EXPECT_EQ(planned.bus.marker.count, 2001U);

  Player restless({at_time("step", 0, wind({10.0, 0.0, 0.0})),
                   when("restless", "disturbance.wind_ned_m_s.x", Comparison::kAbove, 9.5,
                        wind({-1.0, 0.0, 0.0}, 50), TriggerMode::kRepeat)});
  try {
    restless.play();
    FAIL() << "must throw";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kRunStopped);
    EXPECT_NE(std::string(error.what()).find("event \"restless\": more than 1000 actions"),
              std::string::npos)
        << error.what();
  }
}

TEST(Order, EventsThatSetEachOtherOffForEverStopTheRun) {
  // A ring: motor off, so servo stuck, so motor whole, so servo whole, so motor off.
  const auto link = [](std::string id, std::string signal, Comparison comparison, Action action) {
    return when(std::move(id), std::move(signal), comparison,
                comparison == Comparison::kAbove ? 1.0 : 0.0, std::move(action),
                TriggerMode::kRepeat);
  };
  Player player({link("d", "faults.servo_stuck_mask", Comparison::kBelow,
                      plain(ActionKind::kMotorOff, "front_right")),
                 link("c", "faults.motor_off_mask", Comparison::kBelow,
                      plain(ActionKind::kServoRestore, "0")),
                 link("b", "faults.servo_stuck_mask", Comparison::kAbove,
                      plain(ActionKind::kMotorRestore, "front_right")),
                 link("a", "faults.motor_off_mask", Comparison::kAbove,
                      plain(ActionKind::kServoStuck, "0", 0.5))});
  try {
    player.play();
    FAIL() << "must throw";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kRunStopped);
    EXPECT_NE(std::string(error.what()).find("12 passes"), std::string::npos) << error.what();
  }
}

TEST(After, RepeatsWithManyOnTheirWay) {
  Event beat = at_time("beat", 0, plain(ActionKind::kMotorOff, "front_right"));
  beat.trigger.mode = TriggerMode::kRepeat;
  beat.trigger.every = DurationUs(10'000);
  Event echo = after("echo", "beat", 35'000, plain(ActionKind::kMarker));
  echo.trigger.mode = TriggerMode::kRepeat;
  Event once = after("once", "beat", 1'000, plain(ActionKind::kArm));
  Player player({beat, echo, once});
  player.play();
  EXPECT_EQ(player.markers(), (Times{35'000, 45'000, 55'000, 65'000, 75'000, 85'000, 95'000}));
  EXPECT_EQ(player.bus.high_level.count, 1U);
}

/// Height goes up and down: 0 at 0, 1 at 20 ms, 0 at 40 ms, and again.
void saw(Bus& bus) {
  const double t_ms = static_cast<double>(bus.time.us % 40'000) / 1'000.0;
  bus.truth.height_m = (t_ms <= 20.0 ? t_ms : 40.0 - t_ms) / 20.0;
}

TEST(When, HoldsAtTheThresholdAndActsOnce) {
  Player player({when("up", "truth.height_m", Comparison::kAbove, 0.5, plain(ActionKind::kMarker)),
                 when("low", "truth.height_m", Comparison::kBelow, 0.0, plain(ActionKind::kArm))});
  player.world = saw;
  player.play();
  EXPECT_EQ(player.markers(), Times{10'000});  // 0.5 is enough
  EXPECT_EQ(player.firings(1), Times{0});
  EXPECT_EQ(player.bus.high_level.count, 1U);
}

TEST(When, RepeatsAfterTheHysteresis) {
  Event plain_repeat = when("a", "truth.height_m", Comparison::kAbove, 0.9,
                            plain(ActionKind::kMarker), TriggerMode::kRepeat);
  Event wide = plain_repeat;
  wide.id = "b";
  wide.action = plain(ActionKind::kArm);
  wide.trigger.hysteresis = 0.9;
  Event too_wide = plain_repeat;
  too_wide.id = "c";
  too_wide.action = wind({1, 0, 0});
  too_wide.trigger.hysteresis = 0.95;
  Player player({plain_repeat, wide, too_wide}, 140'000);
  player.world = saw;
  player.play();
  EXPECT_EQ(player.markers(), (Times{20'000, 60'000, 100'000, 140'000}));
  EXPECT_EQ(player.changes([](const Bus& b) { return b.high_level.count; }),
            (Times{20'000, 60'000, 100'000, 140'000}));
  EXPECT_EQ(player.changes(wind_north), Times{20'000});
}

TEST(When, WaitsOnlyWhileItHoldsUnlessLatched) {
  Event waits =
      when("waits", "truth.height_m", Comparison::kAbove, 0.9, plain(ActionKind::kMarker));
  waits.trigger.delay = DurationUs(15'000);
  Event latched = waits;
  latched.id = "latched";
  latched.trigger.mode = TriggerMode::kLatched;
  Player player({waits, latched});
  player.world = saw;
  player.play();
  EXPECT_TRUE(player.firings(0).empty());
  EXPECT_EQ(player.firings(1), Times{35'000});
}

TEST(When, SnapsToTheAutopilot) {
  Event event = when("a", "truth.height_m", Comparison::kAbove, 0.6, plain(ActionKind::kMarker));
  event.trigger.snap_to_autopilot = true;
  Player player({event, at_time("look", 13'000, plain(ActionKind::kArm))});
  player.world = saw;
  player.play();
  EXPECT_EQ(player.markers(), Times{20'000});
}

TEST(When, WhatIsPublishedLaterIsNotJudgedAtTheFirstBoundary) {
  Player player({when("a", "land.landed", Comparison::kAbove, 1.0, plain(ActionKind::kMarker))});
  player.world = [](Bus& bus) { bus.land.landed = true; };
  player.play();
  EXPECT_EQ(player.markers(), Times{10'000});
}

TEST(Watches, FollowWhatEachConditionWaitsFor) {
  Event repeat = when("a", "truth.height_m", Comparison::kAbove, 0.9, plain(ActionKind::kMarker),
                      TriggerMode::kRepeat);
  repeat.trigger.hysteresis = 0.5;
  Player player({repeat,
                 when("b", "truth.height_m", Comparison::kBelow, 0.0, plain(ActionKind::kMarker)),
                 when("c", "truth.speed_m_s", Comparison::kAbove, 5.0, plain(ActionKind::kArm))});
  player.world = saw;
  player.step();
  ASSERT_EQ(player.source.watches().count, 1);  // "b" has acted, "c" is not continuous here
  EXPECT_EQ(player.source.watches().watch[0].sign, 1.0);
  EXPECT_EQ(player.source.watches().watch[0].threshold, 0.9);
  player.step();
  player.step();  // 20 ms: acted
  EXPECT_EQ(player.source.watches().watch[0].sign, -1.0);
  EXPECT_EQ(player.source.watches().watch[0].threshold, 0.9 - 0.5);
  player.step();
  player.step();  // 40 ms: armed again
  EXPECT_EQ(player.source.watches().watch[0].sign, 1.0);
}

TEST(Copies, ContinueIdentically) {
  Action intermittent = plain(ActionKind::kMotorIntermittent, "front_left");
  intermittent.off = DurationUs(1'700);
  intermittent.on = DurationUs(2'900);
  const std::vector<Event> events = {at_time("a", 3'000, intermittent),
                                     at_time("b", 5'000, wind({1, 2, 3}, 44'444)),
                                     after("c", "b", 9'999, plain(ActionKind::kMarker))};
  Player whole(events);
  whole.play();
  Player first(events);
  while (first.bus.time.us < 20'000) first.step();
  Player second(events);
  second.source = *static_cast<ScenarioSource*>(first.source.clone().get());
  second.schedule = first.schedule;
  second.bus = first.bus;
  second.boundary = first.boundary;
  second.seen = first.seen;
  second.play();
  ASSERT_EQ(second.seen.size(), whole.seen.size());
  for (std::size_t i = 0; i < whole.seen.size(); ++i) {
    EXPECT_FALSE(first_difference(second.seen[i], whole.seen[i])) << i;
  }
}

void expect_refused(const Event& event, const std::string& word) {
  try {
    const ScenarioSource source(setup_of({event}));
    FAIL() << "must throw: " << word;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    const std::string text = error.what();
    EXPECT_NE(text.find("test.toml:1:1"), std::string::npos) << text;
    EXPECT_NE(text.find(word), std::string::npos) << text;
  }
}

TEST(Checks, NameTheEventAndTheValue) {
  expect_refused(at_time("x", 0, plain(ActionKind::kMotorOff, "front")), "front_right");
  expect_refused(at_time("x", 0, plain(ActionKind::kPackDisconnect, "aft")), "main, spare");
  expect_refused(at_time("x", 0, plain(ActionKind::kServoStuck, "2")), "0 to 1");
  expect_refused(at_time("x", 0, plain(ActionKind::kSensorFail, "radar")), "barometer");
  expect_refused(at_time("x", 0, plain(ActionKind::kEstimatorBias, "speed")), "velocity");
  expect_refused(at_time("x", 0, plain(ActionKind::kParameter, "speed")), "parameter");
  expect_refused(at_time("x", 0, plain(ActionKind::kThrustLoss, "rear_left", 1.5)), "1.5");
  expect_refused(at_time("x", 0, plain(ActionKind::kMotorStuck, "rear_left", -0.1)), "-0.1");
  expect_refused(at_time("x", 0, plain(ActionKind::kPackResistance, "main", 0.5)), "0.5");
  expect_refused(at_time("x", 0, plain(ActionKind::kMotorDelay, "rear_left")), "lag_s");
  expect_refused(at_time("x", 0, plain(ActionKind::kMotorIntermittent, "rear_left")), "off_s");
  expect_refused(at_time("x", 0, lasting(plain(ActionKind::kArm), 5)), "duration_s");
  expect_refused(when("x", "truth.heigt_m", Comparison::kAbove, 1, plain(ActionKind::kArm)),
                 "truth.height_m");
  expect_refused(after("x", "y", 0, plain(ActionKind::kArm)), "\"y\"");
  expect_refused(after("x", "x", 0, plain(ActionKind::kArm)), "itself");
  Event event = at_time("x", 0, plain(ActionKind::kArm));
  event.trigger.mode = TriggerMode::kRepeat;
  expect_refused(event, "every");
  event.trigger.every = DurationUs(5'000);
  event.trigger.snap_to_autopilot = true;
  expect_refused(event, "10ms");
}

TEST(Checks, MoreContinuousConditionsThanWatchesAreRefused) {
  std::vector<Event> events;
  for (int i = 0; i <= kMaxWatches; ++i) {
    events.push_back(
        when(std::to_string(i), "truth.height_m", Comparison::kAbove, i, plain(ActionKind::kArm)));
  }
  EXPECT_THROW(ScenarioSource source(setup_of(events)), Error);
  events.pop_back();
  EXPECT_NO_THROW(ScenarioSource source(setup_of(events)));
}

}  // namespace
}  // namespace tactus
