// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// link: tactus_sweep

#include "tactus/sweep/statistics/beta.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tactus::sweep {
namespace {

TEST(Beta, KernelIsThatOfTheLogarithmsOfGamma) {
  for (const double a : {0.5, 1.0, 3.7, 40.0, 900.0}) {
    for (const double b : {0.5, 1.0, 8.2, 77.0, 3000.0}) {
      for (const double x : {1e-13, 0.01, 0.3, 0.5, 0.98}) {
        const double truth = a * std::log(x) + b * std::log1p(-x) + std::lgamma(a + b) -
                             std::lgamma(a) - std::lgamma(b);
        EXPECT_NEAR(log_beta_kernel(a, b, x, 1.0 - x), truth, 1e-14 * (a + b) * 20.0)
            << a << " " << b << " " << x;
      }
    }
  }
}

TEST(Beta, ClosedForms) {
  for (double x = 0.01; x < 1.0; x += 0.01) {
    EXPECT_NEAR(beta_below(1.0, 7.0, x, 1.0 - x), 1.0 - std::pow(1.0 - x, 7.0), 1e-14);
    EXPECT_NEAR(beta_below(5.0, 1.0, x, 1.0 - x), std::pow(x, 5.0), 1e-14);
    // The arc sine distribution.
    EXPECT_NEAR(beta_below(0.5, 0.5, x, 1.0 - x), 2.0 / M_PI * std::asin(std::sqrt(x)), 1e-14);
    EXPECT_NEAR(beta_below(3.2, 9.1, x, 1.0 - x) + beta_below(9.1, 3.2, 1.0 - x, x), 1.0, 1e-14);
  }
  EXPECT_EQ(beta_below(2.0, 3.0, 0.0, 1.0), 0.0);
  EXPECT_EQ(beta_below(2.0, 3.0, 1.0, 0.0), 1.0);
}

TEST(Beta, RecurrenceOfNeighbours) {
  // I_x(a, b) - I_x(a + 1, b) = x^a y^b / (a B(a, b)), also where the counts are large.
  for (const double scale : {1.0, 30.0, 1e3, 1e6}) {
    const double a = 0.7 * scale;
    const double b = 2.1 * scale;
    const double x = 0.25 + 0.1 / std::sqrt(scale);
    const double step = std::exp(log_beta_kernel(a, b, x, 1.0 - x)) / a;
    EXPECT_NEAR(beta_below(a, b, x, 1.0 - x) - beta_below(a + 1.0, b, x, 1.0 - x), step, 1e-12);
  }
}

TEST(Beta, QuantilesInvertIt) {
  for (const double a : {0.5, 1.0, 17.0, 1e6}) {
    for (const double b : {0.5, 3.0, 1e4}) {
      for (const double probability : {1e-6, 0.025, 0.5, 0.9}) {
        const double x = beta_quantile(a, b, probability);
        // One unit in the last place of x moves the probability by no more than this.
        const double slope = std::exp(log_beta_kernel(a, b, x, 1.0 - x)) / (1.0 - x);
        EXPECT_NEAR(beta_below(a, b, x, 1.0 - x), probability, 1e-12 * probability + 3e-16 * slope);
      }
    }
  }
}

TEST(Beta, BinomialSumsAndStudent) {
  // 10 throws of a fair coin: 176 of 1024 have at most 3 heads.
  EXPECT_NEAR(binomial_at_most(3, 10, 0.5), 176.0 / 1024.0, 1e-15);
  EXPECT_EQ(binomial_at_most(10, 10, 0.3), 1.0);
  // One degree of freedom is Cauchy's distribution, two have a closed form.
  for (const double t : {0.01, 0.7, 3.0, 250.0}) {
    EXPECT_NEAR(student_two_sided(t, 1.0), 1.0 - 2.0 / M_PI * std::atan(t), 1e-14);
    EXPECT_NEAR(student_two_sided(t, 2.0), 1.0 - t / std::sqrt(2.0 + t * t), 1e-14);
  }
  // Nine: the finite sum in the sine and cosine of atan(t / 3).
  const double t9 = student_half_width(0.95, 9.0);
  const double sine = std::sin(std::atan(t9 / 3.0));
  const double c2 = 1.0 - sine * sine;
  const double sum = 1.0 + c2 * (2.0 / 3 + c2 * (8.0 / 15 + c2 * 48.0 / 105));
  EXPECT_NEAR(2.0 / M_PI * (std::atan(t9 / 3.0) + sine * std::sqrt(c2) * sum), 0.95, 1e-14);
  EXPECT_NEAR(student_half_width(0.95, 1e6), 1.9599663, 1e-6);
}

}  // namespace
}  // namespace tactus::sweep
