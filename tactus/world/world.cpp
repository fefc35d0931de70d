// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/world/world.h"

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
  return prepare_world(p);
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
