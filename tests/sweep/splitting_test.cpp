// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// link: tactus_sweep

#include "tactus/sweep/rare/splitting.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tactus/sweep/statistics/moments.h"
#include "tests/support/scale.h"

namespace tactus::sweep {
namespace {

constexpr int kTicks = 100;
const double kDecay = std::exp(-0.1);
const double kNoise = std::sqrt(1.0 - kDecay * kDecay);
constexpr double kLevel = 5.1;

/// An Ornstein-Uhlenbeck process of unit variance from zero, ten correlation times long; the score
/// is its maximum.
struct OrnsteinUhlenbeck {
  double x = 0.0;
  double maximum = -1e9;
  std::uint64_t tick = 0;
  RandomStream stream{};

  void step() {
    x = kDecay * x + kNoise * stream.normal(tick);
    ++tick;
    maximum = std::max(maximum, x);
  }
  void advance_past(double level) {
    while (tick < kTicks && !(maximum > level)) step();
  }
  void rekey(std::uint64_t key) { stream = RandomStream(key, "process"); }
  [[nodiscard]] double score() const { return maximum; }
  [[nodiscard]] std::uint64_t instant() const { return tick; }
  bool operator==(const OrnsteinUhlenbeck& other) const {
    return x == other.x && maximum == other.maximum && tick == other.tick;
  }
};

double normal_above(double x) { return 0.5 * std::erfc(x / std::sqrt(2.0)); }

/// The probability that a tick lies above the level: the density of paths that stayed below goes
/// from tick to tick through the density of a transition, by Simpson's rule.
double crossing_probability(double level, int intervals) {
  const double low = -7.0;
  const double width = (level - low) / intervals;
  const auto n = static_cast<std::size_t>(intervals) + 1;
  const auto place = [&](std::size_t i) { return low + width * static_cast<double>(i); };
  const auto transition = [&](double from, double to) {
    const double z = (to - kDecay * from) / kNoise;
    return std::exp(-0.5 * z * z) / (kNoise * std::sqrt(2.0 * M_PI));
  };
  std::vector<double> weights(n);
  std::vector<double> density(n);
  std::vector<double> kernel(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    const bool end = i == 0 || i + 1 == n;
    const double inner = i % 2 == 1 ? 4.0 : 2.0;
    weights[i] = width / 3.0 * (end ? 1.0 : inner);
    density[i] = transition(0.0, place(i));
    for (std::size_t j = 0; j < n; ++j) kernel[i * n + j] = transition(place(j), place(i));
  }
  double probability = normal_above(level / kNoise);
  for (int tick = 1; tick < kTicks; ++tick) {
    std::vector<double> next(n, 0.0);
    for (std::size_t j = 0; j < n; ++j) {
      const double mass = weights[j] * density[j];
      probability += mass * normal_above((level - kDecay * place(j)) / kNoise);
      for (std::size_t i = 0; i < n; ++i) next[i] += kernel[i * n + j] * mass;
    }
    density = next;
  }
  return probability;
}

TEST(Splitting, CrossesALevelAsOftenAsTheTransitionDensitySays) {
  const double truth = crossing_probability(kLevel, 400);
  EXPECT_NEAR(crossing_probability(kLevel, 200) / truth, 1.0, 1e-4);
  EXPECT_NEAR(truth, 1.05e-5, 0.01e-5);
  const long few = testing::few_cases() ? 5 : 30;
  const long repetitions = testing::test_all() ? 200 : few;
  Moments estimates;
  long covered = 0;
  for (long repetition = 0; repetition < repetitions; ++repetition) {
    const SplittingResult result =
        split(OrnsteinUhlenbeck{},
              {.seed = static_cast<std::uint64_t>(repetition), .killed = 10, .target = kLevel});
    estimates.add(result.estimate.probability);
    ASSERT_TRUE(result.estimate.interval.has_value());
    if (result.estimate.interval->low <= truth && truth <= result.estimate.interval->high) {
      ++covered;
    }
  }
  const auto count = static_cast<double>(repetitions);
  EXPECT_NEAR(estimates.mean(), truth, 3.0 * std::sqrt(estimates.variance() / count));
  const double coverage = static_cast<double>(covered) / count;
  // Of 30 intervals all may cover; more than six miss with a chance below 1e-3.
  EXPECT_GE(coverage, testing::test_all() ? 0.92 : 0.8);
  EXPECT_LE(coverage, testing::test_all() ? 0.98 : 1.0);
}

/// A path of coin tosses; the score is the greatest lead of heads. All levels are ties.
struct Tosses {
  int lead = 0;
  int greatest = 0;
  std::uint64_t tick = 0;
  RandomStream stream{};

