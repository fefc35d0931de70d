// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Which autopilots can fly on this machine, and why the others cannot.

#include <string>
#include <vector>

#include "tactus/spec/model/spec.h"

namespace tactus {

/// Where external autopilots are. What is empty comes from the environment (program_path.h).
struct AutopilotPaths {
  std::string px4_library;
  std::string px4_binary;
  std::string px4_romfs;
  std::string ardupilot_binary;
};

struct AvailableAutopilot {
  AutopilotKind kind = AutopilotKind::kBuiltin;
  std::string path;  ///< empty: part of Tactus, or not given
  const char* variable =
      nullptr;              ///< of the environment, which can give the path; null: part of Tactus
  std::string reason = {};  ///< why what was given cannot fly; empty: it can

  [[nodiscard]] bool is_external() const { return variable != nullptr; }
  [[nodiscard]] bool can_fly() const { return !is_external() || (!path.empty() && reason.empty()); }
};

/// Every autopilot that a spec can name. Programs are looked for, and the PX4 library is loaded;
/// nothing is flown.
std::vector<AvailableAutopilot> available_autopilots(const AutopilotPaths& given);

}  // namespace tactus
