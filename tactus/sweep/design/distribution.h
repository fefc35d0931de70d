// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// How a varied key is distributed, as its quantile function: the value belongs to a coordinate of
// the unit cube, whatever design chose that (point_set.h).

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tactus::sweep {

enum class DistributionKind : std::uint8_t {
  kUniform,          ///< low, high
  kNormal,           ///< mean, standard_deviation
  kTruncatedNormal,  ///< mean and standard_deviation of the whole, low, high; one may be infinite
  kLogNormal,        ///< median, log_standard_deviation
  kTriangular,       ///< low, mode, high
  kChoice,           ///< values with weights
  kList,             ///< values, all of the same weight
};

struct Distribution {
  DistributionKind kind = DistributionKind::kUniform;
  double low = 0.0;
  double high = 0.0;
  double mode = 0.0;
  double mean = 0.0;
  double standard_deviation = 0.0;
  double median = 0.0;
  double log_standard_deviation = 0.0;  ///< of the natural logarithm
  std::vector<double> values = {};
  std::vector<double> weights = {};  ///< one per value; they need not sum up to one

  /// Throws Error, about `where.KEY`, for parameters that make no distribution.
  void validate(std::string_view where) const;

  /// The value below which the share u of all values lies, u within [0, 1]; at 0 and 1 the ends,
  /// infinite where there are none. Needs a valid distribution, as all that follows.
  [[nodiscard]] double quantile(double u) const;

  /// quantile(P(X < z)) of a standard normal X, without going through the probability where the
  /// distribution is a normal one.
  [[nodiscard]] double from_standard_normal(double z) const;

  /// Whether it has two finite ends, so that `corners` and `grid` can go there.
  [[nodiscard]] bool is_bounded() const;

  /// Coordinates u of `count` levels, for designs that go through levels. Bounded ones are equally
  /// spaced from end to end (one level is the middle), unbounded ones are the middles of equal
  /// shares. A choice or list has its own: one per value, and `count` is not asked.
  [[nodiscard]] std::vector<double> level_coordinates(std::size_t count) const;
};

/// Normal values with a covariance: mean + L z with L L^T = covariance (Cholesky), z standard
/// normal.
class CorrelatedNormals {
 public:
  /// Throws Error, about `where.mean` and `where.covariance`, for what is not finite, square and
  /// symmetric to the bit, and for a covariance that is not positive definite; it names the row.
  CorrelatedNormals(std::string_view where, std::vector<double> mean,
                    const std::vector<std::vector<double>>& covariance);

  [[nodiscard]] std::size_t size() const { return mean_.size(); }

  /// All three of size().
  void from_standard_normals(std::span<const double> z, std::span<double> values) const;
  /// From coordinates of the open unit cube.
  void quantiles(std::span<const double> u, std::span<double> values) const;

 private:
  std::vector<double> mean_;
  std::vector<double> factor_;  ///< L by rows, size() each
};

}  // namespace tactus::sweep
