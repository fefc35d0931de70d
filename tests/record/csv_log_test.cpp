// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The CSV log: what is written reads back as the same values, the head says what it should, the
// same rows give the same bytes, and a file that cannot be written is an error that names it.

#include "tactus/record/csv_log.h"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/core/math.h"
#include "tactus/core/quat.h"

namespace tactus {
namespace {

constexpr VehicleCounts kCounts{4, 1, 1, 1, 4};
constexpr Digest128 kFlight{0x0123456789abcdef, 0xfedcba9876543210};

std::string scratch(const std::string& name) {
  const auto* const test = ::testing::UnitTest::GetInstance()->current_test_info();
  const std::string file = std::string("csv_log_test_") + test->name() + "_" + name;
  return (std::filesystem::temp_directory_path() / file).string();
}

std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == at) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

Bus odd_bus() {
  Bus bus;
  bus.time = TimeUs(20'000);
  bus.wind.since = TimeUs((std::uint64_t{1} << 63U) + 1);  // a double would round it
  bus.truth.position_W_m = {0.1, -0.0, 1e-300};
  bus.truth.velocity_W_m_s = {1.0 / 3.0, 123456789.0, -2.5e-8};
  bus.autopilot.yaw_setpoint_rad = -std::numeric_limits<double>::quiet_NaN();
  bus.autopilot.mission_item = -1;
  bus.autopilot.mode = FlightMode::kReturn;
  bus.autopilot.armed = true;
  bus.faults.motor_off_mask = 0xffffffffU;
  bus.loads.impact_speed_m_s = std::numeric_limits<double>::infinity();
  return bus;
}

/// Writes rows 0, 1, … and returns the path.
std::string write_log(const std::string& path, int rows, bool complete) {
  CsvLog log(path, LogProvenance{"odd\nname", {1, 2}, 7});
  Bus bus = odd_bus();
  SolverTotals totals;
  log.begin(kCounts);
  for (int i = 0; i < rows; ++i) {
    totals.evaluations += 6;
    log.row({TimeUs(static_cast<std::uint64_t>(i) * 20'000), 0, bus, totals});
  }
  log.end(kFlight, complete);
  EXPECT_EQ(log.rows(), static_cast<std::uint64_t>(rows));
  return path;
}

TEST(CsvLog, HeadSaysWhereItCameFrom) {
  const std::vector<std::string> lines = split(content(write_log(scratch("a"), 1, true)), '\n');
  ASSERT_EQ(lines.size(), 5U);  // the last is empty: every line ends
  EXPECT_EQ(lines[0].find("# tactus "), 0U);
  EXPECT_NE(lines[0].find(" schema=tactus.log/1 bus=2 spec=00000000000000010000000000000002 "
                          "seed=7 digest=0123456789abcdeffedcba9876543210"),
            std::string::npos)
      << lines[0];
  EXPECT_EQ(lines[1], "# name=odd\\x0aname motors=4 servos=1 packs=1 buses=1 gear_points=4");
  EXPECT_EQ(lines[4], "");
}

TEST(CsvLog, EveryLeafOfTheBusIsAColumnUnderItsName) {
  const std::vector<std::string> lines = split(content(write_log(scratch("a"), 1, true)), '\n');
  const std::vector<std::string> names = split(lines[2], ',');
  const std::vector<BusLeaf> leaves = bus_leaves(kCounts);
  ASSERT_EQ(names.size(), leaves.size() + leaf_count(SolverTotals{}) + 6);
  for (std::size_t i = 0; i < leaves.size(); ++i) EXPECT_EQ(names[i], leaves[i].name);
  EXPECT_EQ(names[0], "time_us");
  EXPECT_EQ(names[names.size() - 7], "solver.kinks");
  EXPECT_EQ(names[names.size() - 6], "truth.roll_deg");
  EXPECT_EQ(names.back(), "estimate.yaw_deg");
  EXPECT_EQ(split(lines[3], ',').size(), names.size());
}

TEST(CsvLog, NumbersReadBackAsTheSameBits) {
  const std::vector<std::string> lines = split(content(write_log(scratch("a"), 2, true)), '\n');
  const std::vector<std::string> names = split(lines[2], ',');
  const std::vector<std::string> values = split(lines[4], ',');
  const std::vector<BusLeaf> leaves = bus_leaves(kCounts);
  const Bus bus = odd_bus();
  for (std::size_t i = 1; i < leaves.size(); ++i) {
    double read = 0.0;
    std::from_chars(values[i].data(), values[i].data() + values[i].size(), read);
    const double truth = leaves[i].value(bus);
    if (truth != truth) {
      EXPECT_EQ(values[i], "nan") << names[i];
    } else {
      EXPECT_EQ(std::bit_cast<std::uint64_t>(read), std::bit_cast<std::uint64_t>(truth))
          << names[i] << " " << values[i];
    }
  }
  const auto value_of = [&](const std::string& name) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] == name) return values[i];
    }
    return std::string("no such column");
  };
  EXPECT_EQ(value_of("time_us"), "20000");
  EXPECT_EQ(value_of("wind.since_us"), "9223372036854775809");
  EXPECT_EQ(value_of("truth.position_ned_m.y"), "-0");
  EXPECT_EQ(value_of("autopilot.mode"), "4");
  EXPECT_EQ(value_of("autopilot.armed"), "1");
  EXPECT_EQ(value_of("autopilot.mission_item"), "-1");
  EXPECT_EQ(value_of("faults.motor_off_mask"), "4294967295");
  EXPECT_EQ(value_of("solver.evaluations"), "12");
}

TEST(CsvLog, AttitudesAreAlsoAnglesInDegrees) {
  const double truth_deg[] = {10.0, -20.0, 170.0};
  const double estimate_deg[] = {-30.0, 5.0, -90.0};
  const auto attitude = [](const double(&deg)[3]) {
    return from_euler(
        {math::kDegToRad * deg[0], math::kDegToRad * deg[1], math::kDegToRad * deg[2]});
  };
  Bus bus;
  bus.truth.attitude = attitude(truth_deg);
  bus.estimate.attitude = attitude(estimate_deg);
  const std::string path = scratch("a");
  CsvLog log(path, std::nullopt);
  log.begin(kCounts);
  log.row({TimeUs(0), 0, bus, SolverTotals{}});
  log.end(kFlight, true);
  const std::vector<std::string> lines = split(content(path), '\n');
  const std::vector<std::string> values = split(lines[1], ',');
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(std::stod(values[values.size() - 6 + i]), truth_deg[i], 1e-12);
    EXPECT_NEAR(std::stod(values[values.size() - 3 + i]), estimate_deg[i], 1e-12);
  }
}

