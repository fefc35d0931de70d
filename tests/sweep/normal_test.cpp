// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// link: tactus_sweep

#include "tactus/sweep/statistics/normal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tactus::sweep {
namespace {

TEST(Normal, TailAgreesWithTheComplementaryErrorFunction) {
  for (double x = -9.0; x < 37.0; x += 0.0137) {
    const double truth = 0.5 * std::erfc(x / std::sqrt(2.0));
    // x / sqrt(2) is rounded before it is squared in an exponential.
    EXPECT_NEAR(normal_tail(x) / truth, 1.0, 2e-15 * (1.0 + x * x)) << x;
  }
}

TEST(Normal, QuantileInvertsTheTail) {
  for (double exponent = 0.31; exponent < 300.0; exponent += 0.173) {
    const double tail = std::pow(10.0, -exponent);
    const double x = -normal_quantile(tail);
    // A relative error e of x is one of about e x^2 of the tail.
    EXPECT_NEAR(normal_tail(x) / tail, 1.0, 1e-14 + 1e-15 * x * x) << tail;
  }
}

TEST(Normal, IsSymmetricAndEndsAtInfinity) {
  EXPECT_EQ(normal_quantile(0.5), 0.0);
  EXPECT_EQ(normal_quantile(0.25), -normal_quantile(0.75));
  EXPECT_EQ(normal_quantile(0.0), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(normal_quantile(1.0), std::numeric_limits<double>::infinity());
  EXPECT_EQ(normal_tail(0.0), 0.5);
  EXPECT_EQ(normal_tail(-50.0), 1.0);
  EXPECT_EQ(normal_tail(50.0), 0.0);
}

}  // namespace
}  // namespace tactus::sweep
