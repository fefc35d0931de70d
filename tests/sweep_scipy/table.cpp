// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Prints what the arithmetic of campaigns gives: lines `KIND ARGUMENTS... RESULTS...`, for
// compare.py to compute again.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include "tactus/core/random.h"
#include "tactus/sweep/design/distribution.h"
#include "tactus/sweep/design/sobol.h"
#include "tactus/sweep/statistics/beta.h"
#include "tactus/sweep/statistics/correlation.h"
#include "tactus/sweep/statistics/intervals.h"
#include "tactus/sweep/statistics/percentiles.h"

namespace tactus::sweep {
namespace {

void print(const char* kind, const std::vector<double>& numbers) {
  std::printf("%s", kind);
  for (const double number : numbers) std::printf(" %.17g", number);
  std::printf("\n");
}

void print_quantiles() {
  const double infinity = std::numeric_limits<double>::infinity();
  Distribution d;
  for (const double u : {1e-12, 1e-4, 0.01, 0.2, 0.5, 0.61, 0.9, 0.999, 1.0 - 1e-9}) {
    d = {.kind = DistributionKind::kUniform, .low = -3.0, .high = 8.5};
    print("uniform", {d.low, d.high, u, d.quantile(u)});
    d = {.kind = DistributionKind::kNormal, .mean = 2.5, .standard_deviation = 0.7};
    print("normal", {d.mean, d.standard_deviation, u, d.quantile(u)});
    for (const auto& [low, high] : {std::pair{1.0, 3.0},
                                    {-2.0, 2.4},
                                    {2.4, infinity},
                                    {-infinity, 1.0},
                                    {9.0, 10.0},
                                    {-20.0, 20.0}}) {
      d = {.kind = DistributionKind::kTruncatedNormal,
           .low = low,
           .high = high,
           .mean = 2.0,
           .standard_deviation = 1.25};
      print("truncated_normal", {d.mean, d.standard_deviation, low, high, u, d.quantile(u)});
    }
    d = {.kind = DistributionKind::kLogNormal, .median = 3.0, .log_standard_deviation = 0.4};
    print("log_normal", {d.median, d.log_standard_deviation, u, d.quantile(u)});
    for (const double mode : {-1.0, 0.5, 4.0}) {
      d = {.kind = DistributionKind::kTriangular, .low = -1.0, .high = 4.0, .mode = mode};
      print("triangular", {d.low, d.mode, d.high, u, d.quantile(u)});
    }
  }
}

void print_intervals() {
  for (const std::uint64_t count : {1U, 7U, 30U, 1000U, 1'000'000U}) {
    for (const double rate : {0.0, 0.003, 0.2, 0.5, 0.93, 1.0}) {
      const auto failed = static_cast<std::uint64_t>(rate * static_cast<double>(count));
      for (const double confidence : {0.5, 0.95, 0.999}) {
        const Interval interval = exact_interval({failed, count - failed, 0}, confidence);
        print("exact_interval", {static_cast<double>(failed), static_cast<double>(count),
                                 confidence, interval.low, interval.high});
      }
      print("binomial_at_most", {static_cast<double>(failed), static_cast<double>(count), 0.31,
                                 binomial_at_most(failed, count, 0.31)});
    }
  }
  for (const double freedom : {1.0, 4.0, 15.0, 200.0}) {
    for (const double confidence : {0.5, 0.95, 0.999}) {
      print("student", {freedom, confidence, student_half_width(confidence, freedom)});
    }
  }
}

/// Lines `data_x` and `data_y`, then what belongs to them.
void print_samples(std::size_t count, bool with_ties) {
  const RandomStream stream(count, "table");
  std::vector<double> x(count);
  std::vector<double> y(count);
  for (std::size_t i = 0; i < count; ++i) {
    stream.normal_pair(i, 0, x[i], y[i]);
    y[i] += 0.4 * x[i];
    if (with_ties) {
      x[i] = std::round(2.0 * x[i]);
      y[i] = std::round(2.0 * y[i]);
    }
  }
  print("data_x", x);
  print("data_y", y);
  const auto correlation = rank_correlation(x, y, 0.9);
  if (correlation) {
    print("rank_correlation", {correlation->coefficient, correlation->probability});
    if (correlation->interval) {
      print("rank_interval", {0.9, correlation->interval->low, correlation->interval->high});
    }
  }
  const Histogram bins = histogram(x, 9);
  print("histogram_edges", bins.edges);
  std::vector<double> counts;
  for (const std::uint64_t in_bin : bins.counts) counts.push_back(static_cast<double>(in_bin));
  print("histogram_counts", counts);
  std::sort(x.begin(), x.end());
  for (const double share : {0.01, 0.25, 0.5, 0.9, 0.99}) {
    const Percentile found = percentile(x, share, 0, 0.95);
    print("percentile",
          {share, 0.95, found.value, found.low.value_or(-1e300), found.high.value_or(1e300)});
  }
}

void print_sobol() {
  for (std::uint64_t index = 0; index < 1024; ++index) {
    std::vector<double> point;
    for (std::size_t d = 0; d < kSobolDimensions; ++d) {
      point.push_back(static_cast<double>(sobol_bits(index, d)) * 0x1p-32);
    }
    print("sobol", point);
  }
}

}  // namespace
}  // namespace tactus::sweep

int main() {
  using namespace tactus::sweep;  // NOLINT(google-build-using-namespace)
  print_quantiles();
  print_intervals();
  for (const std::size_t count : {3U, 4U, 20U, 500U}) {
    print_samples(count, false);
    print_samples(count, true);
  }
  print_sobol();
}
