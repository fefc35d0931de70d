// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// link: tactus_sweep

#include "tactus/sweep/statistics/intervals.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tactus/core/random.h"
#include "tactus/sweep/design/point_set.h"
#include "tactus/sweep/statistics/beta.h"
#include "tests/support/scale.h"

namespace tactus::sweep {
namespace {

/// The limit of a relative frequency whose mean is `rate`, 4.5 standard deviations above.
double frequency_limit(double rate, long count) {
  return rate + 4.5 * std::sqrt(rate * (1.0 - rate) / static_cast<double>(count));
}

bool covers(const Interval& interval, double value) {
  return interval.low <= value && value <= interval.high;
}

TEST(Intervals, ExactOnesLeaveHalfOfTheRestOnEachSide) {
  for (const OutcomeCounts counts : {OutcomeCounts{1, 29, 0}, {17, 183, 0}, {600, 1400, 0}}) {
    const Interval interval = exact_interval(counts, 0.95);
    EXPECT_NEAR(1.0 - binomial_at_most(counts.failed - 1, counts.total(), interval.low), 0.025,
                1e-12);
    EXPECT_NEAR(binomial_at_most(counts.failed, counts.total(), interval.high), 0.025, 1e-12);
  }
  const Interval none = exact_interval({0, 10, 0}, 0.95);
  EXPECT_EQ(none.low, 0.0);
  EXPECT_NEAR(none.high, 1.0 - std::pow(0.025, 0.1), 1e-14);
  const Interval all = exact_interval({10, 0, 0}, 0.95);
  EXPECT_NEAR(all.low, 1.0 - none.high, 1e-15);
  EXPECT_EQ(all.high, 1.0);
  EXPECT_EQ(exact_interval({}, 0.95).width(), 1.0);
}

TEST(Intervals, UnknownOutcomesAreTheWorstOfBothCases) {
  const Interval widened = exact_interval({3, 90, 7}, 0.95);
  EXPECT_EQ(widened.low, exact_interval({3, 97, 0}, 0.95).low);
  EXPECT_EQ(widened.high, exact_interval({10, 90, 0}, 0.95).high);
  const Interval sequential = sequential_interval({3, 90, 7}, 0.95);
  EXPECT_EQ(sequential.low, sequential_interval({3, 97, 0}, 0.95).low);
  EXPECT_EQ(sequential.high, sequential_interval({10, 90, 0}, 0.95).high);
}

TEST(Intervals, ExactOnesCoverTheRate) {
  const long repetitions = testing::scaled(100'000);
  for (const double rate : {0.003, 0.1, 0.5, 0.93}) {
    long missed = 0;
    for (long repetition = 0; repetition < repetitions; ++repetition) {
      const RandomStream stream(static_cast<std::uint64_t>(repetition), "coverage");
      OutcomeCounts counts;
      for (std::uint64_t i = 0; i < 60; ++i) {
        ++(stream.uniform(i) < rate ? counts.failed : counts.passed);
      }
      if (!covers(exact_interval(counts, 0.95), rate)) ++missed;
    }
    EXPECT_LE(static_cast<double>(missed) / static_cast<double>(repetitions),
              frequency_limit(0.05, repetitions))
        << rate;
  }
}

TEST(Intervals, LooksAreFixedAndASixteenthApart) {
  EXPECT_EQ(next_look(0), 16U);
  EXPECT_EQ(next_look(16), 32U);
  EXPECT_EQ(next_look(999), 1024U);
  EXPECT_EQ(next_look(1024), 1088U);
  for (std::uint64_t look = 16; look < 1'000'000; look = next_look(look)) {
    EXPECT_LE(next_look(look) - look, std::max<std::uint64_t>(16, look / 8));
    // A count between two looks comes to the same next one.
    EXPECT_EQ(next_look(next_look(look) - 1), next_look(look));
  }
}

TEST(Intervals, SequencesCoverTheRateAtAllLooksAtOnce) {
  const long repetitions = testing::scaled(4'000);
  for (const double rate : {0.01, 0.3}) {
    long missed_ever = 0;
    long missed_at_stop = 0;
    for (long repetition = 0; repetition < repetitions; ++repetition) {
      const RandomStream stream(static_cast<std::uint64_t>(repetition), "sequence");
      OutcomeCounts counts;
      bool missed = false;
      bool stopped = false;
      for (std::uint64_t look = next_look(0); look < 6000; look = next_look(look)) {
        for (std::uint64_t i = counts.total(); i < look; ++i) {
          ++(stream.uniform(i) < rate ? counts.failed : counts.passed);
        }
        const Interval interval = sequential_interval(counts, 0.95);
        missed = missed || !covers(interval, rate);
        if (!stopped && interval.width() < 0.05) {
          stopped = true;
          if (!covers(interval, rate)) ++missed_at_stop;
        }
      }
      EXPECT_TRUE(stopped);
      if (missed) ++missed_ever;
    }
    const auto count = static_cast<double>(repetitions);
    EXPECT_LE(static_cast<double>(missed_ever) / count, frequency_limit(0.05, repetitions));
    EXPECT_LE(static_cast<double>(missed_at_stop) / count, frequency_limit(0.05, repetitions));
  }
}

TEST(Intervals, SequencesEndWhereTheMixtureReachesTheLimit) {
  // Against the definition: B(k + 1/2, n - k + 1/2) / (pi p^k q^(n - k)) = 20 at both ends.
  for (const OutcomeCounts counts : {OutcomeCounts{3, 47, 0}, {120, 80, 0}}) {
    const Interval interval = sequential_interval(counts, 0.95);
    const auto k = static_cast<double>(counts.failed);
    const auto rest = static_cast<double>(counts.passed);
    for (const double p : {interval.low, interval.high}) {
      const double log_mixture = std::lgamma(k + 0.5) + std::lgamma(rest + 0.5) -
                                 std::lgamma(k + rest + 1.0) - std::log(M_PI) - k * std::log(p) -
                                 rest * std::log1p(-p);
      EXPECT_NEAR(std::exp(log_mixture), 20.0, 1e-8);
    }
  }
  EXPECT_EQ(sequential_interval({0, 50, 0}, 0.95).low, 0.0);
  EXPECT_EQ(sequential_interval({50, 0, 0}, 0.95).high, 1.0);
}

TEST(Intervals, ReplicatesOfASobolDesignCoverTheRate) {
  // 16 points of a sloping boundary: the rate is 0.3 by its area.
  const long repetitions = testing::scaled(4'000);
  long missed = 0;
  double width = 0.0;
  for (long repetition = 0; repetition < repetitions; ++repetition) {
    const PointSet points({.kind = DesignKind::kSobol,
                           .seed = static_cast<std::uint64_t>(repetition),
                           .rows = 64,
                           .replicates = 10},
                          {{"a", {}}, {"b", {}}});
    std::vector<OutcomeCounts> counts(10);
    for (std::uint64_t i = 0; i < points.size(); ++i) {
      const bool failed = points.coordinate(i, 0) < 0.1 + 0.4 * points.coordinate(i, 1);
      OutcomeCounts& of = counts[points.replicate_of(i)];
      ++(failed ? of.failed : of.passed);
    }
    const auto interval = replicate_interval(counts, 0.95);
    ASSERT_TRUE(interval.has_value());
    width += interval->width() / static_cast<double>(repetitions);
    if (!covers(*interval, 0.3)) ++missed;
  }
  EXPECT_LE(static_cast<double>(missed) / static_cast<double>(repetitions),
            frequency_limit(0.05, repetitions));
  // Less than half of the width that as many independent samples give.
  EXPECT_LT(2.0 * width, exact_interval({192, 448, 0}, 0.95).width());
}

TEST(Intervals, ReplicatesThatSayNothingGiveNone) {
  const std::vector<double> equal = {0.5, 0.5, 0.5};
  EXPECT_FALSE(replicate_interval(equal, 0.95).has_value());
  EXPECT_FALSE(replicate_interval(std::vector<double>{0.5}, 0.95).has_value());
  const std::vector<double> means = {1.0, 2.0, 3.0, 4.0};
  const auto interval = replicate_interval(means, 0.95);
  ASSERT_TRUE(interval.has_value());
  EXPECT_NEAR(interval->low, 2.5 - 3.1824463052842 * std::sqrt(5.0 / 12.0), 1e-9);
  const std::vector<OutcomeCounts> counts = {{1, 9, 0}, {3, 6, 1}};
  const auto widened = replicate_interval(counts, 0.5);
  ASSERT_TRUE(widened.has_value());
  EXPECT_NEAR(widened->low, 0.2 - 0.1, 1e-12);
  EXPECT_NEAR(widened->high, 0.25 + 0.15, 1e-12);
}

}  // namespace
}  // namespace tactus::sweep
