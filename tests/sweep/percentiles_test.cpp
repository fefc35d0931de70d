// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// link: tactus_sweep

#include "tactus/sweep/statistics/percentiles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tactus/core/random.h"
#include "tests/support/scale.h"

namespace tactus::sweep {
namespace {

std::vector<double> one_to(int last) {
  std::vector<double> values(static_cast<std::size_t>(last));
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

TEST(Percentiles, LieBetweenOrderStatistics) {
  const std::vector<double> values = one_to(100);
  EXPECT_EQ(percentile(values, 0.5, 0, 0.95).value, 50.5);
  EXPECT_NEAR(percentile(values, 0.95, 0, 0.95).value, 95.05, 1e-12);
  // The known interval of the median of 100: ranks 40 and 61.
  EXPECT_EQ(percentile(values, 0.5, 0, 0.95).low, 40.0);
  EXPECT_EQ(percentile(values, 0.5, 0, 0.95).high, 61.0);
  EXPECT_EQ(percentile(one_to(1), 0.5, 0, 0.95).value, 1.0);
}

TEST(Percentiles, FewSamplesHaveNoEnd) {
  // Of 20 samples none is above the 99th percentile with enough confidence.
  const Percentile high = percentile(one_to(20), 0.99, 0, 0.95);
  EXPECT_TRUE(high.low.has_value());
  EXPECT_FALSE(high.high.has_value());
  const Percentile low = percentile(one_to(20), 0.01, 0, 0.95);
  EXPECT_FALSE(low.low.has_value());
  EXPECT_TRUE(low.high.has_value());
}

TEST(Percentiles, UnknownSamplesCouldBeAnywhere) {
  const Percentile known = percentile(one_to(95), 0.5, 0, 0.95);
  const Percentile widened = percentile(one_to(95), 0.5, 5, 0.95);
  EXPECT_EQ(known.value, widened.value);
  // Of 100: ranks 40 and 61, 5 of them in front or behind.
  EXPECT_EQ(widened.low, 35.0);
  EXPECT_EQ(widened.high, 61.0);
}

TEST(Percentiles, IntervalsCover) {
  const long repetitions = testing::scaled(40'000);
  long missed = 0;
  for (long repetition = 0; repetition < repetitions; ++repetition) {
    const RandomStream stream(static_cast<std::uint64_t>(repetition), "percentiles");
    std::vector<double> values(80);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = stream.uniform(i);
    std::sort(values.begin(), values.end());
    const Percentile found = percentile(values, 0.8, 0, 0.95);
    if (found.low > 0.8 || found.high < 0.8) ++missed;
  }
  EXPECT_LT(static_cast<double>(missed) / static_cast<double>(repetitions),
            0.05 + 4.5 * std::sqrt(0.05 * 0.95 / static_cast<double>(repetitions)));
}

TEST(Histogram, TakesEveryValueOnce) {
  const Histogram bins = histogram(one_to(100), 7);
  EXPECT_EQ(bins.edges.size(), 8U);
  EXPECT_EQ(bins.edges.front(), 1.0);
  EXPECT_EQ(bins.edges.back(), 100.0);
  EXPECT_EQ(std::accumulate(bins.counts.begin(), bins.counts.end(), std::uint64_t{0}), 100U);
  const std::vector<double> values = {0.0, 1.0, 1.0, 2.0, 4.0};
  EXPECT_EQ(histogram(values, 4).counts, (std::vector<std::uint64_t>{1, 2, 1, 1}));
  const std::vector<double> equal = {3.0, 3.0};
  EXPECT_EQ(histogram(equal, 4).counts, (std::vector<std::uint64_t>{2}));
}

TEST(Histogram, TheWholeRangeOfDoublesHasBins) {
  const std::vector<double> values = {-1.7e308, 0.0, 1.7e308};
  EXPECT_EQ(histogram(values, 3).counts, (std::vector<std::uint64_t>{1, 1, 1}));
}

}  // namespace
}  // namespace tactus::sweep
