// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Rank correlation (Spearman): how far a measure rises or falls with a key, whatever the curve is.
// Equal values share the mean of their ranks. The probability is that of Student's t with n - 2
// degrees of freedom, the interval that of Fisher's transformation with the variance of Bonett and
// Wright, "Sample size requirements for estimating Pearson, Kendall and Spearman correlations"
// (2000). Both take independent samples.

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "tactus/sweep/statistics/intervals.h"

namespace tactus::sweep {

/// Ranks from 1; equal values have the mean of theirs.
[[nodiscard]] std::vector<double> mean_ranks(std::span<const double> values);

struct RankCorrelation {
  double coefficient = 0.0;
  /// Of a coefficient this far from zero if there is no correlation.
  double probability = 1.0;
  /// None for fewer than four samples and for a coefficient of -1 or 1.
  std::optional<Interval> interval;
};

/// None for fewer than three samples, and if one of both never changes. Finite values.
[[nodiscard]] std::optional<RankCorrelation> rank_correlation(std::span<const double> x,
                                                              std::span<const double> y,
                                                              double confidence);

}  // namespace tactus::sweep
