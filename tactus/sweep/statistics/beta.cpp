// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sweep/statistics/beta.h"

#include "tactus/core/assert.h"
#include "tactus/core/math.h"

namespace tactus::sweep {
namespace {

constexpr double kLogTwoPi = 0x1.d67f1c864beb5p+0;

/// log of Gamma(z + 1) / (sqrt(2 pi z) (z/e)^z): Stirling's series, and below 10 its recursion.
double stirling_error(double z) {
  double sum = 0.0;
  for (; z < 10.0; z += 1.0) sum += (z + 0.5) * math::log1p(1.0 / z) - 1.0;
  const double w = 1.0 / (z * z);
  const double series =
      1.0 / 12 -
      w * (1.0 / 360 -
           w * (1.0 / 1260 -
                w * (1.0 / 1680 - w * (1.0 / 1188 - w * (691.0 / 360360 - w * (1.0 / 156))))));
  return sum + series / z;
}

/// count log(count / expected) + expected - count.
double deviance(double count, double expected) {
  const double t = (expected - count) / count;
  if (math::abs(t) > 0.3) return count * math::log(count / expected) + (expected - count);
  // t - log(1 + t) with r = t / (2 + t), without its cancellation.
  const double r = t / (2.0 + t);
  double power = r * r;
  double sum = 0.0;
  for (int i = 3; power > 0x1p-56 * r * r; i += 2) {
    sum += power / i;
    power *= r * r;
  }
  return count * (r * (t - 2.0 * sum));
}

/// The continued fraction of I_x(a, b) = kernel / a * fraction, by the recurrence of Lentz, whose
/// ratios cannot become zero here: x is below the mean of the distribution.
double beta_fraction(double a, double b, double x) {
  double up = 1.0;
  double down = 0.0;
  double product = 1.0;
  double last = 0.0;
  for (double m = 0.0; math::abs(product - last) > 0x1p-52 * product; m += 1.0) {
    last = product;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
    const double even = (m + 1.0) * (b - m - 1.0) * x / ((a + 2.0 * m + 1.0) * (a + 2.0 * m + 2.0));
    for (const double coefficient : {odd, even}) {
      down = 1.0 / (1.0 + coefficient * down);
      up = 1.0 + coefficient / up;
      product *= up * down;
    }
  }
  return 1.0 / product;
}

double beta_smaller_side(double a, double b, double x, double y) {
  return math::exp(log_beta_kernel(a, b, x, y)) / a * beta_fraction(a, b, x);
}

}  // namespace

double log_beta_kernel(double a, double b, double x, double y) {
  const double n = a + b;
  return stirling_error(n) - stirling_error(a) - stirling_error(b) - deviance(a, n * x) -
         deviance(b, n * y) + 0.5 * (math::log(a / n) + math::log(b) - kLogTwoPi);
}

double beta_below(double a, double b, double x, double y) {
  TACTUS_ASSERT(a > 0.0 && b > 0.0 && x >= 0.0 && y >= 0.0, "a beta distribution");
  if (x == 0.0) return 0.0;
  if (y == 0.0) return 1.0;
  return x <= (a + 1.0) / (a + b + 2.0) ? beta_smaller_side(a, b, x, y)
                                        : 1.0 - beta_smaller_side(b, a, y, x);
}

double beta_quantile(double a, double b, double probability) {
  TACTUS_ASSERT(probability > 0.0 && probability < 1.0, "a probability");
  // Positive doubles are ordered as their bits are.
  std::uint64_t low = 0;
  std::uint64_t high = math::to_bits(1.0);
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    const double x = math::from_bits(middle);
    (beta_below(a, b, x, 1.0 - x) < probability ? low : high) = middle;
  }
  return math::from_bits(high);
}

double binomial_at_most(std::uint64_t most, std::uint64_t count, double probability) {
  if (most >= count) return 1.0;
  return beta_below(static_cast<double>(count - most), static_cast<double>(most) + 1.0,
                    1.0 - probability, probability);
}

double student_two_sided(double t, double degrees_of_freedom) {
  const double sum = degrees_of_freedom + t * t;
  return beta_below(0.5 * degrees_of_freedom, 0.5, degrees_of_freedom / sum, t * t / sum);
}

double student_half_width(double confidence, double degrees_of_freedom) {
  TACTUS_ASSERT(confidence > 0.0 && confidence < 1.0, "a confidence");
  std::uint64_t low = 0;
  std::uint64_t high = math::to_bits(0x1p500);
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    const double outside = student_two_sided(math::from_bits(middle), degrees_of_freedom);
    (outside > 1.0 - confidence ? low : high) = middle;
  }
  return math::from_bits(high);
}

}  // namespace tactus::sweep
