// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/fleet/fleet_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "tactus/bridge/scenario_orders.h"
#include "tactus/core/error.h"
#include "tactus/core/text.h"
#include "tactus/files/disk_files.h"
#include "tactus/files/text_file.h"
#include "tactus/fleet/fleet_ports.h"
#include "tactus/fleet/fleet_simulator.h"
#include "tactus/signal/limits.h"
#include "tactus/spec/toml/table_reader.h"
#include "tactus/spec/toml/toml_document.h"

namespace tactus {
namespace {

/// [[simulator]] or [[vehicle]]: as many as there are ids.
constexpr std::size_t kMostEntries = kLargestVehicleId + 1;

/// A change of a spec, and where the fleet file says so.
struct Change {
  Override change;
  TomlPosition at;
};

std::vector<Override> overrides_of(const std::vector<Change>& changes) {
  std::vector<Override> overrides;
  overrides.reserve(changes.size());
  for (const Change& one : changes) overrides.push_back(one.change);
  return overrides;
}

/// `set` is a tree of keys; each leaf is a change of the spec.
void add_changes(const TomlNode& node, const std::string& path, std::vector<Change>& changes) {
  for (const TomlNode& entry : node.children) {
    const std::string key = path.empty() ? entry.key : path + "." + entry.key;
    if (entry.is_table()) {
      add_changes(entry, key, changes);
    } else {
      changes.push_back({{key, to_toml(entry)}, entry.at});
    }
  }
}

/// A mistake in a change is reported where the fleet file makes it; everything else where it names
/// the spec.
[[noreturn]] void refuse_spec(const Error& error, VehicleId id, const TomlPosition& spec,
                              const std::vector<Change>& changes) {
  std::string_view what = error.what();
  TomlPosition at = spec;
  std::string key = "vehicle.spec";
  const auto* const placed = dynamic_cast<const PlacedError*>(&error);
  for (const Change& one : changes) {
    const std::string& changed = one.change.key;
    const bool is_there = placed != nullptr && placed->at().file.empty() && !one.at.file.empty();
    if (!is_there || (placed->key() != changed && !placed->key().starts_with(changed + "."))) {
      continue;
    }
    at = one.at;
    key = changed;
    what = std::string_view(error.what()).substr(placed->at().prefix().size());
  }
  throw PlacedError(error.code(), at, key, fmt::format("vehicle {}: {}", id, what));
}

/// Keys of a vehicle that are short for keys of its spec.
void add_short_keys(TableReader& table, std::vector<Change>& changes) {
  const auto pass_on = [&](const char* key, const char* spec_key) {
    if (const TomlNode* const value = table.find(key)) {
      changes.push_back({{spec_key, to_toml(*value)}, value->at});
    }
  };
  const auto pass_text_on = [&](const char* key, const char* spec_key) {
    if (const TomlNode* const value = table.find(key)) {
      changes.push_back({{spec_key, to_toml(table.text(key, *value))}, value->at});
    }
  };
  pass_on("seed", "seed");
  pass_text_on("autopilot", "autopilot.kind");
  pass_text_on("mission", "autopilot.mission");
  pass_on("mission_shift_ned_m", "autopilot.mission_shift_ned_m");
  pass_on("position_ned_m", "initial.position_ned_m");
  if (const TomlNode* const heading = table.find("heading_deg")) {
    const std::string degrees = to_toml(table.number("heading_deg", 0.0));
    changes.push_back({{"initial.euler_deg", fmt::format("[0.0, 0.0, {}]", degrees)}, heading->at});
  }
  if (const TomlNode* const exchange = table.find("exchange_us")) {
    const auto us =
        static_cast<std::uint64_t>(table.integer("exchange_us", *exchange, 1, 1'000'000));
    changes.push_back({{"time.autopilot_s", exact_seconds(DurationUs(us))}, exchange->at});
  }
}

/// What a spec does not say in a fleet; explicit values come after it and win.
std::vector<Override> fleet_defaults(const VehiclePlan& plan, bool station) {
  const Spec& spec = plan.loaded.spec;
  if (is_external_program(spec.autopilot)) {
    return {{"autopilot.outside.instance", fmt::format("{}", plan.id)}};
  }
  if (!station && !spec.ground_station.enabled) return {};
  if (!station) return {{"autopilot.ground_station.enabled", "false"}};
  return {{"autopilot.ground_station.enabled", "true"},
          {"autopilot.ground_station.port", fmt::format("{}", plan.mavlink_port)},
          {"autopilot.ground_station.system_id", fmt::format("{}", plan.id + 1)}};
}

/// What neither names vehicles nor simulators, but says what no fleet does.
void refuse_spec(const TomlNode& root) {
  const TomlNode* const vehicle = root.find("vehicle");  // of a spec: a table
  const bool is_fleet =
      root.find("simulator") != nullptr || (vehicle != nullptr && !vehicle->is_table());
  for (const TomlNode& entry : root.children) {
    const bool shared = entry.key == "name" || entry.key == "description" || entry.key == "time";
    if (is_fleet || shared) continue;
    throw PlacedError(ExitCode::kBadInput, entry.at, entry.key,
                      "this is no fleet, which has [[vehicle]]; a spec is flown by `tactus run`");
  }
}

class FleetReader {
 public:
  FleetReader(const TomlNode& root, const std::string& file, const FleetChanges& changes)
      : root_(root, ""), folder_(std::filesystem::path(file).parent_path()), changes_(&changes) {}

