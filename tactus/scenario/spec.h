// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Everything that decides a flight, resolved: what a spec file gives after inheritance, merge and
// checks, and what assembly.h builds a Run from.

#include <cstdint>
#include <string>
#include <vector>

#include "tactus/autopilot/builtin_parameters.h"
#include "tactus/autopilot/mission.h"
#include "tactus/core/digest.h"
#include "tactus/core/time.h"
#include "tactus/plant/environment/wind.h"
#include "tactus/plant/multirotor_model.h"
#include "tactus/plant/rover.h"
#include "tactus/scenario/event.h"
#include "tactus/scenario/outside_spec.h"
#include "tactus/scenario/sensors_spec.h"
#include "tactus/sensor/estimator.h"
#include "tactus/sensor/land_detector.h"
#include "tactus/solver/config.h"

namespace tactus {

enum class VehicleKind : std::uint8_t { kMultirotor, kRover };

/// Periods of the axes; 0: the axis is not used.
struct TimelineSpec {
  DurationUs end{60'000'000};
  DurationUs autopilot{4'000};
  DurationUs wind{20'000};
  DurationUs sensors{4'000};
  DurationUs physics;
};

enum class LogMode : std::uint8_t { kBoundary, kInterpolate };

struct LogSpec {
  DurationUs period{20'000};
  LogMode mode = LogMode::kBoundary;
};

/// Where the vehicle starts. On the ground it stands on its gear, whatever the height says.
struct InitialSpec {
  bool on_ground = true;
  Vec3 position_W_m;
  Vec3 velocity_W_m_s;
  Quat attitude;
  Vec3 rate_B_rad_s;
  double rotor_speed_rad_s = 0.0;
};

enum class AutopilotKind : std::uint8_t { kBuiltin, kNone, kPx4Library, kPx4Sitl, kArdupilot };

/// Another process: it can neither be copied nor brought to the middle of a flight.
constexpr bool is_program_outside(AutopilotKind kind) {
  return kind == AutopilotKind::kPx4Sitl || kind == AutopilotKind::kArdupilot;
}

struct Spec {
  std::string name;
  std::string description;
  std::uint64_t seed = 1;
  VehicleKind vehicle = VehicleKind::kMultirotor;
  MultirotorParameters multirotor;
  RoverParameters rover;
  std::vector<std::string> rotor_ids;  ///< in the order of the rotors
  std::vector<std::string> pack_ids;
  std::vector<std::string> bus_ids;
  std::vector<std::string> gust_ids;
  InitialSpec initial;
  TimelineSpec timeline;
  LogSpec log;
  SolverConfig solver;
  WindParameters wind;
  EstimatorParameters estimator;
  LandDetectorParameters land_detector;
  SensorsSpec sensors;
  AutopilotKind autopilot = AutopilotKind::kBuiltin;
  BuiltinParameters builtin;
  OutsideSpec outside;
  GroundStationSpec ground_station;
  std::string mission_path;  ///< empty: no mission
  Vec3 mission_shift_W_m;    ///< `mission` is where this has moved it
  Mission mission;
  std::vector<Event> events;
  std::vector<Expectation> expectations;
  Digest128 digest;  ///< of the resolved content: the spec hash in logs
};

}  // namespace tactus
