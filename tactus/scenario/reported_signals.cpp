// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/scenario/reported_signals.h"

#include <fmt/format.h>

#include "tactus/spec/schema/schema_enums.h"

namespace tactus {
namespace {

struct Unreported {
  std::string_view leaf;
  bool px4_library;
  bool px4_sitl;
  bool ardupilot;
};

/// True: left at its default.
constexpr Unreported kUnreported[] = {
    {"autopilot.motor_lost_mask", true, true, true},
    {"autopilot.yaw_given_up", true, true, true},
    {"autopilot.hover_thrust", false, true, false},
};

bool leaves_out(const Unreported& part, AutopilotKind autopilot) {
  switch (autopilot) {
    case AutopilotKind::kPx4Library: return part.px4_library;
    case AutopilotKind::kPx4Sitl: return part.px4_sitl;
    case AutopilotKind::kArdupilot: return part.ardupilot;
    case AutopilotKind::kBuiltin:
    case AutopilotKind::kNone: break;
  }
  return false;
}

}  // namespace

std::string why_not_reported(AutopilotKind autopilot, std::string_view leaf) {
  for (const Unreported& part : kUnreported) {
    if (part.leaf != leaf || !leaves_out(part, autopilot)) continue;
    return fmt::format("\"{}\" does not report {}", name_of(autopilot), leaf);
  }
  return {};
}

}  // namespace tactus
