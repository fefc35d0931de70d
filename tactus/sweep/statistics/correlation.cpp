// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sweep/statistics/correlation.h"

#include <algorithm>
#include <numeric>

#include "tactus/core/assert.h"
#include "tactus/core/math.h"
#include "tactus/sweep/statistics/beta.h"
#include "tactus/sweep/statistics/normal.h"

namespace tactus::sweep {
namespace {

double inverse_tanh(double r) { return 0.5 * math::log1p(2.0 * r / (1.0 - r)); }

double hyperbolic_tangent(double z) {
  const double e = math::expm1(-2.0 * math::abs(z));
  return math::copysign(e / (e + 2.0), z);
}

Interval fisher_interval(double r, double count, double confidence) {
  const double half =
      -normal_quantile(0.5 * (1.0 - confidence)) * math::sqrt((1.0 + 0.5 * r * r) / (count - 3.0));
  // The larger side of the transformation is that of |r|, where 1 - r has all digits.
  const double z = math::copysign(-inverse_tanh(-math::abs(r)), r);
  return {hyperbolic_tangent(z - half), hyperbolic_tangent(z + half)};
}

}  // namespace

std::vector<double> mean_ranks(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    while (last + 1 < order.size() && values[order[last + 1]] == values[order[first]]) ++last;
    const double rank = 0.5 * static_cast<double>(first + last) + 1.0;
    for (std::size_t i = first; i <= last; ++i) ranks[order[i]] = rank;
    first = last + 1;
  }
  return ranks;
}

std::optional<RankCorrelation> rank_correlation(std::span<const double> x,
                                                std::span<const double> y, double confidence) {
  TACTUS_ASSERT(x.size() == y.size(), "one y per x");
  if (x.size() < 3) return std::nullopt;
  const std::vector<double> x_ranks = mean_ranks(x);
  const std::vector<double> y_ranks = mean_ranks(y);
  const auto count = static_cast<double>(x.size());
  const double mean = 0.5 * (count + 1.0);
  double xx = 0.0;
  double yy = 0.0;
  double xy = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double a = x_ranks[i] - mean;
    const double b = y_ranks[i] - mean;
    xx += a * a;
    yy += b * b;
    xy += a * b;
  }
  if (xx == 0.0 || yy == 0.0) return std::nullopt;
  RankCorrelation result;
  const double r = math::clamp(xy / math::sqrt(xx * yy), -1.0, 1.0);
  result.coefficient = r;
  if (math::abs(r) == 1.0) {
    result.probability = 0.0;
    return result;
  }
  const double t = r * math::sqrt((count - 2.0) / ((1.0 - r) * (1.0 + r)));
  result.probability = student_two_sided(t, count - 2.0);
  if (x.size() > 3) result.interval = fisher_interval(r, count, confidence);
  return result;
}

}  // namespace tactus::sweep
