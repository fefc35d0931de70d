// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// link: tactus_sweep

#include "tactus/sweep/design/distribution.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "tactus/core/error.h"
#include "tactus/core/random.h"

namespace tactus::sweep {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Distribution uniform(double low, double high) {
  return {.kind = DistributionKind::kUniform, .low = low, .high = high};
}

Distribution truncated(double mean, double deviation, double low, double high) {
  return {.kind = DistributionKind::kTruncatedNormal,
          .low = low,
          .high = high,
          .mean = mean,
          .standard_deviation = deviation};
}

Distribution choice(std::vector<double> values, std::vector<double> weights) {
  return {.kind = DistributionKind::kChoice,
          .values = std::move(values),
          .weights = std::move(weights)};
}

std::string refusal_of(const Distribution& distribution) {
  try {
    distribution.validate("vary.mass");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    return error.what();
  }
  return "";
}

TEST(Distribution, QuantilesAreThoseOfTheFormulas) {
  EXPECT_EQ(uniform(2.0, 6.0).quantile(0.25), 3.0);
  const Distribution normal{
      .kind = DistributionKind::kNormal, .mean = 10.0, .standard_deviation = 2.0};
  EXPECT_NEAR(normal.quantile(0.975), 10.0 + 2.0 * 1.959963984540054, 1e-14);
  const Distribution log_normal{
      .kind = DistributionKind::kLogNormal, .median = 3.0, .log_standard_deviation = 0.5};
  EXPECT_EQ(log_normal.quantile(0.5), 3.0);
  EXPECT_NEAR(log_normal.quantile(0.975), 3.0 * std::exp(0.5 * 1.959963984540054), 1e-13);
  const Distribution triangular{
      .kind = DistributionKind::kTriangular, .low = 0.0, .high = 4.0, .mode = 1.0};
  EXPECT_EQ(triangular.quantile(0.25), 1.0);
  EXPECT_NEAR(triangular.quantile(0.0625), 0.5, 1e-15);
  EXPECT_NEAR(triangular.quantile(0.75), 4.0 - std::sqrt(3.0), 1e-15);
}

TEST(Distribution, EndsAreReached) {
  const Distribution triangular{
      .kind = DistributionKind::kTriangular, .low = -1.0, .high = 4.0, .mode = 4.0};
  for (const Distribution& distribution : {uniform(-1.0, 4.0), truncated(0.0, 1.0, -1.0, 4.0),
                                           triangular, choice({-1.0, 2.0, 4.0}, {1.0, 0.0, 2.0})}) {
    EXPECT_TRUE(distribution.is_bounded());
    EXPECT_EQ(distribution.quantile(0.0), -1.0);
    EXPECT_EQ(distribution.quantile(1.0), 4.0);
  }
  EXPECT_FALSE(truncated(0.0, 1.0, 0.0, kInfinity).is_bounded());
}

TEST(Distribution, ATruncatedNormalHasTheSharesOfTheWhole) {
  // In the far tail P(X > x) / P(X > a) is exp(-a (x - a)) but for terms of 1 / a^2.
  const Distribution far = truncated(0.0, 1.0, 30.0, kInfinity);
  EXPECT_EQ(refusal_of(far), "");
  EXPECT_NEAR(far.quantile(0.5), 30.0 + std::log(2.0) / 30.0, 1e-4);
  EXPECT_NEAR(truncated(0.0, 1.0, -kInfinity, -30.0).quantile(0.5), -far.quantile(0.5), 1e-13);
  EXPECT_EQ(truncated(5.0, 2.0, 3.0, 7.0).quantile(0.5), 5.0);
  double last = -kInfinity;
  for (double u = 0.0; u <= 1.0; u += 0x1p-10) {
    const double value = truncated(1.0, 3.0, -2.0, 9.0).quantile(u);
    EXPECT_GT(value, last);
    last = value;
  }
}

TEST(Distribution, AChoiceHasItsWeights) {
  const Distribution weighted = choice({5.0, 7.0, 9.0}, {1.0, 0.0, 3.0});
  EXPECT_EQ(weighted.quantile(0.2499), 5.0);
  EXPECT_EQ(weighted.quantile(0.25), 9.0);
  const Distribution list{.kind = DistributionKind::kList, .values = {3.0, 1.0, 2.0}};
  EXPECT_EQ(list.quantile(0.3), 3.0);
  EXPECT_EQ(list.quantile(0.34), 1.0);
  EXPECT_EQ(list.quantile(1.0), 2.0);
}

TEST(Distribution, LevelsGoFromEndToEnd) {
  EXPECT_EQ(uniform(0.0, 10.0).level_coordinates(3), (std::vector<double>{0.0, 0.5, 1.0}));
  EXPECT_EQ(uniform(0.0, 10.0).level_coordinates(1), (std::vector<double>{0.5}));
  const Distribution normal{
      .kind = DistributionKind::kNormal, .mean = 0.0, .standard_deviation = 1.0};
  EXPECT_EQ(normal.level_coordinates(2), (std::vector<double>{0.25, 0.75}));
  const Distribution list{.kind = DistributionKind::kList, .values = {3.0, 1.0, 2.0}};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(list.quantile(list.level_coordinates(99)[i]), list.values[i]);
  }
  const Distribution weighted = choice({5.0, 7.0, 9.0}, {0.1, 0.0, 0.7});
  const std::vector<double> levels = weighted.level_coordinates(1);
  ASSERT_EQ(levels.size(), 2U);
  EXPECT_EQ(weighted.quantile(levels[0]), 5.0);
  EXPECT_EQ(weighted.quantile(levels[1]), 9.0);
}

