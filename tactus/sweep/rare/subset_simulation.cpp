// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sweep/rare/subset_simulation.h"

#include <algorithm>
#include <utility>

#include "tactus/core/assert.h"
#include "tactus/core/math.h"
#include "tactus/core/random.h"

namespace tactus::sweep {
namespace {

struct ScoredPoint {
  std::vector<double> u;
  double score = 0.0;
};

class SubsetPopulation {
 public:
  SubsetPopulation(const SubsetSettings& settings, std::uint64_t run, const ScorePoints& scores)
      : settings_(settings),
        scores_(scores),
        stream_(mix_bits(settings.seed) + run, "sweep subset"),
        chains_(settings.points) {}

  SubsetRun run() {
    start();
    for (;;) {
      const double level = level_of_next();
      if (level > settings_.target) break;
      result_.levels.push_back(level);
      if (!move_above(level)) {
        result_.extinct = true;
        return std::move(result_);
      }
    }
    estimate();
    return std::move(result_);
  }

  [[nodiscard]] std::uint64_t evaluations() const { return drawn_; }

 private:
  [[nodiscard]] std::vector<double> scores_of(
      const std::vector<std::vector<double>>& points) const {
    std::vector<double> scores = scores_(points);
    TACTUS_ASSERT(scores.size() == points.size(), "one score per point");
    for (const double score : scores) TACTUS_ASSERT(!math::is_nan(score), "scores have an order");
    return scores;
  }

  void start() {
    std::vector<std::vector<double>> points;
    for (; drawn_ < settings_.points; ++drawn_) {
      std::vector<double> u(settings_.dimension);
      for (std::size_t i = 0; i < u.size(); ++i) u[i] = stream_.normal(drawn_, channel_of(i));
      points.push_back(std::move(u));
    }
    const std::vector<double> scores = scores_of(points);
    for (std::size_t i = 0; i < points.size(); ++i) {
      population_.push_back({std::move(points[i]), scores[i]});
    }
  }

  /// Two per coordinate: where it moves to, and whether it does.
  static std::uint32_t channel_of(std::size_t coordinate) {
    return static_cast<std::uint32_t>(2 * coordinate);
  }

  [[nodiscard]] double level_of_next() const {
    std::vector<double> scores;
    for (const ScoredPoint& point : population_) scores.push_back(point.score);
    std::sort(scores.begin(), scores.end(), std::greater<>());
    bool fits = false;
    const double above = settings_.level_share * static_cast<double>(scores.size());
    const std::int64_t rank = math::to_int64(above, fits);
    return scores[static_cast<std::size_t>(rank)];
  }

  [[nodiscard]] std::vector<double> move(const std::vector<double>& from,
                                         std::uint64_t draw) const {
    std::vector<double> u = from;
    for (std::size_t i = 0; i < u.size(); ++i) {
      const double to = u[i] + settings_.step * stream_.normal(draw, channel_of(i));
      const double log_ratio = 0.5 * (u[i] - to) * (u[i] + to);
      if (stream_.uniform(draw, channel_of(i) + 1) < math::exp(log_ratio)) u[i] = to;
    }
    return u;
  }

  /// False if it is extinct.
  bool move_above(double level) {
    std::vector<ScoredPoint> chains;
    for (const ScoredPoint& point : population_) {
      if (point.score > level) chains.push_back(point);
    }
    product_ *= static_cast<double>(chains.size()) / static_cast<double>(population_.size());
    if (product_ < settings_.least_probability) return false;
    variance_ += variance_of_share(level);
    chains_ = chains.size();
    population_ = chains;
    while (population_.size() < settings_.points) {
      const std::size_t count = std::min(chains.size(), settings_.points - population_.size());
      std::vector<std::vector<double>> candidates;
      for (std::size_t i = 0; i < count; ++i) {
        candidates.push_back(move(chains[i].u, drawn_));
        ++drawn_;
      }
      const std::vector<double> scores = scores_of(candidates);
      for (std::size_t i = 0; i < count; ++i) {
        if (scores[i] > level) chains[i] = {std::move(candidates[i]), scores[i]};
        population_.push_back(chains[i]);
      }
    }
    return true;
  }

  void estimate() {
    for (const ScoredPoint& point : population_) {
      if (point.score > settings_.target) result_.beyond.push_back(point.u);
    }
    const auto n = static_cast<double>(population_.size());
    const double share = static_cast<double>(result_.beyond.size()) / n;
    result_.estimate = {product_ * share, variance_ + variance_of_share(settings_.target)};
  }

  /// Relative variance of the share of points above the level: as of independent points, times
  /// 1 + gamma for the correlation along chains (Au and Beck, equations 28 and 29). At least one
  /// point is above.
  [[nodiscard]] double variance_of_share(double level) const {
    const std::size_t n = population_.size();
    const auto is_above = [&](std::size_t i) { return population_[i].score > level; };
    std::size_t above = 0;
    for (std::size_t i = 0; i < n; ++i) above += is_above(i) ? 1 : 0;
    const double share = static_cast<double>(above) / static_cast<double>(n);
    if (above == n) return 0.0;
    double gamma = 0.0;
    // A step of all chains is so many points later.
    for (std::size_t lag = chains_; lag < n; lag += chains_) {
      std::size_t both = 0;
      for (std::size_t i = lag; i < n; ++i) both += is_above(i) && is_above(i - lag) ? 1 : 0;
      const double mean = static_cast<double>(both) / static_cast<double>(n - lag);
      const double correlation = (mean - share * share) / (share * (1.0 - share));
      gamma += 2.0 * (1.0 - static_cast<double>(lag) / static_cast<double>(n)) * correlation;
    }
    return (1.0 - share) / (static_cast<double>(n) * share) * (1.0 + math::max(gamma, 0.0));
  }

  const SubsetSettings& settings_;
  const ScorePoints& scores_;
  RandomStream stream_;
  std::vector<ScoredPoint> population_;
  std::uint64_t drawn_ = 0;
  double product_ = 1.0;
  double variance_ = 0.0;
  std::size_t chains_;  ///< their points take turns; of the first population each is one
  SubsetRun result_;
};

}  // namespace

SubsetResult subset_simulation(const SubsetSettings& settings, const ScorePoints& scores) {
  TACTUS_ASSERT(settings.dimension > 0 && settings.runs > 1 && settings.level_share > 0.0 &&
                    settings.level_share < 1.0 && settings.points > 1 &&
                    settings.level_share * static_cast<double>(settings.points) >= 1.0,
                "several runs, in which some points begin chains");
  SubsetResult result;
  std::vector<RareRun> estimates;
  for (std::uint64_t run = 0; run < settings.runs; ++run) {
    SubsetPopulation population(settings, run, scores);
    result.runs.push_back(population.run());
    result.evaluations += population.evaluations();
    estimates.push_back(result.runs.back().estimate);
  }
  result.estimate = combine_runs(estimates, settings.confidence);
  return result;
}

}  // namespace tactus::sweep
