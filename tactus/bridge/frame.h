// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What goes over the bridge: sensor frames from a simulator to a vehicle, commands the other way.

#include <cstdint>
#include <string>

#include "tactus/core/bus.h"
#include "tactus/core/signals.h"
#include "tactus/core/time.h"

namespace tactus {

/// 0 to kLargestVehicleId, unique among those that are there; MAVLink's system id is one more.
using VehicleId = std::uint8_t;
inline constexpr VehicleId kLargestVehicleId = 253;

/// Where a ground station listens for it if nothing else is said.
constexpr std::uint16_t default_mavlink_port(VehicleId id) {
  constexpr int kFirst = 14550;
  return static_cast<std::uint16_t>(kFirst + id);
}

/// What a frame can tell.
inline constexpr SignalSet kFrameSignals =
    SignalSet::of(Signal::kTruth, Signal::kBattery, Signal::kEsc, Signal::kImu,
                  Signal::kMagnetometer, Signal::kBarometer, Signal::kGps, Signal::kAirspeed,
                  Signal::kRangeFinder, Signal::kEstimate, Signal::kLand);

/// Everything that the control loop of one vehicle may know at one instant.
struct SensorFrame {
  VehicleId vehicle = 0;
  /// What the simulator knows; the rest is not looked at by those who record.
  SignalSet tells = kFrameSignals;
  TimeUs time;  ///< of the bridge; stamps of instruments and estimate count from the spawning
  Estimate estimate;
  LandStatus land;
  BatteryStatus battery[kMaxPacks];
  EscStatus esc[kMaxMotors];
  ImuReading imu[kMaxImus];
  MagnetometerReading magnetometer[kMaxMagnetometers];
  BarometerReading barometer[kMaxBarometers];
  GpsReading gps[kMaxGps];
  AirspeedReading airspeed[kMaxAirspeeds];
  RangeReading range_finder[kMaxRangeFinders];
  bool powered = true;  ///< false: the supply of the autopilot is down
  /// For autopilots that make their own instruments from it, and for tables on a screen; a
  /// simulator that does not know it gives its best estimate.
  Truth truth;
  /// What the scenario wants, where the simulator plays it: conditions of events look into the
  /// plant. Otherwise the vehicle's own scenario decides and these are left alone.
  bool plays_scenario = false;
  HighLevelCommand high_level;
  ParameterChange parameter;
};

/// The signals that a frame and a bus have in common, from one to the other.
void copy_signals(const Bus& from, SensorFrame& to);
void copy_signals(const SensorFrame& from, Bus& to);

/// "imu[0].rate_body_rad_s.x = nan: must be finite": the first number of what the frame tells that
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
