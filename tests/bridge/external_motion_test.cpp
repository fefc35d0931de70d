// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// What is made of the motion that an external simulator sends: acceleration and height in the world
// of the spec.

#include "tactus/bridge/adapter/external_motion.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tactus {
namespace {

constexpr LandedVehicle kQuad{.flies = true, .motors = 4};

ExternalMotion at(Vec3 position_W_m) {
  ExternalMotion motion;
  motion.position_W_m = position_W_m;
  return motion;
}

SensorFrame filled(ExternalMotionTracker& tracker, Vec3 force_B_m_s2 = {}) {
  SensorFrame frame;
  tracker.fill(force_B_m_s2, {}, frame);
  return frame;
}

TEST(ExternalMotion, StandsStillUnderTheGravityOfTheSpec) {
  for (const double g : {kStandardGravity_m_s2, 3.71, 1.62}) {
    ExternalMotionTracker tracker(kQuad, {.gravity = {.uniform_m_s2 = g}});
    tracker.take(at({}));
    const SensorFrame frame = filled(tracker, {0.0, 0.0, -g});
    EXPECT_EQ(frame.truth.acceleration_W_m_s2, Vec3{});
    EXPECT_EQ(frame.estimate.acceleration_W_m_s2, Vec3{});
  }
}

TEST(ExternalMotion, GravityIsThatOfTheOriginAndTheAltitude) {
  const WorldOrigin pole{.lat_deg = 90.0, .lon_deg = 0.0, .alt_msl_m = 0.0};
  ExternalMotionTracker tracker(kQuad, {.gravity = {.kind = GravityKind::kWgs84}});
  tracker.count_from(pole);
  tracker.take(at({}));
  EXPECT_NEAR(filled(tracker).truth.acceleration_W_m_s2.z, wgs84::kPolarGravity_m_s2, 1e-9);
  tracker.take(at({0.0, 0.0, -10'000.0}));
  const double higher = filled(tracker).truth.acceleration_W_m_s2.z;
  EXPECT_NEAR(higher / wgs84::kPolarGravity_m_s2, 1.0 - 2.0 * 1e4 / 6.37e6, 2e-5);
}

TEST(ExternalMotion, HeightCountsFromWhereItFirstStood) {
  ExternalMotionTracker tracker(kQuad, {.ground = {.down_m = 77.0}});
  tracker.take(at({5.0, 6.0, -3.0}));
  EXPECT_EQ(filled(tracker).truth.height_m, 0.0);
  tracker.take(at({50.0, -60.0, -13.0}));
  EXPECT_EQ(filled(tracker).truth.height_m, 10.0);
  tracker.forget();
  tracker.take(at({50.0, -60.0, -13.0}));
  EXPECT_EQ(filled(tracker).truth.height_m, 10.0) << "it is still in the air";
}

TEST(ExternalMotion, HeightIsAlongTheNormalOfTheGround) {
  const double slope = 0.2;
  ExternalMotionTracker tracker(kQuad,
                                {.ground = {.normal_W = {std::sin(slope), 0.0, -std::cos(slope)}}});
  tracker.take(at({5.0, 6.0, -3.0}));
  EXPECT_NEAR(filled(tracker).truth.height_m, 0.0, 1e-15);
  tracker.take(at({15.0, 6.0, -3.0 + 10.0 * std::tan(slope)}));
  EXPECT_NEAR(filled(tracker).truth.height_m, 0.0, 1e-14);
  tracker.take(at({5.0, 6.0, -13.0}));
  EXPECT_NEAR(filled(tracker).truth.height_m, 10.0 * std::cos(slope), 1e-14);
}

TEST(ExternalMotion, ThereIsGroundWhereItStandsAlsoIfTheSpecHasNone) {
  ExternalMotionTracker tracker(kQuad, {.ground = {.present = false}});
  tracker.take(at({0.0, 0.0, -3.0}));
  EXPECT_EQ(filled(tracker).truth.height_m, 0.0);
}

TEST(ExternalMotion, AnOriginBeyondTheAirIsTaken) {
  ExternalMotionTracker tracker(kQuad, WorldParameters{});
  tracker.count_from({.lat_deg = 10.0, .lon_deg = 20.0, .alt_msl_m = 2e5});
  tracker.take(at({}));
  EXPECT_EQ(filled(tracker).truth.acceleration_W_m_s2.z, kStandardGravity_m_s2);
}

}  // namespace
}  // namespace tactus
