// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// How PX4 SITL is started: program, start-up scripts (ROMFS), ports and parameters.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/autopilot/parameters/emitted_parameters.h"
#include "tactus/core/time.h"
#include "tactus/link/net/process.h"
#include "tactus/link/net/used_port.h"

namespace tactus {

struct Px4SitlParameters {
  std::string binary;         ///< …/bin/px4
  std::string romfs;          ///< its start-up scripts; empty: ../etc beside the program's folder
  std::string folder;         ///< its working folder, kept; empty: a temporary one
  std::int32_t instance = 0;  ///< N: TCP port 4560+N, UDP ports 14580+N and 14540+N
  bool wait = false;          ///< the user starts it
  std::string trace;          ///< of a conducted one: the file gets it at its end; empty: none
  bool free = false;          ///< not under the conductor; so is one that the user starts
};

inline constexpr std::int32_t kMaxPx4Instance = 249;  ///< its MAV_SYS_ID is one more, at most 250

/// Its ports and ours for it; those of one instance.
struct Px4Ports {
  std::uint16_t hil = 0;         ///< TCP, ours: instruments and actuators
  std::uint16_t mavlink = 0;     ///< UDP, PX4's
  std::uint16_t own = 0;         ///< UDP, ours for its MAVLink; 0: any free one
  std::vector<UsedPort> others;  ///< PX4's start-up scripts take them
};
Px4Ports px4_ports(std::int32_t instance);

/// All of them.
std::vector<UsedPort> used_ports(const Px4Ports& ports);

/// Checks files but starts nothing. Throws Error: kBadInput if a value is out of range,
/// kEnvironment if the program or its scripts are not there.
void validate(const Px4SitlParameters& parameters, std::string_view where);

/// Where the start-up scripts are.
std::string px4_romfs(const Px4SitlParameters& parameters);

/// Command and environment. A kept folder loses the parameters and missions of an earlier flight,
/// because a flight must not depend on the one before.
ProcessParameters px4_process(const Px4SitlParameters& parameters,
                              const std::vector<EmittedParameter>& settings);

}  // namespace tactus
