// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/flight/report/flight_json.h"

#include <nlohmann/json.hpp>
#include <optional>

#include "tactus/core/version.h"
#include "tactus/flight/item_passes.h"
#include "tactus/flight/mission_outcome.h"
#include "tactus/flight/names.h"
#include "tactus/flight/report/flight_document.h"
#include "tactus/spec/schema/schema_enums.h"

namespace tactus {
namespace {

Json extreme_json(const FlightFacts::Extreme& extreme) {
  return {{"value", extreme.value}, {"t_us", extreme.time.us}};
}

Json time_json(std::optional<TimeUs> time) { return time ? Json(time->us) : Json(); }

template <class List, class ToJson>
Json list_json(const List& list, ToJson to_json) {
  Json array = Json::array();
  for (const auto& entry : list) array.push_back(to_json(entry));
  return array;
}

Json mission_json(const Flight& flight) {
  const FlightFacts& facts = flight.facts;
  const Json items =
      list_json(item_passes(flight.spec.mission, facts.steps), [&](const ItemPasses& passes) {
        return Json{{"item", passes.item},
                    {"command", item_name(flight.spec.mission, passes.item)},
                    {"t_us", list_json(passes.times, [](TimeUs time) { return Json(time.us); })}};
      });
  return {{"name", flight.spec.mission.name},
          {"state", to_text(mission_state(flight))},
          {"item_count", facts.mission_count},
          {"items_reached", items},
          {"finished_t_us", time_json(facts.mission_finished)},
          {"aborted_t_us", time_json(mission_aborted_at(facts))}};
}

Json events_json(const Flight& flight) {
  const auto time_if = [](bool known, TimeUs time) { return known ? Json(time.us) : Json(); };
  Json events = Json::array();
  for (std::size_t i = 0; i < flight.records.size(); ++i) {
    const EventRecord& record = flight.records[i];
    events.push_back({{"id", flight.events[i].id},
                      {"action", action_name(flight.events[i])},
                      {"count", record.count},
                      {"first_t_us", time_if(record.count > 0, record.first)},
                      {"last_t_us", time_if(record.count > 0, record.last)},
                      {"ended_t_us", time_if(record.ended > 0, record.last_end)}});
  }
  return events;
}

Json power_json(const Flight& flight) {
  const FlightFacts& facts = flight.facts;
  Json packs = Json::array();
  for (std::size_t i = 0; i < facts.packs.size(); ++i) {
    packs.push_back({{"id", name_at(flight.spec.parts.packs, i)},
                     {"used", facts.packs[i].used()},
                     {"used_ah", flight.used_ah(i)},
                     {"remaining", facts.packs[i].remaining_at_end},
                     {"min_voltage_v", extreme_json(facts.packs[i].lowest_voltage_v)}});
  }
  Json buses = Json::array();
  for (std::size_t i = 0; i < facts.lowest_bus_v.size(); ++i) {
    buses.push_back({{"id", name_at(flight.spec.parts.buses, i)},
                     {"min_voltage_v", extreme_json(facts.lowest_bus_v[i])}});
  }
  return {{"packs", packs}, {"buses", buses}};
}

Json program_json(const ProgramFacts& facts) {
  if (facts.empty()) return {};
  Json json = Json::object();
  for (const ProgramFact& fact : facts) json[fact.name] = fact.value;
  return json;
}

Json autopilot_json(const Flight& flight) {
  const FlightFacts& facts = flight.facts;
  const auto rotor_json = [&](const auto& motor) {
    return Json{{"t_us", motor.time.us}, {"rotor", name_at(flight.spec.parts.rotors, motor.value)}};
  };
  return {{"armed", list_json(facts.armed,
                              [](const auto& armed) {
                                return Json{{"t_us", armed.time.us}, {"armed", armed.value}};
                              })},
          {"refusals",
           list_json(facts.refusals,
                     [](const auto& refusal) {
                       return Json{{"t_us", refusal.time.us}, {"refusal", to_text(refusal.value)}};
                     })},
          {"yaw_given_up", list_json(facts.yaw_given_up,
                                     [](const auto& yaw) {
                                       return Json{{"t_us", yaw.time.us}, {"given_up", yaw.value}};
                                     })},
          {"modes", list_json(facts.modes,
                              [](const auto& mode) {
                                return Json{{"t_us", mode.time.us}, {"mode", to_text(mode.value)}};
                              })},
          {"failsafes", list_json(facts.failsafes,
                                  [](const auto& failsafe) {
                                    return Json{{"t_us", failsafe.time.us},
                                                {"failsafe", to_text(failsafe.value)},
                                                {"mode", to_text(failsafe.mode)},
                                                {"battery_remaining", failsafe.remaining}};
                                  })},
          {"program", program_json(flight.program)},
          {"lost_motors", list_json(facts.lost_motors, rotor_json)},
          {"returned_motors", list_json(facts.returned_motors, rotor_json)}};
}

Json boundaries_json(const BoundaryCounts& counts) {
  Json json{{"total", counts.total}};
  for (const Axis axis : kPeriodicAxes) {
    json[to_text(axis)] = counts.axis[static_cast<std::size_t>(axis)];
  }
  json["scheduled"] = counts.instants;
  json["found"] = counts.found;
  json["log_only"] = counts.log_only;
  return json;
}

Json solver_json(const Flight& flight) {
  Json json{{"method", to_text(flight.spec.solver.method)}};
  for_each_leaf(flight.solver,
                [&](const LeafPath& path, std::uint64_t total) { json[path.text()] = total; });
  return json;
}

Json facts_json(const Flight& flight) {
  const FlightFacts& facts = flight.facts;
  Json tracking;
  if (facts.tracking_samples > 0) {
    tracking = {{"rms_m", facts.tracking_rms_m},
                {"max_m", extreme_json(facts.tracking_max_m)},
                {"samples", facts.tracking_samples}};
  }
  Json home_distance_m;
  if (facts.begin.us == 0) home_distance_m = facts.home_distance_m;
  Json crash;
  if (facts.crash) {
    crash = {{"t_us", facts.crash->time.us},
             {"speed_m_s", facts.crash->speed_m_s},
             {"tilt_rad", facts.crash->tilt_rad}};
  }
  return {{"begin_t_us", facts.begin.us},
          {"end_t_us", facts.end.us},
          {"end", to_text(flight.outcome.end)},
          {"armed", facts.is_armed},
          {"mode", to_text(facts.mode)},
          {"departed_t_us", time_json(facts.departed)},
          {"crash", crash},
          {"home_distance_m", home_distance_m},
          {"impact_speed_m_s", facts.impact_speed_m_s},
          {"tracking", tracking},
          {"max_tilt_rad", extreme_json(facts.max_tilt_rad)},
          {"max_speed_m_s", extreme_json(facts.max_speed_m_s)},
          {"max_height_m", extreme_json(facts.max_height_m)},
          {"wind_mean_m_s", facts.wind_mean_m_s},
          {"wind_max_m_s", extreme_json(facts.wind_max_m_s)}};
}

Json recording_json(const Flight& flight) {
  if (!flight.recording) return {};
  const RecordedFile& file = *flight.recording;
  return {{"file", file.path},
          {"tier", static_cast<int>(file.tier)},
          {"bytes", file.bytes},
          {"kb_per_minute", file.kb_per_minute(flight.facts.end)}};
}

}  // namespace

Json expectation_document(const ExpectationResult& result, bool interrupted) {
  Json json{{"id", result.id},
            {"kind", kNames<ExpectationKind>[static_cast<std::size_t>(result.kind)]},
            {"passed", result.passed},
            {"applicable", result.applies},
            {"margin", nullptr},
            {"value", nullptr},
            {"t_us", result.at.us},
            {"message", result.message}};
  if (!result.applies || (result.open && interrupted)) json["passed"] = nullptr;
  if (!result.value) return json;
  json["margin"] = result.margin;
  json["value"] = *result.value;
  return json;
}

Json flight_document(const Flight& flight, const std::vector<std::string>& files) {
  const Json expectations = list_json(flight.outcome.results, [&](const ExpectationResult& result) {
    return expectation_document(result, flight.verdict == Verdict::kInterrupted);
  });
  const auto note_json = [](const Note& note) {
    return Json{{"t_us", note.time.us}, {"what", note.what}, {"index", note.index}};
  };
  const Json vehicle_notes = list_json(flight.facts.notes, note_json);
  const Json autopilot_notes = list_json(flight.facts.autopilot_notes, note_json);
  const Json chain = list_json(flight.chain, [](const DigestChain::Link& link) {
    return Json{{"t_us", link.time.us}, {"digest", to_hex(link.flight)}};
  });
  return {{"schema", kRunSchema},
          {"tactus_version", kVersion},
          {"name", flight.spec.name},
          {"seed", flight.spec.seed},
          {"spec_digest", to_hex(flight.spec.digest)},
          {"flight_digest", to_hex(flight.digest)},
          {"verdict", to_text(flight.verdict)},
          {"sentence", flight.sentence},
          {"flight", facts_json(flight)},
          {"expectations", flight.judged ? expectations : Json()},
          {"mission", mission_json(flight)},
          {"power", power_json(flight)},
          {"events", events_json(flight)},
          {"autopilot", autopilot_json(flight)},
          {"vehicle_notes", vehicle_notes},
          {"vehicle_note_count", flight.facts.note_count},
          {"solver", solver_json(flight)},
          {"boundaries", boundaries_json(flight.boundaries)},
          {"autopilot_notes", autopilot_notes},
          {"notes", flight.notes},
          {"warnings", flight.warnings},
          {"chain", chain},
          {"recording", recording_json(flight)},
          {"files", files},
          {"wall_clock",
           {{"flying_s", flight.flying_s}, {"real_time_factor", flight.real_time_factor()}}}};
}

std::string flight_json(const Flight& flight, const std::vector<std::string>& files) {
  return json_text(flight_document(flight, files));
}

}  // namespace tactus
