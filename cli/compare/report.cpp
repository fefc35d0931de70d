// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/compare/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "tactus/core/json_text.h"
#include "tactus/core/text.h"

namespace tactus::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr double ErrorSize::*kSizes[] = {&ErrorSize::max, &ErrorSize::rms};
constexpr const char* kSizeNames[] = {"max", "rms"};

std::string column_name(const ErrorColumn& column, const char* size) {
  return fmt::format("{}_{}_{}", column.quantity, size, column.unit);
}

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
std::string block(const IntegrationComparison& comparison, std::size_t size) {
  const std::size_t width = name_width(comparison);
  std::string text = fmt::format("{:<{}}  {:>8}  {:>9}", "solver", width, "wall_s", "rhs");
  for (const ErrorColumn& column : kErrorColumns) {
    text += fmt::format("  {:>9}", column_name(column, kSizeNames[size]));
  }
  const bool names_segments = size == 0 && !comparison.cuts.empty();
  text += names_segments ? "  worst segment (pos)\n" : "\n";
  for (const ComparedFlight& line : comparison.flights) {
    if (line.errors.rows == 0) continue;
    text += fmt::format("{:<{}}  {:>8.3f}  {:>9}", line.flight.name, width, line.flight.wall_s,
                        line.flight.totals.evaluations);
    for (const ErrorColumn& column : kErrorColumns) {
      const double error = (line.errors.*column.error).*kSizes[size];
      text += fmt::format("  {:>{}.2e}", error,
                          std::max<std::size_t>(9, column_name(column, kSizeNames[size]).size()));
    }
    text += names_segments ? fmt::format("  {}\n", segment_text(comparison, line)) : "\n";
  }
  return text;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

Json flight_json(const PlantReplay& flight) {
  return {{"solver", flight.name},
          {"wall_s", flight.wall_s},
          {"rhs", flight.totals.evaluations},
          {"accepted", flight.totals.accepted},
          {"rejected", flight.totals.rejected},
          {"events", flight.totals.events}};
}

}  // namespace

std::string comparison_text(const IntegrationComparison& comparison,
                            const std::vector<std::string>& notes) {
  const PlantReplay& reference = comparison.reference;
  std::string text =
      fmt::format("reference: {}, {} log rows to t = {}{}, {} right-hand sides, {:.3f} s\n\n",
                  reference.name, reference.track.size(), to_text(reference.track.back().time),
                  segments_text(comparison), reference.totals.evaluations, reference.wall_s);
  for (std::size_t size = 0; size < std::size(kSizes); ++size) {
    text += block(comparison, size) + "\n";
  }
  for (const ComparedFlight& line : comparison.flights) {
    if (line.flight.stopped.empty()) continue;
    text += fmt::format("{}: {}: {}\n", line.flight.name,
                        line.errors.rows == 0 ? "not flown" : "stopped", line.flight.stopped);
  }
  for (const std::string& note : notes) text += fmt::format("Note: {}.\n", note);
  return text;
}

std::string comparison_csv(const IntegrationComparison& comparison) {
  std::string csv = "solver,wall_s";
  for (const char* size : kSizeNames) {
    for (const ErrorColumn& column : kErrorColumns) csv += "," + column_name(column, size);
  }
  csv += ",rhs,accepted,rejected,events,rows,stopped,pos_max_at_us,segment_from_us,segment_to_us\n";
  for (const ComparedFlight& line : comparison.flights) {
    const SolverTotals& totals = line.flight.totals;
    csv += fmt::format("{},{}", quoted(line.flight.name), format_double(line.flight.wall_s));
    for (const auto size : kSizes) {
      for (const ErrorColumn& column : kErrorColumns) {
        csv += line.errors.rows == 0 ? "," : "," + format_double((line.errors.*column.error).*size);
      }
    }
    csv += fmt::format(",{},{},{},{},{},{}", totals.evaluations, totals.accepted, totals.rejected,
                       totals.events, line.errors.rows, quoted(line.flight.stopped));
    const TimeUs at = line.errors.position_m.max_at;
    const auto [from, to] = comparison.segment_of(at);
    csv += line.errors.rows == 0 ? ",,,\n" : fmt::format(",{},{},{}\n", at.us, from.us, to.us);
  }
  return csv;
}

std::string comparison_json(const std::string& file, const IntegrationComparison& comparison,
                            const std::vector<std::string>& notes) {
  Json json = {{"file", file}, {"reference", flight_json(comparison.reference)}};
  json["reference"]["rows"] = comparison.reference.track.size();
  json["segments"] = Json();
  if (!comparison.cuts.empty()) {
    json["segments"] = {{"length_us", comparison.segment.us},
                        {"count", comparison.cuts.size() + 1}};
  }
  json["flights"] = Json::array();
  for (const ComparedFlight& line : comparison.flights) {
    Json flight = flight_json(line.flight);
    flight["rows"] = line.errors.rows;
    flight["stopped"] = line.flight.stopped.empty() ? Json() : Json(line.flight.stopped);
    for (std::size_t size = 0; size < std::size(kSizes); ++size) {
      for (const ErrorColumn& column : kErrorColumns) {
        const double error = (line.errors.*column.error).*kSizes[size];
        flight[column_name(column, kSizeNames[size])] =
            line.errors.rows == 0 ? Json() : Json(error);
      }
    }
    const TimeUs at = line.errors.position_m.max_at;
    const auto [from, to] = comparison.segment_of(at);
    flight["pos_max_at_us"] = line.errors.rows == 0 ? Json() : Json(at.us);
    flight["segment_from_us"] = line.errors.rows == 0 ? Json() : Json(from.us);
    flight["segment_to_us"] = line.errors.rows == 0 ? Json() : Json(to.us);
    json["flights"].push_back(std::move(flight));
  }
  json["notes"] = notes;
  return json_text(json);
}

}  // namespace tactus::cli
