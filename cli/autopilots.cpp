// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The verb `autopilots`: which can fly here, where they are, and why the others cannot.

#include <fmt/core.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

#include "cli/verbs.h"
#include "tactus/autopilot/px4_abi.h"
#include "tactus/core/error.h"
#include "tactus/scenario/outside_spec.h"

namespace tactus::cli {
namespace {

namespace fs = std::filesystem;

struct AutopilotPaths {
  std::string px4_library;
  std::string px4_binary;
  std::string px4_romfs;
  std::string ardupilot_binary;
};

/// One that a user brings.
struct Outside {
  std::string_view name;
  std::string_view flag;
  const char* variable;
};

constexpr Outside kPx4Library{"px4-lib", "--px4-lib", kPx4LibraryVariable};
constexpr Outside kPx4Sitl{"px4-sitl", "--px4-bin", kPx4BinaryVariable};
constexpr Outside kArdupilot{"ardupilot", "--ardupilot-bin", kArdupilotVariable};

/// Empty if it may be started.
std::string why_not_a_program(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error)) return fmt::format("{}: no such file", path);
  if (!fs::is_regular_file(path, error)) return fmt::format("{}: not a file", path);
  if (access(path.c_str(), X_OK) != 0) {
    return fmt::format("{}: not executable; try chmod +x", path);
  }
  return "";
}

std::string why_not_a_library(const std::string& path) {
  try {
    Px4Console console;
    const Px4Copy copy(path, console);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

/// PX4's start scripts: given, or beside the folder of the program, as its build leaves them.
std::string why_not_romfs(const std::string& binary, const std::string& given) {
  std::error_code error;
  const fs::path folder =
      given.empty() ? fs::absolute(binary).parent_path().parent_path() / "etc" : fs::path(given);
  if (fs::exists(folder / "init.d-posix" / "rcS", error)) return "";
  return fmt::format("{}: no init.d-posix/rcS there; point {} at PX4's etc folder", folder.string(),
                     kPx4RomfsVariable);
}

void print_line(std::string_view name, bool available, std::string_view text) {
  fmt::print("{:<10} {:<4} {}\n", name, available ? "yes" : "no", text);
}

template <class WhyNot>
void print_outside(const Outside& autopilot, const std::string& path, WhyNot why_not) {
  if (path.empty()) {
    print_line(autopilot.name, false,
               fmt::format("not given: {} PATH, or set {}", autopilot.flag, autopilot.variable));
    return;
  }
  const std::string reason = why_not(path);
  print_line(autopilot.name, reason.empty(),
             reason.empty()
                 ? path
                 : fmt::format("{} (from {} or {})", reason, autopilot.flag, autopilot.variable));
}

void list_autopilots(const AutopilotPaths& given) {
  print_line("builtin", true, "part of Tactus");
  print_outside(kPx4Library, path_or_variable(given.px4_library, kPx4Library.variable),
                why_not_a_library);
  const std::string romfs = path_or_variable(given.px4_romfs, kPx4RomfsVariable);
  print_outside(kPx4Sitl, path_or_variable(given.px4_binary, kPx4Sitl.variable),
                [&romfs](const std::string& path) {
                  const std::string reason = why_not_a_program(path);
                  return reason.empty() ? why_not_romfs(path, romfs) : reason;
                });
  print_outside(kArdupilot, path_or_variable(given.ardupilot_binary, kArdupilot.variable),
                why_not_a_program);
}

}  // namespace

void add_autopilots_verb(CLI::App& app, int& /*exit_code*/) {
  const auto paths = std::make_shared<AutopilotPaths>();
  CLI::App* verb =
      app.add_subcommand("autopilots", "list the autopilots that can fly here, and why not");
  verb->add_option("--px4-lib", paths->px4_library, "libpx4_lockstep.so")->type_name("PATH");
  verb->add_option("--px4-bin", paths->px4_binary, "PX4's SITL program, px4")->type_name("PATH");
  verb->add_option("--px4-romfs", paths->px4_romfs, "its etc folder")->type_name("PATH");
  verb->add_option("--ardupilot-bin", paths->ardupilot_binary, "ArduPilot's arducopter")
      ->type_name("PATH");
  verb->callback([paths] { list_autopilots(*paths); });
}

}  // namespace tactus::cli
