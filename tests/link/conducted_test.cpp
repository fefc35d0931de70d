// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Stand-ins of autopilots under the conductor: what they do depends on what they get, and on
// nothing else. needs: doubles

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tactus/link/net/conducted_link.h"
#include "tactus/link/net/conducted_program.h"
#include "tactus/link/net/join_conductor.h"
#include "tactus/link/net/work_folder.h"
#include "tests/support/compiled_program.h"
#include "tests/support/px4_bench.h"
#include "tests/support/scale.h"

namespace tactus {
namespace {

using testing::double_path;
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
  const std::string text = env.child()->console_tail(1000);
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
    return ls.child()->console_tail(1000);
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
  ASSERT_TRUE(conducted.accept(4560, DurationUs(20'000'000), {}));
  for (int i = 0; i < 100 && conducted.running(); ++i) {
    conducted.set_limit_ns(conducted.limit_ns() + 10'000'000);
    conducted.turn(deadline, {});
  }
  EXPECT_EQ(conducted.child()->console_tail(5), "0 111 ");
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

// ---- programs that the user starts

/// A process that does this and ends with status 0; with the exit code of an Error that is thrown.
class Process {
 public:
  explicit Process(const std::function<void()>& act) : pid_(::fork()) {
    if (pid_ != 0) return;
    int status = 0;
    try {
      act();
    } catch (const Error& error) {
      status = static_cast<int>(error.code());
    }
    ::_exit(status);
  }
  ~Process() {
    kill();
    status();
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void kill() const {
    if (!status_) ::kill(pid_, SIGKILL);
  }
  /// Its exit status when it has ended; -1: by a signal.
  int status() {
    if (!status_) {
      int status = 0;
      ::waitpid(pid_, &status, 0);
      status_ = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    return *status_;
  }

 private:
  pid_t pid_;
  std::optional<int> status_;
};

class Joined : public Conducted {};

Deadline within_a_minute() { return Deadline::after(DurationUs(60'000'000)); }

std::string refused(ExitCode code, const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  return "not at all";
}

TEST_F(Joined, AProgramOfTheUserIsConductedLikeOneOfOurs) {
  ConductedProgram conducted("a test", 1);
  const std::string folder = conducted.open_for_joining();
  EXPECT_EQ(conducted.pid(), 0);
  EXPECT_TRUE(conducted.running()) << "it may still come";
  Process user([&] { join_conductor(folder, {double_path(), "--no-connect"}); });
  EXPECT_EQ(conducted.turn(within_a_minute(), {}), TurnEnd::kIdle);
  EXPECT_NE(conducted.pid(), 0);
  EXPECT_TRUE(has(conducted.stop_text(), "main waits for time")) << conducted.stop_text();
  conducted.set_limit_ns(conducted.limit_ns() + 59'000'000'000);
  EXPECT_EQ(conducted.turn(within_a_minute(), {}), TurnEnd::kIdle);
  EXPECT_EQ(conducted.now_ns(), conducted.limit_ns()) << "it sleeps for a minute";
  conducted.end();
  EXPECT_EQ(user.status(), -1) << "by SIGTERM";
  EXPECT_FALSE(conducted.running());
}

TEST_F(Joined, OneThatHasEndedButIsStillKnownToItsParentHasEnded) {
  ConductedProgram conducted("a test", 1);
  const std::string folder = conducted.open_for_joining();
  Process user([&] { join_conductor(folder, {"true"}); });
  EXPECT_EQ(conducted.turn(within_a_minute(), {}), TurnEnd::kEnded);
  EXPECT_EQ(user.status(), 0);
}

TEST_F(Joined, OnlyOneMayJoin) {
  ConductedProgram conducted("a test", 1);
  const std::string folder = conducted.open_for_joining();
  Process first([&] { join_conductor(folder, {double_path(), "--no-connect"}); });
  ASSERT_EQ(conducted.turn(within_a_minute(), {}), TurnEnd::kIdle);
  const std::string text =
      refused(ExitCode::kBadInput, [&] { join_conductor(folder, {double_path()}); });
  EXPECT_TRUE(has(text, "another program (process ")) << text;
  EXPECT_TRUE(has(text, folder)) << text;
}

TEST_F(Joined, OneThatCouldNotBeStartedLeavesItsPlace) {
  ConductedProgram conducted("a test", 1);
  const std::string folder = conducted.open_for_joining();
  const std::string broken = ::testing::TempDir() + "/tactus_broken_program";
  std::ofstream(broken) << "neither a program nor a script";
  std::filesystem::permissions(broken, std::filesystem::perms::owner_all);
  EXPECT_TRUE(has(refused(ExitCode::kEnvironment, [&] { join_conductor(folder, {broken}); }),
                  "tactus_broken_program"));
  EXPECT_EQ(conducted.pid(), 0);
  Process user([&] { join_conductor(folder, {"true"}); });
  EXPECT_EQ(conducted.turn(within_a_minute(), {}), TurnEnd::kEnded);
}

TEST_F(Joined, WhereNoFlightWaitsOrNoProgramIsItIsRefused) {
  const std::string empty = ::testing::TempDir() + "/tactus_no_conductor";
  std::filesystem::create_directories(empty);
  std::string gone;
  {
    ConductedProgram conducted("a test", 1);
    gone = conducted.open_for_joining();
  }
  for (const std::string& folder : {empty, gone, std::string("/nowhere")}) {
    const std::string text =
        refused(ExitCode::kBadInput, [&] { join_conductor(folder, {"true"}); });
    EXPECT_TRUE(has(text, "no flight waits for a program at")) << text;
  }
  std::ofstream(empty + "/channel") << "something else";
  EXPECT_TRUE(has(refused(ExitCode::kBadInput, [&] { join_conductor(empty, {"true"}); }),
                  "no flight waits"));
  std::filesystem::remove(empty + "/channel");
  for (const std::string& program : {std::string("/nowhere/px4"), std::string("no-such-program"),
                                     std::string("/tmp"), std::string("/etc/passwd")}) {
    const std::string text =
        refused(ExitCode::kEnvironment, [&] { join_conductor(empty, {program}); });
    EXPECT_TRUE(has(text, program)) << text;
  }
}

TEST_F(Joined, OneWhoseFlightIsKilledEndsByItself) {
  int ends[2] = {-1, -1};
  ASSERT_EQ(::pipe(ends), 0);
  Process flight([&] {
    ConductedProgram conducted("a test", 1);
    const std::string& folder = conducted.open_for_joining();
    if (::write(ends[1], folder.c_str(), folder.size() + 1) <= 0) return;
    conducted.turn(within_a_minute(), {});
    if (::write(ends[1], "idle", 5) > 0) ::pause();
  });
  ::close(ends[1]);
  const auto read_text = [&] {
    std::string text;
    char letter = 0;
    while (::read(ends[0], &letter, 1) == 1 && letter != 0) text += letter;
    return text;
  };
  const std::string folder = read_text();
  Process user([&] { join_conductor(folder, {double_path(), "--no-connect"}); });
  EXPECT_EQ(read_text(), "idle");
  flight.kill();  // it is not reaped yet
  EXPECT_EQ(user.status(), 125);
  flight.status();
  ::close(ends[0]);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace tactus
