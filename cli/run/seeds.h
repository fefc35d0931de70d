// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// `tactus run SPEC --seeds A..B --jobs N`: the same spec with many seeds. Workers take the next
// seed that nobody has; results are kept and reported in the order of the seeds, without any
// wall-clock figure, so that the output is the same for every N. JUnit, which wants them, has them.

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/run/options.h"
#include "tactus/core/digest.h"
#include "tactus/core/error.h"
#include "tactus/core/output_file.h"
#include "tactus/scenario/expectations.h"

namespace tactus::cli {

inline constexpr char kSeedsSchema[] = "tactus.run.seeds/1";

enum class SeedVerdict : std::uint8_t { kNotFlown, kPassed, kFailed, kCrashed, kError };

struct SeedOutcome {
  std::uint64_t seed = 0;
  SeedVerdict verdict = SeedVerdict::kNotFlown;
  ExitCode code = ExitCode::kInterrupted;
  std::string sentence;
  bool landed = false;  ///< whole
  double home_distance_m = 0.0;
  TimeUs end;                  ///< when it crashed or was disarmed, or the end of the run
  double flight_time_s = 0.0;  ///< from lift-off to `end`; 0: it never took off
  double battery_used = 0.0;   ///< of the pack that gave most of its charge
  std::vector<ExpectationResult> results;
  Digest128 digest;
  Digest128 spec_digest;
  std::vector<std::string> warnings;
  double wall_s = 0.0;
};

/// Flies them all, or until `stop`. Shows progress on stderr unless quiet: a line that changes on a
/// terminal, elsewhere a new one every ten seconds. An error of a single flight is its outcome and
/// does not stop the others.
std::vector<SeedOutcome> fly_seeds(const RunOptions& options, SeedRange range,
                                   const std::atomic<bool>& stop);

/// `name`: of the spec.
std::string seeds_text(const RunOptions& options, const std::string& name,
                       const std::vector<SeedOutcome>& outcomes);
std::string seeds_json(const RunOptions& options, const std::string& name,
                       const std::vector<SeedOutcome>& outcomes);
void write_seeds_junit(OutputFile& file, const RunOptions& options, const std::string& name,
                       const std::vector<SeedOutcome>& outcomes);

/// "3 of 100 seeds did not pass: 4, 17, 60": at most ten ranges are named.
std::string seeds_sentence(const std::vector<SeedOutcome>& outcomes);

/// Each once, in the order in which they come; those of some flights only say of how many.
std::vector<std::string> seeds_warnings(const std::vector<SeedOutcome>& outcomes);

/// 0 if all passed; 130 if some were not flown; the code of the first flight that stopped with an
/// error; else 1.
ExitCode exit_code(const std::vector<SeedOutcome>& outcomes);

}  // namespace tactus::cli
