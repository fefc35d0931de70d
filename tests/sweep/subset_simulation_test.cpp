// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// link: tactus_sweep

#include "tactus/sweep/rare/subset_simulation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tactus/sweep/statistics/moments.h"
#include "tests/support/scale.h"

namespace tactus::sweep {
namespace {

std::vector<double> along_the_diagonal(std::span<const std::vector<double>> points) {
  std::vector<double> scores;
  for (const std::vector<double>& u : points) {
    double sum = 0.0;
    for (const double x : u) sum += x;
    scores.push_back(sum / std::sqrt(static_cast<double>(u.size())));
  }
  return scores;
}

TEST(SubsetSimulation, FindsTheProbabilityBeyondAPlane) {
  // At 4.265 standard deviations: 1e-5.
  const double distance = 4.264890793922825;
  const double truth = 0.5 * std::erfc(distance / std::sqrt(2.0));
  const long repetitions = testing::scaled(200);
  Moments estimates;
  long covered = 0;
  for (long repetition = 0; repetition < repetitions; ++repetition) {
    const SubsetResult result = subset_simulation(
        {.dimension = 5, .seed = static_cast<std::uint64_t>(repetition), .target = distance},
        along_the_diagonal);
    estimates.add(result.estimate.probability);
    ASSERT_TRUE(result.estimate.interval.has_value());
    if (result.estimate.interval->low <= truth && truth <= result.estimate.interval->high) {
      ++covered;
    }
    EXPECT_LT(result.evaluations, 30'000U);
  }
  const auto count = static_cast<double>(repetitions);
  // It is biased by a few hundredths.
  EXPECT_NEAR(estimates.mean() / truth, 1.0,
              0.05 + 3.0 * std::sqrt(estimates.variance() / count) / truth);
  EXPECT_GE(static_cast<double>(covered) / count, testing::test_all() ? 0.92 : 0.8);
}

TEST(SubsetSimulation, KeepsPointsBeyondTheTarget) {
  const SubsetResult result =
      subset_simulation({.dimension = 2, .seed = 1, .runs = 2, .target = 3.0}, along_the_diagonal);
  for (const SubsetRun& run : result.runs) {
    EXPECT_FALSE(run.beyond.empty());
    for (const double score : along_the_diagonal(run.beyond)) EXPECT_GT(score, 3.0);
  }
}

TEST(SubsetSimulation, GivesUpWhereNothingIs) {
  const auto below_zero = [](std::span<const std::vector<double>> points) {
    std::vector<double> scores;
    for (const std::vector<double>& u : points) scores.push_back(-std::exp(-std::abs(u[0])));
    return scores;
  };
  const SubsetResult result = subset_simulation({.seed = 1, .runs = 2}, below_zero);
  EXPECT_TRUE(result.runs[0].extinct);
  EXPECT_EQ(result.estimate.probability, 0.0);
  const auto refused = [](std::span<const std::vector<double>> points) {
    return std::vector<double>(points.size(), -std::numeric_limits<double>::infinity());
  };
  EXPECT_TRUE(subset_simulation({.seed = 1, .runs = 2}, refused).runs[1].extinct);
}

TEST(SubsetSimulation, ScoresOfWholeNumbersAreTies) {
  const auto rounded = [](std::span<const std::vector<double>> points) {
    std::vector<double> scores = along_the_diagonal(points);
    for (double& score : scores) score = std::floor(score);
    return scores;
  };
  const double truth = 0.5 * std::erfc(4.0 / std::sqrt(2.0));
  const SubsetResult result =
      subset_simulation({.dimension = 2, .seed = 5, .target = 3.5}, rounded);
  ASSERT_TRUE(result.estimate.interval.has_value());
  EXPECT_LT(result.estimate.interval->low, truth);
  EXPECT_GT(result.estimate.interval->high, truth);
}

}  // namespace
}  // namespace tactus::sweep
