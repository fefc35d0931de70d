// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Stand-ins of autopilots under the conductor: what they do depends on what they get, and on nothing
// else. needs: doubles

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "tactus/link/net/conducted_link.h"
#include "tactus/link/net/conducted_program.h"
#include "tests/support/px4_bench.h"

namespace tactus {
namespace {

using testing::has;
using testing::Px4SitlTest;
using Bench = testing::Px4Bench;

class Conducted : public Px4SitlTest {
 protected:
  static Bench bench(const std::string& how = "", LatePolicy late = LatePolicy::kFail) {
    Bench made(how, late);
    made.parameters.free = false;
    made.parameters.instance = 0;  // its network is its own
    return made;
  }
};

std::vector<double> drives_of(Bench& bench, int steps) {
  std::vector<double> drives;
  bench.take_off();
  for (int i = 0; i < steps; ++i) {
    bench.step();
    drives.insert(drives.end(), bench.output.command.motor, bench.output.command.motor + 4);
  }
  return drives;
}

TEST_F(Conducted, FliesAndAnswersEveryStep) {
  Bench bench = Conducted::bench();
  bench.take_off();
  bench.steps(1500);
  EXPECT_TRUE(bench.output.status.armed);
  EXPECT_NEAR(bench.quad.height_m(), 2.5, 0.3);
  EXPECT_TRUE(bench.notes.empty());
  EXPECT_TRUE(bench.autopilot().warnings().empty());
}

TEST_F(Conducted, TwoAtATimeAndOneThatStandsStillFlyTheSame) {
  Bench first = bench();
  Bench second = bench();  // the same ports
  const std::vector<double> expected = drives_of(first, 500);
  second.step();
  const pid_t pid = second.autopilot().process()->pid();
  std::thread stop([pid] {
    for (int i = 0; i < 3; ++i) {
      ::kill(pid, SIGSTOP);
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      ::kill(pid, SIGCONT);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  });
  Bench third = bench();
  EXPECT_EQ(drives_of(third, 500), expected);
  stop.join();
}

TEST_F(Conducted, OneThatSleepsInVirtualTimeIsNotLate) {
  Bench bench = Conducted::bench("--slow-at 300");  // 300 ms of its own time
  bench.take_off();
  bench.steps(500);
  EXPECT_EQ(bench.count("PX4 late"), 0);
  EXPECT_TRUE(bench.autopilot().warnings().empty());
}

TEST_F(Conducted, OneThatDoesNotAnswerKeepsItsLastCommand) {
  Bench bench = Conducted::bench("--mute-at 300 --mute-until 320");
  bench.take_off();
  bench.steps(500);
  EXPECT_EQ(bench.count("PX4 late"), 0) << "it had nothing to say, and soon";
}

TEST_F(Conducted, OneThatEndsIsNamed) {
  const std::string error = Conducted::bench("--die-at 100").error_within(200);
  EXPECT_TRUE(has(error, "ended with status 7")) << error;
}

TEST_F(Conducted, OneThatHangsIsNamedWithItsThreads) {
  Bench bench = Conducted::bench();
  bench.link.exchange_deadline = DurationUs(300'000);
  bench.steps(50);
  const pid_t pid = bench.autopilot().process()->pid();
  ::kill(pid, SIGSTOP);
  const std::string error = bench.error_within(5);
  EXPECT_TRUE(has(error, "did not answer within 300ms")) << error;
  EXPECT_TRUE(has(error, "Its threads:")) << error;
  EXPECT_TRUE(has(error, " main ")) << error;
}

TEST_F(Conducted, OneThatNeverConnectsIsNamed) {
  Bench bench = Conducted::bench("--no-connect");
  bench.link.connect_deadline = DurationUs(500'000);
  const std::string error = bench.error_within(1);
  EXPECT_TRUE(has(error, "did not connect to TCP port")) << error;
}

// ---- programs that are no autopilots

ProcessParameters shell(const std::string& script) {
  ProcessParameters parameters;
  parameters.name = "a test";
  parameters.command = {"/bin/sh", "-c", script};
  return parameters;
}

TEST(ConductedProgram, HasAFixedTimeAndEnvironment) {
  ConductedProgram program(shell("echo $TZ $LC_ALL"), 1);
  EXPECT_EQ(program.turn(Deadline::after(DurationUs(10'000'000)), {}), TurnEnd::kEnded);
  EXPECT_EQ(program.process().console_tail(1), "UTC0 C");
}

TEST(ConductedProgram, AskedToEndItEnds) {
  ConductedProgram program(shell("trap 'echo bye; exit 3' TERM; while :; do sleep 1; done"), 1);
  program.turn(Deadline::after(DurationUs(100'000)), {});
  program.end();
  EXPECT_FALSE(program.process().running());
}

}  // namespace
}  // namespace tactus
