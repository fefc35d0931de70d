// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// How an autopilot outside is found and talked to: [autopilot.px4], [autopilot.ardupilot] and
// [autopilot.outside] of a spec; and who may watch and steer the built-in one,
// [autopilot.ground_station]. A path that is not given comes from the environment.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/autopilot/emitted_parameters.h"
#include "tactus/autopilot/px4_library_parameters.h"
#include "tactus/link/ardupilot_start.h"
#include "tactus/link/link_parameters.h"
#include "tactus/scenario/event.h"

namespace tactus {

/// Environment variables that stand for paths which are not given.
inline constexpr char kPx4LibraryVariable[] = "TACTUS_PX4_LOCKSTEP_LIB";
inline constexpr char kPx4BinaryVariable[] = "TACTUS_PX4_SITL_BIN";
inline constexpr char kPx4RomfsVariable[] = "TACTUS_PX4_SITL_ROMFS";
inline constexpr char kArdupilotVariable[] = "TACTUS_ARDUCOPTER_BIN";

struct OutsideSpec {
  Px4LibraryParameters px4_library;
  std::string px4_binary;
  std::string px4_romfs;
  std::string ardupilot_binary;
  std::string ardupilot_defaults;               ///< names of .parm files, separated by commas
  std::vector<std::string> ardupilot_built_in;  ///< of them, those inside the program: "@…"
  ArdupilotSettings ardupilot_given;            ///< what the others say, if ArduPilot flies
  std::string parameters;  ///< "NAME=VALUE, NAME=VALUE": besides those from the aircraft
  std::string folder;
  std::int32_t instance = 0;
  bool wait = false;
  bool repeatable = false;
  LinkParameters link;
};

/// A MAVLink ground station of a built-in autopilot.
struct GroundStationSpec {
  bool enabled = false;
  std::string host = "127.0.0.1";
  std::int32_t port = 14550;
  std::int32_t own_port = 0;   ///< 0: any free one
  std::int32_t system_id = 1;  ///< of the vehicle in MAVLink
};

/// The path, or what the variable says; empty: neither.
std::string path_or_variable(const std::string& path, const char* variable);

/// The same. Throws Error(kBadInput) that names key, option and variable if
/// there is neither.
std::string given_path(const std::string& path, const char* variable, std::string_view key,
                       std::string_view option);

/// Reads "MPC_XY_CRUISE=3, NAV_ACC_RAD=2". Throws Error(kBadInput) that names `where`.
std::vector<EmittedParameter> parse_parameters(std::string_view text, std::string_view where);

/// The parts between commas, without blanks around them; empty ones are left out.
std::vector<std::string_view> split_list(std::string_view text);

/// The names of parameters that events change, each once, in the order of the events: what
/// ParameterChange::index counts for an autopilot outside.
std::vector<std::string> changed_parameters(const std::vector<Event>& events);

/// Position in that list. Which names there are, only the autopilot knows; throws Error(kBadInput)
/// if this one cannot be one of PX4's or ArduPilot's.
int changed_parameter_index(const std::vector<Event>& events, std::string_view name);

}  // namespace tactus
