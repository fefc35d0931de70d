// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Adaptive multilevel splitting: the probability that a random process reaches a score that it
// almost never reaches (Cérou and Guyader, "Adaptive multilevel splitting for rare event analysis",
// 2007; in discrete time, with ties, Bréhier, Gazeau, Goudenège, Lelièvre and Rousset,
// "Unbiasedness of some generalized adaptive multilevel splitting algorithms", 2016).
//
// One run, of which several are made (rare_estimate.h):
//   fly N paths, each to its end or until its score exceeds the target
//   while the k-th least score, the level, does not exceed the target:
//     kill every path whose score does not exceed the level: K >= k of them, ties included
//     none left: extinct, the estimate is 0; so it is once it is below least_probability
//     replace each by a copy of a survivor, drawn at random, at the first instant at which its
//     score exceeded the level, which goes on with a fresh key
//   estimate = product of (1 - K / N) over all levels * share of paths beyond the target
//
// The estimate is unbiased for any k, score and step size. Its variance is estimated from the roots
// of the paths, the initial paths they descend from: pairs with different roots went their ways
// independently, so that Q below estimates p^2 and p^2 - Q the variance (Lee and Whiteley,
// "Variance estimation in the particle filter", 2018, here for killed paths, of which survivors
// stay as they are):
//   Q = product of (1 - K / N)^2 N^2 / (N^2 - K) * pairs beyond the target with different roots
//       / (N (N - 1))
// It is at least that of the ideal algorithm, sum of K / (N (N - K)) and (1 - f) / (N f) relative
// to p^2 for the last share f, which is taken where it is larger.
//
// A path is kept as its state at birth, from which it is flown again to the first crossing when it
// is a parent; that state then takes the place of the older one. So there are N states, whatever
// the number of levels.

#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "tactus/core/assert.h"
#include "tactus/core/math.h"
#include "tactus/core/random.h"
#include "tactus/sweep/rare/rare_estimate.h"

namespace tactus::sweep {

/// A random process with a state that can be copied in mid-flight, such as a run with its running
/// maximum of a score.
template <class T>
concept SplittingProcess = std::copyable<T> &&
    requires(T process, const T& seen, double level, std::uint64_t key) {
  /// Goes on until score() > level, or to its end. The instant at which it stops, and its state
  /// there, must not depend on where it had stopped before.
  process.advance_past(level);
  /// From now on it draws its random numbers by this key.
  process.rekey(key);
  /// The greatest score so far.
  { seen.score() } -> std::same_as<double>;
  /// When it is, for the ancestry.
  { seen.instant() } -> std::same_as<std::uint64_t>;
};

/// Runs tasks 0 … count - 1, one after the other. A thread pool may take its place: tasks are
/// independent of each other.
struct InOrder {
  template <class Task>
  void operator()(std::size_t count, Task&& task) const {
    for (std::size_t i = 0; i < count; ++i) task(i);
  }
};

struct SplittingSettings {
  std::uint64_t seed = 0;
  std::size_t runs = 10;
  std::size_t paths = 100;  ///< N, of each run
  std::size_t killed = 1;   ///< k; more make levels coarser and let as many fly at a time
  double target = 0.0;      ///< a score above it is the rare event
  double least_probability = 1e-15;
  double confidence = 0.95;
};

/// How a path began. Any of them can be flown again: its line of parents to the root, then from the
/// root on, at the instant of each birth its key.
struct PathBirth {
  static constexpr std::size_t kRoot = std::numeric_limits<std::size_t>::max();

  std::size_t parent = kRoot;
  std::uint64_t instant = 0;
  std::uint64_t key = 0;
};

struct SplittingRun {
  RareRun estimate;
  /// At the last level no path survived, or the product is below least_probability.
  bool extinct = false;
  std::vector<double> levels;
  std::vector<PathBirth> births;    ///< of all paths that were flown, the initial ones first
  std::vector<std::size_t> beyond;  ///< the paths of the last population that exceeded the target

  /// The births from the root to this path, in the order in which they are to be flown.
  [[nodiscard]] std::vector<PathBirth> ancestry(std::size_t path) const {
    std::vector<PathBirth> line;
    for (std::size_t i = path; i != PathBirth::kRoot; i = births[i].parent) {
      line.push_back(births[i]);
    }
    std::reverse(line.begin(), line.end());
    return line;
  }
};

struct SplittingResult {
  RareEstimate estimate;
  std::vector<SplittingRun> runs;
};

namespace detail {

/// The population of one run, and its steps.
template <SplittingProcess Process, class Execute>
class SplittingPopulation {
 public:
  SplittingPopulation(const SplittingSettings& settings, std::uint64_t run, const Execute& execute)
      : settings_(settings),
        execute_(execute),
        stream_(mix_bits(settings.seed) + run, "sweep splitting") {}

  SplittingRun fly(const Process& initial) {
    start(initial);
    for (;;) {
      const double level = level_of_next();
      if (level > settings_.target) break;
      result_.levels.push_back(level);
      if (!replace_up_to(level)) {
        result_.extinct = true;
        return std::move(result_);
      }
    }
    estimate();
    return std::move(result_);
  }

