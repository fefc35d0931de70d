// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sweep/statistics/percentiles.h"

#include <algorithm>

#include "tactus/core/assert.h"
#include "tactus/core/math.h"
#include "tactus/sweep/statistics/beta.h"

namespace tactus::sweep {
namespace {

/// The greatest l with P(K <= l - 1) <= outside for K of `count` below the percentile; 0: none.
std::uint64_t lower_order(std::uint64_t count, double share, double outside) {
  std::uint64_t good = 0;
  std::uint64_t bad = count + 1;
  while (bad - good > 1) {
    const std::uint64_t middle = good + (bad - good) / 2;
    (binomial_at_most(middle - 1, count, share) <= outside ? good : bad) = middle;
  }
  return good;
}

double order_statistic_at(std::span<const double> sorted, double position) {
  bool fits = false;
  const std::int64_t whole = math::to_int64(position, fits);
  const auto below = static_cast<std::size_t>(whole);
  TACTUS_ASSERT(fits && below < sorted.size(), "a position among the values");
  if (below + 1 == sorted.size()) return sorted[below];
  const double part = position - static_cast<double>(below);
  return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

}  // namespace

Percentile percentile(std::span<const double> sorted, double share, std::uint64_t unknown,
                      double confidence) {
  TACTUS_ASSERT(!sorted.empty() && share > 0.0 && share < 1.0, "a percentile of values");
  Percentile result;
  result.value = order_statistic_at(sorted, static_cast<double>(sorted.size() - 1) * share);
  const std::uint64_t count = sorted.size() + unknown;
  const double outside = 0.5 * (1.0 - confidence);
  // For the lower end all unknown values come first, for the upper end last.
  const std::uint64_t low = lower_order(count, share, outside);
  if (low > unknown) result.low = sorted[low - unknown - 1];
  // From above it is the same with the other share.
  const std::uint64_t high = lower_order(count, 1.0 - share, outside);
  if (high > unknown) result.high = sorted[sorted.size() - (high - unknown)];
  return result;
}

Histogram histogram(std::span<const double> values, std::size_t bins) {
  TACTUS_ASSERT(!values.empty() && bins > 0, "values and bins");
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  const std::size_t used = *least == *greatest ? 1 : bins;
  Histogram result;
  result.counts.assign(used, 0);
  for (std::size_t i = 0; i < used; ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(used);
    // Halves, so that the width cannot overflow.
    result.edges.push_back(2.0 * (0.5 * *least + part * (0.5 * *greatest - 0.5 * *least)));
  }
  result.edges.push_back(*greatest);
  for (const double value : values) {
    const auto after = std::upper_bound(result.edges.begin(), result.edges.end() - 1, value);
    ++result.counts[static_cast<std::size_t>(after - result.edges.begin()) - 1];
  }
  return result;
}

}  // namespace tactus::sweep
