// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/replay_json.h"

#include <nlohmann/json.hpp>

#include "tactus/core/json_text.h"

namespace tactus {
namespace {

Json head_json(const Replayed& replayed, bool reproduces) {
  const Recording& recording = *replayed.recording;
  return {{"file", replayed.file},
          {"name", recording.meta.name},
          {"tier", static_cast<int>(recording.meta.tier)},
          {"complete", recording.end.complete},
          {"replay", replayed.what},
          {"set", replayed.sets},
          {"reproduces", reproduces}};
}

Json json_of(const RowMismatch& mismatch) {
  Json json = {{"t_us", mismatch.time.us},
               {"leaf", mismatch.leaf},
               {"recorded", mismatch.recorded},
               {"replayed", mismatch.replayed}};
  if (mismatch.ulps) json["ulps"] = *mismatch.ulps;
  return json;
}

Json json_of(const TableVerdict& table) {
  return {{"name", table.name},
          {"rows", table.rows},
          {"replayed", table.replayed},
          {"different", table.different},
          {"first", table.first ? json_of(*table.first) : Json()}};
}

}  // namespace

std::string replay_json(const Replayed& replayed, const ReplayOutcome& outcome) {
  Json json = head_json(replayed, outcome.reproduces());
  json["played"] = outcome.played;
  json["live"] = outcome.live;
  json["end_us"] = outcome.end.us;
  json["tables"] = Json::array();
  for (const TableVerdict& table : outcome.tables) json["tables"].push_back(json_of(table));
  json["flight_digest"] = {{"recorded", to_hex(outcome.recorded_digest)},
                           {"replayed", outcome.digest ? Json(to_hex(*outcome.digest)) : Json()}};
  json["stopped"] = outcome.stopped;
  json["interrupted"] = outcome.interrupted;
  json["recorded_to"] = replayed.recorded.empty() ? Json() : Json(replayed.recorded);
  json["notes"] = outcome.notes;
  return json_text(json);
}

std::string replay_json(const Replayed& replayed, const ComponentOutcome& outcome) {
  Json json = head_json(replayed, outcome.equal());
  json["output_instants"] = outcome.output_instants;
  json["state_instants"] = outcome.state_instants;
  json["numbers"] = outcome.numbers;
  json["different"] = outcome.different;
  json["first"] = Json();
  if (const auto& first = outcome.first) {
    json["first"] = {{"t_us", first->time.us},
                     {"leaf", first->leaf},
                     {"recorded", first->recorded},
                     {"computed", first->computed},
                     {"ulps", first->ulps}};
  }
  return json_text(json);
}

}  // namespace tactus
