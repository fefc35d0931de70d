// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The world around every vehicle: one origin, ground, gravity, air, magnetic field and wind.
//
// Its parameters, and the same prepared for flight: validated, with everything computed that does
// not change. Altitude above sea level, height above the ground, gravity, latitude and longitude
// of a point are asked here (those of a frame alone: geodesy.h) and nowhere else, so that another
// earth changes these functions alone.
// World frame NED, flat: altitude is that of the origin minus the down coordinate. Units SI.

#include "tactus/core/fields.h"
#include "tactus/core/hd.h"
#include "tactus/core/vec.h"
#include "tactus/world/atmosphere.h"
#include "tactus/world/geodesy.h"
#include "tactus/world/gravity.h"
#include "tactus/world/ground.h"
#include "tactus/world/magnetic_field.h"
#include "tactus/world/wind.h"

namespace tactus {

struct WorldParameters {
  GroundParameters ground{};
  AtmosphereParameters atmosphere{};
  GravityParameters gravity{};
  WorldOrigin origin{};
  MagneticFieldParameters magnetic_field{};
  WindParameters wind{};

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("ground", "", self.ground, "ground plane");
    visit("atmosphere", "", self.atmosphere, "air");
    visit("gravity", "", self.gravity, "gravity");
    visit("origin", "", self.origin, "world origin");
    visit("magnetic_field", "", self.magnetic_field, "earth's magnetic field");
    visit("wind", "", self.wind, "wind of the whole run");
  }
};
static_assert(lists_every_field<WorldParameters>());

/// What right-hand sides and instruments ask; the wind comes to them as a signal. Plain data,
/// copied with the vehicle onto a device.
struct World {
  GroundParameters ground;
  GroundBasis ground_axes;
  Atmosphere atmosphere;
  Gravity gravity;
  LocalFrame frame;  ///< with the origin
  MagneticField magnetic_field;
};

/// Validates and prepares. Throws Error that names the parameter, its value and the reason.
World make_world(const WorldParameters& parameters);
/// Without the checks: the origin of an external simulator may lie beyond the air.
World prepare_world(const WorldParameters& parameters);

/// Above mean sea level.
TACTUS_HD inline double altitude_msl_m(const World& world, Vec3 p_W) {
  return altitude_msl_m(world.frame.origin, p_W);
}

/// Along the normal of the ground; without ground above the origin.
TACTUS_HD inline double height_m(const World& world, Vec3 p_W) {
  return height_above(world.ground, p_W);
}

/// Acceleration of free fall.
TACTUS_HD inline Vec3 gravity_at(const World& world, Vec3 p_W) {
  return {0.0, 0.0, gravity_down(world.gravity, altitude_msl_m(world, p_W))};
}

/// Its strength, and what it pulls a mass with.
TACTUS_HD inline double gravity_strength_m_s2(const World& world, Vec3 p_W) {
  return norm(gravity_at(world, p_W));
}
TACTUS_HD inline double weight_n(const World& world, double mass_kg, Vec3 p_W) {
  return mass_kg * gravity_strength_m_s2(world, p_W);
}

/// Of a point, and the point of a place.
TACTUS_HD inline Geodetic geodetic_of(const World& world, Vec3 p_W) {
  return geodetic_of(world.frame, p_W);
}
TACTUS_HD inline Vec3 position_of(const World& world, Geodetic place) {
  return position_of(world.frame, place);
}

/// Flux density in north, east, down.
inline Vec3 magnetic_flux_nt(const World& world, Vec3 p_W) {
  return magnetic_flux_nt(world.magnetic_field, ned_to_geodetic(world.frame, p_W));
}

/// Density alone: for right-hand sides. NaN outside of the atmosphere.
TACTUS_HD inline double air_density_at(const World& world, Vec3 p_W) {
  return air_density(world.atmosphere, altitude_msl_m(world, p_W));
}

TACTUS_HD inline AirState air_at(const World& world, Vec3 p_W) {
  return air_state(world.atmosphere, altitude_msl_m(world, p_W));
}

/// Whether the air at a point is known.
TACTUS_HD inline bool has_air(const World& world, Vec3 p_W) {
  return altitude_in_range(world.atmosphere, altitude_msl_m(world, p_W));
}

}  // namespace tactus
