// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What autopilots do not report. The built-in one fills its whole signal; PX4 and ArduPilot leave
// parts at their defaults, and what is expected of those says nothing about their flight.

#include <string>
#include <string_view>

#include "tactus/spec/model/spec.h"

namespace tactus {

/// Why the number of that name ("autopilot.yaw_given_up") has no meaning with this autopilot;
/// empty: it has one.
std::string why_not_reported(AutopilotKind autopilot, std::string_view leaf);

}  // namespace tactus
