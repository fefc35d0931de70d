// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// slow: waits for programs that come late
// needs: double_px4_hil_client

// PX4 that does not answer, or ends: each way, under each policy.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <random>
#include <string>
#include <thread>

#include "tests/support/px4_bench.h"
#include "tests/support/scale.h"

namespace tactus {
namespace {

using testing::Clock;
using testing::has;
using testing::Px4SitlTest;
using testing::seconds_since;

/// With a deadline that is worth waiting for in a test.
struct Bench : testing::Px4Bench {
  explicit Bench(const std::string& how, LatePolicy late = LatePolicy::kFail)
      : Px4Bench(how, late) {
    link.exchange_deadline = DurationUs(400'000);
  }
};

// ---- each way to fail, under each policy

struct Misbehaviour {
  const char* how;
  bool gone;  ///< it ends, or closes the connection
};

const Misbehaviour kMisbehaviours[] = {
    {"--die-at 200", true},   {"--close-at 200", true},       {"--stop-at 200", false},
    {"--mute-at 200", false}, {"--wrong-time-at 200", false}, {"--noise-at 200", false},
};

class Px4SitlFailing : public Px4SitlTest, public ::testing::WithParamInterface<Misbehaviour> {};

TEST_P(Px4SitlFailing, FailNamesWhoWhenAndWhat) {
  Bench bench(GetParam().how);
  bench.take_off();
  const auto start = Clock::now();
  const std::string text = bench.error_within(400);
  EXPECT_LT(seconds_since(start), 5.0);
  EXPECT_TRUE(has(text, "PX4 (process ")) << text;
  EXPECT_TRUE(has(text, "t = 796ms") || has(text, "t = 800ms")) << text;
  EXPECT_TRUE(has(text, GetParam().gone ? "closed the connection" : "HIL_ACTUATOR_CONTROLS"))
      << text;
  EXPECT_TRUE(has(text, "connected")) << "the end of its console: " << text;
  EXPECT_EQ(bench.autopilot().process(), nullptr) << "it was ended";
}

TEST_P(Px4SitlFailing, HoldKeepsTheLastCommand) {
  Bench bench(GetParam().how, LatePolicy::kHold);
  bench.take_off();
  bench.steps(190);
  bench.steps(15);
  const double held = bench.output.command.motor[0];
  const auto start = Clock::now();
  bench.steps(30);
  EXPECT_LT(seconds_since(start), 3.0);
  EXPECT_EQ(bench.output.command.motor[0], held);
  EXPECT_FALSE(bench.motors_off());
  EXPECT_EQ(bench.count("PX4 late") + bench.count("PX4 gone"), 1);
  const std::string told = fmt::format("{}", fmt::join(bench.autopilot().warnings(), "\n"));
  EXPECT_TRUE(has(told, " answers did not come in time, in 1 gap, the first at t = ")) << told;
  EXPECT_TRUE(has(told, "hold: its last command was flown")) << told;
}

TEST_P(Px4SitlFailing, DropSwitchesTheMotorsOff) {
  Bench bench(GetParam().how, LatePolicy::kDrop);
  bench.take_off();
  bench.steps(300);
  EXPECT_TRUE(bench.motors_off());
  EXPECT_FALSE(bench.output.status.armed);
  EXPECT_EQ(bench.autopilot().process(), nullptr);
}

TEST_P(Px4SitlFailing, FreeRunningGoesOnWithoutWaiting) {
  Bench bench(GetParam().how, LatePolicy::kFreeRunning);
  bench.take_off();
  bench.steps(205);
  const auto start = Clock::now();
  bench.steps(500);
  EXPECT_LT(seconds_since(start), 2.0);
  EXPECT_FALSE(bench.motors_off());
  EXPECT_EQ(bench.count("PX4 late") + bench.count("PX4 gone"), 1);
}

TEST_F(Px4SitlTest, NoiseInsteadOfAnAnswerIsCounted) {
  Bench bench("--noise-at 200");
  bench.take_off();
  const std::string text = bench.error_within(400);
  EXPECT_TRUE(has(text, " bytes were no message)")) << text;
  EXPECT_FALSE(has(text, ", 0 bytes were no message)")) << text;
}

// ---- answers in time that no motor can obey

TEST_F(Px4SitlTest, AControlThatIsNoneFailsWithItsValue) {
  Bench bench("--wild-at 200");
  bench.take_off();
  const std::string text = bench.error_within(400);
  EXPECT_TRUE(has(text, "has sent what cannot be flown at t = ")) << text;
  EXPECT_TRUE(has(text, "HIL_ACTUATOR_CONTROLS.controls[2] = 1e+30: must be -1 to 1")) << text;
}

TEST_F(Px4SitlTest, AControlThatIsNoneHoldsTheLastCommand) {
  Bench bench("--wild-at 200 --wild-until 230", LatePolicy::kHold);
  bench.take_off();
  bench.steps(215);
  const double held = bench.output.command.motor[0];
  bench.steps(5);
  EXPECT_EQ(bench.output.command.motor[0], held);
  EXPECT_LT(bench.output.command.motor[2], 1.0);
  EXPECT_FALSE(bench.motors_off());
  EXPECT_EQ(bench.count("PX4 late"), 1) << "it counts as a missed answer";
  EXPECT_EQ(bench.count("PX4 answers again"), 0);
  bench.steps(100);
  EXPECT_NE(bench.output.command.motor[0], held) << "it is obeyed again";
  EXPECT_EQ(bench.count("PX4 late"), 1);
  EXPECT_EQ(bench.count("PX4 answers again"), 1);
}

TEST_F(Px4SitlTest, AControlThatIsNoneMakesItRunFreely) {
  Bench bench("--wild-at 200 --mute-at 210", LatePolicy::kFreeRunning);
  bench.take_off();
  bench.steps(205);
  EXPECT_EQ(bench.count("PX4 late"), 1);
  bench.steps(500);
  EXPECT_FALSE(bench.motors_off());
  EXPECT_EQ(bench.count("PX4 late"), 1);
}

TEST_F(Px4SitlTest, AControlThatIsNoneDrops) {
  Bench bench("--wild-at 200", LatePolicy::kDrop);
  bench.take_off();
  bench.steps(250);
  EXPECT_TRUE(bench.motors_off());
  EXPECT_EQ(bench.autopilot().process(), nullptr);
}

INSTANTIATE_TEST_SUITE_P(Each, Px4SitlFailing, ::testing::ValuesIn(kMisbehaviours),
                         [](const auto& given) {
                           std::string name = given.param.how + 2;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name.substr(0, name.find(' '));
                         });

// The answer that made it late is the one worth reading.
TEST_F(Px4SitlTest, WhatCameLastBeforeItWasDroppedIsRecorded) {
  Bench bench("--wrong-time-at 200", LatePolicy::kDrop);
  bench.steps(210);
  int answers = 0;
  std::uint64_t newest_us = 0;
  mavlink::Parser parser;
  for (const ExternalBytes& part : bench.received) {
    if (part.peer != 0) continue;
    parser.feed(part.bytes, [&](const mavlink::Frame& frame) {
      mavlink::HilActuatorControls controls;
      if (!mavlink::decode(frame, controls)) return;
      ++answers;
      newest_us = controls.time_usec;
    });
  }
  EXPECT_EQ(answers, 200 - 1);  // all but its boot
  EXPECT_EQ(newest_us, 199 * 4'000 + 2'000'000);
}

TEST_F(Px4SitlTest, HoldGoesOnWhenItAnswersAgain) {
  Bench bench("--mute-at 200 --mute-until 230", LatePolicy::kHold);
  bench.take_off();
  bench.steps(400);
  EXPECT_EQ(bench.count("PX4 late"), 1);
  EXPECT_EQ(bench.count("PX4 answers again"), 1);
  EXPECT_GT(bench.quad.height_m(), 0.1);
}

// The peer does not read: what cannot be sent must neither block nor grow without end.
TEST_F(Px4SitlTest, AStoppedPeerDoesNotFillTheMemoryOrBlock) {
  Bench bench("--stop-at 100", LatePolicy::kFreeRunning);
  const auto start = Clock::now();
  bench.steps(60'000);
  EXPECT_LT(seconds_since(start), 30.0);
}

// Killed at a random moment, inside or outside of our waits.
TEST_F(Px4SitlTest, KilledAtAnyMomentItIsAnErrorWithinTheDeadline) {
  std::mt19937 generator(5);
  std::uniform_int_distribution<int> delay_us(0, 80'000);
  for (int i = 0; i < (testing::test_all() ? 100 : 20); ++i) {
    Bench bench("--boot-steps 0");
    bench.take_off();
    bench.step();
    const pid_t pid = bench.autopilot().process()->pid();
    const int after_us = delay_us(generator);
    std::thread killer([pid, after_us] {
      std::this_thread::sleep_for(std::chrono::microseconds(after_us));
      ::kill(pid, SIGKILL);
    });
    const auto start = Clock::now();
    const std::string text = bench.error_within(1'000'000);
    killer.join();
    EXPECT_LT(seconds_since(start), 0.08 + 2.0);
    EXPECT_TRUE(has(text, "was ended by signal 9 (Killed)")) << text;
    EXPECT_TRUE(has(text, fmt::format("PX4 (process {})", pid))) << text;
    EXPECT_TRUE(has(text, "at t = ")) << text;
  }
}

}  // namespace
}  // namespace tactus
