// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/record/memory_log.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tactus/core/error.h"

namespace tactus {
namespace {

constexpr VehicleCounts kCounts{4, 0, 1, 1, 4};

void add_rows(MemoryLog& log, int rows) {
  Bus bus;
  const SolverTotals totals;
  for (int i = 0; i < rows; ++i) {
    bus.truth.height_m = 0.5 * i;
    bus.autopilot.items_reached = i;
    log.row({TimeUs(static_cast<std::uint64_t>(i) * 1000), 0, bus, totals});
  }
}

TEST(MemoryLog, KeepsTheChosenColumns) {
  MemoryLog log({"truth.height_m", "autopilot.items_reached"}, 3);
  log.begin(kCounts);
  const double* const before = log.column("truth.height_m").data();
  add_rows(log, 3);
  log.end({1, 2}, true);
  EXPECT_EQ(log.times(), (std::vector<TimeUs>{TimeUs(0), TimeUs(1000), TimeUs(2000)}));
  EXPECT_EQ(log.column("truth.height_m"), (std::vector<double>{0.0, 0.5, 1.0}));
  EXPECT_EQ(log.column("autopilot.items_reached"), (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(log.column("truth.height_m").data(), before) << "reserved rows must not allocate";
  EXPECT_EQ(log.leaves().size(), 2U);
  EXPECT_TRUE(log.complete());
  EXPECT_EQ(log.flight_digest(), (Digest128{1, 2}));
}

TEST(MemoryLog, WithoutAChoiceKeepsEverything) {
  MemoryLog log;
  log.begin(kCounts);
  add_rows(log, 2);
  EXPECT_EQ(log.leaves().size(), bus_leaves(kCounts).size());
  EXPECT_EQ(log.column("esc[3].speed_rad_s").size(), 2U);
}

TEST(MemoryLog, SecondRunStartsAnew) {
  MemoryLog log({"truth.height_m"});
  for (int run = 0; run < 2; ++run) {
    log.begin(kCounts);
    add_rows(log, 2);
    EXPECT_EQ(log.times().size(), 2U);
  }
}

TEST(MemoryLog, WrongNamesAreErrors) {
  MemoryLog log({"truth.hight_m"});
  EXPECT_THROW(log.begin(kCounts), Error);
  MemoryLog fifth({"esc[4].speed_rad_s"});
  EXPECT_THROW(fifth.begin(kCounts), Error);
  MemoryLog other({"truth.height_m"});
  other.begin(kCounts);
  EXPECT_THROW((void)other.column("truth.speed_m_s"), Error);
}

}  // namespace
}  // namespace tactus
