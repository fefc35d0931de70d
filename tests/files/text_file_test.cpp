// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/files/text_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tactus/core/error.h"
#include "tactus/core/files.h"

namespace tactus {
namespace {

/// What is said about a path that cannot be read; "" if it can.
std::string refusal(const std::string& path) {
  try {
    read_text_file(path);
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kEnvironment);
    return error.what();
  }
}

TEST(TextFile, ReadsRegularFilesOnlyAndNeverWaits) {
  const std::string folder = ::testing::TempDir() + "/text_file." + std::to_string(getpid());
  std::filesystem::create_directories(folder);
  const std::string file = folder + "/file";
  std::ofstream(file, std::ios::binary) << std::string("a\0b\r\n", 5);
  EXPECT_EQ(read_text_file(file), std::string("a\0b\r\n", 5));
  std::filesystem::resize_file(file, kLargestTextFile);
  EXPECT_EQ(refusal(file), "");
  std::filesystem::resize_file(file, kLargestTextFile + 1);
  EXPECT_NE(refusal(file).find("larger than 16 MiB"), std::string::npos);
  const std::string pipe = folder + "/pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_NE(refusal(pipe).find("not a regular file"), std::string::npos) << "it has no writer";
  EXPECT_NE(refusal("/dev/zero").find("not a regular file"), std::string::npos);
  EXPECT_NE(refusal(folder).find("is a folder"), std::string::npos);
  EXPECT_NE(refusal(folder + "/none").find("No such file"), std::string::npos);
  EXPECT_NE(refusal(file + std::string(1, '\0') + "x").find("zero byte"), std::string::npos);
  std::filesystem::create_symlink("loop", folder + "/loop");
  EXPECT_NE(refusal(folder + "/loop"), "");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace tactus
