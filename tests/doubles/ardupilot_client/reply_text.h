// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Reads the motion the way ArduPilot does, with its traps: keys are searched for in the text
// instead of read as JSON, so "velocity" is also found in "velocity_wind", a truth value must
// follow its colon at once, and what lies between two numbers is ignored.

#include <array>
#include <cstdint>
#include <string>

namespace ardupilot_double {

struct Motion {
  double timestamp_s = 0.0;
  std::array<float, 3> gyro{};
  std::array<float, 3> accel{};
  std::array<double, 3> position{};
  std::array<float, 3> velocity{};
  std::array<float, 4> quaternion{1.0F, 0.0F, 0.0F, 0.0F};
  float battery_v = 0.0F;
  float battery_a = 0.0F;
  float range_m = -1.0F;
  bool no_time_sync = false;
};

/// Collects datagrams until there is a whole line between two newlines, as ArduPilot's buffer does.
class ReplyText {
 public:
  /// Whether `motion` is new; if not, `why` says what is missing.
  bool add(const char* bytes, std::size_t size, Motion& motion, std::string& why);

 private:
  std::string buffer_;
};

}  // namespace ardupilot_double
