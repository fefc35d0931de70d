// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Sobol' indices of a Saltelli design (design/point_set.h): which share of the variance of a
// measure comes from a key alone (first order), and which share would go if it were known (total).
// With f at the points A, B and AB_i of N rows and the variance V of f over A and B:
//   first order  S_i  = 1/N sum f_B (f_AB_i - f_A) / V        Saltelli et al. (2010), f centred
//   total        ST_i = 1/(2N) sum (f_A - f_AB_i)^2 / V       Jansen (1999)
// Intervals: percentiles of a bootstrap over rows, with random numbers by (seed, resample, row).
// They take independent rows; with sobol and latin_hypercube, whose errors are smaller, they are
// too wide. Keys have to be independent: with correlated ones a share belongs to none alone.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tactus/sweep/statistics/intervals.h"

namespace tactus::sweep {

struct SobolIndex {
  double value = 0.0;
  Interval interval;
};

struct SobolIndices {
  std::vector<SobolIndex> first;  ///< one per axis
  std::vector<SobolIndex> total;
};

struct Bootstrap {
  std::uint64_t seed = 0;
  std::uint64_t resamples = 1000;
  double confidence = 0.95;
};

/// `outputs`: finite, of whole rows in the order of the samples, axes + 2 each. None if they never
/// change.
[[nodiscard]] std::optional<SobolIndices> sobol_indices(std::span<const double> outputs,
                                                        std::size_t axes,
                                                        const Bootstrap& bootstrap);

}  // namespace tactus::sweep
