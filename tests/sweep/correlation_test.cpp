// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// link: tactus_sweep

#include "tactus/sweep/statistics/correlation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tactus/core/random.h"
#include "tests/support/scale.h"

namespace tactus::sweep {
namespace {

TEST(RankCorrelation, EqualValuesShareTheMeanOfTheirRanks) {
  const std::vector<double> values = {3.0, 1.0, 3.0, 2.0, 3.0};
  EXPECT_EQ(mean_ranks(values), (std::vector<double>{4.0, 1.0, 4.0, 2.0, 4.0}));
}

TEST(RankCorrelation, SeesOnlyTheOrder) {
  std::vector<double> x;
  std::vector<double> y;
  for (int i = 1; i < 20; ++i) {
    x.push_back(i);
    y.push_back(std::exp(0.5 * i));
  }
  const auto rising = rank_correlation(x, y, 0.95);
  ASSERT_TRUE(rising.has_value());
  EXPECT_EQ(rising->coefficient, 1.0);
  EXPECT_EQ(rising->probability, 0.0);
  EXPECT_FALSE(rising->interval.has_value());
  std::swap(y[0], y[1]);
  const auto nearly = rank_correlation(x, y, 0.95);
  ASSERT_TRUE(nearly.has_value() && nearly->interval.has_value());
  // 1 - 6 sum d^2 / (n^3 - n) with two differences of one.
  EXPECT_NEAR(nearly->coefficient, 1.0 - 12.0 / (19.0 * 360.0), 1e-15);
  for (double& value : y) value = -value;
  const auto falling = rank_correlation(x, y, 0.95);
  ASSERT_TRUE(falling.has_value() && falling->interval.has_value());
  EXPECT_EQ(falling->coefficient, -nearly->coefficient);
  EXPECT_EQ(falling->interval->low, -nearly->interval->high);
}

TEST(RankCorrelation, WhatNeverChangesHasNone) {
  const std::vector<double> x = {1.0, 2.0, 3.0, 4.0};
  const std::vector<double> same = {5.0, 5.0, 5.0, 5.0};
  EXPECT_FALSE(rank_correlation(x, same, 0.95).has_value());
  EXPECT_FALSE(rank_correlation(std::span(x).first(2), std::span(x).first(2), 0.95).has_value());
}

TEST(RankCorrelation, IntervalsCoverTheOneOfNormalPairs) {
  // Spearman's coefficient of a normal pair of correlation r is 6 / pi asin(r / 2).
  const double r = 0.6;
  const double truth = 6.0 / M_PI * std::asin(0.5 * r);
  const long repetitions = testing::scaled(10'000);
  long missed = 0;
  for (long repetition = 0; repetition < repetitions; ++repetition) {
    const RandomStream stream(static_cast<std::uint64_t>(repetition), "pairs");
    std::vector<double> x(200);
    std::vector<double> y(200);
    for (std::size_t i = 0; i < x.size(); ++i) {
      stream.normal_pair(i, 0, x[i], y[i]);
      y[i] = r * x[i] + std::sqrt(1.0 - r * r) * y[i];
    }
    const auto found = rank_correlation(x, y, 0.95);
    ASSERT_TRUE(found.has_value() && found->interval.has_value());
    if (truth < found->interval->low || truth > found->interval->high) ++missed;
  }
  EXPECT_NEAR(static_cast<double>(missed) / static_cast<double>(repetitions), 0.05,
              0.005 + 4.5 * std::sqrt(0.05 * 0.95 / static_cast<double>(repetitions)));
}

}  // namespace
}  // namespace tactus::sweep
