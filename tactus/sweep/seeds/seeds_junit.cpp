// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "tactus/core/assert.h"
#include "tactus/flight/report/flight_suite.h"
#include "tactus/flight/report/junit.h"
#include "tactus/sweep/seeds/seeds_report.h"

namespace tactus {
namespace {

TestSuite suite_of(const SeedsOrigin& origin, const std::string& name, const SeedOutcome& outcome,
                   bool strict) {
  using Outcome = TestCase::Outcome;
  TestSuite suite;
  suite.name = fmt::format("tactus run {} --seed {}", origin.spec, outcome.seed);
  suite.class_name = fmt::format("{}.seed {}", class_name_of(name), outcome.seed);
  suite.properties = {{"seed", fmt::format("{}", outcome.seed)},
                      {"command", origin.command(outcome.seed)}};
  TestCase whole{kFlightCase, Outcome::kPassed, "", "", outcome.wall_s};
  switch (outcome.verdict) {
    case SeedVerdict::kNotFlown:
      whole = {kFlightCase, Outcome::kError, "interrupted", "interrupted before it was flown", 0.0};
      break;
    case SeedVerdict::kError:
      whole = {kFlightCase, Outcome::kError, "error", outcome.sentence, outcome.wall_s};
      break;
    case SeedVerdict::kCrashed:
      whole = {kFlightCase, Outcome::kFailed, "crash", outcome.sentence, outcome.wall_s};
      break;
    case SeedVerdict::kPassed:
    case SeedVerdict::kFailed: break;
  }
  if (outcome.got_to_an_end()) {
    suite.properties.emplace_back("flight_digest", to_hex(outcome.digest));
    suite.properties.emplace_back("spec_digest", to_hex(outcome.spec_digest));
  }
  add_margins(outcome.results, suite);
  suite.cases = cases_of(outcome.results, false);
  suite.cases.insert(suite.cases.begin(), std::move(whole));
  if (strict && outcome.got_to_an_end()) {
    suite.cases.push_back(case_of_warnings(outcome.warnings));
  }
  return suite;
}

}  // namespace

std::string seeds_junit(const SeedsResult& result, const SeedsOrigin& origin,
                        const std::string& title, bool strict) {
  TACTUS_ASSERT(static_cast<bool>(origin.command), "how to fly a seed again");
  std::vector<TestSuite> suites;
  suites.reserve(result.outcomes.size());
  for (const SeedOutcome& outcome : result.outcomes) {
    suites.push_back(suite_of(origin, result.name, outcome, strict));
  }
  return junit_xml(title, suites);
}

}  // namespace tactus
