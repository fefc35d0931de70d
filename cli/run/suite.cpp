// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/run/suite.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "cli/run/names.h"
#include "tactus/core/text.h"
#include "tactus/scenario/schema_enums.h"

namespace tactus::cli {

std::string class_name_of(std::string name) {
  std::replace(name.begin(), name.end(), '.', '_');
  return "tactus." + name;
}

std::string failure_text(const ExpectationResult& result) {
  if (!result.value) return result.message;
  return fmt::format("{} (margin {:.4g})", result.message, result.margin);
}

std::vector<TestCase> cases_of(const std::vector<ExpectationResult>& results, bool interrupted) {
  std::vector<TestCase> cases;
  for (const ExpectationResult& result : results) {
    TestCase test;
    test.name = result.id;
    test.type = kNames<ExpectationKind>[static_cast<std::size_t>(result.kind)];
    if (interrupted && result.open) {
      test.outcome = TestCase::Outcome::kSkipped;
      test.message = "interrupted before it was decided";
    } else if (!result.passed) {
      test.outcome = TestCase::Outcome::kFailed;
      test.message = fmt::format("{}: {}", result.id, failure_text(result));
    }
    cases.push_back(std::move(test));
  }
  return cases;
}

void add_margins(const std::vector<ExpectationResult>& results, TestSuite& suite) {
  for (const ExpectationResult& result : results) {
    if (!result.value) continue;
    suite.properties.emplace_back("margin of " + result.id, fmt::format("{:.6g}", result.margin));
  }
}

TestCase case_of_warnings(const std::vector<std::string>& warnings) {
  TestCase test;
  test.name = "no warnings";
  test.type = "warning";
  if (!warnings.empty()) test.outcome = TestCase::Outcome::kFailed;
  test.message = fmt::format("{}", fmt::join(warnings, "; "));
  return test;
}

TestSuite suite_of(const std::string& spec, const Flight& flight, double wall_s) {
  TestSuite suite;
  suite.name = "tactus run " + spec;
  suite.class_name = class_name_of(flight_name(flight.spec));
  suite.properties = {{"seed", format_integer(flight.spec.seed)},
                      {"flight_digest", to_hex(flight.digest)},
                      {"spec_digest", to_hex(flight.spec.digest)}};
  TestCase whole{kFlightCase, TestCase::Outcome::kPassed, "", "", wall_s};
  if (flight.verdict == Verdict::kCrashed) {
    whole = {kFlightCase, TestCase::Outcome::kFailed, "crash", flight.sentence, wall_s};
  } else if (flight.verdict == Verdict::kInterrupted) {
    whole = {kFlightCase, TestCase::Outcome::kError, "interrupted", flight.sentence, wall_s};
  }
  const bool interrupted = flight.verdict == Verdict::kInterrupted;
  add_margins(flight.outcome.results, suite);
  suite.cases = cases_of(flight.outcome.results, interrupted);
  suite.cases.insert(suite.cases.begin(), std::move(whole));
  return suite;
}

}  // namespace tactus::cli
