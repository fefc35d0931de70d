// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A fleet: which vehicles fly in which simulators, in one TOML file. Keys: docs/bridge.md.
// Every mistake is one line, "file:line:column: key = value: reason", as Error(kBadInput).

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tactus/bridge/frame.h"
#include "tactus/bridge/hil_adapter.h"
#include "tactus/bridge/json_adapter.h"
#include "tactus/bridge/time_mode.h"
#include "tactus/link/link_parameters.h"
#include "tactus/scenario/load_spec.h"

namespace tactus {

enum class SimulatorKind : std::uint8_t {
  kBuiltin,
  kHil,   ///< outside, speaks PX4's MAVLink HIL
  kJson,  ///< outside, speaks ArduPilot's JSON
};

struct SimulatorPlan {
  std::string name;
  SimulatorKind kind = SimulatorKind::kBuiltin;
  LinkParameters link;
  HilOptions hil;    ///< kHil
  JsonOptions json;  ///< kJson
};

struct VehiclePlan {
  VehicleId id = 0;
  std::string simulator;
  std::uint16_t mavlink_port = 0;  ///< 0: 14550 + id
  LoadedSpec loaded;
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

/// `changes` apply to the spec of every vehicle.
FleetPlan load_fleet(const std::string& path, std::span<const Override> changes = {});

/// A path as it is, or a name in scenarios/fleets/ of the data root.
std::string find_fleet(const std::string& name);

}  // namespace tactus