 private:
  struct Path {
    std::size_t id = 0;
    std::size_t root = 0;
    double score = 0.0;
    Process state;  ///< at birth, or later at a crossing of a level below its score
  };

  [[nodiscard]] std::uint64_t new_path(std::size_t parent, std::uint64_t instant) {
    const PhiloxBlock block = stream_.bits(result_.births.size(), 0);
    const std::uint64_t key = (std::uint64_t{block.word[1]} << 32) | block.word[0];
    result_.births.push_back({parent, instant, key});
    return key;
  }

  void start(const Process& initial) {
    for (std::size_t i = 0; i < settings_.paths; ++i) {
      paths_.push_back({i, i, 0.0, initial});
      paths_[i].state.rekey(new_path(PathBirth::kRoot, initial.instant()));
    }
    execute_(paths_.size(),
             [this](std::size_t i) { paths_[i].score = final_score(paths_[i].state); });
  }

  [[nodiscard]] double final_score(Process flown) const {
    flown.advance_past(settings_.target);
    TACTUS_ASSERT(!math::is_nan(flown.score()), "scores have an order");
    return flown.score();
  }

  [[nodiscard]] double level_of_next() const {
    std::vector<double> scores;
    for (const Path& path : paths_) scores.push_back(path.score);
    const auto kth = scores.begin() + static_cast<std::ptrdiff_t>(settings_.killed - 1);
    std::nth_element(scores.begin(), kth, scores.end());
    return *kth;
  }

  /// False if it is extinct.
  bool replace_up_to(double level) {
    std::vector<std::size_t> dead;
    std::vector<std::size_t> alive;
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      (paths_[i].score > level ? alive : dead).push_back(i);
    }
    if (alive.empty()) return false;
    const auto n = static_cast<double>(paths_.size());
    const auto k = static_cast<double>(dead.size());
    product_ *= 1.0 - k / n;
    pair_correction_ *= n * n / (n * n - k);
    ideal_variance_ += k / (n * (n - k));
    if (product_ < settings_.least_probability) return false;

    std::vector<std::size_t> parents;
    for (std::size_t child = 0; child < dead.size(); ++child) {
      const auto random =
          stream_.bits(result_.levels.size(), static_cast<std::uint32_t>(child) + 1).word[0];
      parents.push_back(alive[(std::uint64_t{random} * alive.size()) >> 32]);
    }
    // Parents go to the crossing first, once each: children of one share it.
    std::vector<std::size_t> flown = parents;
    std::sort(flown.begin(), flown.end());
    flown.erase(std::unique(flown.begin(), flown.end()), flown.end());
    execute_(flown.size(), [&](std::size_t i) {
      Process& state = paths_[flown[i]].state;
      state.advance_past(level);
      TACTUS_ASSERT(state.score() > level, "a survivor flown again goes the same way");
    });
    for (std::size_t child = 0; child < dead.size(); ++child) {
      const Path& parent = paths_[parents[child]];
      Path& path = paths_[dead[child]];
      const std::size_t id = result_.births.size();
      const std::uint64_t key = new_path(parent.id, parent.state.instant());
      path = {id, parent.root, 0.0, parent.state};
      path.state.rekey(key);
    }
    execute_(dead.size(), [&](std::size_t child) {
      Path& path = paths_[dead[child]];
      path.score = final_score(path.state);
    });
    return true;
  }

  void estimate() {
    std::vector<double> of_root(paths_.size(), 0.0);
    for (const Path& path : paths_) {
      if (!(path.score > settings_.target)) continue;
      result_.beyond.push_back(path.id);
      of_root[path.root] += 1.0;
    }
    const auto n = static_cast<double>(paths_.size());
    const auto beyond = static_cast<double>(result_.beyond.size());
    double pairs = beyond * beyond;
    for (const double count : of_root) pairs -= count * count;
    const double share = beyond / n;
    const double from_roots = 1.0 - pair_correction_ * pairs / (n * (n - 1.0)) / (share * share);
    const double ideal = ideal_variance_ + (1.0 - share) / (n * share);
    result_.estimate = {product_ * share, math::max(from_roots, ideal)};
  }

  SplittingSettings settings_;
  const Execute& execute_;
  RandomStream stream_;
  std::vector<Path> paths_;
  double product_ = 1.0;
  double pair_correction_ = 1.0;
  double ideal_variance_ = 0.0;
  SplittingRun result_;
};

}  // namespace detail

/// The whole algorithm from an initial state. The result does not depend on `execute`.
template <SplittingProcess Process, class Execute = InOrder>
[[nodiscard]] SplittingResult split(const Process& initial, const SplittingSettings& settings,
                                    const Execute& execute = {}) {
  TACTUS_ASSERT(settings.runs > 1 && settings.killed > 0 && settings.killed < settings.paths,
                "several runs, in which some paths are killed and some survive");
  SplittingResult result;
  std::vector<RareRun> estimates;
  for (std::uint64_t run = 0; run < settings.runs; ++run) {
    result.runs.push_back(
        detail::SplittingPopulation<Process, Execute>(settings, run, execute).fly(initial));
    estimates.push_back(result.runs.back().estimate);
  }
  result.estimate = combine_runs(estimates, settings.confidence);
  return result;
}

}  // namespace tactus::sweep
