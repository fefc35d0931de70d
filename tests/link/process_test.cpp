// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/net/process.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "tactus/core/error.h"

namespace tactus {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

ProcessParameters shell(const std::string& script) {
  ProcessParameters parameters;
  parameters.name = "the shell";
  parameters.command = {"/bin/sh", "-c", script};
  return parameters;
}

bool comes_true(const std::function<bool()>& condition) {
  const auto end = Clock::now() + 5s;
  while (!condition()) {
    if (Clock::now() > end) return false;
    std::this_thread::sleep_for(5ms);
  }
  return true;
}

bool ends(ChildProcess& child) {
  return comes_true([&child] { return !child.running(); });
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

TEST(Process, RunsInItsOwnFolderWithItsEnvironment) {
  ProcessParameters parameters = shell("echo \"$COLOUR\"; pwd; echo oops >&2; exit 3");
  parameters.environment = {{"COLOUR", "green"}};
  std::string folder;
  {
    ChildProcess child(parameters);
    folder = child.folder();
    ASSERT_TRUE(ends(child));
    EXPECT_EQ(child.exit_text(), "ended with status 3");
    EXPECT_EQ(child.console_tail(10), "green\n" + folder + "\noops");
    EXPECT_EQ(child.console_tail(1), "oops");
    EXPECT_TRUE(std::filesystem::exists(folder + "/console.txt"));
  }
  EXPECT_FALSE(std::filesystem::exists(folder)) << "a temporary folder is removed";
}

TEST(Process, AGivenFolderStaysWithTheConsoleInIt) {
  const std::string folder = ::testing::TempDir() + "/tactus_process_test";
  std::filesystem::remove_all(folder);
  ProcessParameters parameters = shell("printf '\\033[32mgreen\\033[0m\\r\\n'");
  parameters.folder = folder;
  {
    ChildProcess child(parameters);
    ASSERT_TRUE(ends(child));
    EXPECT_EQ(child.console_tail(5), "green") << "no colours in messages";
  }
  std::ifstream file(folder + "/console.txt");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_NE(text.find("green"), std::string::npos);
  std::filesystem::remove_all(folder);
}

TEST(Process, ItsConsoleReplacesAnOlderOneAndFollowsNoLink) {
  const std::string folder = ::testing::TempDir() + "/tactus_process_console_test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  std::ofstream(folder + "/console.txt") << "older";
  ProcessParameters parameters = shell("echo new");
  parameters.folder = folder;
  const auto console = [&folder] {
    std::ifstream file(folder + "/console.txt");
    return std::string{std::istreambuf_iterator<char>(file), {}};
  };
  {
    ChildProcess child(parameters);
    ASSERT_TRUE(ends(child));
    EXPECT_THROW(ChildProcess second(parameters), Error) << "two programs, one console";
  }
  EXPECT_EQ(console(), "new\n");
  std::filesystem::rename(folder + "/console.txt", folder + "/victim");
  std::filesystem::create_symlink("victim", folder + "/console.txt");
  EXPECT_THROW(ChildProcess child(parameters), Error);
  EXPECT_EQ(console(), "new\n");
  std::filesystem::remove_all(folder);
}

TEST(Process, TheEndOfAConsoleIsBounded) {
  ChildProcess child(shell("head -c 100000 /dev/zero | tr '\\0' x"));
  ASSERT_TRUE(comes_true([&child] { return !child.running(); }));
  const std::string end = child.console_tail(12);
  EXPECT_TRUE(end.starts_with("…xxx") && end.size() < 5'000) << end.size();
}

TEST(Process, AConsoleThatCannotBeWrittenIsReported) {
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  rlimit small = before;
  small.rlim_cur = 4;
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &small);
  {
    ChildProcess child(shell("echo much too long"));
    EXPECT_TRUE(comes_true([&child] { return !child.console_failure().empty(); }));
    EXPECT_NE(child.console_failure().find("console.txt: cannot be written"), std::string::npos);
    EXPECT_EQ(child.console_tail(1), "much too long");
  }
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
}

TEST(Process, WhatCannotBeStartedIsNamed) {
  ProcessParameters parameters = shell("");
  parameters.command = {"/nowhere/px4"};
  try {
    const ChildProcess child(parameters);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kEnvironment);
    EXPECT_NE(std::string(error.what()).find("/nowhere/px4"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("No such file"), std::string::npos);
  }
}

TEST(Process, ACrashedProgramSaysHow) {
  ChildProcess child(shell("kill -9 $$"));
  ASSERT_TRUE(ends(child));
  EXPECT_EQ(child.exit_text(), "was ended by signal 9 (Killed)");
}

TEST(Process, EndIsGentleFirst) {
  ChildProcess child(shell("trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.05; done"));
  ASSERT_TRUE(comes_true([&child] { return child.console_tail(1) == "up"; }));
  EXPECT_EQ(child.exit_text(), "");
  child.end();
  EXPECT_EQ(child.exit_text(), "ended with status 0");
  EXPECT_EQ(child.console_tail(1), "bye");
}

TEST(Process, OneThatDoesNotListenIsEndedAllTheSame) {
  ChildProcess child(shell("trap '' TERM; echo up; while :; do sleep 0.05; done"));
  ASSERT_TRUE(comes_true([&child] { return child.console_tail(1) == "up"; }));
  const auto start = Clock::now();
  child.end();
  EXPECT_GE(seconds_since(start), 1.9);
  EXPECT_LT(seconds_since(start), 4.0);
  EXPECT_EQ(child.exit_text(), "was ended by signal 9 (Killed)");
}

TEST(Process, AStoppedOneEndsWithoutTheWait) {
  ChildProcess child(shell("echo up; kill -STOP $$; sleep 60"));
  ASSERT_TRUE(comes_true([&child] { return child.console_tail(1) == "up"; }));
  std::this_thread::sleep_for(50ms);
  const auto start = Clock::now();
  child.end();
  EXPECT_LT(seconds_since(start), 1.5);
}

/// Zombies of a container without a reaping init count as gone.
bool gone(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string number, name, state;
  file >> number >> name >> state;
  return !file || state == "Z" || state == "X";
}

TEST(Process, WhatItStartedEndsWithIt) {
  ChildProcess child(shell("sleep 600 & echo $!; wait"));
  ASSERT_TRUE(comes_true([&child] { return !child.console_tail(1).empty(); }));
  const pid_t grandchild = std::stoi(child.console_tail(1));
  EXPECT_FALSE(gone(grandchild));
  child.end();
  EXPECT_TRUE(comes_true([grandchild] { return gone(grandchild); }));
}

// A crash of ours leaves nothing behind: here a forked copy starts one and dies at once.
TEST(Process, ItDoesNotOutliveUs) {
  int ends_of_pipe[2];
  ASSERT_EQ(::pipe(ends_of_pipe), 0);
  const pid_t middle = ::fork();
  if (middle == 0) {
    ChildProcess child(shell("exec sleep 600"));
    const pid_t number = child.pid();
    const ssize_t written = ::write(ends_of_pipe[1], &number, sizeof number);
    ::_exit(written > 0 ? 0 : 1);
  }
  pid_t sleeper = 0;
  ASSERT_EQ(::read(ends_of_pipe[0], &sleeper, sizeof sleeper), ssize_t{sizeof sleeper});
  ::waitpid(middle, nullptr, 0);
  ::close(ends_of_pipe[0]);
  ::close(ends_of_pipe[1]);
  EXPECT_TRUE(comes_true([sleeper] { return gone(sleeper); }));
}

TEST(Process, AFloodOfTextIsBounded) {
  ProcessParameters parameters = shell(
      "i=0; while [ $i -lt 20000 ]; do echo line $i; "
      "i=$((i+1)); done; echo last");
  parameters.console_kept = 1000;
  parameters.console_file_limit = 5000;
  ChildProcess child(parameters);
  ASSERT_TRUE(ends(child));
  EXPECT_EQ(child.console_tail(2), "line 19999\nlast");
  EXPECT_LE(child.console_tail(100'000).size(), 2000U);
  EXPECT_EQ(std::filesystem::file_size(child.folder() + "/console.txt"), 5000U);
}

TEST(Process, LaysOutItsMemoryAlikeIfAskedTo) {
  const auto stack_of = [](bool same_addresses) {
    ProcessParameters parameters = shell("grep stack /proc/self/maps");
    parameters.same_addresses = same_addresses;
    ChildProcess child(parameters);
    EXPECT_TRUE(ends(child));
    return child.console_tail(1).substr(0, 12);
  };
  EXPECT_EQ(stack_of(true), stack_of(true));
}

}  // namespace
}  // namespace tactus
