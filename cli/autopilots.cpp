// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The verb `autopilots`: which can fly here, where they are, and why the others cannot.

#include <fmt/core.h>

#include <memory>
#include <string>
#include <string_view>

#include "cli/common/print.h"
#include "cli/verbs.h"
#include "tactus/core/error.h"
#include "tactus/flight/program_path.h"
#include "tactus/link/ardupilot/ardupilot_start.h"
#include "tactus/link/px4/px4_abi.h"
#include "tactus/link/px4/px4_process.h"
#include "tactus/spec/model/external_spec.h"

namespace tactus::cli {
namespace {

struct AutopilotPaths {
  std::string px4_library;
  std::string px4_binary;
  std::string px4_romfs;
  std::string ardupilot_binary;
};

/// One that a user brings.
struct ExternalAutopilot {
  std::string_view name;
  std::string_view flag;
  const char* variable;
};

constexpr ExternalAutopilot kPx4Library{"px4-lib", "--px4-lib", kPx4LibraryVariable};
constexpr ExternalAutopilot kPx4Sitl{"px4-sitl", "--px4-bin", kPx4BinaryVariable};
constexpr ExternalAutopilot kArdupilot{"ardupilot", "--ardupilot-bin", kArdupilotVariable};

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

void print_row(std::string_view name, bool available, std::string_view text) {
  print_format("{:<10} {:<4} {}\n", name, available ? "yes" : "no", text);
}

template <class WhyNot>
void print_external(const ExternalAutopilot& autopilot, const std::string& path, WhyNot why_not) {
  if (path.empty()) {
    print_row(autopilot.name, false,
              fmt::format("not given: {} PATH, or set {}", autopilot.flag, autopilot.variable));
    return;
  }
  const std::string reason = why_not(path);
  print_row(autopilot.name, reason.empty(),
            reason.empty()
                ? path
                : fmt::format("{} (from {} or {})", reason, autopilot.flag, autopilot.variable));
}

void list_autopilots(const AutopilotPaths& given) {
  print_row("builtin", true, "part of Tactus");
  print_external(kPx4Library, path_or_variable(given.px4_library, kPx4Library.variable),
                 why_not_px4_library);
  const std::string romfs = path_or_variable(given.px4_romfs, kPx4RomfsVariable);
  print_external(kPx4Sitl, path_or_variable(given.px4_binary, kPx4Sitl.variable),
                 [&romfs](const std::string& path) { return why_not_px4(path, romfs); });
  print_external(kArdupilot, path_or_variable(given.ardupilot_binary, kArdupilot.variable),
                 why_not_ardupilot);
}

}  // namespace

void add_autopilots_verb(Verb& app, int& /*exit_code*/) {
  const auto paths = std::make_shared<AutopilotPaths>();
  Verb* verb =
      app.add_subcommand("autopilots", "list the autopilots that can fly here, and why not");
  verb->add_option("--px4-lib", paths->px4_library, "libpx4_lockstep.so")->type_name("PATH");
  verb->add_option("--px4-bin", paths->px4_binary, "PX4's SITL program, px4")->type_name("PATH");
  verb->add_option("--px4-romfs", paths->px4_romfs, "its etc folder")->type_name("PATH");
  verb->add_option("--ardupilot-bin", paths->ardupilot_binary, "ArduPilot's arducopter")
      ->type_name("PATH");
  verb->callback([paths] { list_autopilots(*paths); });
}

}  // namespace tactus::cli