  void advance_past(double level) {
    for (; tick < 30 && !(greatest > level); ++tick) {
      lead += stream.uniform(tick) < 0.5 ? 1 : -1;
      greatest = std::max(greatest, lead);
    }
  }
  void rekey(std::uint64_t key) { stream = RandomStream(key, "tosses"); }
  [[nodiscard]] double score() const { return greatest; }
  [[nodiscard]] std::uint64_t instant() const { return tick; }
};

/// P(some lead reaches `least`) of 30 tosses, by the principle of reflection.
double lead_probability(int least) {
  double sum = 0.0;
  for (int heads = 0; heads <= 30; ++heads) {
    const int final_lead = 2 * heads - 30;
    const double weight = std::exp(std::lgamma(31.0) - std::lgamma(heads + 1.0) -
                                   std::lgamma(31.0 - heads) - 30.0 * std::log(2.0));
    sum += final_lead >= least ? weight : 0.0;
    sum += final_lead > least ? weight : 0.0;
  }
  return sum;
}

TEST(Splitting, TiesAreKilledTogetherAndLeaveItUnbiased) {
  const double truth = lead_probability(20);
  EXPECT_LT(truth, 3e-4);
  Moments estimates;
  Moments variances;
  const long repetitions = testing::scaled(2000);
  for (long repetition = 0; repetition < repetitions; ++repetition) {
    const SplittingResult result = split(
        Tosses{},
        {.seed = static_cast<std::uint64_t>(repetition), .runs = 2, .paths = 30, .target = 19.0});
    for (const SplittingRun& run : result.runs) {
      EXPECT_TRUE(std::is_sorted(run.levels.begin(), run.levels.end()));
      estimates.add(run.estimate.probability);
      variances.add(run.estimate.relative_variance * std::pow(run.estimate.probability, 2.0));
    }
  }
  const auto count = static_cast<double>(estimates.count());
  EXPECT_NEAR(estimates.mean(), truth, 3.0 * std::sqrt(estimates.variance() / count));
  // What runs say about their variance is right on average, or more because of its lower limit.
  EXPECT_GT(variances.mean() + 3.0 * std::sqrt(variances.variance() / count),
            0.9 * estimates.variance());
}

/// Executes tasks from the last to the first.
struct Backwards {
  template <class Task>
  void operator()(std::size_t count, Task&& task) const {
    for (std::size_t i = count; i-- > 0;) task(i);
  }
};

TEST(Splitting, TheOrderOfExecutionDoesNotMatter) {
  const SplittingSettings settings{.seed = 3, .runs = 2, .paths = 50, .killed = 5, .target = 3.5};
  const SplittingResult forwards = split(OrnsteinUhlenbeck{}, settings);
  const SplittingResult backwards = split(OrnsteinUhlenbeck{}, settings, Backwards{});
  EXPECT_EQ(forwards.estimate.probability, backwards.estimate.probability);
  ASSERT_EQ(forwards.runs[1].births.size(), backwards.runs[1].births.size());
  EXPECT_EQ(forwards.runs[1].levels, backwards.runs[1].levels);
  EXPECT_EQ(forwards.runs[1].beyond, backwards.runs[1].beyond);
}

TEST(Splitting, EveryPathBeyondCanBeFlownAgain) {
  const double target = 4.5;
  const SplittingResult result = split(
      OrnsteinUhlenbeck{}, {.seed = 4, .runs = 2, .paths = 60, .killed = 6, .target = target});
  std::size_t longest = 0;
  for (const SplittingRun& run : result.runs) {
    ASSERT_FALSE(run.beyond.empty());
    for (const std::size_t path : run.beyond) {
      OrnsteinUhlenbeck flown;
      const std::vector<PathBirth> line = run.ancestry(path);
      longest = std::max(longest, line.size());
      EXPECT_EQ(line.front().parent, PathBirth::kRoot);
      for (std::size_t i = 0; i < line.size(); ++i) {
        while (flown.tick < line[i].instant) flown.step();
        EXPECT_EQ(flown.tick, line[i].instant);
        // A birth is the first crossing of the level: the score rose with this very step.
        if (i > 0) {
          EXPECT_EQ(flown.maximum, flown.x);
        }
        flown.rekey(line[i].key);
      }
      flown.advance_past(target);
      EXPECT_GT(flown.score(), target);
    }
  }
  EXPECT_GT(longest, 5U);
}

TEST(Splitting, WhatCannotHappenIsExtinct) {
  // 30 tosses have no lead of 31; the paths that lead by 30 are gone before.
  const SplittingResult result =
      split(Tosses{}, {.seed = 1, .runs = 2, .paths = 20, .target = 30.0});
  EXPECT_EQ(result.estimate.probability, 0.0);
  EXPECT_FALSE(result.estimate.interval.has_value());
  EXPECT_TRUE(result.runs[0].extinct && result.runs[1].extinct);
}

TEST(Splitting, WhatAlwaysHappensHasNoInterval) {
  const SplittingResult result =
      split(Tosses{}, {.seed = 1, .runs = 2, .paths = 20, .target = -1.0});
  EXPECT_EQ(result.estimate.probability, 1.0);
  EXPECT_FALSE(result.estimate.interval.has_value());
  EXPECT_EQ(result.runs[0].beyond.size(), 20U);
}

TEST(RareEstimate, IsTheMeanWithTheLargerVariance) {
  const std::vector<RareRun> spread = {{1e-6, 0.0}, {3e-6, 0.0}};
  const RareEstimate from_spread = combine_runs(spread, 0.95);
  EXPECT_DOUBLE_EQ(from_spread.probability, 2e-6);
  EXPECT_NEAR(from_spread.relative_variance, 0.25, 1e-12);
  const std::vector<RareRun> own = {{2e-6, 0.8}, {2e-6, 0.4}};
  const RareEstimate from_runs = combine_runs(own, 0.95);
  EXPECT_NEAR(from_runs.relative_variance, 0.3, 1e-12);
  ASSERT_TRUE(from_runs.interval.has_value());
  // t of one degree of freedom, about the logarithm of the mean and half of its variance.
  const double variance = std::log(1.3);
  EXPECT_NEAR(std::log(from_runs.interval->low / 2e-6),
              0.5 * variance - 12.7062047361747 * std::sqrt(variance), 1e-9);
}

}  // namespace
}  // namespace tactus::sweep