  FleetPlan read() {
    plan_.name = root_.text("name", "fleet");
    plan_.description = root_.text("description", "");
    if (const TomlNode* const time = root_.find("time")) read_time(*time);
    const std::vector<const TomlNode*> simulators = root_.tables("simulator", kMostEntries);
    const std::vector<const TomlNode*> vehicles = root_.tables("vehicle", kMostEntries);
    root_.close();  // a misspelt table comes before what is missing without it
    for (const TomlNode* entry : simulators) add_simulator(*entry);
    for (const TomlNode* entry : vehicles) add_vehicle(*entry);
    if (plan_.vehicles.empty()) {
      root_.refuse(root_.at(), "vehicle", "is missing; a fleet has at least one [[vehicle]]");
    }
    require_own_ports(plan_);
    return std::move(plan_);
  }

 private:
  void read_time(const TomlNode& node) {
    constexpr const char* kModes[] = {"lockstep", "free_running", "scaled"};
    TableReader table(node, "time");
    plan_.end = table.seconds("end_s", {});
    plan_.step = DurationUs(static_cast<std::uint64_t>(table.integer("step_us", 0, 0, 10'000'000)));
    plan_.mode.kind = static_cast<TimeMode::Kind>(table.one_of("mode", kModes));
    plan_.mode.factor = table.number("factor", 1.0);
    table.close();
    const TomlNode* const factor = node.find("factor");
    if (factor == nullptr) return;
    if (plan_.mode.kind != TimeMode::Kind::kScaled) {
      refuse_value(*factor, "time.factor", "is for mode = \"scaled\"");
    }
    try {
      validate(plan_.mode);
    } catch (const Error& error) {
      refuse_value(*factor, "time.factor", error.what());
    }
  }

