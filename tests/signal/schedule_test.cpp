// link: rapidcheck
// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The schedule against a sorted list of everything, and the cases that people get wrong: drift,
// ends between ticks, periods longer than the run, a day of ticks.

#include "tactus/signal/schedule.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>
#include <map>
#include <set>
#include <vector>

namespace tactus {
namespace {

constexpr std::array kPeriodic = {Axis::kWind, Axis::kSensors, Axis::kAutopilot, Axis::kLog,
                                  Axis::kPhysics};

std::uint8_t bit_of(Axis axis) {
  return static_cast<std::uint8_t>(1U << static_cast<unsigned>(axis));
}

/// Every boundary of a run in one map: what the schedule must not need.
struct Oracle {
  std::uint64_t end_us = 0;
  std::map<Axis, std::uint64_t> period_us;
  std::set<std::uint64_t> instants_us;

  [[nodiscard]] std::uint64_t next_after(std::uint64_t now_us) const {
    std::set<std::uint64_t> candidates{end_us};
    for (const auto& [axis, period] : period_us) {
      if (period != 0) candidates.insert((now_us / period + 1) * period);
    }
    const auto instant = instants_us.upper_bound(now_us);
    if (instant != instants_us.end()) candidates.insert(*instant);
    return *candidates.begin();
  }
  [[nodiscard]] std::uint8_t axes_at(std::uint64_t t_us) const {
    std::uint8_t axes = 0;
    for (const auto& [axis, period] : period_us) {
      if (period != 0 && t_us % period == 0) axes = static_cast<std::uint8_t>(axes | bit_of(axis));
    }
    return axes;
  }
};

/// What a run does at a boundary besides going on.
void disturb(std::uint64_t now_us, Schedule& schedule, Oracle& oracle) {
  const auto draw = [](std::uint64_t low, std::uint64_t high) {
    return *rc::gen::inRange<std::uint64_t>(low, high);
  };
  const std::uint64_t action = draw(0, 20);
  if (action < 4) {
    const std::uint64_t instant_us = now_us + draw(0, 400);
    schedule.insert(TimeUs(instant_us));
    if (instant_us > now_us && instant_us < oracle.end_us) oracle.instants_us.insert(instant_us);
  } else if (action == 4) {
    oracle.end_us = now_us + draw(0, oracle.end_us - now_us + 1);
    schedule.end_at(TimeUs(oracle.end_us));
  }
}

TEST(Schedule, AgreesWithASortedListOfEverything) {
  EXPECT_TRUE(rc::check([] {
    Oracle oracle;
    oracle.end_us = *rc::gen::inRange<std::uint64_t>(0, 3000);
    Schedule schedule{TimeUs(oracle.end_us)};
    for (const Axis axis : kPeriodic) {
      const bool used = *rc::gen::arbitrary<bool>();
      oracle.period_us[axis] = used ? *rc::gen::inRange<std::uint64_t>(1, 4000) : 0;
      schedule.set_period(axis, DurationUs(oracle.period_us[axis]));
    }
    for (const auto instant_us : *rc::gen::container<std::vector<std::uint64_t>>(
             rc::gen::inRange<std::uint64_t>(0, 4000))) {
      schedule.insert(TimeUs(instant_us));
      if (instant_us > 0 && instant_us < oracle.end_us) oracle.instants_us.insert(instant_us);
    }
    std::uint64_t now_us = 0;
    for (int steps = 0; steps < 400; ++steps) {
      const Due& due = schedule.current();
      RC_ASSERT(due.time.us == now_us);
      RC_ASSERT(due.axes == oracle.axes_at(now_us));
      RC_ASSERT(due.instant == oracle.instants_us.contains(now_us));
      disturb(now_us, schedule, oracle);
      RC_ASSERT(schedule.current().end == (now_us == oracle.end_us));
      if (schedule.current().end) return;
      const std::uint64_t next_us = oracle.next_after(now_us);
      RC_ASSERT(schedule.next() == TimeUs(next_us));
      const bool found = *rc::gen::inRange(0, 5) == 0;
      now_us = found ? *rc::gen::inRange(now_us + 1, next_us + 1) : next_us;
      schedule.advance_to(TimeUs(now_us));
    }
  }));
}

TEST(Schedule, ThreeAxesDoNotDriftOverTenThousandSteps) {
  Schedule schedule{TimeUs(20'000'000)};
  schedule.set_period(Axis::kPhysics, DurationUs(2'000));
  schedule.set_period(Axis::kAutopilot, DurationUs(10'000));
  schedule.set_period(Axis::kLog, DurationUs(20'000));
  for (std::uint64_t step = 0; step <= 10'000; ++step) {
    const Due& due = schedule.current();
    ASSERT_EQ(due.time.us, 2'000 * step);
    ASSERT_TRUE(due.on(Axis::kPhysics));
    ASSERT_EQ(due.on(Axis::kAutopilot), step % 5 == 0) << step;
    ASSERT_EQ(due.on(Axis::kLog), step % 10 == 0) << step;
    ASSERT_FALSE(due.on(Axis::kWind));
    ASSERT_EQ(due.end, step == 10'000);
    if (!due.end) schedule.advance_to(schedule.next());
  }
}

TEST(Schedule, ADayOfTicksEndsAtTheExactMicrosecond) {
  constexpr std::uint64_t kDay_us = 86'400'000'000;
  Schedule schedule{TimeUs(kDay_us)};
  schedule.set_period(Axis::kAutopilot, DurationUs(4'000));
  schedule.set_period(Axis::kWind, DurationUs(7'000'000));
  std::uint64_t ticks = 1, winds = 1;
  while (!schedule.current().end) {
    schedule.advance_to(schedule.next());
    ticks += schedule.current().on(Axis::kAutopilot) ? 1 : 0;
    winds += schedule.current().on(Axis::kWind) ? 1 : 0;
  }
  EXPECT_EQ(schedule.current().time.us, kDay_us);
  EXPECT_TRUE(schedule.current().on(Axis::kAutopilot));
  EXPECT_FALSE(schedule.current().on(Axis::kWind));
  EXPECT_EQ(ticks, kDay_us / 4'000 + 1);
  EXPECT_EQ(winds, kDay_us / 7'000'000 + 1);
}

TEST(Schedule, APeriodLongerThanTheRunTicksOnceAtTheStart) {
  Schedule schedule{TimeUs(1'000)};
  schedule.set_period(Axis::kWind, DurationUs(5'000));
  EXPECT_TRUE(schedule.current().on(Axis::kWind));
  schedule.advance_to(schedule.next());
  EXPECT_EQ(schedule.current().time.us, 1'000U);
  EXPECT_TRUE(schedule.current().end);
  EXPECT_FALSE(schedule.current().on(Axis::kWind));
}

TEST(Schedule, AnEndBetweenTicksIsABoundaryOfItsOwn) {
  Schedule schedule{TimeUs(5'000)};
  schedule.set_period(Axis::kAutopilot, DurationUs(2'000));
  std::vector<std::uint64_t> times{0};
  while (!schedule.current().end) {
    schedule.advance_to(schedule.next());
    times.push_back(schedule.current().time.us);
  }
  EXPECT_EQ(times, (std::vector<std::uint64_t>{0, 2'000, 4'000, 5'000}));
  EXPECT_FALSE(schedule.current().on(Axis::kAutopilot));
}

TEST(Schedule, ARunOfNoLengthIsOneBoundary) {
  const Schedule schedule{TimeUs(0)};
  EXPECT_TRUE(schedule.current().end);
}

TEST(Schedule, ManyEqualInstantsAreOneBoundary) {
  Schedule schedule{TimeUs(100)};
  for (int i = 0; i < 5'000; ++i) schedule.insert(TimeUs(static_cast<std::uint64_t>(40 + i % 2)));
  for (const std::uint64_t expected : {40U, 41U, 100U}) {
    schedule.advance_to(schedule.next());
    EXPECT_EQ(schedule.current().time.us, expected);
  }
}

TEST(Schedule, ACopyGoesOnByItself) {
  Schedule original{TimeUs(1'000)};
  original.set_period(Axis::kSensors, DurationUs(300));
  original.insert(TimeUs(450));
  original.advance_to(original.next());
  Schedule copy = original;
  copy.insert(TimeUs(400));
  EXPECT_EQ(original.next(), TimeUs(450));
  EXPECT_EQ(copy.next(), TimeUs(400));
  EXPECT_EQ(copy.period(Axis::kSensors), DurationUs(300));
}

TEST(ScheduleDeathTest, ThePastAndTheJumpOverABoundaryAreBugs) {
  Schedule schedule{TimeUs(1'000)};
  schedule.insert(TimeUs(500));
  EXPECT_DEATH(schedule.advance_to(TimeUs(501)), "strictly ordered");
  schedule.advance_to(TimeUs(500));
  EXPECT_DEATH(schedule.insert(TimeUs(499)), "past");
  EXPECT_DEATH(schedule.end_at(TimeUs(499)), "past");
  EXPECT_DEATH(schedule.advance_to(TimeUs(500)), "strictly ordered");
}

}  // namespace
}  // namespace tactus
