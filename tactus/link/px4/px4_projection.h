// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// PX4's local metres. Its estimator turns latitude and longitude into north and east, and its
// navigator turns waypoints, by an azimuthal equidistant projection of a sphere (Snyder, "Map
// projections", 1987, equations 22-4 and 22-5, with c = asin s):
//   x = k cos φ0 sin φ − …,  y = k cos φ sin Δλ,  k = R c / sin c,  R = 6371 km
// On the ellipsoid of WGS-84 such metres are up to 0.7 % long or short. So the position sent to PX4
// is the projection of the true latitude and longitude, as its own estimator would give it: then
// the vehicle arrives where the waypoint is. Within 100 km of the origin, error below 1 mm.

#include "tactus/core/math.h"
#include "tactus/core/vec.h"
#include "tactus/world/geodesy.h"

namespace tactus {

class Px4Projection {
 public:
  explicit Px4Projection(const WorldOrigin& origin)
      : longitude_deg_(origin.lon_deg), origin_(sincos_degrees(origin.lat_deg)) {}

  /// North and east; z is 0.
  [[nodiscard]] Vec3 project(double latitude_deg, double longitude_deg) const {
    constexpr double kRadius_m = 6371000.0;
    const SineCosine latitude = sincos_degrees(latitude_deg);
    const SineCosine turn = sincos_degrees(longitude_deg - longitude_deg_);
    const double x = origin_.cosine * latitude.sine - origin_.sine * latitude.cosine * turn.cosine;
    const double y = latitude.cosine * turn.sine;
    const double s2 = x * x + y * y;  // sin² c; asin(s)/s by its series
    const double k = kRadius_m * (1.0 + s2 * (1.0 / 6.0 + s2 * (3.0 / 40.0)));
    return {k * x, k * y, 0.0};
  }

 private:
  double longitude_deg_;
  SineCosine origin_;
};

}  // namespace tactus
