// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Figures over flights with many seeds.

#include <cstddef>
#include <vector>

#include "tactus/core/digest.h"
#include "tactus/sweep/seeds/seed_outcome.h"

namespace tactus {

/// How many flights came to which verdict.
struct SeedCounts {
  std::size_t of[kSeedVerdicts] = {};

  explicit SeedCounts(const std::vector<SeedOutcome>& outcomes);
  [[nodiscard]] std::size_t operator[](SeedVerdict verdict) const {
    return of[static_cast<std::size_t>(verdict)];
  }
};

/// One quantity over all flights that have it.
struct SeedSpread {
  const char* name;   ///< in documents
  const char* label;  ///< for people
  double scale;       ///< for people
  std::vector<double> sorted;

  /// Nearest rank: a value that was really flown. There must be one.
  [[nodiscard]] double percentile(std::size_t percent) const;
};

/// That are reported.
inline constexpr std::size_t kPercents[] = {0, 5, 50, 95, 100};

/// Landing error, flight time and battery used, of the flights that got to an end.
std::vector<SeedSpread> seed_spreads(const std::vector<SeedOutcome>& outcomes);

/// Digest of all flights, in the order of the seeds.
Digest128 digest_of(const std::vector<SeedOutcome>& outcomes);

}  // namespace tactus
