// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The result of `tactus verify` for people (a table of at most 112 columns) and for machines
// (JSON). Neither holds a wall time or a path: the same program prints the same text again.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cli/verify/check.h"
#include "tactus/core/text.h"

namespace tactus::verify {

inline constexpr char kSchema[] = "tactus.verify/1";
inline constexpr char kListSchema[] = "tactus.verify.list/1";

/// Colours for a terminal, nothing otherwise.
struct Style {
  const char* bold = "";
  const char* good = "";
  const char* bad = "";
  const char* reset = "";
};
inline constexpr Style kColour{"\x1b[1m", "\x1b[32m", "\x1b[1;31m", "\x1b[0m"};

inline constexpr std::size_t kNameWidth = 22;
inline constexpr std::size_t kComparesWidth = 57;
inline constexpr std::size_t kUnitWidth = 8;

/// Letters on the screen: bytes of UTF-8 that begin one.
inline std::size_t text_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & '\xC0') != '\x80'; }));
}

inline std::string padded(const std::string& text, std::size_t width) {
  const std::size_t used = text_width(text);
  return text + std::string(used < width ? width - used : 0, ' ');
}

inline std::string table_head(const Style& style) {
  return fmt::format("{}{}{}{:>10}{:>10} {}result{}\n", style.bold, padded("case", kNameWidth),
                     padded("compared", kComparesWidth), "error", "limit",
                     padded("unit", kUnitWidth), style.reset);
}

/// Two digits; as a power of ten where that reads better.
inline std::string number(double value) {
  const double size = std::fabs(value);
  return size == 0.0 || (size >= 0.01 && size < 1e4) ? fmt::format("{:.3g}", value)
                                                     : fmt::format("{:.1e}", value);
}

/// The lines of one case; its theme above the first case of the theme.
inline std::string table_rows(const Outcome& outcome, bool new_theme, const Style& style) {
  std::string text;
  if (new_theme) text += fmt::format("{}{}{}\n", style.bold, outcome.theme, style.reset);
  std::string name = "  " + outcome.name;
  if (outcome.skipped()) text += padded(name, kNameWidth) + "skipped: " + outcome.lacks + "\n";
  for (const Row& row : outcome.rows) {
    const bool passed = row.passed();
    text += padded(name, kNameWidth) + padded(row.compares, kComparesWidth);
    if (text_width(row.compares) > kComparesWidth) {  // a message: the numbers go below it
      text += "\n" + std::string(kNameWidth + kComparesWidth, ' ');
    }
    text += fmt::format("{:>10}{:>10} {}{}{}{}\n", number(row.error), number(row.limit),
                        padded(row.unit, kUnitWidth), passed ? style.good : style.bad,
                        passed ? "pass" : "FAIL", style.reset);
    name.clear();
  }
  return text;
}

struct Summary {
  std::size_t cases = 0;  ///< that ran
  std::size_t rows = 0;
  std::vector<std::string> failed;   ///< names of cases
  std::vector<std::string> skipped;  ///< the same

  explicit Summary(const std::vector<Outcome>& outcomes) {
    for (const Outcome& outcome : outcomes) {
      if (outcome.skipped()) {
        skipped.push_back(outcome.name);
        continue;
      }
      ++cases;
      rows += outcome.rows.size();
      if (!outcome.passed()) failed.push_back(outcome.name);
    }
  }
  [[nodiscard]] bool passed() const { return cases > 0 && failed.empty(); }
};

/// ", 2 skipped"
inline std::string skipped_text(const Summary& summary) {
  return summary.skipped.empty() ? "" : fmt::format(", {} skipped", summary.skipped.size());
}

inline std::string table_summary(const Summary& summary, const Style& style) {
  if (summary.passed()) {
    return fmt::format("\n{}{} case{}, {} comparison{}: all within their limits{}{}\n", style.good,
                       summary.cases, summary.cases == 1 ? "" : "s", summary.rows,
                       summary.rows == 1 ? "" : "s", skipped_text(summary), style.reset);
  }
  return fmt::format("\n{}{} of {} cases FAILED: {}{}{}\n", style.bad, summary.failed.size(),
                     summary.cases, fmt::join(summary.failed, ", "), skipped_text(summary),
                     style.reset);
}

/// A reason, or null: there is none.
inline nlohmann::ordered_json reason_json(const std::string& reason) {
  return reason.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(reason);
}

/// An error that is not a finite number becomes null, and so does what a skipped case would say.
inline std::string to_json(const std::vector<Outcome>& outcomes, std::string_view version) {
  const Summary summary(outcomes);
  nlohmann::ordered_json cases = nlohmann::ordered_json::array();
  for (const Outcome& outcome : outcomes) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const Row& row : outcome.rows) {
      nlohmann::ordered_json error;
      if (std::isfinite(row.error)) error = row.error;
      rows.push_back({{"compares", row.compares},
                      {"error", error},
                      {"limit", row.limit},
                      {"unit", row.unit},
                      {"passed", row.passed()}});
    }
    nlohmann::ordered_json passed;
    if (!outcome.skipped()) passed = outcome.passed();
    cases.push_back({{"name", outcome.name},
                     {"theme", outcome.theme},
                     {"about", outcome.about},
                     {"passed", passed},
                     {"skipped", reason_json(outcome.lacks)},
                     {"comparisons", rows}});
  }
  const nlohmann::ordered_json document{{"schema", kSchema},
                                        {"tactus_version", version},
                                        {"passed", summary.passed()},
                                        {"case_count", summary.cases},
                                        {"comparison_count", summary.rows},
                                        {"failed", summary.failed},
                                        {"skipped", summary.skipped},
                                        {"cases", cases}};
  return document.dump(2) + "\n";
}

inline std::string list_to_json(const std::vector<Check>& checks, std::string_view version) {
  nlohmann::ordered_json cases = nlohmann::ordered_json::array();
  for (const Check& check : checks) {
    cases.push_back({{"name", check.name},
                     {"theme", check.theme},
                     {"about", check.about},
                     {"skipped", reason_json(check.lacks)}});
  }
  const nlohmann::ordered_json document{{"schema", kListSchema},
                                        {"tactus_version", version},
                                        {"case_count", checks.size()},
                                        {"cases", cases}};
  return document.dump(2) + "\n";
}

}  // namespace tactus::verify
