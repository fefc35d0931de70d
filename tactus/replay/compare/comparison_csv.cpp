// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/compare/comparison_csv.h"

#include <fmt/format.h>

#include "tactus/core/text.h"

namespace tactus {

std::string comparison_csv(const IntegrationComparison& comparison) {
  std::string csv = "solver,wall_s";
  for (const ErrorMeasure& measure : kErrorMeasures) {
    for (const ErrorColumn& column : kErrorColumns) csv += "," + column_name(column, measure);
  }
  csv += ",rhs,accepted,rejected,events,rows,stopped,pos_max_at_us,segment_from_us,segment_to_us\n";
  for (const ComparedFlight& line : comparison.flights) {
    const SolverTotals& totals = line.flight.totals;
    csv += fmt::format("{},{}", csv_quoted(line.flight.name), format_double(line.flight.wall_s));
    for (const ErrorMeasure& measure : kErrorMeasures) {
      for (const ErrorColumn& column : kErrorColumns) {
        csv += line.errors.rows == 0
                   ? ","
                   : "," + format_double((line.errors.*column.error).*measure.size);
      }
    }
    csv += fmt::format(",{},{},{},{},{},{}", totals.evaluations, totals.accepted, totals.rejected,
                       totals.events, line.errors.rows, csv_quoted(line.flight.stopped));
    const TimeUs at = line.errors.position_m.max_at;
    const auto [from, to] = comparison.segment_of(at);
    csv += line.errors.rows == 0 ? ",,,\n" : fmt::format(",{},{},{}\n", at.us, from.us, to.us);
  }
  return csv;
}

}  // namespace tactus
