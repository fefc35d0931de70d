// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// How files are created: nothing that is there is written to, no link is followed, what is replaced
// stays until the new file is whole, and nothing unfinished is left behind.

#include "tactus/files/output_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "tactus/core/error.h"

namespace tactus {
namespace {

namespace fs = std::filesystem;

constexpr OutputRules kText{.replaces = true, .streams = true};

/// A folder of its own for each test.
class OutputFileTest : public ::testing::Test {
 public:
  OutputFileTest() {
    const auto* const test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() /
              (std::string("output_file_") + test->name() + std::to_string(::getpid()));
    fs::remove_all(folder_);
    fs::create_directory(folder_);
  }
  ~OutputFileTest() override { fs::remove_all(folder_); }
  OutputFileTest(const OutputFileTest&) = delete;
  OutputFileTest& operator=(const OutputFileTest&) = delete;

 protected:
  [[nodiscard]] std::string path(const std::string& name) const { return folder_ / name; }
  [[nodiscard]] std::string content(const std::string& name) const {
    std::ifstream in(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void put(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  void write(const std::string& name, const OutputRules& rules) const {
    OutputFile file(path(name), rules);
    file.append("new");
    file.publish();
  }
  void expect_refused(const std::string& name, const OutputRules& rules, const char* why) const {
    for (const bool created : {false, true}) {
      try {
        if (created) write(name, rules);
        if (!created) OutputFile::require_possible(path(name), rules);
        ADD_FAILURE() << name << " was accepted";
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::kEnvironment);
        EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
      }
    }
  }

  static std::string refusal(const std::function<void()>& action) {
    try {
      action();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kEnvironment);
      return error.what();
    }
    ADD_FAILURE() << "nothing was refused";
    return {};
  }

  fs::path folder_;
};

TEST_F(OutputFileTest, AFileGetsItsNameWhenItIsPublished) {
  {
    OutputFile file(path("a"));
    file.append("one");
    EXPECT_FALSE(fs::exists(path("a")));
    file.publish();
    EXPECT_EQ(content("a"), "one");
    file.write(0, "ONE", 3);  // a recording grows after it has got its name
  }
  EXPECT_EQ(content("a"), "ONE");
  EXPECT_EQ(files(), 1U);
}

TEST_F(OutputFileTest, OneThatIsNotPublishedIsRemoved) {
  { OutputFile file(path("a")); }
  EXPECT_EQ(files(), 0U);
  {
    OutputFile file(path("a"));
    OutputFile::remove_unfinished();
    EXPECT_EQ(files(), 0U);
  }
}

TEST_F(OutputFileTest, AnExistingFileIsReplacedOnlyIfItMayBeAndOnlyAtTheEnd) {
  put("a", "old");
  fs::permissions(path("a"), fs::perms::owner_read | fs::perms::owner_write);
  expect_refused("a", {}, "exists already; choose another name or remove it");
  {
    OutputFile file(path("a"), kText);
    file.append("lost");
    EXPECT_EQ(content("a"), "old");
  }
  EXPECT_EQ(content("a"), "old");
  write("a", kText);
  EXPECT_EQ(content("a"), "new");
  EXPECT_EQ(fs::status(path("a")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(files(), 1U);
}

TEST_F(OutputFileTest, ANameBesideItIsLeftAlone) {
  put("victim", "precious");
  for (const char* name : {"a.part", "a.tmp"}) fs::create_symlink("victim", folder_ / name);
  write("a", {});
  EXPECT_EQ(content("victim"), "precious");
  EXPECT_EQ(content("a"), "new");
  EXPECT_EQ(files(), 4U);
}

TEST_F(OutputFileTest, NoSymbolicLinkIsWrittenThrough) {
  put("victim", "precious");
  fs::create_symlink("victim", path("link"));
  fs::create_symlink("nowhere", path("dangling"));
  for (const OutputRules& rules : {OutputRules{}, kText}) {
    expect_refused("link", rules, "is a symbolic link");
    expect_refused("dangling", rules, "is a symbolic link that leads nowhere");
  }
  EXPECT_EQ(content("victim"), "precious");
  EXPECT_FALSE(fs::exists(path("nowhere")));
  EXPECT_EQ(files(), 3U);
}

TEST_F(OutputFileTest, ALinkThatComesUpInTheMeantimeIsNotFollowed) {
  put("victim", "precious");
  put("a", "old");
  OutputFile replaced(path("a"), kText);
  fs::remove(path("a"));
  fs::create_symlink("victim", path("a"));
  EXPECT_THROW(replaced.publish(), Error);
  OutputFile fresh(path("b"));
  fs::create_symlink("victim", path("b"));
  EXPECT_THROW(fresh.publish(), Error);
  EXPECT_EQ(content("victim"), "precious");
}

TEST_F(OutputFileTest, OfTwoThatWriteOneNameTheSecondIsRefusedAtOnce) {
  for (const OutputRules& rules : {OutputRules{}, kText, OutputRules{.named_early = true}}) {
    for (const bool there : {false, true}) {
      if (there && !rules.replaces) continue;
      fs::remove(path("a"));
      if (there) put("a", "old");
      OutputFile first(path("a"), rules);
      EXPECT_NE(refusal([&] { OutputFile second(path("a"), rules); }).find("another program is"),
                std::string::npos);
      first.begin();  // it may have its name from here on
      EXPECT_NE(refusal([&] { OutputFile second(path("a"), rules); }).find("another program is"),
                std::string::npos);
      first.append("first");
      first.publish();
      EXPECT_EQ(content("a"), "first");
      EXPECT_TRUE(OutputFile::is_being_written(path("a")));
    }
    EXPECT_FALSE(OutputFile::is_being_written(path("a")));
    EXPECT_EQ(files(), 1U);
  }
}

TEST_F(OutputFileTest, OtherNamesInTheSameFolderAreFree) {
  OutputFile first(path("a"));
  OutputFile second(path("b"));
  second.publish();
  first.publish();
  EXPECT_EQ(files(), 2U);
}

TEST_F(OutputFileTest, WhatAKillHasLeftIsTakenAway) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    OutputFile file(path("a"));
    file.append("half");
    ::raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(files(), 1U);
  write("a", {});
  EXPECT_EQ(content("a"), "new");
  EXPECT_EQ(files(), 1U);
}

TEST_F(OutputFileTest, ASignalAtAnyInstantLeavesNothing) {
  constexpr int kRounds = 100;
  for (int round = 0; round < kRounds; ++round) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      std::signal(SIGUSR1, [](int) {
        OutputFile::remove_unfinished();
        ::_exit(0);
      });
      put("ready", "");
      for (;;) OutputFile file(path("a"));
    }
    while (!fs::exists(path("ready"))) ::usleep(100);
    ::usleep(static_cast<useconds_t>(round));
    ASSERT_EQ(::kill(child, SIGUSR1), 0);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status));
    fs::remove(path("ready"));
    ASSERT_EQ(files(), 0U) << "round " << round;
  }
}

