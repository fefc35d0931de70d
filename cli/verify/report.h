// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The result of `tactus verify` for people: a table of at most 112 columns. It holds neither a wall
// time nor a path: the same program prints the same text again.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>

#include "tactus/verify/check.h"

namespace tactus::verify {

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

}  // namespace tactus::verify
