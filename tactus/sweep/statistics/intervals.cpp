// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sweep/statistics/intervals.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "tactus/core/assert.h"
#include "tactus/core/math.h"
#include "tactus/sweep/statistics/beta.h"
#include "tactus/sweep/statistics/moments.h"

namespace tactus::sweep {
namespace {

/// The lower end of an interval for the rate of `hits` among `total`.
using LowerEnd = double (*)(std::uint64_t hits, std::uint64_t total, double outside);

double exact_lower(std::uint64_t hits, std::uint64_t total, double outside) {
  if (hits == 0) return 0.0;
  return beta_quantile(static_cast<double>(hits), static_cast<double>(total - hits) + 1.0,
                       0.5 * outside);
}

/// log of the mixture of likelihood ratios against the rate p.
double log_mixture(std::uint64_t hits, std::uint64_t total, double p) {
  const double q = 1.0 - p;
  const double kernel = log_beta_kernel(static_cast<double>(hits) + 0.5,
                                        static_cast<double>(total - hits) + 0.5, p, q);
  // B(1/2, 1/2) = pi.
  return 0.5 * (math::log(p) + math::log(q)) - kernel - math::log(math::kPi);
}

double sequential_lower(std::uint64_t hits, std::uint64_t total, double outside) {
  if (hits == 0) return 0.0;
  const double limit = -math::log(outside);
  // It falls up to the observed rate, where it is below one.
  std::uint64_t low = 0;
  std::uint64_t high =
      std::min(math::to_bits(static_cast<double>(hits) / static_cast<double>(total)),
               math::to_bits(1.0) - 1);
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (log_mixture(hits, total, math::from_bits(middle)) > limit ? low : high) = middle;
  }
  return math::from_bits(low);
}

Interval two_ends(LowerEnd lower, const OutcomeCounts& counts, double confidence) {
  TACTUS_ASSERT(confidence > 0.0 && confidence < 1.0, "a confidence");
  const std::uint64_t total = counts.total();
  if (total == 0) return {};
  const double outside = 1.0 - confidence;
  return {lower(counts.failed, total, outside), 1.0 - lower(counts.passed, total, outside)};
}

}  // namespace

Interval exact_interval(const OutcomeCounts& counts, double confidence) {
  return two_ends(exact_lower, counts, confidence);
}

Interval sequential_interval(const OutcomeCounts& counts, double confidence) {
  return two_ends(sequential_lower, counts, confidence);
}

std::uint64_t next_look(std::uint64_t count) {
  constexpr std::uint64_t kLeastStep = 16;
  const std::uint64_t step = std::max(kLeastStep, std::bit_floor(count | 1) / 16);
  return (count / step + 1) * step;
}

std::optional<Interval> replicate_interval(std::span<const double> means, double confidence) {
  Moments moments;
  for (const double mean : means) moments.add(mean);
  if (means.size() < 2 || moments.variance() == 0.0) return std::nullopt;
  const auto n = static_cast<double>(means.size());
  const double half = student_half_width(confidence, n - 1.0) * math::sqrt(moments.variance() / n);
  return Interval{moments.mean() - half, moments.mean() + half};
}

std::optional<Interval> replicate_interval(std::span<const OutcomeCounts> counts,
                                           double confidence) {
  std::vector<double> lowest;
  std::vector<double> highest;
  for (const OutcomeCounts& replicate : counts) {
    if (replicate.total() == 0) return std::nullopt;
    const auto total = static_cast<double>(replicate.total());
    lowest.push_back(static_cast<double>(replicate.failed) / total);
    highest.push_back(static_cast<double>(replicate.failed + replicate.unknown) / total);
  }
  const auto low = replicate_interval(lowest, confidence);
  const auto high = replicate_interval(highest, confidence);
  if (!low || !high) return std::nullopt;
  return Interval{math::max(low->low, 0.0), math::min(high->high, 1.0)};
}

}  // namespace tactus::sweep
