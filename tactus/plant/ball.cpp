// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/plant/ball.h"

#include <string>

#include "tactus/core/assert.h"
#include "tactus/core/checks.h"
#include "tactus/plant/rigid_body.h"

namespace tactus {

void validate(const BallParameters& p, std::string_view where) {
  validate(RigidBodyParameters{.mass_kg = p.mass_kg, .inertia_kg_m2 = p.inertia_kg_m2}, where);
  require_positive(where, "reference_area_m2", p.reference_area_m2);
  const auto each = [where](const char* key, Vec3 v, auto require) {
    for (const double entry : {v.x, v.y, v.z}) require(where, key, entry);
  };
  each("reference_length_m", p.reference_length_m, require_positive);
  each("drag_coefficient", p.drag_coefficient, require_not_negative);
  each("rate_damping_coefficient", p.rate_damping_coefficient, require_not_negative);
  each("spin_damping_coefficient", p.spin_damping_coefficient, require_not_negative);
  validate(p.contact, std::string(where) + ".contact");
}

Ball make_ball(const BallParameters& p, const World& world) {
  require_numbers(p);
  validate(p, "ball");
  Ball ball{.parameters = p,
            .world = world,
            .inertia_inverse = inverse(p.inertia_kg_m2),
            .points = world.ground.present ? p.contact.count : 0,
            .groups = {}};
  ball.groups.add(ErrorGroup::kPosition, BallLayout::kPosition, 3);
  ball.groups.add(ErrorGroup::kVelocity, BallLayout::kVelocity, 3);
  ball.groups.add(ErrorGroup::kAttitude, BallLayout::kAttitude, 4, BallLayout::kRate);
  ball.groups.add(ErrorGroup::kRate, BallLayout::kRate, 3);
  ball.groups.add(ErrorGroup::kOther, BallLayout::kBristle, 2 * ball.points);
  TACTUS_ASSERT(ball.points >= 0 && ball.points <= kMaxGearPoints, "points that have room");
  TACTUS_ASSERT(ball.groups.end() == BallLayout::kBristle + 2 * ball.points,
                "every entry of the state is in a group");
  return ball;
}

}  // namespace tactus
