// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The ground: a plane, level or not, or none at all.
//
// World frame NED; the normal points up. Heights are lengths along the normal, so that of a point
// in the plane is zero and that of a point below it negative. Units SI.
// Assumes an unbounded plane; a slope of 84 degrees and more is refused (validate), because the
// axes in the plane are made from the direction north.

#include <string_view>

#include "tactus/core/assert.h"
#include "tactus/core/fields.h"
#include "tactus/core/hd.h"
#include "tactus/core/math.h"
#include "tactus/core/vec.h"

namespace tactus {

/// Ground plane through (0, 0, down_m) of the world frame.
struct GroundParameters {
  bool present = true;
  double down_m = 0.0;
  Vec3 normal_W{0.0, 0.0, -1.0};

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("present", "", self.present, "false: nothing to land on");
    visit("down_m", "m", self.down_m, "NED down coordinate of the plane at the origin");
    visit("normal_ned", "1", self.normal_W, "unit normal pointing up");
  }
};
static_assert(lists_every_field<GroundParameters>());

/// Two unit vectors that span the ground plane, chosen without branches that could flip in flight.
struct GroundBasis {
  Vec3 e1_W;
  Vec3 e2_W;
};

TACTUS_HD inline GroundBasis ground_basis(const GroundParameters& ground) {
  // North projected into the plane; a ground steeper than 84 degrees toward north is refused.
  const Vec3 n = ground.normal_W;
  const Vec3 north{1.0, 0.0, 0.0};
  TACTUS_ASSERT(!ground.present || n.z < 0.0, "the normal points up");
  const Vec3 in_plane = north - dot(north, n) * n;
  const Vec3 e1 = in_plane / norm(in_plane);
  return {e1, cross(n, e1)};
}

/// Height of a point above the plane (negative: below); without ground above the origin.
TACTUS_HD inline double height_above(const GroundParameters& ground, Vec3 p_W) {
  if (!ground.present) return -p_W.z;
  return dot(ground.normal_W, Vec3{p_W.x, p_W.y, p_W.z - ground.down_m});
}

/// The point over a place whose height above the plane is this one; the plane counts also where no
/// ground is present.
TACTUS_HD inline Vec3 point_above(const GroundParameters& ground, double north_m, double east_m,
                                  double height_m) {
  const Vec3 n = ground.normal_W;
  TACTUS_ASSERT(!ground.present || n.z < 0.0, "the normal points up");
  const double along = n.x * north_m + n.y * east_m;
  return {north_m, east_m, ground.down_m + (height_m - along) / n.z};
}

/// The ground as a body sees it, for the heights of many points.
struct GroundFromBody {
  double height_m;  ///< of the centre of mass; infinity: no ground
  Vec3 normal_B;
};

TACTUS_HD inline GroundFromBody ground_from_body(const GroundParameters& ground, Vec3 p_W,
                                                 const Mat3& r_WB) {
  if (!ground.present) return {math::infinity(), {}};
  return {height_above(ground, p_W), transpose_times(r_WB, ground.normal_W)};
}

TACTUS_HD inline double height_of(const GroundFromBody& ground, Vec3 r_B) {
  return ground.height_m + dot(ground.normal_B, r_B);
}

/// Throws Error naming `where` when a parameter is out of range.
void validate(const GroundParameters& ground, std::string_view where);

}  // namespace tactus
