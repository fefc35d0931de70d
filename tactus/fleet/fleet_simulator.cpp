// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/fleet/fleet_simulator.h"

#include <fmt/format.h>

#include <algorithm>

#include "tactus/core/error.h"
#include "tactus/scenario/sensor_assembly.h"
#include "tactus/signal/limits.h"
#include "tactus/spec/schema/schema_enums.h"
#include "tactus/spec/toml/table_reader.h"
#include "tactus/spec/vehicle/vehicle_type.h"

namespace tactus {
namespace {

constexpr char kMotorChannels[] = "motor_channels";
constexpr char kServoChannels[] = "servo_channels";

LinkParameters read_link(TableReader& table) {
  LinkParameters link;
  link.connect_deadline = table.deadline("connect_deadline_s", link.connect_deadline);
  link.exchange_deadline = table.deadline("exchange_deadline_s", link.exchange_deadline);
  link.late = static_cast<LatePolicy>(table.one_of("late", kNames<LatePolicy>));
  return link;
}

[[noreturn]] void refuse_used(const TomlNode& entry, const std::string& key) {
  refuse_value(entry, key, "this channel is used already; each is for one");
}

/// Channels from 0, one per motor or servo; −1: none. `used` are those of lists before.
std::vector<int> read_channels(TableReader& table, const char* key, int most, int count,
                               std::vector<int>& used) {
  std::vector<int> channels;
  for (const TomlNode* const entry : table.list(key, static_cast<std::size_t>(most), "channels")) {
    const int channel = static_cast<int>(table.integer(key, *entry, -1, count - 1));
    if (channel >= 0 && std::find(used.begin(), used.end(), channel) != used.end()) {
      refuse_used(*entry, table.full(key));
    }
    used.push_back(channel);
    channels.push_back(channel);
  }
  return channels;
}

/// How many motors there are is known with the vehicle: fit_channels().
ChannelMap read_channel_map(TableReader& table, int count) {
  ChannelMap map;
  std::vector<int> used;
  map.motor = read_channels(table, kMotorChannels, kMaxMotors, count, used);
  map.servo = read_channels(table, kServoChannels, kMaxServos, count, used);
  return map;
}

HilOptions read_hil(TableReader& table) {
  constexpr std::size_t kManyQuirks = 32;
  HilOptions hil;
  hil.port = static_cast<std::uint16_t>(table.integer("port", hil.port, 1, 65535));
  hil.listens = table.boolean("listens", false);
  for (const TomlNode* const entry : table.list("quirks", kManyQuirks, "names")) {
    const std::string name = table.text("quirks", *entry);
    try {
      hil.quirks.push_back(parse_hil_quirk(name));
    } catch (const Error& error) {
      refuse_value(*entry, table.full("quirks"), error.what());
    }
  }
  hil.channels = read_channel_map(table, kHilChannels);
  return hil;
}

JsonOptions read_json(TableReader& table) {
  JsonOptions json;
  json.port = static_cast<std::uint16_t>(table.integer("port", json.port, 1, 65535));
  if (const TomlNode* const channels = table.find("channels")) {
    json.channels = static_cast<int>(table.integer("channels", *channels, 16, 32));
    if (json.channels != 16 && json.channels != 32) {
      refuse_value(*channels, table.full("channels"), "must be 16 or 32");
    }
  }
  json.rate_hz = static_cast<std::uint16_t>(table.integer("rate_hz", json.rate_hz, 1, 10'000));
  json.channel_map = read_channel_map(table, json.channels);
  return json;
}

}  // namespace

SimulatorPlan read_simulator(const TomlNode& node) {
  constexpr const char* kKinds[] = {"builtin", "hil", "json"};
  TableReader table(node, "simulator");
  SimulatorPlan plan;
  plan.at = node.at;
  plan.name = table.text("name", table.require("name", "a text"));
  plan.kind = static_cast<SimulatorKind>(table.one_of("kind", kKinds));
  plan.link = read_link(table);
  if (plan.kind == SimulatorKind::kHil) plan.hil = read_hil(table);
  if (plan.kind == SimulatorKind::kJson) plan.json = read_json(table);
  plan.hil.connect_deadline = plan.json.connect_deadline = plan.link.connect_deadline;
  table.close();
  return plan;
}

void fit_channels(const TomlNode& node, const VehiclePlan& vehicle, SimulatorPlan& simulator) {
  if (simulator.kind == SimulatorKind::kBuiltin) return;
  const Spec& spec = vehicle.loaded.spec;
  const VehicleType& type = vehicle_type(spec);
  const VehicleCounts counts = type.counts(spec);
  const int motors = counts.motors;
  simulator.hil.vehicle = simulator.json.vehicle = landed_vehicle(spec, motors);
  simulator.hil.world = simulator.json.world = spec.world;
  const TomlNode* const servo_list = node.find(kServoChannels);
  const bool moves_by_servos = motors == 0 && counts.servos > 0;
  if (moves_by_servos && (servo_list == nullptr || servo_list->children.empty())) {
    TableReader(node, "simulator")
        .refuse(servo_list == nullptr ? node.at : servo_list->at, kServoChannels,
                fmt::format("vehicle {} is a {}, its {} are servos: without their channels it gets "
                            "no command",
                            vehicle.id, type.name(), type.servo_names()));
  }
  const TomlNode* const motor_list = node.find(kMotorChannels);
  if (motor_list != nullptr) {
    if (motor_list->children.size() == static_cast<std::size_t>(motors)) return;
    TableReader(node, "simulator")
        .refuse(motor_list->at, kMotorChannels,
                fmt::format("has {} channels, and vehicle {} has {} motors: give one for each "
                            "(-1: none)",
                            motor_list->children.size(), vehicle.id, motors));
  }
  if (servo_list == nullptr) return;
  // Without a list, motors have the first channels.
  for (const TomlNode& entry : servo_list->children) {
    if (entry.integer >= 0 && entry.integer < motors)
      refuse_used(entry, "simulator.servo_channels");
  }
}

}  // namespace tactus
