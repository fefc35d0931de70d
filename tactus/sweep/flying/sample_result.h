// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What is kept of the flight of a sample: no more than a row of a table.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tactus/core/digest.h"
#include "tactus/core/error.h"
#include "tactus/core/time.h"
#include "tactus/sweep/campaign/campaign.h"

namespace tactus::sweep {

enum class Outcome : std::uint8_t {
  kPassed,
  kFailed,   ///< an expectation did not come true
  kCrashed,  ///< the vehicle did
  kStopped,  ///< the flight stopped with an error: a non-finite value, a violated invariant
  kRefused,  ///< it could not be flown: the value is not allowed
  kLost,     ///< the autopilot or the machine failed; nothing is known about the flight
};
inline constexpr std::size_t kOutcomes = 6;

const char* to_text(Outcome outcome);
/// Throws Error(kBadInput).
Outcome outcome_from(std::string_view text);

struct SampleResult {
  std::uint64_t index = 0;
  std::uint64_t seed = 0;             ///< of the flight
  std::vector<AppliedValue> applied;  ///< by key of the campaign
  Outcome outcome = Outcome::kLost;
  ExitCode code = ExitCode::kOk;  ///< that `tactus run` would have
  std::string reason;             ///< a sentence; where it was refused, why
  /// What flights have in common that went wrong in the same way: first event and expectation.
  std::string failure;
  TimeUs end;        ///< of the flight
  Digest128 digest;  ///< flight digest; 0: it did not get to an end
  Digest128 spec_digest;
  std::vector<std::optional<double>> margins;   ///< by expectation; none: it never came to that
  std::vector<std::optional<double>> measures;  ///< by measure

  /// It was flown until it crashed or was over.
  [[nodiscard]] bool got_to_an_end() const { return outcome <= Outcome::kCrashed; }
};

/// Everything that is the same on every machine; words for people are not.
void add_to(Digest& digest, const SampleResult& result);

/// For another process.
std::vector<std::byte> to_bytes(const SampleResult& result);
SampleResult sample_result_from(std::span<const std::byte> bytes);

}  // namespace tactus::sweep
