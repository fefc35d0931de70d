// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Positions on the earth: WGS-84 (NGA.STND.0036) geodetic, earth-fixed (ECEF) and local NED.
//
//   x = (N + h) cos φ cos λ,  y = (N + h) cos φ sin λ,  z = (N (1 − e²) + h) sin φ
//   N = a / √(1 − e² sin² φ)
// Inverse: Bowring (Survey Review 23, 1976), three rounds on the reduced latitude β:
//   tan φ = (z + e'² b sin³ β) / (p − e² a cos³ β),   tan β = (1 − f) tan φ,
//   h = p cos φ + z sin φ − a √(1 − e² sin² φ)
// Local frame: x north, y east, z down, tangent to the ellipsoid's parallel surface at the origin;
// both directions go through ECEF, so they are exact at any distance.
// Units: degrees and metres. Error below 2e-8 m for heights −10 km … 1000 km, poles included;
// nearer than 5000 km to the earth's centre the inverse is not defined here and gives NaN. The
// plant itself is flat: its altitude is origin altitude − z, which over a distance d differs from
// the geodetic height by d²/2R (8 cm at 1 km).
// Assumes that mean sea level is the ellipsoid (no geoid).

#include <string_view>

#include "tactus/core/assert.h"
#include "tactus/core/fields.h"
#include "tactus/core/hd.h"
#include "tactus/core/math.h"
#include "tactus/core/vec.h"

namespace tactus {

namespace wgs84 {
inline constexpr double kSemiMajorAxis_m = 6378137.0;
inline constexpr double kFlattening = 1.0 / 298.257223563;
inline constexpr double kSemiMinorAxis_m = kSemiMajorAxis_m * (1.0 - kFlattening);
inline constexpr double kEccentricitySquared = kFlattening * (2.0 - kFlattening);
inline constexpr double kSecondEccentricitySquared =
    kEccentricitySquared / (1.0 - kEccentricitySquared);
}  // namespace wgs84

struct Geodetic {
  double lat_deg = 0.0;
  double lon_deg = 0.0;
  double alt_m = 0.0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("lat_deg", "deg", self.lat_deg, "geodetic latitude, north positive");
    visit("lon_deg", "deg", self.lon_deg, "longitude, east positive");
    visit("alt_m", "m", self.alt_m, "height above the ellipsoid");
  }
};
static_assert(lists_every_field<Geodetic>());

/// The point that local NED coordinates count from; one per world.
struct WorldOrigin {
  double lat_deg = 47.397742;
  double lon_deg = 8.545594;
  double alt_msl_m = 488.0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("lat_deg", "deg", self.lat_deg, "geodetic latitude, north positive");
    visit("lon_deg", "deg", self.lon_deg, "longitude, east positive");
    visit("alt_msl_m", "m", self.alt_msl_m, "altitude above mean sea level");
  }
};
static_assert(lists_every_field<WorldOrigin>());

/// Of a point of the flat world, above mean sea level.
TACTUS_HD constexpr double altitude_msl_m(const WorldOrigin& origin, Vec3 p_W) {
  return origin.alt_msl_m - p_W.z;
}

/// The same backwards: the down coordinate of an altitude.
TACTUS_HD constexpr double down_at_altitude_m(const WorldOrigin& origin, double altitude_msl_m) {
  return origin.alt_msl_m - altitude_msl_m;
}

/// Throws Error naming `where` when the origin is not a place on the earth.
void validate(const WorldOrigin& origin, std::string_view where);

struct SineCosine {
  double sine = 0.0;
  double cosine = 1.0;
};

/// Sine and cosine of degrees. Quarter turns are removed before the conversion to radians, which is
/// exact, so that 90° has cosine 0 and no accuracy is lost near it.
TACTUS_HD inline SineCosine sincos_degrees(double angle_deg) {
  const double quarters = math::rint(angle_deg / 90.0);
  double s = 0.0;
  double c = 1.0;
  math::sincos((angle_deg - 90.0 * quarters) * math::kDegToRad, &s, &c);
  const double quadrant = quarters - 4.0 * math::floor(quarters / 4.0);
  if (quadrant == 1.0) return {c, 0.0 - s};
  if (quadrant == 2.0) return {0.0 - s, 0.0 - c};
  if (quadrant == 3.0) return {0.0 - c, s};
  return {s, c};
}

