// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/flight/external/available_autopilots.h"

#include "tactus/core/error.h"
#include "tactus/flight/external/program_path.h"
#include "tactus/link/ardupilot/ardupilot_start.h"
#include "tactus/link/px4/px4_abi.h"
#include "tactus/link/px4/px4_process.h"

namespace tactus {
namespace {

/// What `check` throws about it; empty: it can fly.
template <class Check>
std::string reason_of(Check check) {
  try {
    check();
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

std::string why_not_px4_library(const std::string& path) {
  return reason_of([&] {
    Px4Console console;
    const Px4Copy copy(path, console);
  });
}

std::string why_not_px4(const std::string& path, const std::string& romfs) {
  Px4SitlParameters parameters;
  parameters.binary = path;
  parameters.romfs = romfs;
  return reason_of([&] { validate(parameters, "autopilot"); });
}

std::string why_not_ardupilot(const std::string& path) {
  ArdupilotParameters parameters;
  parameters.binary = path;
  return reason_of([&] { check_program(parameters); });
}

}  // namespace

std::vector<AvailableAutopilot> available_autopilots(const AutopilotPaths& given) {
  const std::string library = path_or_variable(given.px4_library, kPx4LibraryVariable);
  const std::string px4 = path_or_variable(given.px4_binary, kPx4BinaryVariable);
  const std::string romfs = path_or_variable(given.px4_romfs, kPx4RomfsVariable);
  const std::string ardupilot = path_or_variable(given.ardupilot_binary, kArdupilotVariable);
  return {{AutopilotKind::kBuiltin, "", nullptr},
          {AutopilotKind::kPx4Library, library, kPx4LibraryVariable,
           library.empty() ? "" : why_not_px4_library(library)},
          {AutopilotKind::kPx4Sitl, px4, kPx4BinaryVariable,
           px4.empty() ? "" : why_not_px4(px4, romfs)},
          {AutopilotKind::kArdupilot, ardupilot, kArdupilotVariable,
           ardupilot.empty() ? "" : why_not_ardupilot(ardupilot)}};
}

}  // namespace tactus
