// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What ArduPilot is started with: its parameters and its command line.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/autopilot/parameters/ardupilot_settings.h"
#include "tactus/autopilot/parameters/emitted_parameters.h"
#include "tactus/core/time.h"
#include "tactus/link/net/used_port.h"
#include "tactus/world/geodesy.h"

namespace tactus {

struct ArdupilotParameters {
  std::string binary;                 ///< path of arducopter
  std::vector<std::string> built_in;  ///< parameter files inside the program: "@…"
  ArdupilotSettings given;            ///< of the user's own files
  std::string folder;  ///< where it works; empty: a fresh temporary one, removed at the end
  std::int32_t instance =
      0;                ///< -I: adds 10 times this to its ports; its MAVLink system is one more
  bool wait = false;    ///< for one that the user starts
  bool free = false;    ///< not under the conductor
  bool attach = false;  ///< one that Tactus starts listens to others, too
};

/// Its system in MAVLink; one that the user starts has ArduPilot's default.
std::uint8_t ardupilot_system(const ArdupilotParameters& parameters);

/// Where one that the user starts is expected; one that we start gets free ports.
struct ArdupilotPorts {
  std::uint16_t json = 0;
  std::uint16_t mavlink = 0;
};
ArdupilotPorts ardupilot_ports(const ArdupilotParameters& parameters);

/// Those, and what the program takes for itself.
std::vector<UsedPort> used_ports(const ArdupilotParameters& parameters);

/// Throws Error: kBadInput if a number is out of range or the path is missing, kEnvironment if it
/// is no program.
void check_program(const ArdupilotParameters& parameters);

/// What is set before the flight: needs of the link, then those of the aircraft, then the user's,
/// which win.
ArdupilotSettings ardupilot_settings(const ArdupilotParameters& parameters,
                                     const std::vector<EmittedParameter>& emitted,
                                     bool range_finder);

/// One line each, as --defaults wants it.
std::string to_text(const ArdupilotSettings& settings);

/// The same into a file. Throws Error(kEnvironment) that names it if it cannot be written.
void write_settings(const ArdupilotSettings& settings, const std::string& path);

/// ArduPilot arms only if its gyroscope delivers 1.8 times its loop rate (SCHED_LOOP_RATE), one
/// sample per frame. Throws Error(kBadInput) that names the legal periods.
void require_frame_rate(DurationUs period, const ArdupilotSettings& settings);

/// What the command line needs to know.
struct ArdupilotStart {
  std::string settings_file;
  WorldOrigin home;
  double heading_rad = 0.0;
  std::uint16_t json_port = 0;
  std::uint16_t telemetry_port = 0;
  bool wipe = true;  ///< forget what it saved earlier in its folder
};

/// Of its option --home.
std::string ardupilot_home(const WorldOrigin& home, double heading_rad);

std::vector<std::string> ardupilot_command(const ArdupilotParameters& parameters,
                                           const ArdupilotStart& start);

}  // namespace tactus
