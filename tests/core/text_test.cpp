// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Suggestions for what a user may have meant.

#include "tactus/core/text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

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

TEST(CsvQuoted, DoublesQuotes) {
  EXPECT_EQ(csv_quoted(""), "\"\"");
  EXPECT_EQ(csv_quoted("a, \"b\""), "\"a, \"\"b\"\"\"");
}

TEST(Shortened, KeepsLettersWhole) {
  EXPECT_EQ(shortened("abc", 3), "abc");
  EXPECT_EQ(shortened("abcd", 3), "abc…");
  EXPECT_EQ(shortened("ab\xC3\xA4z", 3), "ab…");
}

}  // namespace
}  // namespace tactus
