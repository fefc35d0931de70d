// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/world/world.h"

#include "tactus/core/assert.h"
#include "tactus/core/checks.h"

namespace tactus {

World make_world(const WorldParameters& p) {
  require_numbers(p);
  validate(p.ground, "ground");
  validate(p.atmosphere, "atmosphere");
  validate(p.gravity, "gravity");
  validate(p.origin, "origin");
  validate(p.magnetic_field, "world.magnetic_field");
  validate(p.wind, "wind");
  const World world{.ground = p.ground,
                    .ground_axes = ground_basis(p.ground),
                    .atmosphere = make_atmosphere(p.atmosphere),
                    .gravity = make_gravity(p.gravity, p.origin.lat_deg),
                    .origin = p.origin};
  TACTUS_ASSERT(!p.ground.present || is_finite(world.ground_axes.e1_W), "axes in the ground plane");
  TACTUS_ASSERT(
      !p.ground.present || math::abs(dot(world.ground_axes.e1_W, p.ground.normal_W)) < 1e-6,
      "axes in the ground plane");
  return world;
}

}  // namespace tactus
