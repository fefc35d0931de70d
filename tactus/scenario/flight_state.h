// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What a vehicle does at a boundary, as all reports of a flight understand it: whether it
// is in the air, what a crash is, whether it has been ordered to fly its mission.

#include <optional>

#include "tactus/core/math.h"
#include "tactus/signal/bus.h"

namespace tactus {

inline constexpr double kCrashSpeed_m_s = 3.0;
inline constexpr double kCrashTilt_rad = 60.0 * math::kDegToRad;

/// The gear met the ground too fast along its normal, or touches it with the vehicle tilted too
/// far.
struct Crash {
  TimeUs time;
  double speed_m_s = 0.0;  ///< 0: it was not too fast
  double tilt_rad = 0.0;
};

/// For vehicles that fly.
inline std::optional<Crash> crash_at(const Bus& bus) {
  const bool hard = bus.loads.impact_speed_m_s > kCrashSpeed_m_s;
  const bool tilted = bus.loads.gear_touching_mask != 0 && bus.truth.tilt_rad > kCrashTilt_rad;
  if (!hard && !tilted) return std::nullopt;
  return Crash{bus.time, hard ? bus.loads.impact_speed_m_s : 0.0, bus.truth.tilt_rad};
}

/// Motors that turn on the ground are not enough.
inline bool is_in_the_air(const Bus& bus) {
  return !bus.land.landed && bus.loads.gear_touching_mask == 0;
}

/// By the scenario, by a ground station, or by the autopilot's own mission.
inline bool is_mission_ordered(const Bus& bus) {
  return bus.high_level.mode == FlightMode::kMission ||
         bus.autopilot.mode == FlightMode::kMission || bus.autopilot.items_reached > 0;
}

}  // namespace tactus
