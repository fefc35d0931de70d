// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/verify/checks_json.h"

#include <nlohmann/json.hpp>

#include "tactus/core/json_text.h"
#include "tactus/core/math.h"
#include "tactus/core/version.h"

namespace tactus::verify {
namespace {

/// A reason, or null: there is none.
Json reason_json(const std::string& reason) { return reason.empty() ? Json() : Json(reason); }

Json row_json(const Row& row) {
  return {{"compares", row.compares},
          {"error", math::is_finite(row.error) ? Json(row.error) : Json()},
          {"limit", row.limit},
          {"unit", row.unit},
          {"passed", row.passed()}};
}

Json outcome_json(const Outcome& outcome) {
  Json rows = Json::array();
  for (const Row& row : outcome.rows) rows.push_back(row_json(row));
  return {{"name", outcome.name},
          {"theme", outcome.theme},
          {"about", outcome.about},
          {"passed", outcome.skipped() ? Json() : Json(outcome.passed())},
          {"skipped", reason_json(outcome.lacks)},
          {"comparisons", rows}};
}

}  // namespace

std::string outcomes_json(const std::vector<Outcome>& outcomes) {
  const Summary summary(outcomes);
  Json cases = Json::array();
  for (const Outcome& outcome : outcomes) cases.push_back(outcome_json(outcome));
  return json_text({{"schema", kSchema},
                    {"tactus_version", kVersion},
                    {"passed", summary.passed()},
                    {"case_count", summary.cases},
                    {"comparison_count", summary.rows},
                    {"failed", summary.failed},
                    {"skipped", summary.skipped},
                    {"cases", cases}});
}

std::string checks_json(const std::vector<Check>& checks) {
  Json cases = Json::array();
  for (const Check& check : checks) {
    cases.push_back({{"name", check.name},
                     {"theme", check.theme},
                     {"about", check.about},
                     {"skipped", reason_json(check.lacks)}});
  }
  return json_text({{"schema", kListSchema},
                    {"tactus_version", kVersion},
                    {"case_count", checks.size()},
                    {"cases", cases}});
}

}  // namespace tactus::verify
