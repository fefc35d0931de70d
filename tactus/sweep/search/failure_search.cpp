// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sweep/search/failure_search.h"

#include <fmt/format.h>

#include <algorithm>

#include "tactus/core/assert.h"
#include "tactus/core/checks.h"
#include "tactus/core/math.h"
#include "tactus/core/random.h"

namespace tactus::sweep {
namespace {

constexpr std::size_t kMostDimensions = 1000;
// Of the distance of the failure from which the smallest one is searched.
constexpr double kStepOfDistance = 0.3;
constexpr double kLeastStep = 1e-3;  // standard deviations: finer says nothing about a disturbance

const SearchSettings& checked(const SearchSettings& settings) {
  if (settings.dimension == 0 || settings.dimension > kMostDimensions) {
    refuse_key("search.dimension", fmt::format("{}", settings.dimension),
               fmt::format("must lie between 1 and {}: vary at least one key", kMostDimensions));
  }
  if (settings.most_evaluations == 0) {
    refuse_key("search.evaluations", "0", "must be greater than zero");
  }
  require_positive("search", "bound", settings.bound);
  return settings;
}

double length_of(std::span<const double> u) {
  double sum = 0.0;
  for (const double x : u) sum += x * x;
  return math::sqrt(sum);
}

CmaEs make_strategy(const SearchSettings& settings, std::uint64_t restarts,
                    std::vector<double> start, double step) {
  CmaSettings cma;
  cma.seed = mix_bits(settings.seed) + restarts;
  cma.start = std::move(start);
  cma.step = step;
  cma.bound = settings.bound;
  cma.least_step = kLeastStep;
  const std::size_t usual = CmaEs(cma).population();
  cma.population = usual << std::min<std::uint64_t>(restarts, 10);
  return CmaEs(cma);
}

}  // namespace

FailureSearch::FailureSearch(const SearchSettings& settings)
    : settings_(checked(settings)),
      strategy_(make_strategy(settings, 0, std::vector<double>(settings.dimension, 0.0),
                              math::min(1.0, 0.5 * settings.bound))) {}

std::vector<std::vector<double>> FailureSearch::ask() const {
  std::vector<std::vector<double>> points;
  if (done()) return points;
  if (evaluations_ == 0) return {std::vector<double>(settings_.dimension, 0.0)};
  const std::uint64_t left = settings_.most_evaluations - evaluations_;
  for (std::size_t i = 0; i < std::min<std::uint64_t>(strategy_.population(), left); ++i) {
    points.push_back(strategy_.candidate(i));
  }
  return points;
}

void FailureSearch::tell(std::span<const double> margins) {
  const std::vector<std::vector<double>> points = ask();
  TACTUS_ASSERT(margins.size() == points.size() && !points.empty(), "one margin per point asked");
  const bool middle = evaluations_ == 0;
  std::vector<double> values;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const SearchPoint point{evaluations_, points[i], margins[i], length_of(points[i])};
    ++evaluations_;
    keep(point);
    values.push_back(rank_value(point));
  }
  if (middle || done()) return;
  // A generation in which the first failure came is told as one of the first order.
  strategy_.tell(values);
  if (strategy_.converged() || (wants_smallest() && !searches_smallest_)) restart();
}

void FailureSearch::keep(const SearchPoint& point) {
  if (!worst_ || point.margin < worst_->margin) worst_ = point;
  if (!(point.margin < 0.0)) return;
  if (!first_failure_) first_failure_ = point;
  if (!smallest_failure_ || point.distance < smallest_failure_->distance) {
    smallest_failure_ = point;
  }
}

bool FailureSearch::done() const {
  return evaluations_ >= settings_.most_evaluations ||
         (wants_smallest() && smallest_failure_->distance == 0.0);
}

bool FailureSearch::wants_smallest() const {
  return settings_.goal == SearchGoal::kSmallestFailure && smallest_failure_.has_value();
}

double FailureSearch::rank_value(const SearchPoint& point) const {
  if (!searches_smallest_) return point.margin;
  if (point.margin < 0.0) return point.distance;
  // Behind all failures, which are within the bounds.
  const double farthest = settings_.bound * math::sqrt(static_cast<double>(settings_.dimension));
  return farthest + 1.0 + point.margin;
}

void FailureSearch::restart() {
  // The step from the first order to the second keeps the number of candidates.
  if (wants_smallest() == searches_smallest_) ++restarts_;
  searches_smallest_ = wants_smallest();
  if (searches_smallest_) {
    const double step = math::max(kStepOfDistance * smallest_failure_->distance, 2.0 * kLeastStep);
    strategy_ = make_strategy(settings_, restarts_, smallest_failure_->u, step);
    return;
  }
  const RandomStream stream(settings_.seed, "sweep search start");
  std::vector<double> start(settings_.dimension);
  for (std::size_t i = 0; i < start.size(); ++i) {
    start[i] = math::clamp(2.0 * stream.normal(restarts_, static_cast<std::uint32_t>(i)),
                           -settings_.bound, settings_.bound);
  }
  strategy_ =
      make_strategy(settings_, restarts_, std::move(start), math::min(1.0, 0.5 * settings_.bound));
}

}  // namespace tactus::sweep
