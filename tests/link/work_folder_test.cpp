// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/net/work_folder.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

namespace tactus {
namespace {

namespace fs = std::filesystem;

/// A parent of its own, and in it a folder whose owner was killed.
class StaleFolders : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const char* const set = std::getenv("TMPDIR")) before_ = set;
    ::setenv("TMPDIR", parent.path().c_str(), 1);
  }
  void TearDown() override {
    before_ ? ::setenv("TMPDIR", before_->c_str(), 1) : ::unsetenv("TMPDIR");
  }

  /// The path of the folder of a process that does not remove it. `lives`: it goes on.
  std::string folder_of_another(bool lives) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    other = ::fork();
    if (other == 0) {
      const WorkFolder folder("", "a test");
      std::ofstream(folder.path() + "/file") << "text";
      const std::string path = folder.path() + "\n";
      if (::write(ends[1], path.data(), path.size()) > 0) ::pause();  // until it is killed
      ::_exit(1);
    }
    std::string path;
    for (char c = 0; ::read(ends[0], &c, 1) == 1 && c != '\n';) path += c;
    ::close(ends[0]);
    ::close(ends[1]);
    if (!lives) end_other();
    return path;
  }
  void end_other() const {
    ::kill(other, SIGKILL);
    ::waitpid(other, nullptr, 0);
  }

  WorkFolder parent{"", "a test"};
  pid_t other = -1;

 private:
  std::optional<std::string> before_;
};

TEST_F(StaleFolders, OfOwnersThatWereKilledAreRemoved) {
  const std::string stale = folder_of_another(false);
  ASSERT_TRUE(fs::exists(stale + "/file"));
  remove_stale_folders(parent.path());
  EXPECT_FALSE(fs::exists(stale));
}

TEST_F(StaleFolders, OfOwnersThatLiveStay) {
  const std::string used = folder_of_another(true);
  const WorkFolder own("", "a test");
  remove_stale_folders(parent.path());
  EXPECT_TRUE(fs::exists(used + "/file"));
  EXPECT_TRUE(fs::exists(own.path()));
  end_other();
  remove_stale_folders(parent.path());
  EXPECT_FALSE(fs::exists(used));
}

TEST_F(StaleFolders, WhatHasNoLockOrAnotherNameStays) {
  const std::string elsewhere = folder_of_another(false);
  const std::string renamed = parent.path() + "/mine";
  fs::rename(elsewhere, renamed);
  fs::create_directory(parent.path() + "/tactus-abcdef");
  std::ofstream(parent.path() + "/tactus-file") << "text";
  fs::create_directory_symlink(renamed, parent.path() + "/tactus-link");
  remove_stale_folders(parent.path());
  EXPECT_TRUE(fs::exists(renamed + "/file"));
  EXPECT_TRUE(fs::exists(parent.path() + "/tactus-abcdef"));
  EXPECT_TRUE(fs::exists(parent.path() + "/tactus-file"));
  remove_stale_folders(parent.path() + "/nothing");
}

TEST(WorkFolder, ATemporaryOneIsRemovedAndANamedOneStays) {
  std::string temporary;
  {
    const WorkFolder folder("", "a test");
    temporary = folder.path();
    const WorkFolder named(temporary + "/named", "a test");
    EXPECT_FALSE(named.temporary());
    EXPECT_TRUE(fs::is_empty(named.path()));
    EXPECT_TRUE(fs::exists(temporary + "/named"));
  }
  EXPECT_FALSE(fs::exists(temporary));
}

TEST(WorkFolder, WhatHasNoDiskHasEnoughRoom) {
  const WorkFolder folder("", "a test");
  EXPECT_EQ(little_room_text("/proc"), "");
  EXPECT_EQ(little_room_text(folder.path() + "/nothing"), "");
}

}  // namespace
}  // namespace tactus
