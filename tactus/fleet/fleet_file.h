// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A fleet: which vehicles fly in which simulators, in one TOML file. Keys: docs/bridge.md.
// Every mistake is one line, "file:line:column: key = value: reason", as Error(kBadInput).

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tactus/autopilot/parameters/link_parameters.h"
#include "tactus/bridge/adapter/frame.h"
#include "tactus/bridge/adapter/hil_adapter.h"
#include "tactus/bridge/adapter/json_adapter.h"
#include "tactus/flight/pace/time_mode.h"
#include "tactus/spec/reader/load_spec.h"
#include "tactus/spec/toml/toml_document.h"

namespace tactus {

enum class SimulatorKind : std::uint8_t {
  kBuiltin,
  kHil,   ///< external, speaks PX4's MAVLink HIL
  kJson,  ///< external, speaks ArduPilot's JSON
};

struct SimulatorPlan {
  std::string name;
  SimulatorKind kind = SimulatorKind::kBuiltin;
  LinkParameters link;
  HilOptions hil;    ///< kHil
  JsonOptions json;  ///< kJson
  TomlPosition at;   ///< for messages
};

struct VehiclePlan {
  VehicleId id = 0;
  std::string simulator;
  std::uint16_t mavlink_port = 0;  ///< where its ground station listens
  LoadedSpec loaded;
  TomlPosition at;  ///< for messages
};

struct FleetPlan {
  std::string name;
  std::string description;
  DurationUs end{};   ///< 0: when the last flight is over
  DurationUs step{};  ///< 0: as the exchanges allow
  TimeMode mode;
  std::vector<SimulatorPlan> simulators;  ///< in the order of the file
  std::vector<VehiclePlan> vehicles;      ///< the same
};

/// What the command line adds to the file.
struct FleetChanges {
  std::vector<Override> specs{};  ///< of the spec of every vehicle
  bool ground_stations = false;   ///< one for every built-in autopilot without another setting
};

/// A vehicle with a ground station has system id + 1 of MAVLink, one with an external program the
/// instance of its id. No two of the fleet may need the same port.
FleetPlan load_fleet(const std::string& path, const FleetChanges& changes = {});

/// A path as it is, or a name in scenarios/fleets/ of the data root.
std::string find_fleet(const std::string& name);

}  // namespace tactus
