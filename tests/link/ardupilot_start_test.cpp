// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/ardupilot/ardupilot_start.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tactus/core/error.h"

namespace tactus {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(ArdupilotStart, SettingsReplaceOlderOnesAndFollowNoLink) {
  const fs::path folder = fs::temp_directory_path() / "ardupilot_start_test";
  fs::remove_all(folder);
  fs::create_directory(folder);
  const std::string path = folder / "settings.parm";
  const ArdupilotSettings settings{{"BATT_MONITOR", 4.0}};
  write_settings(settings, path);
  write_settings(settings, path);
  EXPECT_EQ(content(path), to_text(settings));
  std::ofstream(folder / "victim") << "precious";
  fs::remove(path);
  fs::create_symlink("victim", path);
  EXPECT_THROW(write_settings(settings, path), Error);
  EXPECT_EQ(content(folder / "victim"), "precious");
  EXPECT_THROW(write_settings(settings, folder / "missing" / "settings.parm"), Error);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace tactus
