// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Autopilots and ground stations outside are other people's bits: these programs are built without
// them.

#include "tactus/core/error.h"
#include "tactus/link/ardupilot_start.h"
#include "tactus/scenario/outside_assembly.h"

namespace tactus {

std::unique_ptr<Autopilot> make_outside_autopilot(const Spec& /*spec*/,
                                                  const Multirotor& /*vehicle*/,
                                                  const OutsideHelp& /*help*/) {
  throw Error(ExitCode::kBadInput, "this program flies the built-in autopilot only");
}

std::unique_ptr<Autopilot> with_ground_station(std::unique_ptr<BuiltinVehicle> /*autopilot*/,
                                               const Spec& /*spec*/, const Multirotor* /*vehicle*/,
                                               const OutsideHelp& /*help*/) {
  throw Error(ExitCode::kBadInput, "this program talks to nobody");
}

void read_settings(std::string_view /*text*/, const std::string& /*file*/,
                   std::map<std::string, double, std::less<>>& /*settings*/) {
  throw Error(ExitCode::kBadInput, "this program knows nothing of ArduPilot");
}

}  // namespace tactus
