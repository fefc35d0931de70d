// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What flights with many seeds come to: those that went wrong in the same way, reported once, and
// the least margin of every expectation.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tactus/sweep/seeds/seed_outcome.h"

namespace tactus {

/// Flights that failed the same expectations in the same words, or crashed or stopped so; numbers
/// do not count.
struct FailureGroup {
  SeedVerdict verdict = SeedVerdict::kFailed;
  std::vector<std::string> expectations;  ///< ids of those not met; kFailed
  std::vector<std::uint64_t> seeds;       ///< rising
  const SeedOutcome* worst = nullptr;     ///< least margin; the earliest crash; the first error
};

/// The greatest group first.
std::vector<FailureGroup> failure_groups(const std::vector<SeedOutcome>& outcomes);

/// How near an expectation came to its bound, or how far beyond.
struct LeastMargin {
  const ExpectationResult* result = nullptr;
  std::uint64_t seed = 0;
};

/// One per expectation that came to a margin in any flight, in the order of the spec; of equal ones
/// the first seed's.
std::vector<LeastMargin> least_margins(const std::vector<SeedOutcome>& outcomes);

/// What went wrong, in words: "land: landed … at 61 s, 1 s late (margin -1)".
std::string trouble_text(const SeedOutcome& outcome);

/// "0..3, 7, 12..19 and 24 more": at most `most` ranges are named.
std::string ranges_text(std::span<const std::uint64_t> seeds, std::size_t most);

}  // namespace tactus