TACTUS_HD inline Vec3 geodetic_to_ecef(Geodetic g) {
  const SineCosine lat = sincos_degrees(g.lat_deg);
  const SineCosine lon = sincos_degrees(g.lon_deg);
  const double n =
      wgs84::kSemiMajorAxis_m / math::sqrt(1.0 - wgs84::kEccentricitySquared * lat.sine * lat.sine);
  const double p = (n + g.alt_m) * lat.cosine;
  return {p * lon.cosine, p * lon.sine,
          (n * (1.0 - wgs84::kEccentricitySquared) + g.alt_m) * lat.sine};
}

TACTUS_HD inline Geodetic ecef_to_geodetic(Vec3 p_E) {
  constexpr double kMinRadius_m = 5.0e6;
  if (!(norm_squared(p_E) >= kMinRadius_m * kMinRadius_m)) {
    const double nan = math::canonical_nan();
    return {nan, nan, nan};
  }
  const double p = math::sqrt(p_E.x * p_E.x + p_E.y * p_E.y);
  // Sine and cosine of β and φ are carried as unnormalised pairs: no angle until the end.
  double sine = p_E.z;
  double cosine = (1.0 - wgs84::kFlattening) * p;
  for (int i = 0; i < 3; ++i) {
    const double scale = 1.0 / math::sqrt(sine * sine + cosine * cosine);
    const double sb = sine * scale;
    const double cb = cosine * scale;
    sine = p_E.z + wgs84::kSecondEccentricitySquared * wgs84::kSemiMinorAxis_m * sb * sb * sb;
    cosine = p - wgs84::kEccentricitySquared * wgs84::kSemiMajorAxis_m * cb * cb * cb;
    if (i < 2) sine *= 1.0 - wgs84::kFlattening;  // back to β for the next round
  }
  const double scale = 1.0 / math::sqrt(sine * sine + cosine * cosine);
  const double sl = sine * scale;
  const double cl = cosine * scale;
  const double height =
      p * cl + p_E.z * sl -
      wgs84::kSemiMajorAxis_m * math::sqrt(1.0 - wgs84::kEccentricitySquared * sl * sl);
  return {math::atan2(sine, cosine) * math::kRadToDeg, math::atan2(p_E.y, p_E.x) * math::kRadToDeg,
          height};
}

/// The tangent frame at an origin: R_NE turns earth-fixed vectors into NED.
struct LocalFrame {
  Vec3 origin_E;
  Mat3 R_NE;
};

TACTUS_HD inline LocalFrame make_local_frame(const WorldOrigin& origin) {
  TACTUS_ASSERT(origin.lat_deg >= -90.0 && origin.lat_deg <= 90.0, "a validated origin");
  const SineCosine lat = sincos_degrees(origin.lat_deg);
  const SineCosine lon = sincos_degrees(origin.lon_deg);
  return {geodetic_to_ecef({origin.lat_deg, origin.lon_deg, origin.alt_msl_m}),
          {{{-lat.sine * lon.cosine, -lat.sine * lon.sine, lat.cosine},
            {-lon.sine, lon.cosine, 0.0},
            {-lat.cosine * lon.cosine, -lat.cosine * lon.sine, -lat.sine}}}};
}

TACTUS_HD inline Vec3 geodetic_to_ned(const LocalFrame& frame, Geodetic g) {
  return frame.R_NE * (geodetic_to_ecef(g) - frame.origin_E);
}

TACTUS_HD inline Geodetic ned_to_geodetic(const LocalFrame& frame, Vec3 p_N) {
  return ecef_to_geodetic(frame.origin_E + transpose_times(frame.R_NE, p_N));
}

}  // namespace tactus
