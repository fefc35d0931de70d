// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A flight controller that fits on a page: boots, arms, climbs, holds its place, lands, disarms.
// Proportional and derivative terms on height, tilt and heading; an X frame in ArduPilot's order.

#include <array>
#include <cstdint>

#include "tests/doubles/ardupilot_client/options.h"
#include "tests/doubles/ardupilot_client/reply_text.h"

namespace ardupilot_double {

class Copter {
 public:
  explicit Copter(const Options& options) : options_(options) {}

  /// One frame with the motion and the time since its start.
  void step(const Motion& motion, double time_s);
  /// Pulses of the frame `count`, as long as the packet may be.
  [[nodiscard]] std::array<std::uint16_t, 32> pulses(std::uint32_t count) const;

 private:
  enum class Phase { kDisarmed, kFlies, kLands, kLanded };

  void control(const Motion& motion);

  Options options_;
  Phase phase_ = Phase::kDisarmed;
  std::array<double, 4> drive_{};  ///< 0 to 1
};

}  // namespace ardupilot_double