  /// Of a vehicle in its simulator, once its spec is known.
  void require_fit(const TomlNode& node, const VehiclePlan& plan,
                   const SimulatorPlan& simulator) const {
    const Spec& spec = plan.loaded.spec;
    const auto refuse = [&](const char* key, const std::string& reason) {
      const TomlNode* const given = node.find(key);
      const TomlNode& place = given == nullptr ? *node.find("spec") : *given;
      throw PlacedError(ExitCode::kBadInput, place.at, fmt::format("vehicle.{}", key),
                        fmt::format("vehicle.{}: vehicle {}: {}", key, plan.id, reason));
    };
    const TomlNode* const station = node.find("ground_station");
    if (station != nullptr && station->boolean && spec.autopilot != AutopilotKind::kBuiltin) {
      refuse_value(*station, "vehicle.ground_station",
                   "is for the autopilot \"builtin\"; others have MAVLink of their own");
    }
    if (spec.autopilot == AutopilotKind::kNone) {
      refuse("autopilot", "its spec has autopilot.kind = \"none\", and the bridge needs one");
    }
    const DurationUs exchange = spec.timeline.autopilot;
    if (plan_.step.us != 0 && exchange.us % plan_.step.us != 0) {
      refuse("exchange_us", fmt::format("it exchanges every {} us (exchange_us = {}), which is no "
                                        "multiple of time.step_us = {}",
                                        exchange.us, exchange.us, plan_.step.us));
    }
    if (simulator.kind == SimulatorKind::kBuiltin) return;
    for (const VehiclePlan& other : plan_.vehicles) {
      if (other.simulator != plan.simulator) continue;
      refuse("simulator", fmt::format("simulator \"{}\" is a program that flies one vehicle, and "
                                      "vehicle {} is in it; start one for each, on ports of "
                                      "their own",
                                      plan.simulator, other.id));
    }
    try {
      (void)ScenarioOrders(spec);
    } catch (const Error& error) {
      refuse("spec", error.what());
    }
  }

  void add_simulator(const TomlNode& node) {
    SimulatorPlan plan = read_simulator(node);
    if (plan.name.empty()) refuse_value(*node.find("name"), "simulator.name", "must not be empty");
    if (find_simulator(plan.name) != nullptr) {
      refuse_value(*node.find("name"), "simulator.name", "there is one of this name already");
    }
    plan_.simulators.push_back(std::move(plan));
    simulator_nodes_.push_back(&node);
  }

  [[nodiscard]] const SimulatorPlan* find_simulator(const std::string& name) const {
    for (const SimulatorPlan& one : plan_.simulators) {
      if (one.name == name) return &one;
    }
    return nullptr;
  }

  void add_vehicle(const TomlNode& node) {
    TableReader table(node, "vehicle");
    VehiclePlan plan;
    const TomlNode& id = table.require("id", "a whole number");
    plan.id = static_cast<VehicleId>(table.integer("id", id, 0, kLargestVehicleId));
    const bool taken =
        std::any_of(plan_.vehicles.begin(), plan_.vehicles.end(),
                    [&plan](const VehiclePlan& other) { return other.id == plan.id; });
    if (taken) refuse_value(id, "vehicle.id", "there is one of this id already");
    const TomlNode& simulator = table.require("simulator", "the name of one");
    plan.simulator = table.text("simulator", simulator);
    const SimulatorPlan* const place = find_simulator(plan.simulator);
    if (place == nullptr) {
      std::vector<std::string> names;
      for (const SimulatorPlan& one : plan_.simulators) names.push_back(one.name);
      refuse_value(simulator, "vehicle.simulator",
                   did_you_mean("there is no such simulator", plan.simulator, names));
    }
    plan.at = id.at;
    read_port(table, plan);
    const std::optional<bool> station = table.optional_boolean("ground_station");
    const TomlNode& spec = table.require("spec", "a file, or the name of a shipped one");
    std::vector<Change> changes;
    if (place->kind != SimulatorKind::kBuiltin) {
      // Neither protocol reports how fast a rotor turns.
      changes.push_back({{"autopilot.detect_motor_loss", "false"}, {}});
    }
    add_short_keys(table, changes);
    if (const TomlNode* const set = table.find("set")) {
      if (!set->is_table()) refuse_value(*set, table.full("set"), "must be a table of keys");
      add_changes(*set, "", changes);
    }
    table.close();
    if (plan_.end.us != 0) changes.push_back({{"time.end_s", exact_seconds(plan_.end)}, {}});
    for (const Override& one : changes_->specs) changes.push_back({one, {}});
    const std::string name = table.text("spec", spec);
    try {
      load(path_of(name), overrides_of(changes), station, plan);
    } catch (const Error& error) {
      refuse_spec(error, plan.id, spec.at, changes);
    }
    require_fit(node, plan, *place);
    const auto number = static_cast<std::size_t>(place - plan_.simulators.data());
    fit_channels(*simulator_nodes_[number], plan, plan_.simulators[number]);
    plan_.vehicles.push_back(std::move(plan));
  }

