// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/plant/rover.h"

#include "tactus/core/checks.h"

namespace tactus {

void validate(const RoverParameters& p, std::string_view where) {
  require_positive(where, "max_speed_m_s", p.max_speed_m_s);
  require_positive(where, "track_m", p.track_m);
  require_positive(where, "max_turn_rate_rad_s", p.max_turn_rate_rad_s);
  require_positive(where, "wheel_time_constant_s", p.wheel_time_constant_s);
}

void validate(const RoverInput& input, std::string_view where) {
  require_within(where, "left_command", input.left_command, -1.0, 1.0);
  require_within(where, "right_command", input.right_command, -1.0, 1.0);
}

}  // namespace tactus
