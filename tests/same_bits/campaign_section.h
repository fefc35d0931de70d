// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The arithmetic of campaigns as a stream of numbers for the probe: which samples are flown, and
// what follows from them.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "tactus/core/math.h"
#include "tactus/core/random.h"
#include "tactus/sweep/design/distribution.h"
#include "tactus/sweep/design/point_set.h"
#include "tactus/sweep/rare/splitting.h"
#include "tactus/sweep/rare/subset_simulation.h"
#include "tactus/sweep/search/failure_search.h"
#include "tactus/sweep/statistics/correlation.h"
#include "tactus/sweep/statistics/intervals.h"
#include "tactus/sweep/statistics/percentiles.h"
#include "tactus/sweep/statistics/sobol_indices.h"

namespace tactus::same_bits {

template <class Sink>
void add(const sweep::Interval& interval, Sink& sink) {
  sink.add(interval.low);
  sink.add(interval.high);
}

inline std::vector<sweep::Distribution> every_distribution() {
  using Kind = sweep::DistributionKind;
  std::vector<sweep::Distribution> all;
  for (const Kind kind : {Kind::kUniform, Kind::kNormal, Kind::kTruncatedNormal, Kind::kLogNormal,
                          Kind::kTriangular, Kind::kChoice, Kind::kList}) {
    sweep::Distribution& d = all.emplace_back();
    d.kind = kind;
    d.low = -1.5;
    d.high = 4.25;
    d.mode = 0.3;
    d.mean = 0.7;
    d.standard_deviation = 1.3;
    d.median = 2.1;
    d.log_standard_deviation = 0.4;
    d.values = {0.1, 0.2, 0.4};
    d.weights = {0.5, 0.2, 0.7};
  }
  return all;
}

/// Samples of every random design, through every distribution and a correlated group.
template <class Sink>
void add_samples(Sink& sink) {
  const std::vector<sweep::Distribution> distributions = every_distribution();
  const sweep::CorrelatedNormals correlated("probe", {1.0, -2.0, 0.5},
                                            {{4.0, 1.2, -0.6}, {1.2, 1.0, 0.1}, {-0.6, 0.1, 9.0}});
  std::vector<sweep::DesignAxis> axes;
  for (std::size_t i = 0; i < distributions.size(); ++i) {
    axes.push_back({"key " + std::to_string(i), {}});
  }
  using Kind = sweep::DesignKind;
  for (const Kind kind : {Kind::kMonteCarlo, Kind::kLatinHypercube, Kind::kSobol}) {
    sweep::Design design;
    design.kind = kind;
    design.seed = 4;
    design.rows = 50;
    design.replicates = kind == Kind::kMonteCarlo ? 1 : 2;
    design.saltelli = true;
    const sweep::PointSet points(design, axes);
    for (std::uint64_t sample = 0; sample < points.size(); ++sample) {
      std::vector<double> u;
      for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        u.push_back(points.coordinate(sample, axis));
        sink.add(distributions[axis].quantile(u[axis]));
      }
      std::vector<double> values(3);
      correlated.quantiles(std::span(u).first(3), values);
      for (const double value : values) sink.add(value);
    }
  }
}

template <class Sink>
void add_statistics(Sink& sink) {
  for (const std::uint64_t failed : {0U, 1U, 17U, 450U, 1000U}) {
    const sweep::OutcomeCounts counts{failed, 1000 - failed, failed / 3};
    add(sweep::exact_interval(counts, 0.95), sink);
    add(sweep::sequential_interval(counts, 0.95), sink);
  }
  const RandomStream stream(1, "probe");
  std::vector<double> x(90);
  std::vector<double> y(90);
  for (std::size_t i = 0; i < x.size(); ++i) {
    stream.normal_pair(i, 0, x[i], y[i]);
    y[i] += x[i];
  }
  add(sweep::replicate_interval(x, 0.9).value_or(sweep::Interval{}), sink);
  const auto correlation = sweep::rank_correlation(x, y, 0.95).value_or(sweep::RankCorrelation{});
  sink.add(correlation.coefficient);
  sink.add(correlation.probability);
  add(correlation.interval.value_or(sweep::Interval{}), sink);
  const auto indices = sweep::sobol_indices(y, 4, {.seed = 2, .resamples = 20});
  for (const sweep::SobolIndex& index : indices.value_or(sweep::SobolIndices{}).total) {
    sink.add(index.value);
    add(index.interval, sink);
  }
  std::sort(x.begin(), x.end());
  for (const double share : {0.1, 0.5, 0.9}) {
    const sweep::Percentile found = sweep::percentile(x, share, 2, 0.9);
    sink.add(found.value);
    sink.add(found.low.value_or(0.0));
    sink.add(found.high.value_or(0.0));
  }
}

/// A random walk towards zero; the score is its maximum.
struct ProbeProcess {
  double x = 0.0;
  double greatest = 0.0;
  std::uint64_t tick = 0;
  RandomStream stream{};

  void advance_past(double level) {
    for (; tick < 40 && !(greatest > level); ++tick) {
      x = 0.9 * x + 0.4 * stream.normal(tick);
      greatest = math::max(greatest, x);
    }
  }
  void rekey(std::uint64_t key) { stream = RandomStream(key, "probe process"); }
  [[nodiscard]] double score() const { return greatest; }
  [[nodiscard]] std::uint64_t instant() const { return tick; }
};

template <class Sink>
void add_searches(Sink& sink) {
  sweep::FailureSearch search({.dimension = 4, .seed = 3, .most_evaluations = 400});
  while (!search.done()) {
    std::vector<double> margins;
    for (const std::vector<double>& u : search.ask()) {
      for (const double value : u) sink.add(value);
      margins.push_back(3.0 - u[0] - 0.5 * u[1] + 0.1 * u[2] * u[2] + 0.2 * u[3]);
    }
    search.tell(margins);
  }
  const sweep::SplittingResult rare =
      sweep::split(ProbeProcess{}, {.seed = 5, .runs = 3, .paths = 30, .killed = 3, .target = 3.2});
  sink.add(rare.estimate.probability);
  sink.add(rare.estimate.relative_variance);
  add(rare.estimate.interval.value_or(sweep::Interval{}), sink);
  const sweep::SubsetResult subset =
      sweep::subset_simulation({.dimension = 2, .seed = 6, .runs = 2, .points = 100, .target = 3.0},
                               [](std::span<const std::vector<double>> points) {
                                 std::vector<double> scores;
                                 for (const std::vector<double>& u : points)
                                   scores.push_back(0.8 * u[0] - 0.6 * u[1]);
                                 return scores;
                               });
  sink.add(subset.estimate.probability);
  add(subset.estimate.interval.value_or(sweep::Interval{}), sink);
}

template <class Sink>
void campaign_section(Sink& sink) {
  add_samples(sink);
  add_statistics(sink);
  add_searches(sink);
}

}  // namespace tactus::same_bits