  static void read_port(TableReader& table, VehiclePlan& plan) {
    const TomlNode* const port = table.find("mavlink_port");
    plan.mavlink_port = default_mavlink_port(plan.id);
    if (port == nullptr) return;
    plan.at = port->at;
    plan.mavlink_port = static_cast<std::uint16_t>(table.integer("mavlink_port", *port, 1, 65535));
  }

  /// Which defaults a fleet has for it depends on the autopilot, which is in its spec.
  void load(const std::string& path, std::vector<Override> changes, std::optional<bool> station,
            VehiclePlan& plan) const {
    plan.loaded = load_spec(path, changes);
    const Spec& spec = plan.loaded.spec;
    const bool builtin = spec.autopilot == AutopilotKind::kBuiltin;
    const bool wanted = changes_->ground_stations || spec.ground_station.enabled;
    std::vector<Override> defaults = fleet_defaults(plan, builtin && station.value_or(wanted));
    const bool external = find_simulator(plan.simulator)->kind != SimulatorKind::kBuiltin;
    if (external && spec.timeline.sensors != spec.timeline.autopilot) {
      // Every frame brings an estimate.
      defaults.push_back({"time.sensors_s", exact_seconds(spec.timeline.autopilot)});
    }
    if (!defaults.empty()) {
      changes.insert(changes.begin(), defaults.begin(), defaults.end());
      plan.loaded = load_spec(path, changes);
    }
    if (spec.ground_station.enabled) {
      plan.mavlink_port = static_cast<std::uint16_t>(spec.ground_station.port);
    }
  }

  /// Beside the fleet file, or as `tactus run` finds it.
  [[nodiscard]] std::string path_of(const std::string& spec) const {
    const std::filesystem::path beside = folder_ / spec;
    std::error_code ignored;
    return std::filesystem::is_regular_file(beside, ignored) ? beside.string() : find_spec(spec);
  }

  TableReader root_;
  std::filesystem::path folder_;
  const FleetChanges* changes_;
  FleetPlan plan_;
  std::vector<const TomlNode*> simulator_nodes_;  ///< of plan_.simulators
};

}  // namespace

FleetPlan load_fleet(const std::string& path, const FleetChanges& changes) {
  const TomlNode root = parse_toml(read_text_file(path), path);
  refuse_spec(root);
  return FleetReader(root, path, changes).read();
}

std::string find_fleet(const std::string& name) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(name, ignored)) return name;
  const std::filesystem::path folder = std::filesystem::path(data_root()) / "scenarios" / "fleets";
  for (const char* ending : {"", ".toml"}) {
    const std::filesystem::path shipped = folder / (name + ending);
    if (std::filesystem::is_regular_file(shipped, ignored)) return shipped.string();
  }
  if (!is_missing(name)) return name;  // reading it says what it is
  const std::vector<std::string> shipped = specs_in(folder.string());
  const std::vector<std::string> near = near_texts(name, shipped);
  throw Error(ExitCode::kBadInput,
              fmt::format("there is no fleet \"{}\"{} (fleets: {}; in {})", shortened(name),
                          near.empty() ? "" : "; did you mean " + near.front() + "?",
                          fmt::join(shipped, ", "), folder.string()));
}

}  // namespace tactus
