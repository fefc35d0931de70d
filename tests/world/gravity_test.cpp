// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// link: GeographicLib

#include "tactus/world/gravity.h"

#include <gtest/gtest.h>

#include <GeographicLib/NormalGravity.hpp>
#include <algorithm>
#include <cmath>

#include "tactus/core/error.h"
#include "tactus/core/fields.h"
#include "tests/support/exact_energy.h"

namespace tactus {
namespace {

using testing::gravity_potential;

Gravity gravity(GravityKind kind, double lat_deg = 47.397742) {
  GravityParameters parameters;
  parameters.kind = kind;
  return make_gravity(parameters, lat_deg);
}

const GeographicLib::NormalGravity& earth() { return GeographicLib::NormalGravity::WGS84(); }

TEST(Gravity, NormalGravityAgreesWithGeographicLib) {
  double worst = 0.0;
  for (double lat = -90.0; lat <= 90.0; lat += 0.5) {
    const Gravity g = gravity(GravityKind::kWgs84, lat);
    for (double h = -1000.0; h <= 100000.0; h += 1000.0) {
      double north = 0.0, up = 0.0;
      earth().Gravity(lat, h, north, up);
      worst = std::max(worst, std::abs(gravity_down(g, h) + up));
      // What the flat frame leaves out is as small as the header says.
      EXPECT_LT(std::abs(north), 8.3e-9 * std::abs(h) + 1e-12);
    }
  }
  EXPECT_LT(worst, 1e-6);
  RecordProperty("worst_m_s2", std::to_string(worst * 1e9) + " nm/s^2");
}

TEST(Gravity, NormalGravityIsSomiglianaOnTheEllipsoid) {
  for (double lat = -90.0; lat <= 90.0; lat += 1.0) {
    EXPECT_NEAR(gravity_down(gravity(GravityKind::kWgs84, lat), 0.0), earth().SurfaceGravity(lat),
                1e-10);
  }
}

TEST(Gravity, FittedConstantIsNearlyThatOfTheEarth) {
  for (const double lat : {0.0, 30.0, 60.0, 90.0}) {
    EXPECT_NEAR(gravity(GravityKind::kWgs84, lat).k_m3_s2 / 3.986004418e14, 1.0, 5e-5);
  }
}

TEST(Gravity, PotentialAgreesWithGeographicLib) {
  for (const double lat : {-90.0, -20.0, 0.0, 47.4, 90.0}) {
    const Gravity g = gravity(GravityKind::kWgs84, lat);
    for (const double h : {-1000.0, 10.0, 1000.0, 10000.0, 100000.0}) {
      const Vec3 p = geodetic_to_ecef({lat, 0.0, h});
      double gx = 0.0, gy = 0.0, gz = 0.0;
      const double expected = earth().SurfacePotential() - earth().U(p.x, p.y, p.z, gx, gy, gz);
      EXPECT_NEAR(gravity_potential(g, h), expected, 1e-6 * std::abs(h) + 1e-7) << lat << " " << h;
    }
  }
}

TEST(Gravity, PotentialIsTheIntegralOfGravity) {
  for (const auto kind : {GravityKind::kUniform, GravityKind::kSpherical, GravityKind::kWgs84}) {
    const Gravity g = gravity(kind);
    EXPECT_EQ(gravity_potential(g, 0.0), 0.0);
    for (const double top : {-900.0, 1.0, 500.0, 90000.0}) {
      // Simpson's rule; its error here is far below rounding.
      constexpr int kIntervals = 200;
      const double step = top / kIntervals;
      double sum = gravity_down(g, 0.0) + gravity_down(g, top);
      for (int i = 1; i < kIntervals; ++i)
        sum += (i % 2 == 1 ? 4.0 : 2.0) * gravity_down(g, i * step);
      EXPECT_NEAR(gravity_potential(g, top) / (sum * step / 3.0), 1.0, 1e-13) << top;
    }
  }
}

TEST(Gravity, SphericalFallsWithTheSquareOfTheDistance) {
  const Gravity g = gravity(GravityKind::kSpherical);
  EXPECT_NEAR(gravity_down(g, 0.0), 3.986004418e14 / (6371000.0 * 6371000.0), 1e-14);
  EXPECT_NEAR(gravity_down(g, 6371000.0), 0.25 * gravity_down(g, 0.0), 1e-15);
}

TEST(Gravity, UniformIsStandardGravityAndPointsDown) {
  EXPECT_EQ(gravity_down(gravity(GravityKind::kUniform), 1234.0), 9.80665);
}

TEST(Gravity, RefusesUnphysicalParameters) {
  EXPECT_NO_THROW(validate(GravityParameters{}, "gravity"));
  GravityParameters p;
  p.uniform_m_s2 = -9.8;
  EXPECT_THROW(validate(p, "gravity"), Error);
  p = {};
  p.radius_m = 0.0;
  EXPECT_THROW(validate(p, "gravity"), Error);
  p = {};
  p.mu_m3_s2 = std::nan("");
  EXPECT_THROW(validate(p, "gravity"), Error);
}

}  // namespace
}  // namespace tactus
