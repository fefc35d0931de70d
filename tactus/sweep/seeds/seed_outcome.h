// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What is kept of a flight among many.

#include <cstdint>
#include <string>
#include <vector>

#include "tactus/core/digest.h"
#include "tactus/core/error.h"
#include "tactus/core/time.h"
#include "tactus/flight/flight.h"
#include "tactus/scenario/expectations.h"

namespace tactus {

enum class SeedVerdict : std::uint8_t { kNotFlown, kPassed, kFailed, kCrashed, kError };
inline constexpr std::size_t kSeedVerdicts = 5;

const char* to_text(SeedVerdict verdict);

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

  /// It was flown until it crashed or was over.
  [[nodiscard]] bool got_to_an_end() const {
    return verdict != SeedVerdict::kError && verdict != SeedVerdict::kNotFlown;
  }
  /// Neither passed nor left out.
  [[nodiscard]] bool is_trouble() const {
    return verdict != SeedVerdict::kPassed && verdict != SeedVerdict::kNotFlown;
  }
};

/// kNotFlown if it was interrupted.
SeedOutcome seed_outcome(const Flight& flight);

}  // namespace tactus
