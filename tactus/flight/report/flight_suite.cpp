// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/flight/report/flight_suite.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "tactus/core/text.h"
#include "tactus/flight/names.h"
#include "tactus/spec/schema/schema_enums.h"

namespace tactus {

std::string class_name_of(std::string name) {
  std::replace(name.begin(), name.end(), '.', '_');
  return "tactus." + name;
}

std::string failure_text(const ExpectationResult& result) {
  if (!result.value) return result.message;
  return fmt::format("{} (margin {:.4g})", result.message, result.margin);
}

TestCase case_of(const ExpectationResult& result, bool interrupted) {
  TestCase test;
  test.name = result.id;
  test.type = kNames<ExpectationKind>[static_cast<std::size_t>(result.kind)];
  if (interrupted && result.open) {
    test.outcome = TestCase::Outcome::kSkipped;
    test.message = "interrupted before it was decided";
  } else if (!result.applies) {
    test.outcome = TestCase::Outcome::kSkipped;
    test.message = result.message;
  } else if (!result.passed) {
    test.outcome = TestCase::Outcome::kFailed;
    test.message = fmt::format("{}: {}", result.id, failure_text(result));
  }
  return test;
}

std::vector<TestCase> cases_of(const std::vector<ExpectationResult>& results, bool interrupted) {
  std::vector<TestCase> cases;
  cases.reserve(results.size());
  for (const ExpectationResult& result : results) cases.push_back(case_of(result, interrupted));
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

namespace {

std::string title_of(const std::string& spec) { return "tactus run " + spec; }

TestSuite suite_of(const std::string& spec, const Flight& flight) {
  TestSuite suite;
  suite.name = title_of(spec);
  suite.class_name = class_name_of(flight_name(flight.spec));
  suite.properties = {{"seed", format_integer(flight.spec.seed)},
                      {"flight_digest", to_hex(flight.digest)},
                      {"spec_digest", to_hex(flight.spec.digest)}};
  TestCase whole{kFlightCase, TestCase::Outcome::kPassed, "", "", flight.flying_s};
  if (flight.verdict == Verdict::kCrashed) {
    whole = {kFlightCase, TestCase::Outcome::kFailed, "crash", flight.sentence, flight.flying_s};
  } else if (flight.verdict == Verdict::kInterrupted) {
    whole = {kFlightCase, TestCase::Outcome::kError, "interrupted", flight.sentence,
             flight.flying_s};
  }
  const bool interrupted = flight.verdict == Verdict::kInterrupted;
  add_margins(flight.outcome.results, suite);
  suite.cases = cases_of(flight.outcome.results, interrupted);
  suite.cases.insert(suite.cases.begin(), std::move(whole));
  return suite;
}

}  // namespace

std::string flight_junit(const std::string& spec, const Flight& flight, bool strict) {
  TestSuite suite = suite_of(spec, flight);
  if (strict) suite.cases.push_back(case_of_warnings(flight.warnings));
  return junit_xml(title_of(spec), {suite});
}

std::string error_junit(const std::string& spec, const LoadedSpec& loaded, const Error& error) {
  const std::string seed = format_integer(loaded.spec.seed);
  const TestSuite suite{title_of(spec),
                        class_name_of(flight_name(loaded.spec)),
                        {{"seed", seed}, {"spec_digest", to_hex(loaded.spec.digest)}},
                        {{kFlightCase, TestCase::Outcome::kError, "error", error.what(), 0.0}}};
  return junit_xml(title_of(spec), {suite});
}

}  // namespace tactus
