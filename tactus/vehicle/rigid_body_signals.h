// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What any rigid body tells the bus.

#include <optional>

#include "tactus/core/assert.h"
#include "tactus/core/packed.h"
#include "tactus/plant/rigid_body_watch.h"
#include "tactus/plant/watch.h"
#include "tactus/signal/bus.h"
#include "tactus/world/world.h"

namespace tactus {

/// Where a packed state holds the motion.
struct RigidBodyEntries {
  const double* position;
  const double* velocity;
  const double* attitude;
  const double* rate;
};

/// What follows from the state alone.
inline void publish_motion(const World& world, const RigidBodyEntries& at, Truth& truth) {
  truth.position_W_m = load_vec3(at.position);
  truth.velocity_W_m_s = load_vec3(at.velocity);
  truth.attitude = load_quat(at.attitude);
  truth.rate_B_rad_s = load_vec3(at.rate);
  truth.height_m = height_m(world, truth.position_W_m);
  truth.speed_m_s = norm(truth.velocity_W_m_s);
  truth.tilt_rad = tilt_rad(truth.attitude);
}

/// How fast a point of the body meets the ground, along the ground's normal.
inline double closing_speed_m_s(const World& world, const RigidBodyEntries& at, Vec3 point_B_m) {
  TACTUS_ASSERT(world.ground.present, "ground that a point can meet");
  const Mat3 r_WB = rotation_matrix(load_quat(at.attitude));
  const Vec3 v_W = load_vec3(at.velocity) + r_WB * cross(load_vec3(at.rate), point_B_m);
  return -dot(world.ground.normal_W, v_W);
}

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
