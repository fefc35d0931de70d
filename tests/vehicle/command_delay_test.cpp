// link: rapidcheck
// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// A motor whose command acts later: exactly so much later, at a boundary of its own, whatever the
// delay is a multiple of.

#include "tactus/vehicle/command_delay.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>
#include <vector>

#include "tests/support/engine.h"

namespace tactus {
namespace {

using namespace tactus::testing;  // NOLINT(google-build-using-namespace)

TEST(CommandDelay, AgreesWithTheWholeHistory) {
  EXPECT_TRUE(rc::check([] {
    CommandDelay delay;
    std::map<std::uint64_t, double> history;  // instant, command of motor 3 from then on
    const auto commanded_at = [&history](std::uint64_t t_us) {
      const auto later = history.upper_bound(t_us);
      return later == history.begin() ? 0.0 : std::prev(later)->second;
    };
    std::uint64_t now_us = 0;
    for (int i = 0; i < 100; ++i) {
      double motor[kMaxMotors] = {};
      motor[3] = *rc::gen::inRange(0, 4) * 0.25;
      motor[5] = *rc::gen::inRange(0, 2) * 0.5;
      delay.push(TimeUs(now_us), motor);
      history[now_us] = motor[3];
      const auto late_us = *rc::gen::inRange<std::uint32_t>(1, 5'000);
      const double expected = late_us > now_us ? 0.0 : commanded_at(now_us - late_us);
      RC_ASSERT(delay.at(TimeUs(now_us), 3, late_us) == expected);
      // Nothing changes between now and the instant announced.
      const TimeUs next = delay.next_after(TimeUs(now_us), late_us);
      RC_ASSERT(next.us > now_us);
      const std::uint64_t look_us = *rc::gen::inRange(now_us, std::min(next.us, now_us + 10'000));
      RC_ASSERT(delay.at(TimeUs(look_us), 3, late_us) == expected);
      now_us += *rc::gen::inRange<std::uint64_t>(0, 400);
    }
  }));
}

TEST(CommandDelayDeathTest, AHistoryThatIsTooShortIsNotGuessed) {
  CommandDelay delay;
  double motor[kMaxMotors] = {};
  for (std::uint64_t t = 0; t < 2 * CommandDelay::kCapacity; ++t) {
    motor[0] = t % 2 == 0 ? 0.5 : 0.6;
    delay.push(TimeUs(t), motor);
  }
  const TimeUs now(2 * CommandDelay::kCapacity - 1);
  EXPECT_EQ(delay.at(now, 0, CommandDelay::kCapacity - 1), 0.5);
  EXPECT_DEATH((void)delay.at(now, 0, CommandDelay::kCapacity), "remembered");
}

constexpr TimeUs kEnd{200'000};
constexpr DurationUs kTick{10'000};

/// Motor 1 by itself; the others stay at hover.
double command_of_tick(std::uint64_t tick) {
  const double values[] = {0.5, 0.62, 0.62, 0.48, 0.7, 0.55, 0.55, 0.4};
  return values[tick % 8];
}

Command command_with(double motor_1) {
  Command command;
  for (int i = 0; i < 4; ++i) command.motor[i] = i == 1 ? motor_1 : 0.55;
  return command;
}

RunSetup delayed_setup(std::uint32_t delay_us, TimeUs from) {
  RunSetup setup = bare_setup(kEnd);
  setup.schedule.set_period(Axis::kAutopilot, kTick);
  setup.sources.push_back(toy(autopilot_info(), [](SourceContext& context) {
    context.bus.write<Signal::kCommand>() =
        command_with(command_of_tick(context.now.us / kTick.us));
  }));
  setup.sources.push_back(toy(scenario_info(), [=](SourceContext& context) {
    if (context.now < from) context.requests.boundary_at(from);
    if (context.now >= from) context.bus.write<Signal::kFaults>().motor_delay_us[1] = delay_us;
  }));
  return setup;
}

/// The same flight with a pilot that gives the command of motor 1 late.
RunSetup late_pilot_setup(std::uint32_t delay_us, TimeUs from) {
  RunSetup setup = bare_setup(kEnd);
  setup.schedule.set_period(Axis::kAutopilot, kTick);
  setup.schedule.insert(from);
  for (std::uint64_t tick = 0; tick * kTick.us + delay_us < kEnd.us; ++tick) {
    const TimeUs acts(tick * kTick.us + delay_us);
    const bool changes = tick == 0 || command_of_tick(tick) != command_of_tick(tick - 1);
    if (acts > from && changes) setup.schedule.insert(acts);
  }
  SourceInfo info = autopilot_info();
  info.axis = Axis::kEveryBoundary;
  setup.sources.push_back(toy(info, [=](SourceContext& context) {
    const std::uint64_t late_us = context.now >= from ? delay_us : 0;
    context.bus.write<Signal::kCommand>() =
        context.now.us < late_us
            ? command_with(0.0)
            : command_with(command_of_tick((context.now.us - late_us) / kTick.us));
  }));
  return setup;
}

Digest128 state_digest(const tactus::Run& run) {
  Digest digest;
  run.plant().add_state(digest);
  return digest.result();
}

TEST(DelayedMotor, FliesAsIfItsCommandCameThatMuchLater) {
  for (const TimeUs from : {TimeUs(0), TimeUs(73'210)}) {
    for (const std::uint32_t delay_us : {1U, 3'337U, 10'000U, 25'001U}) {
      SCOPED_TRACE(std::to_string(delay_us) + " us from " + std::to_string(from.us));
      tactus::Run run(delayed_setup(delay_us, from));
      tactus::Run expected(late_pilot_setup(delay_us, from));
      BusList log(Stage::kLog);
      Observers observers, none;
      observers.hooks = {&log};
      fly(run, observers);
      fly(expected, none);
      EXPECT_EQ(state_digest(run), state_digest(expected));
      EXPECT_NE(run.bus().esc[1].speed_rad_s, run.bus().esc[0].speed_rad_s);
      EXPECT_EQ(run.boundaries().total, expected.boundaries().total);
      for (const auto& entry : log.entries) {
        EXPECT_TRUE(!entry.found || (entry.due.time.us - delay_us) % kTick.us == 0);
      }
    }
  }
}

TEST(DelayedMotor, WithoutADelayNothingIsAdded) {
  tactus::Run run(delayed_setup(0, TimeUs(0)));
  Observers none;
  fly(run, none);
  EXPECT_EQ(run.boundaries().found, 0U);
  EXPECT_EQ(run.boundaries().total, kEnd.us / kTick.us + 1);
}

}  // namespace
}  // namespace tactus
