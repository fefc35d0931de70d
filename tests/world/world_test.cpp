// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/world/world.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <type_traits>

#include "tactus/core/error.h"
#include "tests/support/exact_energy.h"

namespace tactus {
namespace {

using testing::gravity_potential;

static_assert(std::is_trivially_copyable_v<World>, "it is copied onto a device");

World sloping(double north_slope) {
  WorldParameters p;
  const Vec3 steep{north_slope, 0.0, -1.0};
  p.ground.normal_W = steep / norm(steep);
  p.ground.down_m = 2.0;
  return make_world(p);
}

TEST(World, AltitudeIsThatOfTheOriginMinusDown) {
  const World world = make_world({.origin = {.alt_msl_m = 488.0}});
  EXPECT_EQ(altitude_msl_m(world, {10.0, 20.0, -30.0}), 518.0);
  EXPECT_EQ(down_at_altitude_m(world.frame.origin, 518.0), -30.0);
}

TEST(World, HeightCountsAlongTheNormalOfTheGround) {
  EXPECT_EQ(height_m(make_world({}), {7.0, 8.0, -3.0}), 3.0);
  const World slope = sloping(1.0);  // falls by 45 degrees toward north
  EXPECT_NEAR(height_m(slope, {0.0, 0.0, 1.0}), std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(height_m(slope, {1.0, 5.0, 3.0}), 0.0, 1e-15);
  EXPECT_EQ(height_m(make_world({.ground = {.present = false, .down_m = 9.0}}), {1, 2, -3}), 3.0);
}

TEST(World, APointAboveAPlaceHasThatHeight) {
  const World slope = sloping(0.3);
  for (const double height : {-1.0, 0.0, 25.0}) {
    const Vec3 p_W = point_above(slope.ground, 12.0, -7.0, height);
    EXPECT_EQ(p_W.x, 12.0);
    EXPECT_EQ(p_W.y, -7.0);
    EXPECT_NEAR(height_m(slope, p_W), height, 1e-14);
  }
}

TEST(World, AxesOfTheGroundSpanIt) {
  const World slope = sloping(0.3);
  const Vec3 n = slope.ground.normal_W;
  const auto [e1, e2] = slope.ground_axes;
  EXPECT_NEAR(dot(e1, n), 0.0, 1e-15);
  EXPECT_NEAR(dot(e2, n), 0.0, 1e-15);
  EXPECT_NEAR(dot(e1, e2), 0.0, 1e-15);
  EXPECT_NEAR(norm(e1), 1.0, 1e-15);
  EXPECT_NEAR(norm(e2), 1.0, 1e-15);
}

TEST(World, GravityPointsDownAndWeakensWithAltitude) {
  const World world = make_world({.gravity = {.kind = GravityKind::kWgs84}});
  const Vec3 low_W = gravity_at(world, {100.0, 100.0, 0.0});
  const Vec3 high_W = gravity_at(world, {100.0, 100.0, -1000.0});
  EXPECT_EQ(low_W.x, 0.0);
  EXPECT_EQ(low_W.y, 0.0);
  EXPECT_NEAR((high_W.z - low_W.z) / low_W.z, -2.0 * 1000.0 / 6.37e6, 2e-6);
}

TEST(World, GravityIsTheSlopeOfItsPotential) {
  const World world = make_world({.gravity = {.kind = GravityKind::kWgs84}});
  const auto potential = [&](double z) {
    return gravity_potential(world.gravity, altitude_msl_m(world, {0.0, 0.0, z}));
  };
  const double slope = (potential(-51.0) - potential(-49.0)) / 2.0;
  EXPECT_NEAR(gravity_at(world, {0.0, 0.0, -50.0}).z, slope, 1e-8);
}

TEST(World, WeightIsMassTimesTheStrengthOfGravity) {
  for (const GravityKind kind :
       {GravityKind::kUniform, GravityKind::kSpherical, GravityKind::kWgs84}) {
    const World world = make_world({.gravity = {.kind = kind}});
    for (const double z : {0.0, -123.4, -8848.0}) {
      const Vec3 p_W{10.0, -20.0, z};
      EXPECT_EQ(gravity_strength_m_s2(world, p_W), gravity_at(world, p_W).z) << "to the bit";
      EXPECT_EQ(weight_n(world, 1.5, p_W), 1.5 * gravity_at(world, p_W).z);
    }
  }
  const World weightless = make_world({.gravity = {.uniform_m_s2 = 0.0}});
  EXPECT_EQ(weight_n(weightless, 1.5, {}), 0.0);
}

TEST(World, PlacesAndPointsAreTheSameBothWays) {
  const World world = make_world({});
  for (const Vec3 p_W : {Vec3{}, Vec3{300.0, -400.0, -50.0}, Vec3{-900.0, 100.0, 20.0}}) {
    const Geodetic place = geodetic_of(world, p_W);
    EXPECT_EQ(place.alt_m, altitude_msl_m(world, p_W));
    EXPECT_LT(norm(position_of(world, place) - p_W), 1.3e-5);
  }
}

TEST(World, PointsAboveEachOtherAreAtOnePlace) {
  const World world = make_world({});
  const Geodetic low = geodetic_of(world, {1000.0, 0.0, 0.0});
  const Geodetic high = geodetic_of(world, {1000.0, 0.0, -100.0});
  EXPECT_EQ(low.lat_deg, high.lat_deg);
  EXPECT_EQ(low.lon_deg, high.lon_deg);
  EXPECT_EQ(high.alt_m - low.alt_m, 100.0);
  // Lines through the centre of the earth are not parallel.
  const Geodetic fix = satellite_fix_of(world.frame, {1000.0, 0.0, -100.0});
  const double metres_per_degree = 111180.0;
  EXPECT_NEAR((low.lat_deg - fix.lat_deg) * metres_per_degree, 100.0 * 1000.0 / 6.37e6, 1e-4);
  EXPECT_EQ(fix.alt_m, high.alt_m);
}

TEST(World, MagneticFieldIsThatOfThePlace) {
  const WorldParameters p{.magnetic_field = {.date_year = 2027.5}};
  const Vec3 p_W{500.0, 600.0, -700.0};
  EXPECT_EQ(magnetic_flux_nt(make_world(p), p_W),
            magnetic_flux_nt(make_magnetic_field(p.magnetic_field),
                             ned_to_geodetic(make_local_frame(p.origin), p_W)));
}

TEST(World, GroundThroughAPointHasItsSlope) {
  const World slope = sloping(0.3);
  const Vec3 p_W{12.0, -7.0, 5.0};
  const GroundParameters moved = ground_through(slope.ground, p_W);
  EXPECT_NEAR(height_above(moved, p_W), 0.0, 1e-15);
  EXPECT_EQ(moved.normal_W, slope.ground.normal_W);
  EXPECT_EQ(ground_through({}, p_W).down_m, 5.0);
}

TEST(World, AirIsThatOfTheAltitude) {
  const World world = make_world({});
  const Vec3 p_W{0.0, 0.0, -250.0};
  EXPECT_EQ(air_density_at(world, p_W), air_density(world.atmosphere, 738.0));
  EXPECT_EQ(air_at(world, p_W).density_kg_m3, air_density_at(world, p_W));
  EXPECT_TRUE(has_air(world, p_W));
  EXPECT_FALSE(has_air(world, {0.0, 0.0, -2e5}));
}

TEST(WorldValidation, NamesWhatIsWrong) {
  struct Case {
    std::function<void(WorldParameters&)> break_it;
    const char* expected;
  };
  using P = WorldParameters;
  const Case cases[] = {
      {[](P& p) { p.atmosphere.sea_level_pressure_pa = 0.0; },
       "world.atmosphere.sea_level_pressure_pa = 0"},
      {[](P& p) { p.gravity.radius_m = 0.0; }, "world.gravity.radius_m = 0"},
      {[](P& p) {
         p.ground.normal_W = {0.0, 0.0, 1.0};
       },
       "world.ground.normal_ned.z = 1"},
      {[](P& p) { p.origin.lat_deg = 91.0; }, "world.origin.lat_deg = 91"},
      {[](P& p) { p.magnetic_field.date_year = 1999.0; }, "world.magnetic_field.date_year = 1999"},
      {[](P& p) { p.wind.shear_exponent = 2.0; }, "wind.shear_exponent = 2"},
      {[](P& p) { p.gravity.mu_m3_s2 = math::canonical_nan(); }, "gravity.mu_m3_s2 = nan"},
  };
  for (const Case& c : cases) {
    P p;
    c.break_it(p);
    try {
      make_world(p);
      ADD_FAILURE() << c.expected << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kBadInput);
      EXPECT_NE(std::string(error.what()).find(c.expected), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace tactus
