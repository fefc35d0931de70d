// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/scenario/spec_keys.h"

#include "tactus/scenario/autopilot_keys.h"
#include "tactus/scenario/key_ranges.h"
#include "tactus/scenario/table_builder.h"

namespace tactus {
namespace {

SchemaTable time_table(TimelineSpec& t) {
  SchemaTable table{.name = "time", .meaning = "end and periods; 0: the axis is not used"};
  TableBuilder b(table);
  b.add("end_s", "s", &t.end, "length of the run");
  b.add("autopilot_s", "s", &t.autopilot, "period of the autopilot");
  b.add("wind_s", "s", &t.wind, "period of the wind");
  b.add("sensors_s", "s", &t.sensors, "period of the estimator and the land detector");
  b.add("physics_s", "s", &t.physics, "longest interval of integration; 0: none of its own");
  return table;
}

SchemaTable log_table(LogSpec& log) {
  SchemaTable table{.name = "log", .meaning = "rows of the log"};
  TableBuilder b(table);
  b.add("period_s", "s", &log.period, "between rows; 0: no log");
  b.add("mode", "", enum_slot(log.mode), "rows at boundaries, or interpolated");
  return table;
}

SchemaTable world_table(Spec& spec) {
  MultirotorParameters& p = spec.multirotor;
  SchemaTable table{.name = "world", .meaning = "the one origin, ground, gravity and air"};
  TableBuilder b(table);
  b.add("latitude_deg", "deg", real_slot(p.origin.lat_deg), "of the origin, north positive");
  b.add("longitude_deg", "deg", real_slot(p.origin.lon_deg), "of the origin, east positive");
  b.add("altitude_msl_m", "m", real_slot(p.origin.alt_msl_m),
        "of the origin, above mean sea level");
  table.tables.push_back(table_of("ground", "ground plane", p.ground));
  table.tables.push_back(table_of("gravity", "gravity", p.gravity));
  table.tables.push_back(table_of("atmosphere", "air", p.atmosphere));
  table.tables.push_back(
      table_of("magnetic_field", "earth's magnetic field", spec.sensors.magnetic_field));
  return table;
}

SchemaTable vehicle_table(Spec& spec) {
  SchemaTable table{.name = "vehicle", .meaning = "what flies or drives"};
  TableBuilder b(table);
  b.add("kind", "", enum_slot(spec.vehicle), "kind of vehicle").required = true;
  b.add("ledger", "", &spec.multirotor.ledger, "integrate the energy ledger (multirotor)");
  return table;
}

SchemaTable body_table(SpecDraft& draft) {
  RigidBodyParameters& body = draft.spec.multirotor.body;
  SchemaTable table = table_of("body", "the whole vehicle as a rigid body", body);
  for (SchemaKey& key : table.keys) {
    if (key.name == "inertia_kg_m2") key.group = "inertia";
  }
  TableBuilder(table)
      .add("inertia_diagonal_kg_m2", "kg*m^2", &draft.inertia_diagonal_kg_m2,
           "the same without products of inertia")
      .group = "inertia";
  return table;
}

SchemaTable gear_table(GearParameters& gear) {
  SchemaTable table{.name = "gear", .meaning = "landing gear"};
  TableBuilder b(table);
  b.add("positions_body_m", "m", ListSlot<Vec3>{gear.position_B_m, &gear.count, kMaxGearPoints},
        "points in body axes from the centre of mass");
  b.fields(gear, {"count", "position_body_m"});
  return table;
}

SchemaTable servo_table(MultirotorParameters& p) {
  SchemaTable table{.name = "servo_actuator", .meaning = "servos"};
  TableBuilder b(table);
  b.add("count", "", &p.servo_count, "number of servos");
  b.fields(p.servo_actuator);
  return table;
}

SchemaTable initial_table(SpecDraft& draft) {
  InitialSpec& initial = draft.spec.initial;
  SchemaTable table{.name = "initial", .meaning = "where the vehicle starts"};
  TableBuilder b(table);
  b.add("on_ground", "", &initial.on_ground,
        "at rest on its gear and on the slope; height and tilt follow");
  b.add("position_ned_m", "m", &initial.position_W_m, "from the world origin");
  b.add("velocity_ned_m_s", "m/s", &initial.velocity_W_m_s, "over ground");
  b.add("attitude_wxyz", "1", &initial.attitude, "quaternion, body to world").group = "attitude";
  b.add("euler_deg", "deg", &draft.euler_deg, "the same as roll, pitch, yaw").group = "attitude";
  b.add("rate_body_rad_s", "rad/s", &initial.rate_B_rad_s, "angular velocity");
  b.add("rotor_speed_rad_s", "rad/s", real_slot(initial.rotor_speed_rad_s), "of all rotors");
  return table;
}

SchemaTable rotor_entry(SpecDraft& draft, std::size_t i) {
  RotorDraft& r = draft.rotors[i];
  SchemaTable table;
  TableBuilder b(table);
  b.fields(r.rotor, {"motor", "propeller"});
  table.keys.front().required = true;
  b.add("bus", "", &r.bus, "id of its bus; empty: the first one");
  table.tables.push_back(table_of("motor", "where it differs from [motor]", r.rotor.motor));
  table.tables.push_back(
      table_of("propeller", "where it differs from [propeller]", r.rotor.propeller));
  for (SchemaTable& inner : table.tables) inner.sparse = true;
  table.prepare = [&draft, &r] {
    r.rotor.motor = draft.motor;
    r.rotor.propeller = draft.propeller;
  };
  return table;
}

SchemaTable pack_entry(SpecDraft& draft, std::size_t i) {
  PackDraft& p = draft.packs[i];
  SchemaTable table;
  TableBuilder b(table);
  b.add("bus", "", &p.bus, "id of its bus; empty: the first one");
  b.fields(p.pack, {"ocv_count", "ocv_soc", "ocv_v", "rc_count", "rc", "v_rc0_v"});
  b.add("ocv_soc", "1", ListSlot<double>{p.pack.ocv_soc, &p.ocv_soc_count, kMaxOcvPoints},
        "state of charge of each point of the open-circuit curve, from 0 to 1");
  b.add("ocv_v", "V", ListSlot<double>{p.pack.ocv_v, &p.ocv_v_count, kMaxOcvPoints},
        "open-circuit voltage of each point");
  b.add("rc", "", ListSlot<RcPairParameters>{p.pack.rc, &p.pack.rc_count, kMaxRcPairs},
        "polarisation: resistance and capacitance of RC pairs");
  b.add("v_rc0_v", "V", ListSlot<double>{p.pack.v_rc0_v, &p.v_rc0_count, kMaxRcPairs},
        "initial voltage of each RC pair");
  return table;
}

SchemaTable bus_entry(SpecDraft& draft, std::size_t i) {
  SchemaTable table;
  TableBuilder(table).fields(draft.buses[i]);
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
  b.add("lag_s", "s", &e.lag, "motor_delay, estimator_delay, sensor_delay: how much later");
  b.add("on_s", "s", &e.on, "motor_intermittent, sensor_intermittent: how long it is whole");
  b.add("off_s", "s", &e.off, "motor_intermittent, sensor_intermittent: how long it is not");
  b.add("correlation_s", "s", &e.correlation,
        "motor_noise: how long a deviation lasts; 0: each tick of the autopilot by itself");
  return table;
}

SchemaTable expect_entry(SpecDraft& draft, std::size_t i) {
  Expectation& e = draft.expectations[i];
  SchemaTable table{.sparse = true};
  TableBuilder b(table);
  SchemaKey& kind = b.add("kind", "", enum_slot(e.kind), "what is expected");
  kind.required = true;
  kind.selects = true;
  b.add("item", "", &e.item, "reach_item: number of the mission item, from 0");
  b.add("from_s", "s", &e.from, "start of the window");
  b.add("by_s", "s", &e.by, "end of the window; not given: end of the run");
  b.add("signal", "", &e.signal, "name of a signal of the bus");
  b.add("limit", "1", real_slot(e.limit), "signal_max, signal_min: in the unit of the signal");
  b.add("value", "1", real_slot(e.value), "final: in the unit of the signal");
  b.add("tolerance", "1", real_slot(e.tolerance),
        "final: of the value; land_by: metres around home");
  b.add("radius_m", "m", real_slot(e.radius_m), "stay_inside: horizontal distance from home");
  b.add("low_m", "m", real_slot(e.low_m), "stay_inside: least height");
  b.add("high_m", "m", real_slot(e.high_m), "stay_inside: greatest height");
  b.add("event", "", &e.event, "survive: id of the event");
  return table;
}

const TomlNode* array_at(const TomlNode& root, std::string_view name) {
  const TomlNode* node = root.find(name);
  return node != nullptr && node->is_array() ? node : nullptr;
}

const TomlNode* gusts_of(const TomlNode& root) {
  const TomlNode* wind = root.find("wind");
  return wind == nullptr ? nullptr : array_at(*wind, "gust");
}

template <class MakeEntry>
SchemaList list_of(const char* name, const char* meaning, int lowest, int highest, SchemaUse use,
                   const TomlNode* node, SpecDraft& draft, std::size_t count,
                   MakeEntry make_entry) {
  SchemaList list{name, meaning, {}, lowest, highest, use};
  for (std::size_t i = 0; i < count; ++i) {
    SchemaTable entry = make_entry(draft, i);
    const TomlNode* id =
        node != nullptr && i < node->children.size() ? node->children[i].find("id") : nullptr;
    entry.name = id != nullptr && id->is_string() ? id->text : "ID";
    list.entries.push_back(std::move(entry));
  }
  return list;
}

constexpr int kManyEntries = 1000;

void add_multirotor_tables(SpecDraft& draft, SchemaTable& root) {
  MultirotorParameters& p = draft.spec.multirotor;
  const auto add = [&root](SchemaTable table) {
    table.use = SchemaUse::kMultirotor;
    root.tables.push_back(std::move(table));
  };
  add(body_table(draft));
  add(table_of("motor", "motor and speed controller of all rotors", draft.motor));
  add(table_of("propeller", "propeller of all rotors", draft.propeller));
  add(table_of("motor_actuator", "command path of the motors", p.motor_actuator));
  add(servo_table(p));
  add(gear_table(p.gear));
}

}  // namespace

SpecDraft SpecDraft::sample() {
  SpecDraft draft;
  draft.rotors.resize(1);
  draft.packs.resize(1);
  draft.buses.resize(1);
  draft.gusts.resize(1);
  draft.events.resize(1);
  draft.expectations.resize(1);
  return draft;
}

SpecDraft SpecDraft::sized_for(const TomlNode& root) {
  const auto size = [](const TomlNode* list) {
    return list == nullptr ? std::size_t{0} : list->children.size();
  };
  SpecDraft draft;
  draft.rotors.resize(size(array_at(root, "rotor")));
  draft.packs.resize(size(array_at(root, "pack")));
  draft.buses.resize(size(array_at(root, "bus")));
  draft.gusts.resize(size(gusts_of(root)));
  draft.events.resize(size(array_at(root, "event")));
  draft.expectations.resize(size(array_at(root, "expect")));
  set_defaults_of_autopilot(root, draft.spec);
  return draft;
}

SchemaTable make_schema(SpecDraft& draft, const TomlNode& root) {
  Spec& spec = draft.spec;
  SchemaTable schema;
  TableBuilder b(schema);
  b.add("name", "", &spec.name, "of the spec");
  b.add("description", "", &spec.description, "one line for people");
  b.add("seed", "", &spec.seed, "of all random numbers");
  auto& tables = schema.tables;
  tables.push_back(time_table(spec.timeline));
  tables.push_back(log_table(spec.log));
  tables.push_back(world_table(spec));
  tables.push_back(vehicle_table(spec));
  add_multirotor_tables(draft, schema);
  tables.push_back(table_of("rover", "two-wheeled vehicle", spec.rover));
  tables.back().use = SchemaUse::kRover;
  tables.push_back(initial_table(draft));
  tables.push_back(table_of("solver", "integration", spec.solver));
  tables.push_back(table_of("wind", "wind of the whole run", spec.wind, {"gust_count", "gusts"}));
  tables.back().lists.push_back(list_of("gust", "gusts, added up", 0, kMaxGusts, SchemaUse::kAny,
                                        gusts_of(root), draft, draft.gusts.size(), gust_entry));
  tables.push_back(table_of("estimator", "what the autopilot believes", spec.estimator));
  tables.push_back(table_of("land_detector", "when it counts as landed", spec.land_detector));
  tables.push_back(
      table_of("sensors", "instruments of the vehicle", spec.sensors, {"magnetic_field"}));
  tables.push_back(autopilot_table(spec));

  const auto add_list = [&](const char* name, const char* meaning, int lowest, int highest,
                            SchemaUse use, std::size_t count, auto make_entry) {
    schema.lists.push_back(list_of(name, meaning, lowest, highest, use, array_at(root, name), draft,
                                   count, make_entry));
  };
  const SchemaUse multirotor = SchemaUse::kMultirotor;
  add_list("rotor", "rotors", 1, kMaxMotors, multirotor, draft.rotors.size(), rotor_entry);
  add_list("pack", "battery packs", 1, kMaxPacks, multirotor, draft.packs.size(), pack_entry);
  add_list("bus", "power buses", 1, kMaxBuses, multirotor, draft.buses.size(), bus_entry);
  add_list("event", "what happens", 0, kManyEntries, SchemaUse::kAny, draft.events.size(),
           event_entry);
  add_list("expect", "what must hold", 0, kManyEntries, SchemaUse::kAny, draft.expectations.size(),
           expect_entry);
  set_ranges(schema);
  return schema;
}

}  // namespace tactus
