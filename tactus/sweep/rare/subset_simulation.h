// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Subset simulation: the probability that a function of standard normal variables exceeds a target
// that it almost never exceeds (Au and Beck, "Estimation of small failure probabilities in high
// dimensions by subset simulation", 2001). For what is constant in a flight and varies between
// flights; for what is random in time there is splitting.h.
//
// One run, of which several are made (rare_estimate.h):
//   draw N points and score them
//   while the score that a share of p0 exceeds, the level, does not exceed the target:
//     the S points above the level begin Markov chains, N points together, whose distribution is
//     that of the variables above the level: modified Metropolis, every coordinate moves by itself
//     under the normal density, then the point is kept if its score is above the level
//   estimate = product of S / N over all levels * share of points beyond the target
// Levels that follow from the points make it biased by an order of 1 / N, which the interval
// covers.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "tactus/sweep/rare/rare_estimate.h"

namespace tactus::sweep {

struct SubsetSettings {
  std::size_t dimension = 1;
  std::uint64_t seed = 0;
  std::size_t runs = 10;
  std::size_t points = 500;  ///< N, of each run
  double level_share = 0.1;  ///< p0
  double step = 1.0;         ///< standard deviation of a move of a coordinate
  double target = 0.0;       ///< a score above it is the rare event
  double least_probability = 1e-15;
  double confidence = 0.95;
};

struct SubsetRun {
  RareRun estimate;
  /// No point was above the last level, or the product is below least_probability.
  bool extinct = false;
  std::vector<double> levels;
  std::vector<std::vector<double>> beyond;  ///< the last points whose score exceeds the target
};

struct SubsetResult {
  RareEstimate estimate;
  std::vector<SubsetRun> runs;
  std::uint64_t evaluations = 0;
};

/// The scores of points, by index, in whatever order they are evaluated. A score of -infinity is
/// one of a point that has none (refused).
using ScorePoints = std::function<std::vector<double>(std::span<const std::vector<double>> points)>;

[[nodiscard]] SubsetResult subset_simulation(const SubsetSettings& settings,
                                             const ScorePoints& scores);

}  // namespace tactus::sweep
