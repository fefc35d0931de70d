// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Percentiles and histograms of what was measured in the samples.
//
// A percentile is interpolated between the two order statistics around (n - 1) p + 1 (type 7 of
// Hyndman and Fan, "Sample quantiles in statistical packages", 1996). Its interval has order
// statistics as its ends and assumes nothing about the distribution: X_(l) is above the percentile
// only if fewer than l of n samples are below, a binomial probability (David and Nagaraja, Order
// Statistics, section 7.1). It holds for independent samples: monte_carlo.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tactus::sweep {

struct Percentile {
  double value = 0.0;
  /// None: so few samples that no order statistic is far enough out.
  std::optional<double> low;
  std::optional<double> high;
};

/// Of finite values in ascending order, at least one; `share` within (0, 1). Each of `unknown`
/// further samples could be anywhere: they widen the interval and leave the value.
[[nodiscard]] Percentile percentile(std::span<const double> sorted, double share,
                                    std::uint64_t unknown, double confidence);

struct Histogram {
  /// One more than bins. A bin takes its lower edge, the last one its upper edge, too.
  std::vector<double> edges;
  std::vector<std::uint64_t> counts;
};

/// Of finite values, at least one: bins of equal width from the least to the greatest; one bin if
/// they are equal.
[[nodiscard]] Histogram histogram(std::span<const double> values, std::size_t bins);

}  // namespace tactus::sweep
