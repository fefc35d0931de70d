// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sweep/design/distribution.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "tactus/core/assert.h"
#include "tactus/core/checks.h"
#include "tactus/core/math.h"
#include "tactus/sweep/statistics/normal.h"

namespace tactus::sweep {
namespace {

// Below it the ends of a truncated normal are so far out that its quantiles lose their digits.
constexpr double kLeastShare = 1e-280;

void require_ends(std::string_view where, double low, double high) {
  if (!(low < high)) refuse(where, "high", high, fmt::format("must be greater than low = {}", low));
}

/// The share of a normal distribution within [alpha, beta], standard deviations from the mean.
double share_within(double alpha, double beta) {
  return alpha > 0.0 ? normal_tail(alpha) - normal_tail(beta)
                     : normal_tail(-beta) - normal_tail(-alpha);
}

void validate_truncated(std::string_view where, const Distribution& d) {
  require_finite(where, "mean", d.mean);
  require_positive(where, "standard_deviation", d.standard_deviation);
  if (math::is_nan(d.low)) refuse(where, "low", d.low, "must be a number");
  require_ends(where, d.low, d.high);
  const double share = share_within((d.low - d.mean) / d.standard_deviation,
                                    (d.high - d.mean) / d.standard_deviation);
  if (!(math::abs(share) > kLeastShare)) {
    refuse(where, "low", d.low,
           fmt::format("next to nothing of a normal distribution of mean {} and standard deviation "
                       "{} lies between low and high = {}; move them",
                       d.mean, d.standard_deviation, d.high));
  }
}

void validate_values(std::string_view where, const std::vector<double>& values) {
  if (values.empty()) refuse_key(fmt::format("{}.values", where), "must have at least one value");
  for (std::size_t i = 0; i < values.size(); ++i) {
    require_finite(where, fmt::format("values[{}]", i), values[i]);
  }
}

void validate_weights(std::string_view where, const Distribution& d) {
  if (d.weights.size() != d.values.size()) {
    refuse_key(fmt::format("{}.weights", where),
               fmt::format("has {} entries and values has {}; give one weight per value",
                           d.weights.size(), d.values.size()));
  }
  double sum = 0.0;
  for (std::size_t i = 0; i < d.weights.size(); ++i) {
    require_not_negative(where, fmt::format("weights[{}]", i), d.weights[i]);
    sum += d.weights[i];
  }
  if (!(sum > 0.0 && math::is_finite(sum))) {
    refuse_key(fmt::format("{}.weights", where), "must have a positive, finite sum");
  }
}

double truncated_normal_quantile(const Distribution& d, double u) {
  // Probabilities are rounded: they would end just inside.
  if (u == 0.0) return d.low;
  if (u == 1.0) return d.high;
  const double alpha = (d.low - d.mean) / d.standard_deviation;
  const double beta = (d.high - d.mean) / d.standard_deviation;
  const double below_low = normal_tail(-alpha);
  const double below = below_low + u * (normal_tail(-beta) - below_low);
  // From whichever side has the smaller probability: it has more digits there.
  double z = 0.0;
  if (below < 0.5) {
    z = normal_quantile(below);
  } else {
    const double above_high = normal_tail(beta);
    z = -normal_quantile(above_high + (1.0 - u) * (normal_tail(alpha) - above_high));
  }
  return math::clamp(d.mean + d.standard_deviation * z, d.low, d.high);
}

double triangular_quantile(const Distribution& d, double u) {
  const double width = d.high - d.low;
  const double value = u * width < d.mode - d.low
                           ? d.low + math::sqrt(u * width * (d.mode - d.low))
                           : d.high - math::sqrt((1.0 - u) * width * (d.high - d.mode));
  return math::clamp(value, d.low, d.high);
}

double sum_of(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum;
}

double choice_quantile(const Distribution& d, double u) {
  const double wanted = u * sum_of(d.weights);
  double sum = 0.0;
  std::size_t last = 0;
  for (std::size_t i = 0; i < d.values.size(); ++i) {
    if (d.weights[i] == 0.0) continue;
    sum += d.weights[i];
    if (wanted < sum) return d.values[i];
    last = i;
  }
  return d.values[last];
}

/// The index of u among `count` equal shares of [0, 1].
std::size_t share_of(double u, std::size_t count) {
  bool fits = false;
  const std::int64_t index = math::to_int64(u * static_cast<double>(count), fits);
  TACTUS_ASSERT(fits && index >= 0, "u is within [0, 1]");
  return std::min(static_cast<std::size_t>(index), count - 1);
}

}  // namespace

void Distribution::validate(std::string_view where) const {
  switch (kind) {
    case DistributionKind::kUniform:
      require_finite(where, "low", low);
      require_finite(where, "high", high);
      require_ends(where, low, high);
      require_finite(where, "high - low", high - low);
      return;
    case DistributionKind::kNormal:
      require_finite(where, "mean", mean);
      require_positive(where, "standard_deviation", standard_deviation);
      return;
    case DistributionKind::kTruncatedNormal: validate_truncated(where, *this); return;
    case DistributionKind::kLogNormal:
      require_positive(where, "median", median);
      require_positive(where, "log_standard_deviation", log_standard_deviation);
      return;
    case DistributionKind::kTriangular:
      require_finite(where, "low", low);
      require_finite(where, "high", high);
      require_ends(where, low, high);
      require_finite(where, "high - low", high - low);
      require_within(where, "mode", mode, low, high);
      return;
    case DistributionKind::kChoice:
      validate_values(where, values);
      validate_weights(where, *this);
      return;
    case DistributionKind::kList: validate_values(where, values); return;
  }
}

double Distribution::quantile(double u) const {
  TACTUS_ASSERT(u >= 0.0 && u <= 1.0, "u is within [0, 1]");
  switch (kind) {
    case DistributionKind::kUniform: return math::clamp(low + u * (high - low), low, high);
    case DistributionKind::kNormal:
    case DistributionKind::kLogNormal: return from_standard_normal(normal_quantile(u));
    case DistributionKind::kTruncatedNormal: return truncated_normal_quantile(*this, u);
    case DistributionKind::kTriangular: return triangular_quantile(*this, u);
    case DistributionKind::kChoice: return choice_quantile(*this, u);
    case DistributionKind::kList: return values[share_of(u, values.size())];
  }
  return math::canonical_nan();
}

double Distribution::from_standard_normal(double z) const {
  if (kind == DistributionKind::kNormal) return mean + standard_deviation * z;
  if (kind == DistributionKind::kLogNormal) return median * math::exp(log_standard_deviation * z);
  return quantile(normal_tail(-z));
}

bool Distribution::is_bounded() const {
  switch (kind) {
    case DistributionKind::kNormal:
    case DistributionKind::kLogNormal: return false;
    case DistributionKind::kTruncatedNormal: return math::is_finite(low) && math::is_finite(high);
    case DistributionKind::kUniform:
    case DistributionKind::kTriangular:
    case DistributionKind::kChoice:
    case DistributionKind::kList: return true;
  }
  return false;
}

std::vector<double> Distribution::level_coordinates(std::size_t count) const {
  std::vector<double> levels;
  if (kind == DistributionKind::kChoice) {
    const double total = sum_of(weights);
    double below = 0.0;
    for (const double weight : weights) {
      if (weight > 0.0) levels.push_back((below + 0.5 * weight) / total);
      below += weight;
    }
    return levels;
  }
  const std::size_t n = kind == DistributionKind::kList ? values.size() : count;
  const bool from_end_to_end = kind != DistributionKind::kList && is_bounded() && n > 1;
  for (std::size_t i = 0; i < n; ++i) {
    levels.push_back(from_end_to_end ? static_cast<double>(i) / static_cast<double>(n - 1)
                                     : (static_cast<double>(i) + 0.5) / static_cast<double>(n));
  }
  return levels;
}

CorrelatedNormals::CorrelatedNormals(std::string_view where, std::vector<double> mean,
                                     const std::vector<std::vector<double>>& covariance)
    : mean_(std::move(mean)), factor_(mean_.size() * mean_.size(), 0.0) {
  const std::size_t n = mean_.size();
  const auto row_key = [&](std::size_t row) {
    return fmt::format("{}.covariance[{}]", where, row);
  };
  if (n == 0) refuse_key(fmt::format("{}.mean", where), "must have at least one value");
  if (covariance.size() != n) {
    refuse_key(fmt::format("{}.covariance", where),
               fmt::format("has {} rows; mean has {} values", covariance.size(), n));
  }
  for (std::size_t i = 0; i < n; ++i) {
    require_finite(where, fmt::format("mean[{}]", i), mean_[i]);
    if (covariance[i].size() != n) {
      refuse_key(row_key(i), fmt::format("has {} entries, not {}", covariance[i].size(), n));
    }
    for (std::size_t j = 0; j < n; ++j) {
      require_finite(where, fmt::format("covariance[{}][{}]", i, j), covariance[i][j]);
      if (j < i && covariance[i][j] != covariance[j][i]) {
        refuse(where, fmt::format("covariance[{}][{}]", i, j), covariance[i][j],
               fmt::format("must equal covariance[{}][{}] = {}: a covariance is symmetric", j, i,
                           covariance[j][i]));
      }
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double rest = covariance[i][j];
      for (std::size_t k = 0; k < j; ++k) rest -= factor_[i * n + k] * factor_[j * n + k];
      if (j < i) {
        factor_[i * n + j] = rest / factor_[j * n + j];
        continue;
      }
      // What is left after so many subtractions may be nothing but their rounding.
      if (!(rest > 1e-14 * static_cast<double>(n) * covariance[i][i])) {
        refuse_key(row_key(i),
                   fmt::format("must be positive definite together with the rows before it, but "
                               "the variance that these leave is {}; lower the covariances of this "
                               "row or raise its variance",
                               rest));
      }
      factor_[i * n + i] = math::sqrt(rest);
    }
  }
}

void CorrelatedNormals::from_standard_normals(std::span<const double> z,
                                              std::span<double> values) const {
  TACTUS_ASSERT(z.size() == size() && values.size() == size(), "one number per dimension");
  // From the last row up: z and values may be the same numbers.
  for (std::size_t i = size(); i-- > 0;) {
    double sum = 0.0;
    for (std::size_t j = 0; j <= i; ++j) sum += factor_[i * size() + j] * z[j];
    values[i] = mean_[i] + sum;
  }
}

void CorrelatedNormals::quantiles(std::span<const double> u, std::span<double> values) const {
  TACTUS_ASSERT(u.size() == size() && values.size() == size(), "one number per dimension");
  for (std::size_t i = 0; i < size(); ++i) values[i] = normal_quantile(u[i]);
  from_standard_normals(values, values);
}

}  // namespace tactus::sweep
