// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Distance from a point of the vehicle to the ground plane along the body's down axis:
//   d = h / (−n · z_B)        h: height of the point along the ground's normal n (up)
// Infinity where the axis meets no ground. Metres.

#include "tactus/core/hd.h"
#include "tactus/core/math.h"
#include "tactus/core/quat.h"
#include "tactus/core/vec.h"

namespace tactus {

/// The vehicle and the ground at a tick.
struct GroundView {
  Quat attitude;
  double height_m = 0.0;                 ///< of the centre of mass, along the normal
  Vec3 ground_normal_W{0.0, 0.0, -1.0};  ///< up
  bool ground_present = true;
};

TACTUS_HD inline double distance_down_m(const GroundView& view, Vec3 position_B_m) {
  const Vec3 normal_B = rotate_inverse(view.attitude, view.ground_normal_W);
  const double approach = -normal_B.z;
  if (!view.ground_present || approach <= 0.0) return math::infinity();
  return (view.height_m + dot(normal_B, position_B_m)) / approach;
}

}  // namespace tactus
