// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// link: GeographicLib

#include "tactus/world/geodesy.h"

#include <gtest/gtest.h>

#include <GeographicLib/Geocentric.hpp>
#include <GeographicLib/LocalCartesian.hpp>
#include <algorithm>
#include <cmath>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/core/fields.h"
#include "tactus/core/random.h"
#include "tests/support/scale.h"

namespace tactus {
namespace {

constexpr double kLimit_m = 2e-8;
constexpr double kRadius_m = 7.4e6;  // of the highest point: the longest lever of an angle

const GeographicLib::Geocentric& earth() { return GeographicLib::Geocentric::WGS84(); }

/// Random places (uniform in latitude, so that the poles are well covered) and the special ones.
std::vector<Geodetic> places() {
  std::vector<Geodetic> points;
  for (const double lat : {-90.0, -89.9999999, -45.0, -1e-9, 0.0, 1e-12, 45.0, 89.999, 90.0}) {
    for (const double lon : {-180.0, -90.0, 0.0, 1e-9, 45.0, 90.0, 179.9999999, 180.0}) {
      for (const double alt : {-1e4, 0.0, 488.0, 1e5, 1e6}) points.push_back({lat, lon, alt});
    }
  }
  const RandomStream random(7, "places");
  const long count = testing::scaled(1'000'000);
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(count); ++i) {
    const double fraction = random.uniform(i, 2);
    points.push_back({180.0 * random.uniform(i, 0) - 90.0, 360.0 * random.uniform(i, 1) - 180.0,
                      -1e4 + 1.01e6 * fraction * fraction * fraction});
  }
  return points;
}

double distance_deg(double a_deg, double b_deg) {
  return std::abs(std::remainder(a_deg - b_deg, 360.0));
}

TEST(Geodesy, GeodeticToEcefAgreesWithGeographicLib) {
  double worst = 0.0;
  for (const Geodetic& g : places()) {
    double x = 0.0, y = 0.0, z = 0.0;
    earth().Forward(g.lat_deg, g.lon_deg, g.alt_m, x, y, z);
    worst = std::max(worst, norm(geodetic_to_ecef(g) - Vec3{x, y, z}));
  }
  EXPECT_LT(worst, kLimit_m);
  RecordProperty("worst_m", std::to_string(worst * 1e9) + " nm");
}

TEST(Geodesy, EcefToGeodeticAgreesWithGeographicLib) {
  double worst = 0.0;
  for (const Geodetic& place : places()) {
    const Vec3 p = geodetic_to_ecef(place);
    double lat = 0.0, lon = 0.0, alt = 0.0;
    earth().Reverse(p.x, p.y, p.z, lat, lon, alt);
    const Geodetic g = ecef_to_geodetic(p);
    const double radians = std::acos(-1.0) / 180.0;
    const double north = std::abs(g.lat_deg - lat) * radians * kRadius_m;
    const double east = distance_deg(g.lon_deg, lon) * radians * std::hypot(p.x, p.y);
    worst = std::max({worst, north, east, std::abs(g.alt_m - alt)});
  }
  EXPECT_LT(worst, kLimit_m);
  RecordProperty("worst_m", std::to_string(worst * 1e9) + " nm");
}

TEST(Geodesy, RoundTripReturnsToThePoint) {
  double worst = 0.0;
  for (const Geodetic& place : places()) {
    const Vec3 p = geodetic_to_ecef(place);
    worst = std::max(worst, norm(geodetic_to_ecef(ecef_to_geodetic(p)) - p));
  }
  EXPECT_LT(worst, kLimit_m);
}

TEST(Geodesy, LocalFrameAgreesWithGeographicLib) {
  const WorldOrigin origin;
  const LocalFrame frame = make_local_frame(origin);
  const GeographicLib::LocalCartesian local(origin.lat_deg, origin.lon_deg, origin.alt_msl_m);
  const RandomStream random(8, "places");
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const Geodetic g{origin.lat_deg + random.uniform(i, 0) - 0.5,
                     origin.lon_deg + random.uniform(i, 1) - 0.5, 5000.0 * random.uniform(i, 2)};
    double east = 0.0, north = 0.0, up = 0.0;
    local.Forward(g.lat_deg, g.lon_deg, g.alt_m, east, north, up);
    const Vec3 ned = geodetic_to_ned(frame, g);
    EXPECT_LT(norm(ned - Vec3{north, east, -up}), kLimit_m);
    const Vec3 again = geodetic_to_ned(frame, ned_to_geodetic(frame, ned));
    EXPECT_LT(norm(again - ned), kLimit_m);
  }
}