TEST_F(OutputFileTest, SomethingElseUnderItsFirstNameIsLeftAlone) {
  { OutputFile file(path("a")); }
  std::string part;
  {
    OutputFile file(path("a"));
    part = fs::directory_iterator(folder_)->path().filename();
  }
  put("victim", "precious");
  fs::create_symlink("victim", folder_ / part);
  EXPECT_NE(refusal([&] { write("a", {}); }).find("in the way"), std::string::npos);
  EXPECT_EQ(content("victim"), "precious");
  EXPECT_TRUE(fs::is_symlink(folder_ / part));
}

/// What is done to a file that has its name already, and to one that has not.
TEST_F(OutputFileTest, AFileThatIsGoneAtItsEndIsReported) {
  for (const bool named : {false, true}) {
    const auto end_of = [&](auto&& disturb) {
      fs::remove_all(folder_);
      fs::create_directory(folder_);
      OutputFile file(path("a"), {.named_early = named});
      file.begin();
      file.append("text");
      disturb(fs::directory_iterator(folder_)->path());
      return refusal([&] { file.publish(); });
    };
    const std::string removed = end_of([](const fs::path& file) { fs::remove(file); });
    EXPECT_NE(removed.find("removed or replaced"), std::string::npos) << removed;
    EXPECT_NE(removed.find("is lost"), std::string::npos) << removed;
    const std::string replaced = end_of([](const fs::path& file) {
      fs::remove(file);
      std::ofstream(file) << "another";
    });
    EXPECT_NE(replaced.find("removed or replaced"), std::string::npos) << replaced;
    const std::string moved =
        end_of([this](const fs::path& file) { fs::rename(file, path("elsewhere")); });
    EXPECT_NE(moved.find("is in " + path("elsewhere")), std::string::npos) << moved;
    EXPECT_EQ(content("elsewhere"), "text");
    const std::string folder = end_of([this](const fs::path&) { fs::remove_all(folder_); });
    EXPECT_NE(folder.find("is lost"), std::string::npos) << folder;
  }
  fs::create_directory(folder_);
}

TEST_F(OutputFileTest, AHardLinkKeepsWhatItHas) {
  put("a", "old");
  fs::create_hard_link(path("a"), path("b"));
  write("a", kText);
  EXPECT_EQ(content("a"), "new");
  EXPECT_EQ(content("b"), "old");
}

TEST_F(OutputFileTest, WhatIsNoPlainFileIsNotReplaced) {
  fs::create_directory(path("folder"));
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  expect_refused("folder", kText, "is a folder");
  expect_refused("pipe", {}, "is no plain file");
  OutputRules rewinds = kText;
  rewinds.rewinds = true;
  expect_refused("pipe", rewinds, "is no plain file");
  expect_refused("no_folder/a", kText, "No such file or directory");
  expect_refused(std::string(300, 'x'), kText, "File name too long");
}

TEST_F(OutputFileTest, AFileOfHdf5IsKeptWhereLogsAreReplaced) {
  put("a", "\x89HDF\r\n\x1a\nand more");
  OutputRules keeps = kText;
  keeps.keeps_hdf5 = true;
  expect_refused("a", keeps, "is an HDF5 file");
  write("a", kText);
  EXPECT_EQ(content("a"), "new");
}

TEST_F(OutputFileTest, ANameMayBeAsLongAsTheFileSystemAllows) {
  const std::string longest(255, 'x');
  write(longest, {});
  EXPECT_EQ(content(longest), "new");
}

TEST_F(OutputFileTest, WhatCannotBeWrittenIsReported) {
  OutputFile file("/dev/full", kText);
  file.append("text");
  EXPECT_EQ(file.failure(), ENOSPC);
  EXPECT_THROW(file.require_written(), Error);
}

}  // namespace
}  // namespace tactus
