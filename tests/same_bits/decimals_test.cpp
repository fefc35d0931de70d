// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Files are read by other people's parsers: the numbers of a spec (toml++), of a .plan (JSON) and
// of a .waypoints must be the doubles nearest to their text, on every machine and in every locale.
// The truth is std::from_chars, which rounds correctly and knows no locale.

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <clocale>
#include <cstdint>
#include <cstdio>
#include <locale>
#include <string>
#include <vector>

#include "tactus/autopilot/mission/mission.h"
#include "tactus/core/math.h"
#include "tactus/core/random.h"
#include "tactus/core/text.h"
#include "tactus/spec/toml/toml_document.h"
#include "tests/support/scale.h"

namespace tactus {
namespace {

std::uint64_t nearest(const std::string& text) {
  double value = 0.0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  EXPECT_TRUE(error == std::errc() && stop == end) << text;
  return std::bit_cast<std::uint64_t>(value);
}

std::uint64_t from_toml(const std::string& text) {
  const TomlNode root = parse_toml("x = " + text + "\n", "decimals.toml");
  return std::bit_cast<std::uint64_t>(root.find("x")->real);
}

std::uint64_t from_waypoints(const std::string& text) {
  const Mission mission = parse_mission(
      "QGC WPL 110\n0\t0\t3\t16\t0\t0\t0\t0\t" + text + "\t8.5\t12\t1\n", "decimals.waypoints");
  return std::bit_cast<std::uint64_t>(mission.items.at(0).latitude_deg);
}

std::uint64_t from_plan(const std::string& text) {
  const Mission mission = parse_mission(
      R"({"fileType": "Plan", "version": 1, "mission": {"version": 2, "items": [{"type":
          "SimpleItem", "command": 16, "frame": 3, "autoContinue": true, "doJumpId": 1,
          "params": [0, 0, 0, null, )" +
          text + R"(, 8.5, 12]}], "plannedHomePosition": [47.0, 8.5, 488.0]}})",
      "decimals.plan");
  return std::bit_cast<std::uint64_t>(mission.items.at(0).latitude_deg);
}

/// The next double, half way to it, and a hair to both sides of that: where a parser that rounds
/// twice goes wrong. long double has room for the half.
void add_neighbourhood(double x, std::vector<std::string>& texts) {
  texts.push_back(to_toml(x));
  const double next = std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) + 1);
  const long double half = static_cast<long double>(x) +
                           (static_cast<long double>(next) - static_cast<long double>(x)) / 2.0L;
  char text[200];
  std::snprintf(text, sizeof text, "%.60Le", half);
  const std::string exact = text;
  const std::size_t e = exact.find('e');
  texts.push_back(exact);
  texts.push_back(exact.substr(0, e) + "0000000001" + exact.substr(e));
  std::string less = exact;  // its last digit that is not 0, one smaller, and nines
  const std::size_t last = exact.find_last_not_of('0', e - 1);
  if (less[last] != '.') {
    --less[last];
    for (std::size_t i = last + 1; i < e; ++i) less[i] = '9';
    texts.push_back(less);
  }
}

/// Positive doubles of all sizes up to the limit, and known traps.
std::vector<std::string> decimals(double below) {
  std::vector<std::string> texts = {"0.1", "8.3", "47.397742", "0.000001", "1e-5", "5.0e-1"};
  const auto count = static_cast<std::uint32_t>(testing::scaled(20'000));
  for (std::uint32_t i = 0; i < count; ++i) {
    const PhiloxBlock block = philox4x32_10({{i, 0, 0, 0}}, 7, 11);
    const std::uint64_t bits = (std::uint64_t{block.word[0]} << 32U) | block.word[1];
    double x = std::bit_cast<double>(bits & 0x7fff'ffff'ffff'ffffU);
    if (i % 2 == 1) x = below > 1e3 ? 1e3 : below;
    if (i % 2 == 1) x *= static_cast<double>(bits >> 11U) * 0x1p-53;
    if (math::is_finite(x) && x < below && x > 1e-290) add_neighbourhood(x, texts);
  }
  return texts;
}

void expect_nearest() {
  for (const std::string& text : decimals(1e300)) {
    ASSERT_EQ(from_toml(text), nearest(text)) << text;
    ASSERT_EQ(from_toml("-" + text), nearest("-" + text)) << text;
  }
  for (const char* text : {"9007199254740993.0", "1e23", "2.2250738585072011e-308", "5e-324",
                           "1.7976931348623157e308", "0.0", "-0.0"}) {
    EXPECT_EQ(from_toml(text), nearest(text)) << text;
  }
  for (const std::string& text : decimals(90.0)) {
    ASSERT_EQ(from_waypoints(text), nearest(text)) << text;
    ASSERT_EQ(from_plan(text), nearest(text)) << text;
  }
}

TEST(Decimals, AreTheNearestDoubles) { expect_nearest(); }

TEST(Decimals, DoNotDependOnTheLocaleOfStreams) {
  struct CommaAndDots : std::numpunct<char> {
    [[nodiscard]] char do_decimal_point() const override { return ','; }
    [[nodiscard]] char do_thousands_sep() const override { return '.'; }
    [[nodiscard]] std::string do_grouping() const override { return "\3"; }
  };
  const std::locale before = std::locale::global(std::locale(std::locale(), new CommaAndDots));
  expect_nearest();
  EXPECT_EQ(format_double(1234567.5), "1234567.5");
  std::locale::global(before);
}

TEST(Decimals, DoNotDependOnTheLocaleOfC) {
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "ru_RU.UTF-8"}) {
    if (std::setlocale(LC_NUMERIC, name) == nullptr) continue;
    const std::string point = std::localeconv()->decimal_point;
    ASSERT_EQ(point, ",") << name;
    const std::vector<std::string> texts = {"0.1", "8.3", "47.397742", "1.5e1"};
    for (const std::string& text : texts) {
      EXPECT_EQ(from_toml(text), nearest(text)) << name;
      EXPECT_EQ(from_waypoints(text), nearest(text)) << name;
      EXPECT_EQ(from_plan(text), nearest(text)) << name;
    }
    EXPECT_EQ(format_double(0.5), "0.5");
    std::setlocale(LC_NUMERIC, "C");
    return;
  }
  GTEST_SKIP() << "no locale with a decimal comma is installed (package locales-all)";
}

}  // namespace
}  // namespace tactus
