// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <optional>

#include "tactus/plant/watch.h"
#include "tactus/signal/bus.h"

namespace tactus {

/// Which watch of any rigid body stands for a leaf of the bus; none: it is not of its motion.
inline std::optional<Watch> rigid_body_watch(const BusLeaf& leaf) {
  struct Named {
    const char* name;
    WatchQuantity quantity;
    int index;
  };
  static constexpr Named kNamed[] = {
      {"truth.position_ned_m.x", WatchQuantity::kPosition, 0},
      {"truth.position_ned_m.y", WatchQuantity::kPosition, 1},
      {"truth.position_ned_m.z", WatchQuantity::kPosition, 2},
      {"truth.velocity_ned_m_s.x", WatchQuantity::kVelocity, 0},
      {"truth.velocity_ned_m_s.y", WatchQuantity::kVelocity, 1},
      {"truth.velocity_ned_m_s.z", WatchQuantity::kVelocity, 2},
      {"truth.rate_body_rad_s.x", WatchQuantity::kRate, 0},
      {"truth.rate_body_rad_s.y", WatchQuantity::kRate, 1},
      {"truth.rate_body_rad_s.z", WatchQuantity::kRate, 2},
      {"truth.height_m", WatchQuantity::kHeight, 0},
      {"truth.speed_m_s", WatchQuantity::kSpeed, 0},
      {"truth.tilt_rad", WatchQuantity::kTilt, 0},
  };
  for (const Named& named : kNamed) {
    if (leaf.name == named.name) return Watch{named.quantity, named.index};
  }
  return std::nullopt;
}

}  // namespace tactus
