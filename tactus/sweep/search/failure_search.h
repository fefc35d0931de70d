// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Searches the space of standard normal variables for a failure, then for the smallest one.
//
// A point u belongs to a sample by Distribution::from_standard_normal and
// CorrelatedNormals::from_standard_normals, so |u| is the Mahalanobis distance of the sample from
// the middle of what was declared, and the failure with the least |u| is the likeliest one.
//
// The first evaluation is the middle itself. Then CMA-ES minimises the margin. After the first
// failure, a negative margin, it starts again from there with another order: failures come before
// all others, those nearer to the middle first; of the others those with the smaller margin. What
// converges is started again with twice as many candidates (IPOP, Auger and Hansen 2005): from
// elsewhere as long as nothing failed, from the smallest failure afterwards. So the smallest
// failure is that of the region that was found first; another seed may find another region.
//
// It is a value as CmaEs is: the points of a generation follow from the margins told before.

#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "tactus/sweep/search/cma_es.h"

namespace tactus::sweep {

enum class SearchGoal : std::uint8_t {
  kSmallestFailure,  ///< the margin until one fails, then the distance
  kWorstMargin,      ///< the margin, whatever fails
};

struct SearchSettings {
  std::size_t dimension = 0;
  std::uint64_t seed = 0;
  SearchGoal goal = SearchGoal::kSmallestFailure;
  std::uint64_t most_evaluations = 1000;
  double bound = 6.0;  ///< of the magnitude of every coordinate, in standard deviations
};

/// An evaluation that was made.
struct SearchPoint {
  std::uint64_t evaluation = 0;  ///< from 0
  std::vector<double> u = {};
  double margin = std::numeric_limits<double>::infinity();
  double distance = 0.0;  ///< |u|
};

class FailureSearch {
 public:
  /// Throws Error for a dimension, number of evaluations or bound that cannot be.
  explicit FailureSearch(const SearchSettings& settings);

  /// The points to evaluate next, in any order; empty at the end.
  [[nodiscard]] std::vector<std::vector<double>> ask() const;

  /// Their margins, by index; infinity for one that has none (refused, lost).
  void tell(std::span<const double> margins);

  /// All evaluations made, or nothing left to find: the middle itself fails.
  [[nodiscard]] bool done() const;
  [[nodiscard]] std::uint64_t evaluations() const { return evaluations_; }

  [[nodiscard]] const std::optional<SearchPoint>& worst() const { return worst_; }
  [[nodiscard]] const std::optional<SearchPoint>& first_failure() const { return first_failure_; }
  [[nodiscard]] const std::optional<SearchPoint>& smallest_failure() const {
    return smallest_failure_;
  }

 private:
  void keep(const SearchPoint& point);
  [[nodiscard]] bool wants_smallest() const;
  [[nodiscard]] double rank_value(const SearchPoint& point) const;
  void restart();

  SearchSettings settings_;
  std::uint64_t evaluations_ = 0;
  std::uint64_t restarts_ = 0;
  bool searches_smallest_ = false;
  CmaEs strategy_;
  std::optional<SearchPoint> worst_;
  std::optional<SearchPoint> first_failure_;
  std::optional<SearchPoint> smallest_failure_;
};

}  // namespace tactus::sweep
