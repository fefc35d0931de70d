// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Values that can be watched on a multirotor. The bus publishes the same functions, so a condition
// has the same bits inside an interval and at its boundary.

#include "tactus/core/hd.h"
#include "tactus/core/math.h"
#include "tactus/core/quat.h"
#include "tactus/plant/contact.h"
#include "tactus/plant/multirotor_state.h"
#include "tactus/plant/watch.h"

namespace tactus {

/// Above the ground plane; without ground above the origin.
TACTUS_HD inline double height_m(const GroundParameters& ground, Vec3 p_W) {
  return ground.present ? height_above(ground, p_W) : -p_W.z;
}

/// Angle between body down and world down, 0 to π.
TACTUS_HD inline double tilt_rad(const Quat& q_WB) {
  const Mat3 r_WB = rotation_matrix(q_WB);
  return math::atan2(math::hypot(r_WB.m[0][2], r_WB.m[1][2]), r_WB.m[2][2]);
}

/// `bus_v` may be null if no bus voltage is watched.
TACTUS_HD inline double watched_value(const MultirotorLayout& at, const GroundParameters& ground,
                                      const double* x, const double* bus_v, const Watch& watch) {
  switch (watch.quantity) {
    case WatchQuantity::kPosition: return x[at.position + watch.index];
    case WatchQuantity::kVelocity: return x[at.velocity + watch.index];
    case WatchQuantity::kRate: return x[at.rate + watch.index];
    case WatchQuantity::kHeight: return height_m(ground, load_vec3(x + at.position));
    case WatchQuantity::kSpeed: return norm(load_vec3(x + at.velocity));
    case WatchQuantity::kTilt: return tilt_rad(load_quat(x + at.attitude));
    case WatchQuantity::kRotorSpeed: return x[at.rotor_speed + watch.index];
    case WatchQuantity::kStateOfCharge: return x[at.charge + watch.index];
    case WatchQuantity::kBusVoltage: return bus_v[watch.index];
  }
  return 0.0;
}

}  // namespace tactus
