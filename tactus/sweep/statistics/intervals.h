// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Intervals for the rate of failures. Which one is right depends on the design of the campaign:
//   monte_carlo of a fixed size            exact_interval
//   monte_carlo looked at while it grows   sequential_interval
//   latin_hypercube, sobol                 replicate_interval: points of one randomisation depend
//   on
//                                          each other, randomisations do not
//   grid, corners, one_at_a_time           none: these samples were not drawn
// Samples whose outcome is not known widen it: for the lower end all of them pass, for the upper
// end all fail.

#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace tactus::sweep {

struct Interval {
  double low = 0.0;
  double high = 1.0;

  [[nodiscard]] double width() const { return high - low; }
};

struct OutcomeCounts {
  std::uint64_t failed = 0;
  std::uint64_t passed = 0;
  std::uint64_t unknown = 0;

  [[nodiscard]] std::uint64_t total() const { return failed + passed + unknown; }
};

/// Clopper and Pearson, "The use of confidence or fiducial limits illustrated in the case of the
/// binomial" (1934): covers the rate with at least this confidence, whatever the rate is.
[[nodiscard]] Interval exact_interval(const OutcomeCounts& counts, double confidence);

/// One of a sequence that covers the rate at all counts at once with at least this confidence, so
/// that stopping because of it does no harm: where the mixture of likelihood ratios over a
/// Beta(1/2, 1/2) prior stays below 1 / (1 - confidence). By Ville's inequality (1939) the mixture
/// exceeds that with a chance of at most 1 - confidence; Robbins, "Statistical methods related to
/// the law of the iterated logarithm" (1970); Howard, Ramdas, McAuliffe, Sekhon, "Time-uniform,
/// nonparametric, nonasymptotic confidence sequences" (2021).
[[nodiscard]] Interval sequential_interval(const OutcomeCounts& counts, double confidence);

/// The counts at which a sequential rule looks are fixed, so that the answer does not depend on how
/// samples were distributed: the least of them above `count`. A 32nd to a sixteenth of the count
/// apart, or 16.
[[nodiscard]] std::uint64_t next_look(std::uint64_t count);

/// Student's interval of the mean over replicates. None for fewer than two, and none if all are
/// equal: their spread then says nothing.
[[nodiscard]] std::optional<Interval> replicate_interval(std::span<const double> means,
                                                         double confidence);
/// The same of the rates of failures, within [0, 1].
[[nodiscard]] std::optional<Interval> replicate_interval(std::span<const OutcomeCounts> counts,
                                                         double confidence);

}  // namespace tactus::sweep
