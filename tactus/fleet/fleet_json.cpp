// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/fleet/fleet_json.h"

#include <nlohmann/json.hpp>

#include "tactus/flight/report/flight_document.h"

namespace tactus {
namespace {

double in_ms(std::uint64_t ns) { return static_cast<double>(ns) * 1e-6; }

Json percentiles_json(const Histogram& times) {
  return {{"count", times.count()},
          {"p50_ms", in_ms(times.percentile_ns(0.5))},
          {"p99_ms", in_ms(times.percentile_ns(0.99))},
          {"p99_9_ms", in_ms(times.percentile_ns(0.999))},
          {"longest_ms", in_ms(times.largest_ns())}};
}

Json vehicles_json(const std::vector<FleetMember>& members) {
  Json vehicles = Json::array();
  for (const FleetMember& member : members) {
    Json digest;  // null: flown in an external simulator
    if (member.digest) digest = to_hex(*member.digest);
    Json expectations = Json::array();
    for (const ExpectationResult& result : member.results) {
      expectations.push_back(expectation_document(result, member.verdict == Verdict::kInterrupted));
    }
    vehicles.push_back({{"id", member.id},
                        {"name", member.name},
                        {"simulator", member.simulator},
                        {"verdict", to_text(member.verdict)},
                        {"sentence", member.sentence},
                        {"expectations", expectations},
                        {"failures", member.failures},
                        {"warnings", member.warnings},
                        {"end_us", member.end.us},
                        {"digest", digest}});
  }
  return vehicles;
}

Json simulators_json(Bridge& bridge) {
  Json simulators = Json::array();
  for (const AdapterReport& report : bridge.reports()) {
    simulators.push_back({{"name", report.name},
                          {"kind", report.kind},
                          {"state", to_text(report.state)},
                          {"misses", report.misses},
                          {"recoveries", report.recoveries},
                          {"step", percentiles_json(report.step)},
                          {"wait", percentiles_json(report.wait)}});
  }
  return simulators;
}

Json events_json(Bridge& bridge) {
  Json events = Json::array();
  for (const BridgeEvent& event : bridge.events()) {
    events.push_back({{"time_us", event.time.us}, {"who", event.who}, {"what", event.what}});
  }
  return events;
}

}  // namespace

std::string fleet_json(const FleetPlan& plan, FleetFlight& fleet, double wall_s) {
  Bridge& bridge = fleet.bridge();
  const Json document{
      {"schema", kBridgeSchema},
      {"name", plan.name},
      {"sim_time_us", bridge.sim_time_us()},
      {"step_us", bridge.step_size().us},
      {"mode", to_text(bridge.time_mode().kind)},
      {"vehicles", vehicles_json(fleet.members())},
      {"events", events_json(bridge)},
      {"warnings", bridge.warnings()},
      {"files", fleet.files()},
      {"wall",
       {{"flying_s", wall_s},
        {"real_time_factor", wall_s > 0.0 ? to_seconds(bridge.now()) / wall_s : 0.0},
        {"latency", percentiles_json(bridge.latency())},
        {"step", percentiles_json(bridge.step_time())},
        {"simulators", simulators_json(bridge)}}}};
  return json_text(document);
}

}  // namespace tactus
