// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The verb `autopilots`: which can fly here, where they are, and why the others cannot.

#include <fmt/core.h>

#include <memory>
#include <string>
#include <string_view>

#include "cli/common/print.h"
#include "cli/verbs.h"
#include "tactus/flight/external/available_autopilots.h"
#include "tactus/spec/schema/schema_enums.h"

namespace tactus::cli {
namespace {

/// The option that gives its path.
std::string_view option_of(AutopilotKind kind) {
  if (kind == AutopilotKind::kPx4Library) return "--px4-lib";
  return kind == AutopilotKind::kPx4Sitl ? "--px4-bin" : "--ardupilot-bin";
}

std::string text_of(const AvailableAutopilot& autopilot) {
  if (!autopilot.is_external()) return "part of Tactus";
  if (autopilot.can_fly()) return autopilot.path;
  const std::string_view option = option_of(autopilot.kind);
  return autopilot.path.empty()
             ? fmt::format("not given: {} PATH, or set {}", option, autopilot.variable)
             : fmt::format("{} (from {} or {})", autopilot.reason, option, autopilot.variable);
}

void list_autopilots(const AutopilotPaths& given) {
  for (const AvailableAutopilot& autopilot : available_autopilots(given)) {
    print_format("{:<10} {:<4} {}\n", name_of(autopilot.kind), autopilot.can_fly() ? "yes" : "no",
                 text_of(autopilot));
  }
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
