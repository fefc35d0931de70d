// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/world/world.h"

#include "tactus/core/assert.h"
#include "tactus/core/checks.h"

namespace tactus {

World make_world(const WorldParameters& p) {
  require_numbers(p);
  validate(p.ground, "world.ground");
  validate(p.atmosphere, "world.atmosphere");
  validate(p.gravity, "world.gravity");
  validate(p.origin, "world.origin");
  validate(p.magnetic_field, "world.magnetic_field");
  validate(p.wind, "wind");
  const World world = prepare_world(p);
  TACTUS_ASSERT(!p.ground.present || is_finite(world.ground_axes.e1_W), "axes in the ground plane");
  TACTUS_ASSERT(
      !p.ground.present || math::abs(dot(world.ground_axes.e1_W, p.ground.normal_W)) < 1e-6,
      "axes in the ground plane");
  return world;
}

World prepare_world(const WorldParameters& p) {
  return {.ground = p.ground,
          .ground_axes = ground_basis(p.ground),
          .atmosphere = make_atmosphere(p.atmosphere),
          .gravity = make_gravity(p.gravity, p.origin.lat_deg),
          .frame = make_local_frame(p.origin),
          .magnetic_field = make_magnetic_field(p.magnetic_field)};
}

}  // namespace tactus
