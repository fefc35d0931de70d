// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/compare/report.h"

#include <fmt/format.h>

#include <algorithm>

namespace tactus::cli {
namespace {

std::size_t name_width(const IntegrationComparison& comparison) {
  std::size_t width = comparison.reference.name.size();
  for (const ComparedFlight& line : comparison.flights) {
    width = std::max(width, line.flight.name.size());
  }
  return width;
}

std::string segment_text(const IntegrationComparison& comparison, const ComparedFlight& line) {
  const auto [from, to] = comparison.segment_of(line.errors.position_m.max_at);
  return fmt::format("{} - {}", to_text(from), to_text(to));
}

/// ", 61 segments of 1s from the recorded states"
std::string segments_text(const IntegrationComparison& comparison) {
  if (comparison.cuts.empty()) return "";
  return fmt::format(", {} segments of {} from the recorded states", comparison.cuts.size() + 1,
                     to_text(comparison.segment));
}

/// One block of the table: what the flights cost and one size of their errors.
std::string block(const IntegrationComparison& comparison, const ErrorMeasure& measure) {
  const std::size_t width = name_width(comparison);
  std::string text = fmt::format("{:<{}}  {:>8}  {:>9}", "solver", width, "wall_s", "rhs");
  for (const ErrorColumn& column : kErrorColumns) {
    text += fmt::format("  {:>9}", column_name(column, measure));
  }
  const bool names_segments = measure.size == &ErrorSize::max && !comparison.cuts.empty();
  text += names_segments ? "  worst segment (pos)\n" : "\n";
  for (const ComparedFlight& line : comparison.flights) {
    if (line.errors.rows == 0) continue;
    text += fmt::format("{:<{}}  {:>8.3f}  {:>9}", line.flight.name, width, line.flight.wall_s,
                        line.flight.totals.evaluations);
    for (const ErrorColumn& column : kErrorColumns) {
      const double error = (line.errors.*column.error).*measure.size;
      text += fmt::format("  {:>{}.2e}", error,
                          std::max<std::size_t>(9, column_name(column, measure).size()));
    }
    text += names_segments ? fmt::format("  {}\n", segment_text(comparison, line)) : "\n";
  }
  return text;
}

}  // namespace

std::string comparison_text(const IntegrationComparison& comparison) {
  const PlantReplay& reference = comparison.reference;
  std::string text =
      fmt::format("reference: {}, {} log rows to t = {}{}, {} right-hand sides, {:.3f} s\n\n",
                  reference.name, reference.track.size(), to_text(reference.track.back().time),
                  segments_text(comparison), reference.totals.evaluations, reference.wall_s);
  for (const ErrorMeasure& measure : kErrorMeasures) text += block(comparison, measure) + "\n";
  for (const ComparedFlight& line : comparison.flights) {
    if (line.flight.stopped.empty()) continue;
    text += fmt::format("{}: {}: {}\n", line.flight.name,
                        line.errors.rows == 0 ? "not flown" : "stopped", line.flight.stopped);
  }
  for (const std::string& note : comparison.notes) text += fmt::format("Note: {}.\n", note);
  return text;
}

}  // namespace tactus::cli
