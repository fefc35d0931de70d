// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/diff/diff_json.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "tactus/core/json_text.h"

namespace tactus {
namespace {

template <class T>
Json optional_us(const std::optional<T>& time) {
  return time ? Json(time->us) : Json();
}

Json recording_json(const std::string& name, const Recording& recording) {
  return {{"file", name},
          {"name", recording.meta.name},
          {"seed", recording.meta.seed},
          {"tier", static_cast<int>(recording.meta.tier)},
          {"complete", recording.end.complete},
          {"end_us", recording.end.time.us},
          {"flight_digest", to_hex(recording.end.flight_digest)}};
}

Json value_json(const ValueDifference& value) {
  Json json = {{"table", value.table}, {"leaf", value.leaf}, {"unit", value.unit},
               {"a", value.a},         {"b", value.b},       {"owner", to_text(value.owner)}};
  if (value.is_real) json["ulps"] = value.ulps;
  return json;
}

Json spec_json(const std::vector<SpecDifference>& keys) {
  Json json = Json::array();
  for (const SpecDifference& key : keys) {
    json.push_back({{"key", key.key}, {"a", key.a}, {"b", key.b}, {"owner", to_text(key.owner)}});
  }
  return json;
}

Json divergence_json(const Divergence& divergence) {
  Json values = Json::array();
  for (const ValueDifference& value : divergence.values) values.push_back(value_json(value));
  return {{"t_us", divergence.time.us},
          {"equal_until_us", optional_us(divergence.equal_until)},
          {"boundary", divergence.boundary ? Json(*divergence.boundary) : Json()},
          {"values", std::move(values)}};
}

Json cause_json(const Cause& cause) {
  Json json = {{"blame", to_text(cause.blame)},
               {"component", to_text(cause.component)},
               {"source", cause.source},
               {"reasons", cause.reasons}};
  if (cause.evaluation) {
    json["evaluation"] = {{"from_us", cause.evaluation->from.us},
                          {"t_s", cause.evaluation->t_s},
                          {"value", value_json(cause.evaluation->value)}};
  }
  return json;
}

Json growth_json(const std::vector<GrowthRow>& rows) {
  Json json = Json::array();
  for (const GrowthRow& row : rows) {
    json.push_back({{"after_us", row.after.us},
                    {"position_m", row.position_m},
                    {"velocity_m_s", row.velocity_m_s},
                    {"attitude_rad", row.attitude_rad},
                    {"rotor_speed_rad_s", row.rotor_speed_rad_s}});
  }
  return json;
}

Json motor_json(const MotorDifference& motor) {
  return {{"t_us", motor.time.us},
          {"equal_until_us", optional_us(motor.equal_until)},
          {"value", value_json(motor.value)}};
}

}  // namespace

std::string diff_json(const DiffedFlights& flights, const DiffReport& report) {
  Json json = {{"verdict", to_text(report.verdict)},
               {"tolerance", flights.tolerance},
               {"compared_until_us", report.compared_until.us},
               {"a", recording_json(flights.a, *flights.recording_a)},
               {"b", recording_json(flights.b, *flights.recording_b)},
               {"spec", spec_json(report.spec)},
               {"notes", report.notes}};
  json["divergence"] = report.divergence ? divergence_json(*report.divergence) : Json();
  json["cause"] = report.cause ? cause_json(*report.cause) : Json();
  json["motor"] = report.motor ? motor_json(*report.motor) : Json();
  json["chain"] = report.chain ? Json({{"equal_until_us", optional_us(report.chain->equal_until)},
                                       {"differs_at_us", report.chain->differs_at.us},
                                       {"signals", report.chain->signals}})
                               : Json();
  json["growth"] = growth_json(report.growth);
  return json_text(json);
}

}  // namespace tactus
