// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/spec/reader/spec_keys.h"

#include <algorithm>

#include "tactus/spec/model/action_table.h"
#include "tactus/spec/reader/autopilot_keys.h"
#include "tactus/spec/schema/key_ranges.h"
#include "tactus/spec/schema/table_builder.h"
#include "tactus/spec/vehicle/vehicle_type.h"

namespace tactus {
namespace {

SchemaTable world_table(WorldParameters& p) {
  SchemaTable table{.name = "world", .meaning = "the one origin, ground, gravity and air"};
  TableBuilder b(table);
  b.add("latitude_deg", "deg", real_slot(p.origin.lat_deg), "of the origin, north positive");
  b.add("longitude_deg", "deg", real_slot(p.origin.lon_deg), "of the origin, east positive");
  b.add("altitude_msl_m", "m", real_slot(p.origin.alt_msl_m),
        "of the origin, above mean sea level");
  table.tables.push_back(table_of("ground", "ground plane", p.ground));
  table.tables.push_back(table_of("gravity", "gravity", p.gravity));
  table.tables.push_back(table_of("atmosphere", "air", p.atmosphere));
  table.tables.push_back(table_of("magnetic_field", "earth's magnetic field", p.magnetic_field));
  return table;
}

SchemaTable vehicle_table(SpecDraft& draft) {
  SchemaTable table{.name = "vehicle", .meaning = "what flies or drives"};
  TableBuilder b(table);
  b.add("kind", "", EnumSlot{&draft.vehicle, vehicle_type_names()}, "kind of vehicle").required =
      true;
  return table;
}

SchemaTable initial_table(SpecDraft& draft) {
  SchemaTable table = table_of("initial", "where the vehicle starts", draft.spec.initial);
  const auto attitude =
      std::find_if(table.keys.begin(), table.keys.end(),
                   [](const SchemaKey& key) { return key.name == "attitude_wxyz"; });
  SchemaKey euler{"euler_deg", "deg", "the same as roll, pitch, yaw", &draft.euler_deg};
  attitude->group = euler.group = "attitude";
  table.keys.insert(attitude + 1, euler);
  for (SchemaKey& key : table.keys) key.fixed_in_flight = kOnlyAtStart;
  return table;
}

SchemaTable gust_entry(SpecDraft& draft, std::size_t i) {
  GustDraft& g = draft.gusts[i];
  SchemaTable table;
  TableBuilder b(table);
  b.add("shape", "", enum_slot(g.shape), "how it comes and goes");
  b.add("velocity_ned_m_s", "m/s", &g.velocity_W_m_s, "added to the wind at the peak").required =
      true;
  b.add("at_s", "s", &g.at, "first instant").required = true;
  b.add("duration_s", "s", &g.duration, "how long").required = true;
  return table;
}

/// "motor_delay, estimator_delay, sensor_delay: how much later"
std::string used_by(ActionInput::Kind input, const char* meaning) {
  std::string names;
  for (const ActionRow& row : kActions) {
    if (row.input.kind == input) names += (names.empty() ? "" : ", ") + std::string(row.name);
  }
  return names + ": " + meaning;
}

SchemaTable event_entry(SpecDraft& draft, std::size_t i) {
  EventDraft& e = draft.events[i];
  SchemaTable table{.sparse = true};
  TableBuilder b(table);
  b.add("at_s", "s", &e.at, "trigger: at exactly this instant").group = "trigger";
  b.add("at_step", "", &e.at_step, "trigger: at the boundary of this number").group = "trigger";
  b.add("when", "", &e.when, "trigger: \"SIGNAL above NUMBER\" or below").group = "trigger";
  b.add("after", "", &e.after, "trigger: another event, by id").group = "trigger";
  b.add("every_s", "s", &e.every, "at_s with mode repeat: period");
  b.add("mode", "", enum_slot(e.mode), "how often");
  b.add("hysteresis", "1", real_slot(e.hysteresis),
        "when with mode repeat: how far back the signal must go");
  b.add("delay_s", "s", &e.delay, "when, after: acts this much later");
  b.add("snap", "", &e.snap, "\"autopilot\": acts at the next tick of the autopilot");
  SchemaKey& action = b.add("do", "", enum_slot(e.action), "what happens, see docs/faults.md");
  action.required = true;
  action.selects = true;
  b.add("rotor", "", &e.rotor, "target: id of a rotor").group = "target";
  b.add("pack", "", &e.pack, "target: id of a pack").group = "target";
  b.add("servo", "", &e.servo, "target: number of a servo, from 0").group = "target";
  b.add("sensor", "", enum_slot(e.sensor), "target: what fails").group = "target";
  b.add("instrument", "", enum_slot(e.instrument), "target: an instrument that is fitted").group =
      "target";
  b.add("quantity", "", &e.quantity, "target: position, velocity, attitude or rate").group =
      "target";
  b.add("parameter", "", &e.parameter, "target: key of [autopilot]; PX4, ArduPilot: its own name")
      .group = "target";
  b.add("value", "", real_slot(e.value), "of the action");
  b.add("vector", "", &e.vector, "of the action: wind in m/s, or bias");
  b.add("duration_s", "s", &e.duration, "ends by itself after this; 0: stays");
  using Input = ActionInput::Kind;
  b.add("lag_s", "s", &e.lag, used_by(Input::kLag, "how much later"));
  b.add("on_s", "s", &e.on, used_by(Input::kPattern, "how long it is whole"));
  b.add("off_s", "s", &e.off, used_by(Input::kPattern, "how long it is not"));
  b.add("correlation_s", "s", &e.correlation,
        used_by(Input::kNoise,
                "how long a deviation lasts; 0: each tick of the autopilot by itself"));
  return table;
}

SchemaTable expect_entry(SpecDraft& draft, std::size_t i) {
  Expectation& e = draft.expectations[i];
  SchemaTable table{.sparse = true};
  TableBuilder(table).fields(e, {"id", "where"});
  SchemaKey& kind = table.keys.front();
  kind.required = true;
  kind.selects = true;
  return table;
}

const TomlNode* gusts_of(const TomlNode& root) {
  const TomlNode* wind = root.find("wind");
  return wind == nullptr ? nullptr : array_at(*wind, "gust");
}

constexpr int kManyEntries = 1000;

/// Those of every type; what a spec of another type gives of them is refused.
void add_vehicle_keys(SpecDraft& draft, const TomlNode& root, SchemaTable& schema) {
  for (std::size_t i = 0; i < draft.vehicles.size(); ++i) {
    const std::size_t tables = schema.tables.size();
    const std::size_t lists = schema.lists.size();
    draft.vehicles[i]->add_keys(schema, root);
    const auto give = [type = vehicle_types()[i]](auto& item) {
      item.only_for = type;
      if (item.owner == Component::kUnknown) item.owner = Component::kRigidBody;
    };
    for (std::size_t t = tables; t < schema.tables.size(); ++t) give(schema.tables[t]);
    for (std::size_t l = lists; l < schema.lists.size(); ++l) give(schema.lists[l]);
  }
}

}  // namespace

SpecDraft SpecDraft::sample() {
  SpecDraft draft;
  for (const VehicleType* type : vehicle_types()) draft.vehicles.push_back(type->draft(nullptr));
  draft.gusts.resize(1);
  draft.events.resize(1);
  draft.expectations.resize(1);
  return draft;
}

SpecDraft SpecDraft::sized_for(const TomlNode& root) {
  SpecDraft draft;
  for (const VehicleType* type : vehicle_types()) draft.vehicles.push_back(type->draft(&root));
  draft.gusts.resize(entry_count(gusts_of(root)));
  draft.events.resize(entry_count(array_at(root, "event")));
  draft.expectations.resize(entry_count(array_at(root, "expect")));
  set_defaults_of_autopilot(root, draft.spec);
  return draft;
}

SchemaTable make_schema(SpecDraft& draft, const TomlNode& root) {
  Spec& spec = draft.spec;
  SchemaTable schema;
  TableBuilder b(schema);
  b.add("name", "", &spec.name, "of the spec");
  b.add("description", "", &spec.description, "one line for people");
  b.add("seed", "", &spec.seed, "of all random numbers").owner = Component::kRandom;
  schema.owner = Component::kText;
  auto& tables = schema.tables;
  const auto add = [&tables](Component owner, SchemaTable table) {
    tables.push_back(owned_by(owner, std::move(table)));
  };
  add(Component::kTimeline,
      table_of("time", "end and periods; 0: the axis is not used", spec.timeline));
  add(Component::kLog, table_of("log", "rows of the log", spec.log));
  add(Component::kEnvironment, world_table(spec.world));
  add(Component::kRigidBody, vehicle_table(draft));
  add_vehicle_keys(draft, root, schema);
  add(Component::kRigidBody, initial_table(draft));
  add(Component::kIntegrator, table_of("solver", "integration", spec.solver));
  add(Component::kWind,
      table_of("wind", "wind of the whole run", spec.world.wind, {"gust_count", "gusts"}));
  tables.back().lists.push_back(list_of("gust", "gusts, added up", 0, kMaxGusts, gusts_of(root),
                                        draft.gusts.size(),
                                        [&](std::size_t i) { return gust_entry(draft, i); }));
  add(Component::kEstimator,
      table_of("estimator", "the state estimate of the autopilot", spec.estimator));
  add(Component::kLandDetector,
      table_of("land_detector", "when it counts as landed", spec.land_detector));
  add(Component::kInstruments, table_of("sensors", "instruments of the vehicle", spec.sensors));
  add(Component::kAutopilot, autopilot_table(spec));

  schema.lists.push_back(list_of("event", "what happens", 0, kManyEntries, array_at(root, "event"),
                                 draft.events.size(),
                                 [&](std::size_t i) { return event_entry(draft, i); }));
  schema.lists.back().owner = Component::kScenario;
  schema.lists.push_back(list_of("expect", "what must hold", 0, kManyEntries,
                                 array_at(root, "expect"), draft.expectations.size(),
                                 [&](std::size_t i) { return expect_entry(draft, i); }));
  set_ranges(schema);
  return schema;
}

Component owner_of_key(std::string_view key) {
  static const SchemaTable schema = [] {
    static SpecDraft draft = SpecDraft::sample();
    return make_schema(draft);
  }();
  return schema.owner_of(key);
}

}  // namespace tactus
