// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// link: tactus_sweep

#include "tactus/sweep/search/failure_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tactus/core/error.h"

namespace tactus::sweep {
namespace {

using Margin = double (*)(const std::vector<double>&);

FailureSearch searched(const SearchSettings& settings, Margin margin) {
  FailureSearch search(settings);
  while (!search.done()) {
    std::vector<double> margins;
    for (const std::vector<double>& u : search.ask()) margins.push_back(margin(u));
    search.tell(margins);
  }
  EXPECT_LE(search.evaluations(), settings.most_evaluations);
  return search;
}

/// A plane at distance 3 from the middle, across all axes.
double plane(const std::vector<double>& u) {
  double sum = 0.0;
  for (const double x : u) sum += x;
  return 3.0 - sum / std::sqrt(static_cast<double>(u.size()));
}

/// A parabola about the axis of the second coordinate, which it reaches at 3.
double parabola(const std::vector<double>& u) { return 3.0 + 0.2 * u[0] * u[0] - u[1]; }

TEST(FailureSearch, FindsTheSmallestFailure) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U}) {
    for (const std::size_t dimension : {1U, 2U, 3U}) {
      const FailureSearch search =
          searched({.dimension = dimension, .seed = seed, .most_evaluations = 200}, plane);
      ASSERT_TRUE(search.smallest_failure().has_value());
      EXPECT_LT(search.first_failure()->evaluation, 40U);
      EXPECT_GE(search.smallest_failure()->distance, 3.0);
      EXPECT_LT(search.smallest_failure()->distance, 3.06);
      EXPECT_LT(search.smallest_failure()->margin, 0.0);
    }
    const FailureSearch five =
        searched({.dimension = 5, .seed = seed, .most_evaluations = 1000}, plane);
    EXPECT_LT(five.smallest_failure()->distance, 3.01);
    const FailureSearch curved =
        searched({.dimension = 2, .seed = seed, .most_evaluations = 500}, parabola);
    EXPECT_LT(curved.smallest_failure()->distance, 3.005);
  }
}

TEST(FailureSearch, TheMiddleComesFirstAndMayFail) {
  const auto always = [](const std::vector<double>&) { return -1.0; };
  const FailureSearch search = searched({.dimension = 2}, always);
  EXPECT_EQ(search.evaluations(), 1U);
  EXPECT_EQ(search.smallest_failure()->distance, 0.0);
}

TEST(FailureSearch, TheWorstMarginMayBeTheGoal) {
  // A gust from direction 2 rad at 1.3 standard deviations of its time is the worst, with -0.5.
  const auto gust = [](const std::vector<double>& u) {
    return 0.5 - std::cos(u[0] - 2.0) * std::exp(-std::pow(u[1] - 1.3, 2.0));
  };
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const FailureSearch search = searched(
        {.dimension = 2, .seed = seed, .goal = SearchGoal::kWorstMargin, .most_evaluations = 200},
        gust);
    EXPECT_NEAR(search.worst()->margin, -0.5, 1e-3);
    EXPECT_NEAR(search.worst()->u[1], 1.3, 0.05);
  }
}

TEST(FailureSearch, WithoutAFailureItGoesOnElsewhere) {
  // Two hollows; only the narrow one, away from the middle, fails.
  const auto hollows = [](const std::vector<double>& u) {
    const double wide = std::hypot(u[0] + 1.0, u[1]);
    const double narrow = std::hypot(u[0] - 3.0, u[1] - 1.0);
    return std::min(0.1 + 0.1 * wide, -0.1 + 0.2 * narrow);
  };
  const FailureSearch search =
      searched({.dimension = 2, .seed = 1, .most_evaluations = 3000}, hollows);
  ASSERT_TRUE(search.smallest_failure().has_value());
  EXPECT_NEAR(search.smallest_failure()->distance, std::hypot(3.0, 1.0) - 0.5, 0.01);
}

TEST(FailureSearch, AnInterruptedSearchGoesOnFromItsMargins) {
  const SearchSettings settings{.dimension = 3, .seed = 9, .most_evaluations = 300};
  FailureSearch whole(settings);
  std::vector<std::vector<double>> told;
  while (!whole.done()) {
    std::vector<double> margins;
    for (const std::vector<double>& u : whole.ask()) margins.push_back(plane(u));
    whole.tell(margins);
    told.push_back(margins);
  }
  FailureSearch again(settings);
  for (const std::vector<double>& margins : told) again.tell(margins);
  EXPECT_TRUE(again.done());
  EXPECT_EQ(again.smallest_failure()->u, whole.smallest_failure()->u);
  EXPECT_EQ(again.smallest_failure()->evaluation, whole.smallest_failure()->evaluation);
}

TEST(FailureSearch, LostEvaluationsDoNotStopIt) {
  const auto lossy = [](const std::vector<double>& u) {
    return u[0] < -0.5 ? std::numeric_limits<double>::infinity() : plane(u);
  };
  const FailureSearch search =
      searched({.dimension = 2, .seed = 2, .most_evaluations = 300}, lossy);
  EXPECT_LT(search.smallest_failure()->distance, 3.05);
}

TEST(FailureSearch, WhatCannotBeSearchedIsRefused) {
  EXPECT_THROW(FailureSearch({.dimension = 0}), Error);
  EXPECT_THROW(FailureSearch({.dimension = 1, .most_evaluations = 0}), Error);
  EXPECT_THROW(FailureSearch({.dimension = 1, .bound = 0.0}), Error);
}

}  // namespace
}  // namespace tactus::sweep
