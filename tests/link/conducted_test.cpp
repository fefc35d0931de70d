// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Stand-ins of autopilots under the conductor: what they do depends on what they get, and on
// nothing else. needs: doubles

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "tactus/link/net/conducted_link.h"
#include "tactus/link/net/conducted_program.h"
#include "tactus/link/net/work_folder.h"
#include "tests/support/compiled_program.h"
#include "tests/support/px4_bench.h"
#include "tests/support/scale.h"

namespace tactus {
namespace {

using testing::has;
using testing::Px4SitlTest;

/// Its network is its own, so all have the same instance.
struct Bench : testing::Px4Bench {
  explicit Bench(const std::string& how = "", LatePolicy late = LatePolicy::kFail)
      : Px4Bench(how, late) {
    parameters.free = false;
    parameters.instance = 0;
  }
};

class Conducted : public Px4SitlTest {
 protected:
  void SetUp() override {
    if (testing::sanitized()) GTEST_SKIP() << "programs with sanitizers cannot be conducted";
    Px4SitlTest::SetUp();
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
  Bench bench;
  bench.take_off();
  bench.steps(1500);
  EXPECT_TRUE(bench.output.status.armed);
  EXPECT_NEAR(bench.quad.height_m(), 2.5, 0.3);
  EXPECT_TRUE(bench.notes.empty());
  EXPECT_TRUE(bench.autopilot().warnings().empty());
}

TEST_F(Conducted, TellsWhatItIsMadeOf) {
  Bench bench;
  EXPECT_TRUE(bench.autopilot().program_facts().empty());
  bench.steps(3);
  const std::string facts = to_text(bench.autopilot().program_facts());
  EXPECT_TRUE(has(facts, "program: double_px4_hil_client, ")) << facts;
  EXPECT_TRUE(has(facts, "library libm.so.6: ")) << facts;
  EXPECT_TRUE(has(facts, "GNU C Library ")) << facts;
  EXPECT_TRUE(has(facts, "tunables: glibc.cpu.hwcaps=-AVX2,-FMA")) << facts;
  EXPECT_TRUE(has(facts, "arena_max")) << facts;
  EXPECT_TRUE(has(facts, "threads: conducted, ")) << facts;
  EXPECT_FALSE(has(facts, "libtactus_conductor")) << facts;
  std::vector<ExternalBytes> bytes;
  bench.autopilot().take_external_bytes(bytes);
}

TEST_F(Conducted, TwoAtATimeAndOneThatStandsStillFlyTheSame) {
  Bench undisturbed;
  Bench stopped;  // the same ports
  undisturbed.step();
  stopped.step();
  const std::vector<double> expected = drives_of(undisturbed, 500);
  const pid_t pid = stopped.autopilot().process()->pid();
  std::thread stop([pid] {
    for (int i = 0; i < 3; ++i) {
      ::kill(pid, SIGSTOP);
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      ::kill(pid, SIGCONT);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  });
  EXPECT_EQ(drives_of(stopped, 500), expected);
  stop.join();
}

TEST_F(Conducted, OneThatSleepsInVirtualTimeIsNotLate) {
  Bench bench("--slow-at 300");  // 300 ms of its own time
  bench.take_off();
  bench.steps(500);
  EXPECT_EQ(bench.count("PX4 late"), 0);
  EXPECT_TRUE(bench.autopilot().warnings().empty());
}

TEST_F(Conducted, OneThatDoesNotAnswerKeepsItsLastCommand) {
  Bench bench("--mute-at 300 --mute-until 320");
  bench.take_off();
  bench.steps(500);
  EXPECT_EQ(bench.count("PX4 late"), 0) << "it had nothing to say, and soon";
}

TEST_F(Conducted, OneThatEndsIsNamed) {
  const std::string error = Bench("--die-at 100").error_within(200);
  EXPECT_TRUE(has(error, "ended with status 7")) << error;
}

TEST_F(Conducted, OneThatHangsIsNamedWithItsThreads) {
  Bench bench;
  bench.link.exchange_deadline = DurationUs(300'000);
  bench.steps(50);
  const pid_t pid = bench.autopilot().process()->pid();
  ::kill(pid, SIGSTOP);
  const std::string error = bench.error_within(5);
  EXPECT_TRUE(has(error, "did not answer within 300ms")) << error;
  EXPECT_TRUE(has(error, "Its threads:")) << error;
  EXPECT_TRUE(has(error, " main ")) << error;
}

TEST_F(Conducted, AMinuteOfItsOwnUntilItConnectsIsNone) {
  Bench bench("--no-connect");  // for a minute
  bench.link.connect_deadline = DurationUs(30'000'000);
  const auto start = testing::Clock::now();
  bench.steps(100);
  EXPECT_LT(testing::seconds_since(start), 30.0);
}

// ---- programs that are no autopilots

ProcessParameters program(const std::string& path) {
  ProcessParameters parameters;
  parameters.name = "a test";
  parameters.command = {path};
  return parameters;
}

TEST(ConductedProgram, HasAFixedEnvironment) {
  ::setenv("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-SSE4_1", 1);  // for some other program
  ConductedProgram env(program("/usr/bin/env"), 1);
  ::unsetenv("GLIBC_TUNABLES");
  EXPECT_EQ(env.turn(Deadline::after(DurationUs(10'000'000)), {}), TurnEnd::kEnded);
  const std::string text = env.process().console_tail(1000);
  EXPECT_TRUE(has(text, "TZ=UTC0")) << text;
  EXPECT_TRUE(has(text, "LC_ALL=C")) << text;
  EXPECT_TRUE(has(text, "GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA")) << text;
  EXPECT_FALSE(has(text, "-SSE4_1")) << text;
}

/// Which descriptors are free does not depend on those of ours.
TEST(ConductedProgram, HasTheSameDescriptorsWhateverIsOpenHere) {
  const auto descriptors = [] {
    ProcessParameters list = program("/bin/ls");
    list.command.emplace_back("/proc/self/fd");
    ConductedProgram ls(list, 1);
    EXPECT_EQ(ls.turn(Deadline::after(DurationUs(10'000'000)), {}), TurnEnd::kEnded);
    return ls.process().console_tail(1000);
  };
  const std::string expected = descriptors();
  EXPECT_TRUE(has(expected, "0\n1\n2\n3\n")) << expected;
  std::vector<Descriptor> open;
  open.reserve(20);
  for (int i = 0; i < 20; ++i) open.emplace_back(::dup(STDIN_FILENO));
  EXPECT_EQ(descriptors(), expected);
  open.erase(open.begin(), open.begin() + 10);
  EXPECT_EQ(descriptors(), expected);
}

bool lives(pid_t process) { return ::kill(process, 0) == 0; }

/// A process that has left the program's group and session ends with it all the same.
TEST(ConductedProgram, WhatItLeavesBehindEndsWithIt) {
  if (testing::sanitized()) GTEST_SKIP() << "programs with sanitizers cannot be conducted";
  const WorkFolder folder("", "a test");
  const std::string file = folder.path() + "/pid";
  const std::string script = folder.path() + "/script";
  std::ofstream(script) << "#!/bin/bash\nsetsid /bin/sleep 600 </dev/null >/dev/null 2>&1 &\n"
                           "echo $! >" +
                               file + "\nexec /bin/sleep 1\n";
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  pid_t left = 0;
  {
    ConductedProgram conducted(program(script), 1);
    const Deadline deadline = Deadline::after(DurationUs(10'000'000));
    while (!(std::ifstream(file) >> left) && !deadline.passed()) {
      conducted.turn(Deadline::after(DurationUs(100'000)), {});
    }
    ASSERT_GT(left, 0);
    ASSERT_TRUE(lives(left));
  }
  const Deadline deadline = Deadline::after(DurationUs(10'000'000));
  const auto gone = [left] {
    std::ifstream stat("/proc/" + std::to_string(left) + "/stat");
    std::string word;
    char state = 'Z';
    stat >> word >> word >> state;
    return !lives(left) || state == 'Z';
  };
  while (!gone() && !deadline.passed()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_TRUE(gone());
}

TEST(ConductedProgram, AScriptThatDoesNotBecomeTheProgramIsToldSo) {
  const WorkFolder folder("", "a test");
  const std::string script = folder.path() + "/px4.sh";
  std::ofstream(script) << "#!/usr/bin/env bash\n/bin/sleep 600\n";
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  ConductedProgram conducted(program(script), 1);
  conducted.turn(Deadline::after(DurationUs(2'000'000)), {});
  EXPECT_TRUE(has(conducted.stop_text(), "px4.sh is a script that has started the program instead"))
      << conducted.stop_text();
}

/// Of two connections to one port in a turn the second is refused, not forgotten.
TEST(ConductedProgram, ASecondConnectionIsRefused) {
  if (testing::sanitized()) GTEST_SKIP() << "programs with sanitizers cannot be conducted";
  const WorkFolder folder("", "a test");
  const char* const source = R"(
#include <arpa/inet.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>
int main(void) {
  int sockets[2];
  for (int i = 0; i < 2; ++i) {
    struct sockaddr_in port = {AF_INET, htons(4560), {htonl(INADDR_LOOPBACK)}, {0}};
    sockets[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    connect(sockets[i], (struct sockaddr*)&port, sizeof port);
  }
  usleep(500000);
  for (int i = 0; i < 2; ++i) {
    int error = -1;
    socklen_t size = sizeof error;
    getsockopt(sockets[i], SOL_SOCKET, SO_ERROR, &error, &size);
    printf("%d ", error);
  }
  return 0;
}
)";
  if (!testing::compile_program(folder.path(), "twice", source)) {
    GTEST_SKIP() << "no C compiler is here";
  }
  ConductedProgram conducted(program(folder.path() + "/twice"), 1);
  const Deadline deadline = Deadline::after(DurationUs(20'000'000));
  ASSERT_TRUE(conducted.accept(4560, deadline, {}));
  for (int i = 0; i < 100 && conducted.process().running(); ++i) {
    conducted.set_limit_ns(conducted.limit_ns() + 10'000'000);
    conducted.turn(deadline, {});
  }
  EXPECT_EQ(conducted.process().console_tail(5), "0 111 ");
}

TEST(ConductedProgram, WhatCannotBeOrderedIsRefusedByName) {
  try {
    ConductedProgram shell(program("/bin/sh"), 1);
    FAIL() << "it suspends itself until a signal comes";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kEnvironment);
    EXPECT_TRUE(has(error.what(), "/bin/sh: it uses sigsuspend()")) << error.what();
    EXPECT_TRUE(has(error.what(), "--free")) << error.what();
  }
}

}  // namespace
}  // namespace tactus
