// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Gravity of the flat local frame: an acceleration along +z (down) that depends on altitude only,
// so that a potential Φ with dΦ/dh = g exists and the energy ledger closes.
//
//   uniform    g = g0
//   spherical  g = μ / (r0 + h)²
//   wgs84      g = K / (R + h)² + C / (R + h)⁴ − ω² cos² φ (N + h)
// wgs84 is normal gravity (gravitation of the WGS-84 ellipsoid plus centrifugal) along the
// ellipsoid normal at the origin's latitude φ. R = a √(1 − e² sin² φ) is the distance of the
// tangent plane from the earth's centre; K and C are chosen such that value and slope on the
// ellipsoid are exact:
//   γ0  = γ_e (1 + k sin² φ) / √(1 − e² sin² φ)          Somigliana's closed formula
//   γ0' = −γ0 (1/M + 1/N) − 2 ω²                         Bruns' formula
// (Heiskanen and Moritz, Physical Geodesy, 1967, chapter 2; constants NGA.STND.0036).
// Error against the exact normal field: below 1e-6 m/s² for −1 km … 100 km at all latitudes.
// The north component, 8e-9 sin 2φ m/s² per metre of altitude, is left out: in a flat frame it
// would have no potential. Units: altitude h in m above sea level (the ellipsoid), up; Φ in J/kg.
// Range: h well above −r0. Coriolis acceleration is left out (the frame does not rotate).

#include <cstdint>
#include <string_view>

#include "tactus/core/assert.h"
#include "tactus/core/fields.h"
#include "tactus/core/hd.h"
#include "tactus/core/math.h"
#include "tactus/world/geodesy.h"

namespace tactus {

namespace wgs84 {
inline constexpr double kEarthRotation_rad_s = 7.292115e-5;
inline constexpr double kEquatorialGravity_m_s2 = 9.7803253359;
inline constexpr double kPolarGravity_m_s2 = 9.8321849379;
}  // namespace wgs84

inline constexpr double kStandardGravity_m_s2 = 9.80665;

enum class GravityKind : std::uint8_t { kUniform, kSpherical, kWgs84 };

struct GravityParameters {
  GravityKind kind = GravityKind::kUniform;
  double uniform_m_s2 = kStandardGravity_m_s2;
  double mu_m3_s2 = 3.986004418e14;
  double radius_m = 6371000.0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("kind", "", self.kind, "uniform, spherical or wgs84");
    visit("uniform_m_s2", "m/s^2", self.uniform_m_s2, "uniform: acceleration");
    visit("mu_m3_s2", "m^3/s^2", self.mu_m3_s2, "spherical: gravitational parameter");
    visit("radius_m", "m", self.radius_m, "spherical: radius at altitude zero");
  }
};
static_assert(lists_every_field<GravityParameters>());

/// Throws Error naming `where` when a parameter is not finite or not positive.
void validate(const GravityParameters& parameters, std::string_view where);

/// Gravity at one place: constants of the formulas above, latitude included.
struct Gravity {
  GravityKind kind = GravityKind::kUniform;
  double uniform_m_s2 = kStandardGravity_m_s2;
  double k_m3_s2 = 0.0;                ///< K, or μ
  double c_m5_s2 = 0.0;                ///< C
  double radius_m = 1.0;               ///< R, or r0
  double centrifugal_per_s2 = 0.0;     ///< ω² cos² φ
  double prime_vertical_radius_m = 0;  ///< N
};

/// Runs on a device too, so it does not validate: make_world() does.
TACTUS_HD inline Gravity make_gravity(const GravityParameters& parameters, double lat_deg) {
  TACTUS_ASSERT(lat_deg >= -90.0 && lat_deg <= 90.0, "a validated origin");
  TACTUS_ASSERT(parameters.uniform_m_s2 >= 0.0 && parameters.radius_m > 0.0,
                "validated parameters");
  Gravity g;
  g.kind = parameters.kind;
  g.uniform_m_s2 = parameters.uniform_m_s2;
  g.k_m3_s2 = parameters.mu_m3_s2;
  g.radius_m = parameters.radius_m;
  if (parameters.kind != GravityKind::kWgs84) return g;

  const SineCosine lat = sincos_degrees(lat_deg);
  const double a = wgs84::kSemiMajorAxis_m;
  const double e2 = wgs84::kEccentricitySquared;
  const double s2 = lat.sine * lat.sine;
  const double w2 = 1.0 - e2 * s2;
  const double w = math::sqrt(w2);
  const double n = a / w;
  const double m = n * (1.0 - e2) / w2;
  constexpr double kSomigliana = wgs84::kSemiMinorAxis_m * wgs84::kPolarGravity_m_s2 /
                                     (wgs84::kSemiMajorAxis_m * wgs84::kEquatorialGravity_m_s2) -
                                 1.0;
  const double omega2 = wgs84::kEarthRotation_rad_s * wgs84::kEarthRotation_rad_s;
  const double gamma = wgs84::kEquatorialGravity_m_s2 * (1.0 + kSomigliana * s2) / w;
  const double gamma_slope = -gamma * (1.0 / m + 1.0 / n) - 2.0 * omega2;

  g.radius_m = a * w;
  g.prime_vertical_radius_m = n;
  g.centrifugal_per_s2 = omega2 * lat.cosine * lat.cosine;
  // Gravitation alone, value and R/2 times its slope: K/R² + C/R⁴ and −(K/R² + 2 C/R⁴).
  const double value = gamma + g.centrifugal_per_s2 * n;
  const double half_slope = 0.5 * g.radius_m * (gamma_slope + g.centrifugal_per_s2);
  const double r2 = g.radius_m * g.radius_m;
  g.k_m3_s2 = (2.0 * value + half_slope) * r2;
  g.c_m5_s2 = -(value + half_slope) * r2 * r2;
  TACTUS_ASSERT(g.radius_m > 0.0 && g.k_m3_s2 > 0.0, "the earth attracts");
  return g;
}

/// Acceleration along +z at altitude h.
TACTUS_HD inline double gravity_down(const Gravity& g, double altitude_m) {
  if (g.kind == GravityKind::kUniform) return g.uniform_m_s2;
  const double r = g.radius_m + altitude_m;
  const double inverse_r2 = 1.0 / (r * r);
  return (g.k_m3_s2 + g.c_m5_s2 * inverse_r2) * inverse_r2 -
         g.centrifugal_per_s2 * (g.prime_vertical_radius_m + altitude_m);
}

}  // namespace tactus
