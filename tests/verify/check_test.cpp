// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The runner of check cases and its documents, with cases made up here: one that fails, one that
// throws, one that measures nothing must never look like success.

#include "tactus/verify/check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "tactus/core/version.h"
#include "tactus/verify/checks_json.h"

namespace tactus::verify {
namespace {

Check made_up(const std::string& name, double error, double limit) {
  return {name, "theme", "about", [=] { return Rows{{"left vs right", error, limit, "m"}}; }};
}

std::vector<Outcome> run_all(const std::vector<Check>& checks) {
  std::vector<Outcome> outcomes;
  outcomes.reserve(checks.size());
  for (const Check& check : checks) outcomes.push_back(run(check));
  return outcomes;
}

TEST(Check, PassesUpToItsLimitAndNeverWithANan) {
  EXPECT_TRUE(run(made_up("a", 1.0, 1.0)).passed());
  EXPECT_FALSE(run(made_up("a", 1.0000001, 1.0)).passed());
  EXPECT_FALSE(run(made_up("a", std::nan(""), 1.0)).passed());
  EXPECT_FALSE(run({"a", "t", "", [] { return Rows{}; }}).passed());
}

TEST(Check, OneBadRowFailsTheCase) {
  const Check check{"a", "t", "", [] {
                      return Rows{{"x", 0.0, 1.0, "m"}, {"y", 2.0, 1.0, "m"}, {"z", 0.0, 1.0, "m"}};
                    }};
  EXPECT_FALSE(run(check).passed());
}

TEST(Check, ThatThrowsHasFailedAndSaysWhy) {
  const Check check{"a", "t", "", []() -> Rows { throw std::runtime_error("the sky fell"); }};
  const Outcome outcome = run(check);
  EXPECT_FALSE(outcome.passed());
  ASSERT_EQ(outcome.rows.size(), 1u);
  EXPECT_NE(outcome.rows[0].compares.find("the sky fell"), std::string::npos);
}

Check lacking(const std::string& name) {
  Check check = made_up(name, 2.0, 1.0);  // would fail if it were run
  check.lacks = "built without a library; install it";
  return check;
}

TEST(Skipped, SaysWhyInJson) {
  const auto document = nlohmann::json::parse(outcomes_json({run(lacking("a"))}));
  EXPECT_EQ(document["skipped"], nlohmann::json::array({"a"}));
  EXPECT_EQ(document["cases"][0]["skipped"], "built without a library; install it");
  EXPECT_TRUE(document["cases"][0]["passed"].is_null());
  EXPECT_EQ(document["failed"], nlohmann::json::array());
}

TEST(Json, HoldsEveryNumberAndNullForNan) {
  const auto document = nlohmann::json::parse(
      outcomes_json(run_all({made_up("a", 0.1, 1.0), made_up("b", std::nan(""), 1.0)})));
  EXPECT_EQ(document["schema"], kSchema);
  EXPECT_EQ(document["tactus_version"], kVersion);
  EXPECT_FALSE(document["passed"].get<bool>());
  EXPECT_EQ(document["failed"], nlohmann::json::array({"b"}));
  EXPECT_EQ(document["cases"][0]["comparisons"][0]["error"].get<double>(), 0.1);
  EXPECT_TRUE(document["cases"][1]["comparisons"][0]["error"].is_null());
  EXPECT_TRUE(document["cases"][0]["passed"].get<bool>());
}

TEST(AllChecks, HaveNamesOfTheirOwnAndSayWhatTheyLack) {
  const std::vector<Check> checks = all_checks({"no such integrator", {}});
  std::vector<std::string> names;
  for (const Check& check : checks) {
    EXPECT_EQ(std::count(names.begin(), names.end(), check.name), 0) << check.name;
    EXPECT_EQ(check.lacks, check.theme == "independent" ? "no such integrator" : "");
    names.push_back(check.name);
  }
  const auto list = nlohmann::json::parse(checks_json(checks));
  EXPECT_EQ(list["schema"], kListSchema);
  EXPECT_EQ(list["case_count"], checks.size());
}

}  // namespace
}  // namespace tactus::verify
