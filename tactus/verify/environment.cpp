// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The earth, its air and its wind: geodesy, normal gravity, density, statistics of turbulence.

#include <algorithm>
#include <cmath>
#include <string>

#include "tactus/verify/check.h"
#include "tactus/world/atmosphere.h"
#include "tactus/world/geodesy.h"
#include "tactus/world/gravity.h"
#include "tactus/world/turbulence.h"

namespace tactus::verify {
namespace {

constexpr char kTheme[] = "environment";

/// Earth-fixed position of a point on or above the WGS-84 ellipsoid, in long double.
struct EarthFixed {
  long double x, y, z;

  explicit EarthFixed(const Geodetic& g) {
    const long double degree = std::acos(-1.0L) / 180.0L;
    const long double a = 6378137.0L, f = 1.0L / 298.257223563L, e2 = f * (2.0L - f);
    const long double lat = g.lat_deg * degree, lon = g.lon_deg * degree;
    const long double s = std::sin(lat), n = a / std::sqrt(1.0L - e2 * s * s);
    x = (n + g.alt_m) * std::cos(lat) * std::cos(lon);
    y = (n + g.alt_m) * std::cos(lat) * std::sin(lon);
    z = (n * (1.0L - e2) + g.alt_m) * s;
  }
  [[nodiscard]] double distance(Vec3 p) const {
    return static_cast<double>(std::hypot(p.x - x, p.y - y, p.z - z));
  }
};

// An ulp of 6.4e6 m is 9e-10 m; the bar against GeographicLib (in the tests) is 2e-8 m.
Rows geodesy() {
  double forward = 0.0, back = 0.0, local = 0.0;
  const WorldOrigin origin;
  const LocalFrame frame = make_local_frame(origin);
  for (double lat = -90.0; lat <= 90.0; lat += 7.5) {
    for (double lon = -180.0; lon < 180.0; lon += 37.0) {
      for (const double alt : {-5000.0, 0.0, 488.0, 1e5}) {
        const Geodetic g{lat, lon, alt};
        const EarthFixed exact(g);
        const Vec3 p = geodetic_to_ecef(g);
        forward = std::max(forward, exact.distance(p));
        back = std::max(back, exact.distance(geodetic_to_ecef(ecef_to_geodetic(p))));
        const Geodetic again = ned_to_geodetic(frame, geodetic_to_ned(frame, g));
        local = std::max(local, exact.distance(geodetic_to_ecef(again)));
      }
    }
  }
  const double pole_m = geodetic_to_ecef({90.0, 0.0, 0.0}).z;
  return {{"WGS-84 polar radius vs published 6356752.3142 m", std::fabs(pole_m - 6356752.3142),
           5e-5, "m"},
          {"geodetic to earth-fixed vs long double, 980 points", forward, 5e-9, "m"},
          {"and back vs the same point", back, 2e-8, "m"},
          {"through the local NED frame and back", local, 2e-8, "m"}};
}

// Somigliana's formula with the printed k, e² (NGA.STND.0036), and the series in height of the same
// standard, good to 1e-6 m/s² below 5 km.
Rows normal_gravity() {
  const auto gravity = [](double lat_deg, double altitude_m) {
    GravityParameters p;
    p.kind = GravityKind::kWgs84;
    return gravity_down(make_gravity(p, lat_deg), altitude_m);
  };
  double surface = 0.0, aloft = 0.0;
  for (int lat = 0; lat <= 90; lat += 15) {
    const double s = std::sin(lat * M_PI / 180.0), s2 = s * s;
    const double g0 =
        9.7803253359 * (1.0 + 0.00193185265241 * s2) / std::sqrt(1.0 - 0.00669437999014 * s2);
    surface = std::max(surface, std::fabs(gravity(lat, 0.0) - g0));
    const double h = 5000.0, a = 6378137.0, f = 1.0 / 298.257223563, m = 0.00344978650684;
    const double series =
        g0 * (1.0 - 2.0 / a * (1.0 + f + m - 2.0 * f * s2) * h + 3.0 / (a * a) * h * h);
    aloft = std::max(aloft, std::fabs(gravity(lat, h) - series));
  }
  return {{"equator vs published 9.7803253359", std::fabs(gravity(0.0, 0.0) - 9.7803253359), 5e-11,
           "m/s²"},
          {"pole vs published 9.8321849379", std::fabs(gravity(90.0, 0.0) - 9.8321849379), 5e-11,
           "m/s²"},
          {"every 15° vs Somigliana with printed constants", surface, 1e-10, "m/s²"},
          {"every 15° at 5 km vs the standard's series in height", aloft, 1e-6, "m/s²"}};
}

// What PX4Lockstep.jl computes for ISA in geopotential altitude, to seven decimals: half a unit of
// the last one. Not published numbers, but computed without this library.
Rows isa_density() {
  AtmosphereParameters p;
  p.altitude_kind = AltitudeKind::kGeopotential;
  const Atmosphere air = make_atmosphere(p);
  const double spots[][2] = {{0.0, 1.2250000},
                             {488.0, 1.1686295},
                             {1488.0, 1.0593295},
                             {3488.0, 0.8643089},
                             {11000.0, 0.3639176}};
  double worst = 0.0;
  for (const auto& [altitude, density] : spots) {
    worst = std::max(worst, std::fabs(air_density(air, altitude) - density));
  }
  return {{"density vs PX4Lockstep.jl ISA, five altitudes", worst, 0.51e-7, "kg/m³"}};
}

// 28,800 correlation times: a sample variance scatters by √(2·2/28800) = 1.2 %.
Rows turbulence_variance() {
  struct Kind {
    TurbulenceKind kind;
    const char* text;
  };
  Rows rows;
  for (const Kind& k :
       {Kind{TurbulenceKind::kOrnsteinUhlenbeck, "Ornstein–Uhlenbeck"},
        Kind{TurbulenceKind::kDryden, "Dryden"}, Kind{TurbulenceKind::kVonKarman, "von Kármán"}}) {
    const RandomStream stream(11, "verify.turbulence");
    TurbulenceState state = start_turbulence(k.kind, stream);
    constexpr int kCount = 144'000;
    Vec3 square{};
    for (int tick = 1; tick <= kCount; ++tick) {
      const Vec3 u = turbulence_output(k.kind, state);
      square += multiply_elements(u, u);
      advance_turbulence(k.kind, stream, static_cast<std::uint64_t>(tick), 0.2, {1.0, 1.0, 1.0},
                         state);
    }
    double worst = 0.0;
    for (const double sum : {square.x, square.y, square.z}) {
      worst = std::max(worst, std::fabs(sum / kCount - 1.0));
    }
    rows.push_back({std::string(k.text) + " variance vs 1, three axes", 100.0 * worst, 5.0, "%"});
  }
  return rows;
}

}  // namespace

std::vector<Check> environment_checks() {
  return {{"geodesy", kTheme, "WGS-84 positions vs long double and published values", geodesy},
          {"normal_gravity", kTheme, "WGS-84 gravity vs published values", normal_gravity},
          {"isa_density", kTheme, "air density vs earlier simulator PX4Lockstep.jl", isa_density},
          {"turbulence_variance", kTheme, "wind processes vs their variance", turbulence_variance}};
}

}  // namespace tactus::verify