TEST(Geodesy, LocalFrameIsARightHandedRotationWithItsOriginAtZero) {
  for (const double lat : {-90.0, -33.0, 0.0, 47.397742, 90.0}) {
    for (const double lon : {-180.0, -70.0, 0.0, 8.545594, 90.0}) {
      const WorldOrigin origin{lat, lon, 100.0};
      const LocalFrame frame = make_local_frame(origin);
      const Mat3 product = frame.R_NE * transpose(frame.R_NE);
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) EXPECT_NEAR(product.m[i][j], i == j ? 1.0 : 0.0, 4e-16);
      }
      EXPECT_NEAR(determinant(frame.R_NE), 1.0, 4e-16);
      EXPECT_EQ(norm(geodetic_to_ned(frame, {lat, lon, 100.0})), 0.0);
      EXPECT_NEAR(geodetic_to_ned(frame, {lat, lon, 130.0}).z, -30.0, kLimit_m);
    }
  }
}

TEST(Geodesy, NorthAndEastPointTheRightWay) {
  const LocalFrame frame = make_local_frame({});
  EXPECT_GT(ned_to_geodetic(frame, {100.0, 0.0, 0.0}).lat_deg, 47.397742);
  EXPECT_GT(ned_to_geodetic(frame, {0.0, 100.0, 0.0}).lon_deg, 8.545594);
  // The tangent plane rises above the ellipsoid by d²/2R.
  EXPECT_NEAR(ned_to_geodetic(frame, {0.0, 1000.0, 0.0}).alt_m - 488.0, 0.0783, 1e-4);
}

TEST(Geodesy, QuarterTurnsAreExact) {
  for (const double turn : {-720.0, 0.0, 360.0}) {
    EXPECT_EQ(sincos_degrees(turn + 90.0).cosine, 0.0);
    EXPECT_EQ(sincos_degrees(turn + 90.0).sine, 1.0);
    EXPECT_EQ(sincos_degrees(turn + 180.0).cosine, -1.0);
    EXPECT_EQ(sincos_degrees(turn + 180.0).sine, 0.0);
    EXPECT_EQ(sincos_degrees(turn - 90.0).sine, -1.0);
  }
  for (double angle = -400.0; angle < 400.0; angle += 3.7) {
    EXPECT_NEAR(sincos_degrees(angle).sine, std::sin(angle * math::kDegToRad), 2e-15);
    EXPECT_NEAR(sincos_degrees(angle).cosine, std::cos(angle * math::kDegToRad), 2e-15);
  }
}

TEST(Geodesy, PointsDeepInsideTheEarthAreRefused) {
  EXPECT_TRUE(std::isnan(ecef_to_geodetic({0.0, 0.0, 0.0}).lat_deg));
  EXPECT_TRUE(std::isnan(ecef_to_geodetic({1e6, 1e6, 1e6}).alt_m));
  EXPECT_TRUE(std::isnan(ecef_to_geodetic({std::nan(""), 6.4e6, 0.0}).lon_deg));
}

TEST(Geodesy, RefusesAnOriginThatIsNoPlace) {
  EXPECT_NO_THROW(validate(WorldOrigin{}, "origin"));
  EXPECT_THROW(validate({90.1, 0.0, 0.0}, "origin"), Error);
  EXPECT_THROW(validate({0.0, 181.0, 0.0}, "origin"), Error);
  EXPECT_THROW(validate({0.0, 0.0, std::nan("")}, "origin"), Error);
}

}  // namespace
}  // namespace tactus
