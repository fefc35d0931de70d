// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/world/world.h"

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
  return {.ground = p.ground,
          .ground_axes = ground_basis(p.ground),
          .atmosphere = make_atmosphere(p.atmosphere),
          .gravity = make_gravity(p.gravity, p.origin.lat_deg),
          .origin = p.origin};
}

}  // namespace tactus
