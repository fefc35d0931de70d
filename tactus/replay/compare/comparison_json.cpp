// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/compare/comparison_json.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "tactus/core/json_text.h"

namespace tactus {
namespace {

Json flight_json(const PlantReplay& flight) {
  return {{"solver", flight.name},
          {"wall_s", flight.wall_s},
          {"rhs", flight.totals.evaluations},
          {"accepted", flight.totals.accepted},
          {"rejected", flight.totals.rejected},
          {"events", flight.totals.events}};
}

}  // namespace

std::string comparison_json(const std::string& file, const IntegrationComparison& comparison) {
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
    for (const ErrorMeasure& measure : kErrorMeasures) {
      for (const ErrorColumn& column : kErrorColumns) {
        const double error = (line.errors.*column.error).*measure.size;
        flight[column_name(column, measure)] = line.errors.rows == 0 ? Json() : Json(error);
      }
    }
    const TimeUs at = line.errors.position_m.max_at;
    const auto [from, to] = comparison.segment_of(at);
    flight["pos_max_at_us"] = line.errors.rows == 0 ? Json() : Json(at.us);
    flight["segment_from_us"] = line.errors.rows == 0 ? Json() : Json(from.us);
    flight["segment_to_us"] = line.errors.rows == 0 ? Json() : Json(to.us);
    json["flights"].push_back(std::move(flight));
  }
  json["notes"] = comparison.notes;
  return json_text(json);
}

}  // namespace tactus
