// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// link: tactus_sweep

#include "tactus/sweep/statistics/sobol_indices.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tactus/sweep/design/point_set.h"

namespace tactus::sweep {
namespace {

constexpr std::size_t kAxes = 3;

/// Ishigami and Homma (1990), a = 7, b = 0.1, on [-pi, pi]^3.
double ishigami(const double (&u)[kAxes]) {
  double x[kAxes];
  for (std::size_t i = 0; i < kAxes; ++i) x[i] = M_PI * (2.0 * u[i] - 1.0);
  return std::sin(x[0]) + 7.0 * std::pow(std::sin(x[1]), 2.0) +
         0.1 * std::pow(x[2], 4.0) * std::sin(x[0]);
}

/// Its indices in closed form.
struct Truth {
  double first[kAxes];
  double total[kAxes];
};
Truth ishigami_truth() {
  const double pi4 = std::pow(M_PI, 4.0);
  const double one = 0.5 * std::pow(1.0 + 0.1 * pi4 / 5.0, 2.0);
  const double two = 49.0 / 8.0;
  const double one_and_three = 0.01 * pi4 * pi4 * 8.0 / 225.0;
  const double all = one + two + one_and_three;
  return {{one / all, two / all, 0.0},
          {(one + one_and_three) / all, two / all, one_and_three / all}};
}

std::vector<double> outputs_of(DesignKind kind, std::uint64_t rows, std::uint64_t seed) {
  const PointSet points({.kind = kind, .seed = seed, .rows = rows, .saltelli = true},
                        {{"x1", {}}, {"x2", {}}, {"x3", {}}});
  std::vector<double> outputs(points.size());
  for (std::uint64_t i = 0; i < points.size(); ++i) {
    double u[kAxes];
    for (std::size_t axis = 0; axis < kAxes; ++axis) u[axis] = points.coordinate(i, axis);
    outputs[i] = ishigami(u);
  }
  return outputs;
}

TEST(SobolIndices, IshigamiWithinAHundredthFromFourThousandRows) {
  const Truth truth = ishigami_truth();
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U}) {
    const auto indices = sobol_indices(outputs_of(DesignKind::kSobol, 4096, seed), kAxes,
                                       {.seed = seed, .resamples = 20});
    ASSERT_TRUE(indices.has_value());
    for (std::size_t i = 0; i < kAxes; ++i) {
      EXPECT_NEAR(indices->first[i].value, truth.first[i], 0.01) << "first " << i << " " << seed;
      EXPECT_NEAR(indices->total[i].value, truth.total[i], 0.01) << "total " << i << " " << seed;
    }
  }
}

TEST(SobolIndices, IntervalsCoverForIndependentRows) {
  const Truth truth = ishigami_truth();
  int missed = 0;
  constexpr int kSeeds = 40;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const auto indices = sobol_indices(outputs_of(DesignKind::kMonteCarlo, 400, seed), kAxes,
                                       {.seed = seed, .resamples = 200});
    ASSERT_TRUE(indices.has_value());
    for (std::size_t i = 0; i < kAxes; ++i) {
      const Interval& first = indices->first[i].interval;
      const Interval& total = indices->total[i].interval;
      missed += truth.first[i] < first.low || truth.first[i] > first.high ? 1 : 0;
      missed += truth.total[i] < total.low || truth.total[i] > total.high ? 1 : 0;
    }
  }
  // 5 % of 240, which depend on each other within a seed; a bootstrap is somewhat too narrow.
  EXPECT_LT(missed, 35);
}

TEST(SobolIndices, ASumHasNoInteractions) {
  const PointSet points({.kind = DesignKind::kSobol, .seed = 3, .rows = 1024, .saltelli = true},
                        {{"a", {}}, {"b", {}}});
  std::vector<double> outputs(points.size());
  for (std::uint64_t i = 0; i < points.size(); ++i) {
    outputs[i] = 1e6 + points.coordinate(i, 0) + 2.0 * points.coordinate(i, 1);
  }
  const auto indices = sobol_indices(outputs, 2, {.resamples = 50});
  ASSERT_TRUE(indices.has_value());
  EXPECT_NEAR(indices->first[0].value, 0.2, 2e-3);
  EXPECT_NEAR(indices->total[0].value, 0.2, 2e-3);
  EXPECT_NEAR(indices->first[1].value, 0.8, 2e-3);
  EXPECT_NEAR(indices->total[1].value, 0.8, 2e-3);
}

TEST(SobolIndices, WhatNeverChangesHasNone) {
  const std::vector<double> same(40, 2.5);
  EXPECT_FALSE(sobol_indices(same, 2, {}).has_value());
  EXPECT_FALSE(sobol_indices(std::vector<double>{1.0, 2.0, 3.0}, 1, {}).has_value());
}

}  // namespace
}  // namespace tactus::sweep