TEST(Distribution, StandardNormalsGoTheSameWay) {
  const Distribution triangular{
      .kind = DistributionKind::kTriangular, .low = 0.0, .high = 4.0, .mode = 1.0};
  EXPECT_NEAR(triangular.from_standard_normal(0.0), triangular.quantile(0.5), 1e-15);
  const Distribution normal{
      .kind = DistributionKind::kNormal, .mean = 1.0, .standard_deviation = 2.0};
  EXPECT_EQ(normal.from_standard_normal(20.0), 41.0);
}

TEST(Distribution, WhatIsNoDistributionIsRefused) {
  EXPECT_EQ(refusal_of(uniform(2.0, 2.0)), "vary.mass.high = 2: must be greater than low = 2");
  EXPECT_EQ(refusal_of(uniform(2.0, kInfinity)), "vary.mass.high = inf: must be a finite number");
  EXPECT_NE(refusal_of(uniform(-1e308, 1e308)), "");
  EXPECT_NE(refusal_of({.kind = DistributionKind::kNormal, .standard_deviation = 0.0}), "");
  EXPECT_NE(refusal_of({.kind = DistributionKind::kLogNormal, .median = -1.0}), "");
  EXPECT_NE(refusal_of(truncated(0.0, 1.0, 40.0, 50.0)), "");
  EXPECT_NE(refusal_of({.kind = DistributionKind::kTriangular, .high = 1.0, .mode = 2.0}), "");
  EXPECT_NE(refusal_of({.kind = DistributionKind::kList}), "");
  EXPECT_NE(refusal_of(choice({1.0}, {1.0, 2.0})), "");
  EXPECT_NE(refusal_of(choice({1.0, 2.0}, {0.0, 0.0})), "");
  EXPECT_NE(refusal_of(choice({1.0, 2.0}, {-1.0, 2.0})), "");
  EXPECT_EQ(refusal_of(uniform(2.0, 3.0)), "");
}

std::string refusal_of(const std::vector<std::vector<double>>& covariance) {
  try {
    const CorrelatedNormals normals("vary.wind", {1.0, 2.0}, covariance);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(CorrelatedNormals, HaveTheirCovariance) {
  const CorrelatedNormals normals("vary.wind", {1.0, -2.0, 0.5},
                                  {{4.0, 1.2, -0.6}, {1.2, 1.0, 0.1}, {-0.6, 0.1, 9.0}});
  const RandomStream stream(1, "correlated");
  constexpr int kCount = 40000;
  double sum[3] = {};
  double products[3][3] = {};
  for (int n = 0; n < kCount; ++n) {
    double u[3];
    double x[3];
    for (std::uint32_t i = 0; i < 3; ++i) {
      u[i] = stream.uniform_open(static_cast<std::uint64_t>(n), i);
    }
    normals.quantiles(u, x);
    const double mean[3] = {1.0, -2.0, 0.5};
    for (int i = 0; i < 3; ++i) {
      sum[i] += x[i] - mean[i];
      for (int j = 0; j < 3; ++j) products[i][j] += (x[i] - mean[i]) * (x[j] - mean[j]);
    }
  }
  // 4.5 standard errors of the largest variance.
  EXPECT_NEAR(sum[2] / kCount, 0.0, 4.5 * 3.0 / std::sqrt(kCount));
  EXPECT_NEAR(products[0][0] / kCount, 4.0, 4.5 * 4.0 * std::sqrt(2.0 / kCount));
  EXPECT_NEAR(products[0][1] / kCount, 1.2, 4.5 * std::sqrt((4.0 + 1.44) / kCount));
  EXPECT_NEAR(products[0][2] / kCount, -0.6, 4.5 * std::sqrt((36.0 + 0.36) / kCount));
  EXPECT_NEAR(products[2][2] / kCount, 9.0, 4.5 * 9.0 * std::sqrt(2.0 / kCount));
}

TEST(CorrelatedNormals, WhatIsNoCovarianceIsRefusedByItsRow) {
  EXPECT_EQ(refusal_of({{4.0, 2.0}, {2.0, 1.5}}), "");
  EXPECT_NE(refusal_of({{4.0, 2.0}, {2.0, 1.0}}).find("vary.wind.covariance[1]"),
            std::string::npos);
  EXPECT_NE(refusal_of({{0.0, 0.0}, {0.0, 1.0}}).find("vary.wind.covariance[0]"),
            std::string::npos);
  EXPECT_NE(refusal_of({{4.0, 2.0}, {2.1, 1.0}}).find("symmetric"), std::string::npos);
  EXPECT_NE(refusal_of({{4.0, 2.0}}).find("has 1 rows"), std::string::npos);
  EXPECT_NE(refusal_of({{4.0}, {2.0, 1.0}}).find("has 1 entries"), std::string::npos);
}

}  // namespace
}  // namespace tactus::sweep
