// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// What a scenario comes to beyond its limits is a mistake of the spec where it is certain, and
// stops the run with the event and the limit where it is not.

#include "tactus/scenario/rehearsal.h"

#include <gtest/gtest.h>

#include <string>

#include "tactus/flight/spec_check.h"
#include "tests/support/scenario_player.h"

namespace tactus {
namespace {

using testing::after;
using testing::at_time;
using testing::kAutopilotPeriod;
using testing::lasting;
using testing::plain;
using testing::Player;
using testing::setup_of;
using testing::when;
using testing::wind;

Event every(Event event, std::uint64_t us) {
  event.trigger.mode = TriggerMode::kRepeat;
  event.trigger.every = DurationUs(us);
  return event;
}

std::string mistake_in(const std::string& events) {
  const SpecCheck check = check_spec_text("extends = \"instruments\"\n" + events, "t.toml");
  EXPECT_LE(check.mistakes.size(), 1U);
  for (const Error& mistake : check.mistakes) EXPECT_EQ(mistake.code(), ExitCode::kBadInput);
  return check.mistakes.empty() ? "" : check.mistakes.front().what();
}

std::string event(const std::string& id, const std::string& keys) {
  return "[[event]]\nid = \"" + id + "\"\n" + keys;
}

void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << text;
}

const std::string kDrop = "do = \"pack_cell_drop\"\npack = \"main\"\n";
const std::string kEveryTenth = "at_s = 1.0\nmode = \"repeat\"\nevery_s = 0.1\n";

TEST(Rehearsal, ADropOfMoreThanThePackHasIsRefusedWhereItIsWritten) {
  EXPECT_EQ(mistake_in(event("a", "at_s = 1.0\n" + kDrop + "value = 9.0\n")), "");
  expect_parts(mistake_in(event("a", "at_s = 1.0\n" + kDrop + "value = 20.0\n")),
               {"t.toml:7:1: event.a.value = 20.0: must lie between 0 and 9.81", "\"main\""});
  expect_parts(
      mistake_in(event("a", "when = \"truth.height_m above 1\"\n" + kDrop + "value = 20.0\n")),
      {"t.toml:7:1: event.a.value = 20.0"});
}

TEST(Rehearsal, DropsThatAddUpAreRefusedWithTheEvent) {
  const std::string two = event("a", "at_s = 1.0\n" + kDrop + "value = 6.0\n") +
                          event("b", "at_s = 2.0\n" + kDrop + "value = 6.0\n");
  expect_parts(mistake_in(two), {"t.toml:8:1: event \"b\": at 2 s", "add up to 12 V", "9.81"});
  expect_parts(mistake_in(event("a", kEveryTenth + kDrop + "value = 1.0\n")),
               {"t.toml:2:1: event \"a\": at 1.9 s", "add up to 10 V", "9.81 at most"});
  EXPECT_EQ(mistake_in(event("a", kEveryTenth + kDrop + "value = 1.0\nduration_s = 0.5\n")), "");
}

TEST(Rehearsal, FactorsThatMultiplyAreRefusedBeforeTheyAreInfinite) {
  expect_parts(mistake_in(event("a", kEveryTenth + "do = \"pack_resistance\"\npack = \"main\"\n"
                                                   "value = 1000.0\n")),
               {"t.toml:2:1: event \"a\": at 1.2", "multiply to 1e+09", "1e+06 at most"});
  expect_parts(mistake_in(event("a", kEveryTenth + "do = \"sensor_noise\"\ninstrument = "
                                                   "\"gps0\"\nvalue = 1000.0\n")),
               {"t.toml:2:1: event \"a\": at 1.2", "multiply to 1e+09"});
  expect_parts(mistake_in(event("a", kEveryTenth + "do = \"wind_step\"\nvector = [0, 30, 0]\n")),
               {"event \"a\": at 1.3", "add up to 120 m/s"});
}

TEST(Rehearsal, WhatStandsOrWaitsBeyondTheCapacityIsRefused) {
  const std::string often = "at_s = 0.0\nmode = \"repeat\"\nevery_s = 0.001\n";
  expect_parts(mistake_in(event("a", often + "do = \"thrust_loss\"\nrotor = \"front_left\"\n"
                                             "value = 0.0\nduration_s = 9.0\n")),
               {"t.toml:2:1: event \"a\": at 1.024 s: more than 1024 effects", "duration_s"});
  expect_parts(mistake_in(event("a", often + "do = \"marker\"\n") +
                          event("b",
                                "after = \"a\"\nmode = \"repeat\"\ndelay_s = 5.0\n"
                                "do = \"marker\"\n")),
               {"t.toml:8:1: event \"b\": at 1.024 s: more than 1024 delayed events", "delay_s"});
}

TEST(Rehearsal, ParametersThatComeFasterThanTicksAreRefused) {
  const SpecCheck check = check_spec_text(
      "extends = \"default\"\n[[event]]\nid = \"a\"\nat_s = 0.0\nmode = \"repeat\"\n"
      "every_s = 0.001\ndo = \"parameter\"\nparameter = \"cruise_speed_m_s\"\nvalue = 4.0\n",
      "t.toml");
  ASSERT_EQ(check.mistakes.size(), 1U);
  expect_parts(check.mistakes.front().what(),
               {"t.toml:2:1: event \"a\": at 1.", "more than 1024 parameter changes", "per tick"});
}

TEST(Rehearsal, ThousandEventsAtOnceAreNotTooMany) {
  std::vector<Event> events = {at_time("root", 5'000, plain(ActionKind::kMarker))};
  for (int i = 0; i < 999; ++i) {
    events.push_back(after(std::to_string(i), "root", 0,
                           lasting(plain(ActionKind::kThrustLoss, "rear_left", 0.0), 1'000)));
  }
  Player player(events);
  EXPECT_NO_THROW(player.play());
}

TEST(Rehearsal, WhatDependsOnAConditionIsLeftToTheFlight) {
  const Event drops =
      every(at_time("drops", 0, plain(ActionKind::kPackCellDrop, "main", 4.0)), 10'000);
  const TimeUs end(1'000'000);
  EXPECT_THROW(rehearse(setup_of({drops}), end), Error);
  Event stops = when("stops", "truth.height_m", Comparison::kAbove, 1.0, plain(ActionKind::kEnd));
  EXPECT_NO_THROW(rehearse(setup_of({drops, stops}), end));
  const Event off =
      every(at_time("off", 0, lasting(plain(ActionKind::kMotorOff, "rear_left"), 900'000)), 500);
  EXPECT_THROW(rehearse(setup_of({off}), end), Error);
  Event whole = when("whole", "truth.height_m", Comparison::kAbove, 1.0,
                     plain(ActionKind::kMotorRestore, "rear_left"), TriggerMode::kRepeat);
  EXPECT_NO_THROW(rehearse(setup_of({off, whole}), end));
  whole.action.target = "rear_right";
  EXPECT_THROW(rehearse(setup_of({off, whole}), end), Error);
}

TEST(Rehearsal, TheFlightStopsWithTheEventTheLimitAndAdvice) {
  Player player({when("drops", "truth.height_m", Comparison::kAbove, 1.0,
                      plain(ActionKind::kPackCellDrop, "main", 4.0), TriggerMode::kRepeat)});
  player.world = [](Bus& bus) { bus.truth.height_m = bus.time.us / 10'000 % 2 == 1 ? 2.0 : 0.0; };
  try {
    player.play();
    FAIL() << "must throw";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kRunStopped);
    expect_parts(error.what(), {"t = 50000 us: test.toml:1:1: event \"drops\"", "12 V",
                                "10 at most", "repeat less often"});
  }
}

}  // namespace
}  // namespace tactus
