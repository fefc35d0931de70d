// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Values that can be watched on any rigid body. The bus publishes the same functions, so a
// condition has the same bits inside an interval and at its boundary.

#include "tactus/core/assert.h"
#include "tactus/core/hd.h"
#include "tactus/core/math.h"
#include "tactus/core/packed.h"
#include "tactus/core/quat.h"
#include "tactus/plant/watch.h"
#include "tactus/world/world.h"

namespace tactus {

/// Angle between body down and world down, 0 to π.
TACTUS_HD inline double tilt_rad(const Quat& q_WB) {
  const Mat3 r_WB = rotation_matrix(q_WB);
  return math::atan2(math::hypot(r_WB.m[0][2], r_WB.m[1][2]), r_WB.m[2][2]);
}

/// From where the state holds the four. What a rigid body does not have is zero.
TACTUS_HD inline double rigid_body_value(const World& world, const double* position,
                                         const double* velocity, const double* attitude,
                                         const double* rate, const Watch& watch) {
  TACTUS_ASSERT(watch.index >= 0 && watch.index < 3, "a component of a vector");
  switch (watch.quantity) {
    case WatchQuantity::kPosition: return position[watch.index];
    case WatchQuantity::kVelocity: return velocity[watch.index];
    case WatchQuantity::kRate: return rate[watch.index];
    case WatchQuantity::kHeight: return height_m(world, load_vec3(position));
    case WatchQuantity::kSpeed: return norm(load_vec3(velocity));
    case WatchQuantity::kTilt: return tilt_rad(load_quat(attitude));
    default: return 0.0;
  }
}

}  // namespace tactus
