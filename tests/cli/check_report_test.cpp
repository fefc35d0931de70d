// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// link: fmt

// The table of `verify`, with cases made up here: one that fails or was skipped must never look
// like success.

#include "cli/verify/report.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tactus/verify/check.h"

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

TEST(Summary, FailsIfAnyCaseFailsAndIfThereIsNone) {
  EXPECT_TRUE(Summary(run_all({made_up("a", 0, 1), made_up("b", 1, 1)})).passed());
  const Summary summary(run_all({made_up("a", 0, 1), made_up("b", 2, 1)}));
  EXPECT_FALSE(summary.passed());
  EXPECT_EQ(summary.failed, std::vector<std::string>{"b"});
  EXPECT_NE(table_summary(summary, {}).find("1 of 2 cases FAILED: b"), std::string::npos);
  EXPECT_FALSE(Summary({}).passed());
}

Check lacking(const std::string& name) {
  Check check = made_up(name, 2.0, 1.0);  // would fail if it were run
  check.lacks = "built without a library; install it";
  return check;
}

TEST(Skipped, IsNeitherPassedNorFailed) {
  const std::vector<Outcome> outcomes = run_all({made_up("a", 0, 1), lacking("b")});
  EXPECT_TRUE(outcomes[1].skipped());
  EXPECT_FALSE(outcomes[1].passed());
  EXPECT_TRUE(outcomes[1].rows.empty());
  const Summary summary(outcomes);
  EXPECT_TRUE(summary.passed());
  EXPECT_EQ(summary.cases, 1u);
  EXPECT_EQ(summary.skipped, std::vector<std::string>{"b"});
  EXPECT_NE(table_summary(summary, {})
                .find("1 case, 1 comparison: all within their limits, 1 "
                      "skipped"),
            std::string::npos);
}

TEST(Skipped, AloneIsNoSuccessAndDoesNotHideAFailure) {
  EXPECT_FALSE(Summary(run_all({lacking("a")})).passed());
  const Summary summary(run_all({lacking("a"), made_up("b", 2, 1)}));
  EXPECT_FALSE(summary.passed());
  EXPECT_NE(table_summary(summary, {}).find("1 of 1 cases FAILED: b, 1 skipped"),
            std::string::npos);
}

TEST(Skipped, SaysWhyInTheTable) {
  const Outcome outcome = run(lacking("a"));
  EXPECT_NE(table_rows(outcome, false, {}).find("skipped: built without a library; install it\n"),
            std::string::npos);
}

TEST(Table, LinesUpAndStaysWithin120Columns) {
  const Outcome outcome = run(made_up("a_name_of_20_letters", 1.234e-7, 1e3));
  const std::string rows = table_rows(outcome, false, {});
  EXPECT_EQ(rows.find("1.2e-07") + 7, table_head({}).find("error") + 5);
  EXPECT_LE(text_width(rows), 113u);  // with the end of the line
  EXPECT_NE(rows.find("pass"), std::string::npos);
  EXPECT_NE(table_rows(run(made_up("a", 2, 1)), true, {}).find("FAIL"), std::string::npos);
}

TEST(Table, ColoursOnlyWhenAsked) {
  const Outcome outcome = run(made_up("a", 0, 1));
  EXPECT_EQ(table_rows(outcome, true, {}).find('\x1b'), std::string::npos);
  EXPECT_NE(table_rows(outcome, true, kColour).find('\x1b'), std::string::npos);
}

TEST(Table, CountsLettersNotBytes) {
  EXPECT_EQ(text_width("µ ½ Kármán"), 10u);
  EXPECT_EQ(text_width(padded("½ g t²", 10)), 10u);
}

}  // namespace
}  // namespace tactus::verify
