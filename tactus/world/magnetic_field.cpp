// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/world/magnetic_field.h"

#include <fmt/format.h>

#include "tactus/core/assert.h"
#include "tactus/core/checks.h"
#include "tactus/core/math.h"
#include "tactus/world/wmm2025.h"

namespace tactus {
namespace {

constexpr double kReferenceRadius_m = 6371200.0;

constexpr int term(int n, int m) { return n * (n + 1) / 2 + m; }

/// Geocentric radius and latitude of a place.
struct Geocentric {
  double radius_m;
  SineCosine lat;
};

Geocentric to_geocentric(SineCosine geodetic_lat, double alt_m) {
  const double s = geodetic_lat.sine;
  const double n = wgs84::kSemiMajorAxis_m / math::sqrt(1.0 - wgs84::kEccentricitySquared * s * s);
  const double p = (n + alt_m) * geodetic_lat.cosine;
  const double z = (n * (1.0 - wgs84::kEccentricitySquared) + alt_m) * s;
  const double r = math::sqrt(p * p + z * z);
  return {r, {z / r, p / r}};
}

/// P_n0 and, for m ≥ 1, P_nm / cos φ': finite at the poles.
void legendre(const MagneticField& field, SineCosine lat, double (&p)[kMagneticTerms]) {
  p[term(0, 0)] = 1.0;
  p[term(1, 0)] = lat.sine;
  p[term(1, 1)] = 1.0;
  for (int n = 2; n <= kMagneticDegree; ++n) {
    for (int m = 0; m < n; ++m) {
      const double before = m <= n - 2 ? field.root[term(n - 1, m)] * p[term(n - 2, m)] : 0.0;
      p[term(n, m)] =
          ((2 * n - 1) * lat.sine * p[term(n - 1, m)] - before) / field.root[term(n, m)];
    }
    p[term(n, n)] = lat.cosine * field.diagonal[n] * p[term(n - 1, n - 1)];
  }
}

/// cos mλ and sin mλ.
void multiples(SineCosine lon, double (&cosine)[kMagneticDegree + 1],
               double (&sine)[kMagneticDegree + 1]) {
  cosine[0] = 1.0;
  sine[0] = 0.0;
  for (int m = 1; m <= kMagneticDegree; ++m) {
    cosine[m] = cosine[m - 1] * lon.cosine - sine[m - 1] * lon.sine;
    sine[m] = sine[m - 1] * lon.cosine + cosine[m - 1] * lon.sine;
  }
}

/// Sum of the orders of one degree, without (a/r)^(n+2): geocentric north, east, down.
Vec3 degree_sum(const MagneticField& field, int n, SineCosine lat,
                const double (&p)[kMagneticTerms], const double (&cosine)[kMagneticDegree + 1],
                const double (&sine)[kMagneticDegree + 1]) {
  TACTUS_ASSERT(n >= 1 && n <= kMagneticDegree, "a degree of the model");
  const double g0 = field.g_nt[term(n, 0)];
  // dP_n0/dφ' = √(n(n+1)/2) P_n1,  dP_nm/dφ' = (√(n²−m²) P_(n−1)m − n sin φ' P_nm) / cos φ'
  Vec3 sum{-g0 * math::sqrt(0.5 * n * (n + 1)) * lat.cosine * p[term(n, 1)], 0.0,
           -(n + 1) * g0 * p[term(n, 0)]};
  for (int m = 1; m <= n; ++m) {
    const double g = field.g_nt[term(n, m)];
    const double h = field.h_nt[term(n, m)];
    const double even = g * cosine[m] + h * sine[m];
    const double odd = g * sine[m] - h * cosine[m];
    const double q = p[term(n, m)];
    const double before = m < n ? field.root[term(n, m)] * p[term(n - 1, m)] : 0.0;
    sum.x -= even * (before - n * lat.sine * q);
    sum.y += m * odd * q;
    sum.z -= (n + 1) * even * lat.cosine * q;
  }
  return sum;
}

}  // namespace

void validate(const MagneticFieldParameters& p, std::string_view where) {
  if (!(p.date_year >= wmm2025::kEpoch_year && p.date_year <= wmm2025::kEnd_year)) {
    refuse(where, "date_year", p.date_year,
           fmt::format("the World Magnetic Model 2025 covers {:.1f} to {:.1f}",
                       wmm2025::kEpoch_year, wmm2025::kEnd_year));
  }
}

MagneticField make_magnetic_field(const MagneticFieldParameters& parameters) {
  TACTUS_ASSERT(
      parameters.date_year >= wmm2025::kEpoch_year && parameters.date_year <= wmm2025::kEnd_year,
      "validated parameters");
  MagneticField field;
  const double years = parameters.date_year - wmm2025::kEpoch_year;
  for (const wmm2025::Coefficient& c : wmm2025::kCoefficients) {
    TACTUS_ASSERT(c.m >= 0 && c.m <= c.n && c.n <= kMagneticDegree, "a term of the model");
    const int at = term(c.n, c.m);
    field.g_nt[at] = c.g_nt + years * c.g_nt_year;
    field.h_nt[at] = c.h_nt + years * c.h_nt_year;
    field.root[at] = math::sqrt(static_cast<double>(c.n * c.n - c.m * c.m));
  }
  for (int m = 1; m <= kMagneticDegree; ++m) {
    field.diagonal[m] = math::sqrt((2.0 * m - 1.0) / (2.0 * m));
  }
  return field;
}

Vec3 magnetic_flux_nt(const MagneticField& field, Geodetic place) {
  const SineCosine geodetic_lat = sincos_degrees(place.lat_deg);
  const Geocentric at = to_geocentric(geodetic_lat, place.alt_m);
  double p[kMagneticTerms];
  double cosine[kMagneticDegree + 1];
  double sine[kMagneticDegree + 1];
  legendre(field, at.lat, p);
  multiples(sincos_degrees(place.lon_deg), cosine, sine);

  const double ratio = kReferenceRadius_m / at.radius_m;
  double power = ratio * ratio;
  Vec3 sum;
  for (int n = 1; n <= kMagneticDegree; ++n) {
    power *= ratio;
    sum += power * degree_sum(field, n, at.lat, p, cosine, sine);
  }
  // From the geocentric to the geodetic vertical: the angle φ' − φ.
  const double s = at.lat.sine * geodetic_lat.cosine - at.lat.cosine * geodetic_lat.sine;
  const double c = at.lat.cosine * geodetic_lat.cosine + at.lat.sine * geodetic_lat.sine;
  return {sum.x * c - sum.z * s, sum.y, sum.x * s + sum.z * c};
}

}  // namespace tactus
