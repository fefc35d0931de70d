// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What goes over the bridge: sensor frames from a simulator to a vehicle, commands the other way.

#include <cstdint>
#include <string>

#include "tactus/core/time.h"
#include "tactus/signal/bus.h"
#include "tactus/signal/signals.h"

namespace tactus {

/// 0 to kLargestVehicleId, unique among those that are there; MAVLink's system id is one more.
using VehicleId = std::uint8_t;
inline constexpr VehicleId kLargestVehicleId = 253;

/// Where a ground station listens for it if nothing else is said.
constexpr std::uint16_t default_mavlink_port(VehicleId id) {
  constexpr int kFirst = 14550;
  return static_cast<std::uint16_t>(kFirst + id);
}

/// Everything that the control loop of one vehicle may know at one instant.
/// `time` is that of the bridge; stamps of instruments and estimate count from the spawning. Of the
/// bus it holds what kFrameSignals says. A simulator that does not know the truth gives its best
/// estimate: autopilots that make their own instruments from it, and tables on a screen, use it.
struct SensorFrame : Bus {
  VehicleId vehicle = 0;
  /// What the frame holds; recorders ignore the rest.
  SignalSet holds = kFrameSignals;
  bool powered = true;  ///< false: the supply of the autopilot is down
  /// What the scenario wants (`high_level`, `parameter`) is in the frame where the simulator plays
  /// it: conditions of events read the plant. Otherwise the vehicle's own scenario decides.
  bool plays_scenario = false;
};

/// What a frame can hold, and what the scenario wants.
inline constexpr SignalSet kExchanged = kFrameSignals | kOrders;

/// Signals that a frame and a bus have in common, from one to the other.
void copy_signals(const Bus& from, SensorFrame& to);
void copy_signals(const SensorFrame& from, Bus& to, SignalSet signals = kExchanged);

/// "imu[0].rate_body_rad_s.x = nan: must be finite": the first number of what the frame holds that
/// no flight may hold; empty: there is none.
std::string wrong_value(const SensorFrame& frame);

/// The answer of a vehicle to a frame.
struct ActuatorCommand {
  VehicleId vehicle = 0;
  TimeUs time;  ///< of the frame that it answers
  Command command;
  AutopilotStatus status;
};

}  // namespace tactus