TEST(CsvLog, WithoutCommentLinesTheRestIsTheSame) {
  const std::string commented = content(write_log(scratch("a"), 2, true));
  const std::string path = scratch("b");
  CsvLog log(path, std::nullopt);
  SolverTotals totals;
  log.begin(kCounts);
  for (std::uint64_t i = 0; i < 2; ++i) {
    totals.evaluations += 6;
    log.row({TimeUs(i * 20'000), 0, odd_bus(), totals});
  }
  log.end(kFlight, true);
  EXPECT_EQ(content(path), commented.substr(commented.find("time_us,")));
}

TEST(CsvLog, SameRowsGiveTheSameBytesAlsoOverAnOldFile) {
  const std::string first = content(write_log(scratch("a"), 2000, true));  // several buffers
  write_log(scratch("b"), 3000, true);
  EXPECT_EQ(first, content(write_log(scratch("b"), 2000, true)));
  EXPECT_EQ(split(first, '\n').size(), 3U + 2000U + 1U);
}

TEST(CsvLog, RunThatStoppedIsReadableAndSaysSo) {
  const std::string text = content(write_log(scratch("a"), 3, false));
  EXPECT_NE(text.find(" digest=incomplete                      \n"), std::string::npos);
  EXPECT_EQ(text.size(), content(write_log(scratch("b"), 3, true)).size());
}

TEST(CsvLog, WhatCannotBeWrittenIsAnErrorThatNamesThePath) {
  for (const std::string path : {"/dev/full", "no_such_folder/log.csv", "tests"}) {
    std::optional<CsvLog> log;
    try {
      log.emplace(path, LogProvenance{});
      log->begin(kCounts);
      ADD_FAILURE() << path << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kEnvironment);
      EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
    }
    if (log) log->end(kFlight, false);  // nothing is open: nothing happens
  }
}

}  // namespace
}  // namespace tactus
