// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What the bridge knows of a simulator and of a vehicle; for its sources only.

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tactus/bridge/bridge.h"
#include "tactus/core/error.h"

namespace tactus {

[[noreturn]] inline void refuse(const std::string& message) {
  throw Error(ExitCode::kBadInput, message);
}

struct Bridge::Seat {
  std::string name;
  std::shared_ptr<SimulatorAdapter> adapter;
  InProcessSimulator* in_process = nullptr;
  std::unique_ptr<AdapterThread> thread;  ///< null: in process
  LinkParameters link;
  AdapterReport report;
  std::vector<ActuatorCommand> commands;
  std::vector<SensorFrame> frames;
  std::set<VehicleId> left;           ///< despawned in flight: frames of them may still come
  std::vector<VehicleId> to_release;  ///< of them: it was at work and does not know yet
  std::uint64_t asked_ns = 0;
  bool asked = false;      ///< is at work, for this instant or an earlier one
  bool caught_up = false;  ///< late so far; back if these frames are right
  bool trouble = false;    ///< that something is wrong has been said
  bool broken = false;     ///< has thrown: to be connected again
  bool connecting = false;
  std::uint64_t next_try_ns = 0;
  std::set<std::string> told;                 ///< events of this trouble
  std::vector<std::string> warnings;          ///< of this connection
  std::vector<std::string> earlier_warnings;  ///< of those before

  [[nodiscard]] AdapterState state() const { return report.state; }
  [[nodiscard]] std::string who() const { return "simulator " + name; }
};

struct Bridge::Rider {
  std::unique_ptr<Vehicle> vehicle;
  Seat* seat = nullptr;
  bool fresh = false;  ///< got a frame at this instant

  [[nodiscard]] std::string who() const { return fmt::format("vehicle {}", vehicle->id()); }
};

}  // namespace tactus
