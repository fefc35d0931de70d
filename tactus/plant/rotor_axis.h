// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Vectors along and across the axis of a rotor. Most rotors lift straight up, a = (0, 0, 1) in body
// axes; where a shape knows that (`UprightAxis`), products with its zeros are left out, which a
// compiler may not do by itself. Values are the same; a zero may have the other sign, which is lost
// where it meets the sum of all forces or torques: those start at +0, so they are never -0.

#include "tactus/core/hd.h"
#include "tactus/core/vec.h"

namespace tactus {

/// (0, 0, 1)
struct UprightAxis {};

/// (0, 0, z)
struct UprightVector {
  double z;
};

/// (x, y, 0)
struct LevelVector {
  double x;
  double y;
};

TACTUS_HD constexpr double dot(Vec3 a, UprightAxis) { return a.z; }
TACTUS_HD constexpr UprightVector operator*(double s, UprightAxis) { return {s}; }
TACTUS_HD constexpr LevelVector operator*(double s, LevelVector a) { return {s * a.x, s * a.y}; }
TACTUS_HD constexpr Vec3 operator-(Vec3 a, UprightVector b) { return {a.x, a.y, a.z - b.z}; }
TACTUS_HD constexpr Vec3 operator-(UprightVector a, LevelVector b) { return {-b.x, -b.y, a.z}; }
TACTUS_HD constexpr Vec3& operator+=(Vec3& a, UprightVector b) {
  a.z += b.z;
  return a;
}
TACTUS_HD constexpr double norm_squared(LevelVector a) { return a.x * a.x + a.y * a.y; }

/// What is left of v without its part along the axis, v·a = `along`.
TACTUS_HD constexpr Vec3 across(Vec3 v, double along, Vec3 axis) { return v - along * axis; }
TACTUS_HD constexpr LevelVector across(Vec3 v, double /*along*/, UprightAxis) { return {v.x, v.y}; }

}  // namespace tactus
