// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sweep/statistics/sobol_indices.h"

#include <algorithm>
#include <utility>

#include "tactus/core/assert.h"
#include "tactus/core/random.h"
#include "tactus/sweep/statistics/percentiles.h"

namespace tactus::sweep {
namespace {

/// Sums over rows from which all indices follow.
struct Sums {
  double f = 0.0;        ///< over A and B
  double squares = 0.0;  ///< over A and B
  std::vector<double> first;
  std::vector<double> total;

  explicit Sums(std::size_t axes) : first(axes, 0.0), total(axes, 0.0) {}

  void add(std::span<const double> row) {
    const double a = row[0];
    const double b = row[1];
    f += a + b;
    squares += a * a + b * b;
    for (std::size_t i = 0; i < first.size(); ++i) {
      const double change = row[i + 2] - a;
      first[i] += b * change;
      total[i] += change * change;
    }
  }

  [[nodiscard]] double variance(double rows) const {
    const double mean = f / (2.0 * rows);
    return squares / (2.0 * rows) - mean * mean;
  }
};

Interval interval_of(std::vector<double>& values, double confidence) {
  std::sort(values.begin(), values.end());
  const double outside = 0.5 * (1.0 - confidence);
  return {percentile(values, outside, 0, confidence).value,
          percentile(values, 1.0 - outside, 0, confidence).value};
}

}  // namespace

std::optional<SobolIndices> sobol_indices(std::span<const double> outputs, std::size_t axes,
                                          const Bootstrap& bootstrap) {
  const std::size_t width = axes + 2;
  TACTUS_ASSERT(axes > 0 && outputs.size() % width == 0, "whole rows");
  const std::size_t rows = outputs.size() / width;
  if (rows < 2) return std::nullopt;
  const auto count = static_cast<double>(rows);

  double mean = 0.0;
  for (std::size_t row = 0; row < rows; ++row) {
    mean += (outputs[row * width] + outputs[row * width + 1]) / (2.0 * count);
  }
  std::vector<double> centred(outputs.begin(), outputs.end());
  for (double& value : centred) value -= mean;
  const auto row_of = [&](std::size_t row) {
    return std::span<const double>(centred).subspan(row * width, width);
  };

  Sums sums(axes);
  for (std::size_t row = 0; row < rows; ++row) sums.add(row_of(row));
  const double variance = sums.variance(count);
  if (!(variance > 0.0)) return std::nullopt;
  SobolIndices result;
  for (std::size_t i = 0; i < axes; ++i) {
    result.first.push_back({sums.first[i] / count / variance, {}});
    result.total.push_back({0.5 * sums.total[i] / count / variance, {}});
  }

  const RandomStream stream(bootstrap.seed, "sweep bootstrap");
  std::vector<std::vector<double>> first(axes);
  std::vector<std::vector<double>> total(axes);
  for (std::uint64_t resample = 0; resample < bootstrap.resamples; ++resample) {
    Sums drawn(axes);
    for (std::size_t row = 0; row < rows; ++row) {
      const auto random = stream.bits(row, static_cast<std::uint32_t>(resample)).word[0];
      drawn.add(row_of(static_cast<std::size_t>((std::uint64_t{random} * rows) >> 32)));
    }
    const double drawn_variance = drawn.variance(count);
    // All rows drawn alike: nothing follows from them.
    if (!(drawn_variance > 0.0)) continue;
    for (std::size_t i = 0; i < axes; ++i) {
      first[i].push_back(drawn.first[i] / count / drawn_variance);
      total[i].push_back(0.5 * drawn.total[i] / count / drawn_variance);
    }
  }
  for (std::size_t i = 0; i < axes; ++i) {
    if (first[i].empty()) return std::nullopt;
    result.first[i].interval = interval_of(first[i], bootstrap.confidence);
    result.total[i].interval = interval_of(total[i], bootstrap.confidence);
  }
  return result;
}

}  // namespace tactus::sweep
