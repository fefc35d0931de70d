// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Suggestions for what a user may have meant, and the one way to read a file that a user names.

#include "tactus/core/text.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/core/text_file.h"

namespace tactus {
namespace {

using Names = std::vector<std::string>;

const Names kBody = {"mass_kg",      "inertia_kg_m2",    "inertia_diagonal_kg_m2",
                     "drag_area_m2", "angular_drag",     "linear_drag",
                     "gust",         "center_of_mass_m", "imu_offset_m",
                     "drag_point_m", "kv_rpm_per_v",     "resistance_ohm"};

std::string nearest(const std::string& text) {
  const Names near = near_texts(text, kBody);
  return near.empty() ? "" : near.front();
}

TEST(Suggestions, ForSlipsOfTheFinger) {
  EXPECT_EQ(nearest("mas_kg"), "mass_kg");
  EXPECT_EQ(nearest("amss_kg"), "mass_kg");
  EXPECT_EQ(nearest("mass_g"), "mass_kg");
  EXPECT_EQ(nearest("gsut"), "gust") << "a swap is one edit";
}

TEST(Suggestions, ForPartsOfNames) {
  EXPECT_EQ(nearest("kv"), "kv_rpm_per_v");
  EXPECT_EQ(nearest("mass"), "mass_kg");
  EXPECT_EQ(nearest("motor_resistance"), "resistance_ohm") << "most of its letters are this word";
  EXPECT_EQ(nearest("cg_offset_m"), "imu_offset_m");
}

TEST(Suggestions, OnlyOfWhatIsNear) {
  EXPECT_EQ(nearest("nosuch"), "");
  EXPECT_EQ(nearest("cg_place_m"), "");
  EXPECT_EQ(nearest("x"), "");
  EXPECT_EQ(nearest(""), "");
  EXPECT_EQ(nearest("wing_area_m2"), "drag_area_m2");
  EXPECT_EQ(nearest("max_speed_m_s"), "");
  EXPECT_EQ(nearest("no_such_area"), "") << "one word of two";
  EXPECT_EQ(nearest(std::string(100'000, 'a')), "");
}

TEST(Suggestions, ListAFewIfNoneIsNear) {
  const Names few = {"left", "right"};
  EXPECT_EQ(did_you_mean("no such rotor", "lft", few), "no such rotor; did you mean left?");
  EXPECT_EQ(did_you_mean("no such rotor", "middle", few), "no such rotor; one of left, right");
  EXPECT_EQ(did_you_mean("no such rotor", "middle", {}), "no such rotor; there is none");
  EXPECT_EQ(did_you_mean("unknown key", "nosuch", kBody), "unknown key");
}

TEST(Shortened, KeepsLettersWhole) {
  EXPECT_EQ(shortened("abc", 3), "abc");
  EXPECT_EQ(shortened("abcd", 3), "abc…");
  EXPECT_EQ(shortened("ab\xC3\xA4z", 3), "ab…");
}

/// What is said about a path that cannot be read; "" if it can.
std::string refusal(const std::string& path, std::size_t largest = kLargestTextFile) {
  try {
    read_text_file(path, largest);
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
  EXPECT_EQ(refusal(file, 5), "");
  EXPECT_NE(refusal(file, 4).find("larger than"), std::string::npos);
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
