// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The same spec with many seeds. It is read once; threads take the next seed that is not taken
// yet. Results are kept in the order of the seeds, and but for wall_s they are the same for any
// number of threads.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tactus/spec/reader/load_spec.h"
#include "tactus/sweep/seeds/seed_outcome.h"

namespace tactus {

/// Both ends are flown.
struct SeedRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>(last - first) + 1; }
};

struct SeedsProgress {
  std::size_t count = 0;
  std::size_t flown = 0;
  std::size_t failed = 0;  ///< of those: SeedOutcome::is_trouble()
};

struct SeedsOptions {
  std::size_t jobs = 0;  ///< flights at the same time; 0: one per processor
  bool validate = false;
  /// Asked at every boundary, by all threads: flights are cut short, and no other begins.
  std::function<bool()> interrupted;
  /// Called by the caller's own thread, ten times a second while it waits.
  std::function<void(const SeedsProgress&)> progress;
};

struct SeedsResult {
  std::string name;                   ///< of the spec
  std::vector<SeedOutcome> outcomes;  ///< by seed, at least one
};

/// Flies them all, or until interrupted; `seeds` counts upwards. An error of a single flight is its
/// outcome and does not stop the others. Throws Error(kBadInput) if flights of this spec cannot be
/// flown in one process and many at once, and what every single flight would throw before it
/// begins: a wrong spec is one error, not one per seed.
SeedsResult fly_seeds(const LoadedSpec& loaded, SeedRange seeds, const SeedsOptions& options = {});

/// "3 of 100 seeds did not pass: 4, 17, 60": at most ten ranges are named.
std::string seeds_sentence(const std::vector<SeedOutcome>& outcomes);

/// Each once, in the order in which they come; those of some flights only say of how many.
std::vector<std::string> seeds_warnings(const std::vector<SeedOutcome>& outcomes);

/// 0 if all passed; 130 if some were not flown; the code of the first flight that stopped with an
/// error; else 1.
ExitCode exit_code(const std::vector<SeedOutcome>& outcomes);

}  // namespace tactus
