// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sweep/seeds/seed_outcome.h"

#include <algorithm>
#include <iterator>

namespace tactus {

const char* to_text(SeedVerdict verdict) {
  constexpr const char* kTexts[] = {"not_flown", "passed", "failed", "crashed", "error"};
  static_assert(std::size(kTexts) == kSeedVerdicts);
  return kTexts[static_cast<std::size_t>(verdict)];
}

SeedOutcome seed_outcome(const Flight& flight) {
  SeedOutcome outcome;
  switch (flight.verdict) {
    case Verdict::kPassed: outcome.verdict = SeedVerdict::kPassed; break;
    case Verdict::kFailed: outcome.verdict = SeedVerdict::kFailed; break;
    case Verdict::kCrashed: outcome.verdict = SeedVerdict::kCrashed; break;
    case Verdict::kInterrupted: return outcome;
  }
  const FlightFacts& facts = flight.facts;
  outcome.seed = flight.spec.seed;
  outcome.code = exit_code(flight.verdict);
  outcome.sentence = flight.sentence;
  outcome.results = flight.outcome.results;
  outcome.landed = flight.outcome.end == FlightEnd::kLanded;
  outcome.home_distance_m = facts.home_distance_m;
  const bool disarmed = !facts.is_armed && !facts.armed.empty();
  outcome.end = flight.outcome.crashed() ? flight.outcome.crash_time
                : disarmed               ? facts.armed.back().time
                                         : facts.end;
  if (facts.departed && *facts.departed < outcome.end) {
    outcome.flight_time_s = static_cast<double>((outcome.end - *facts.departed).us) / 1e6;
  }
  for (const FlightFacts::Pack& pack : facts.packs) {
    outcome.battery_used = std::max(outcome.battery_used, pack.used());
  }
  outcome.digest = flight.digest;
  outcome.spec_digest = flight.spec.digest;
  outcome.warnings = flight.warnings;
  return outcome;
}

}  // namespace tactus
