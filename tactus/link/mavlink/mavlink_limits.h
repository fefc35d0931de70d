// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The check of what comes from simulators and autopilots over MAVLink HIL, right behind decoding:
// one rule per field of a message, in its order. Values are reported as they are on the wire.

#include <cstdint>
#include <span>
#include <string>

#include "tactus/link/mavlink/mavlink_messages.h"
#include "tactus/link/net/peer_limits.h"

namespace tactus::mavlink {

struct FieldRule {
  const char* field;
  bool checked = false;  ///< false: every value of its type will do, or it is not used
  ValueLimits limits{};
  std::uint32_t updated = 0;  ///< checked only with all of these bits of fields_updated
};

std::span<const FieldRule> rules_of(const HilSensor& message);
std::span<const FieldRule> rules_of(const HilGps& message);
std::span<const FieldRule> rules_of(const HilStateQuaternion& message);

/// The first field that no flight can use, as wrong_value_text() says it; empty: there is none.
std::string wrong_value(const HilSensor& message);
std::string wrong_value(const HilGps& message);
std::string wrong_value(const HilStateQuaternion& message);
/// Of the first `motor_count` controls. PX4 sends NaN for an output that is off.
std::string wrong_value(const HilActuatorControls& message, int motor_count);

}  // namespace tactus::mavlink
