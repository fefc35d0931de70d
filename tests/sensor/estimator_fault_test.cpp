// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>

#include "tactus/core/fields.h"
#include "tactus/core/math.h"
#include "tactus/core/quat.h"
#include "tactus/core/random.h"
#include "tactus/sensor/estimator.h"
#include "tests/support/estimator_bench.h"
#include "tests/support/scale.h"

namespace tactus {
namespace {

using testing::exact;
using testing::expect_same_bits;
using testing::motion;
using testing::silent;
using Bench = testing::EstimatorBench;

EstimatorFault lost(SensorBit which) {
  EstimatorFault fault;
  fault.sensor_mask = sensor_bit(which);
  return fault;
}

TEST(EstimatorFault, FreezeReportsAWrongAgeAndIsFreshAfterwards) {
  Bench faulty(EstimatorParameters{}), healthy(EstimatorParameters{});
  Estimate last;
  for (int k = 0; k < 50; ++k) {
    last = faulty.step();
    healthy.step();
  }
  for (int k = 0; k < 100; ++k) {
    const Estimate frozen = faulty.step(lost(SensorBit::kEstimatorFreeze));
    const Estimate expected = healthy.step();
    EXPECT_TRUE(frozen.position_W_m == last.position_W_m);
    EXPECT_TRUE(frozen.attitude == last.attitude);
    EXPECT_EQ(frozen.measured_at, expected.measured_at);
    EXPECT_TRUE(frozen.horizontal_valid && frozen.vertical_valid && frozen.attitude_valid);
  }
  for (int k = 0; k < 50; ++k) expect_same_bits(faulty.step(), healthy.step());
}

TEST(EstimatorFault, DropoutGrowsOldAndIsFreshAfterwards) {
  Bench faulty(EstimatorParameters{}), healthy(EstimatorParameters{});
  Estimate last;
  for (int k = 0; k < 50; ++k) {
    last = faulty.step();
    healthy.step();
  }
  last.horizontal_valid = last.vertical_valid = last.attitude_valid = false;
  for (int k = 0; k < 100; ++k) {
    expect_same_bits(faulty.step(lost(SensorBit::kEstimatorDropout)), last);
    healthy.step();
  }
  for (int k = 0; k < 50; ++k) expect_same_bits(faulty.step(), healthy.step());
}

TEST(EstimatorFault, FaultsAtTheFirstTick) {
  Bench frozen(silent()), dropped(silent());
  expect_same_bits(frozen.step(lost(SensorBit::kEstimatorFreeze)), exact(TimeUs(0)));
  const Estimate none = dropped.step(lost(SensorBit::kEstimatorDropout));
  EXPECT_FALSE(none.horizontal_valid || none.vertical_valid || none.attitude_valid);
  for (unsigned bit = 0; bit < 5; ++bit) {
    Bench bench(silent());
    EstimatorFault fault;
    fault.sensor_mask = 1U << bit;
    EXPECT_TRUE(bench.step(fault).position_W_m == motion(TimeUs(0)).position_W_m);
  }
}

TEST(EstimatorFault, FaultBiasesAddToTheTruth) {
  EstimatorFault fault;
  fault.position_bias_W_m = {1.0, 2.0, 3.0};
  fault.velocity_bias_W_m_s = {0.1, 0.2, 0.3};
  fault.attitude_bias_rad = {0.0, 0.0, 0.25};
  fault.rate_bias_B_rad_s = {0.01, 0.02, 0.03};
  EstimatorParameters truth;
  truth.kind = EstimatorKind::kTruth;
  for (const EstimatorParameters& p : {silent(), truth}) {
    Bench bench(p);
    for (int k = 0; k < 3; ++k) bench.step();
    const Truth at = motion(TimeUs(12'000));
    const Estimate e = bench.step(fault);
    EXPECT_TRUE(e.position_W_m == at.position_W_m + fault.position_bias_W_m);
    EXPECT_TRUE(e.velocity_W_m_s == at.velocity_W_m_s + fault.velocity_bias_W_m_s);
    EXPECT_TRUE(e.rate_B_rad_s == at.rate_B_rad_s + fault.rate_bias_B_rad_s);
    // A rotation about down adds to the heading.
    EXPECT_NEAR(yaw_of(e.attitude) - yaw_of(at.attitude), 0.25, 1e-14);
    EXPECT_NEAR(norm(e.attitude), 1.0, 1e-15);
  }
}

TEST(EstimatorFault, GyroscopeAndAccelerometerStand) {
  Bench bench(silent());
  const Estimate last = bench.step();
  const Estimate gyroscope = bench.step(lost(SensorBit::kGyroscope));
  EXPECT_TRUE(gyroscope.rate_B_rad_s == last.rate_B_rad_s);
  EXPECT_TRUE(gyroscope.angular_acceleration_B_rad_s2 == last.angular_acceleration_B_rad_s2);
  EXPECT_FALSE(gyroscope.attitude_valid);
  EXPECT_TRUE(gyroscope.attitude == motion(TimeUs(4'000)).attitude);
  const Estimate accelerometer = bench.step(lost(SensorBit::kAccelerometer));
  EXPECT_TRUE(accelerometer.acceleration_W_m_s2 == motion(TimeUs(4'000)).acceleration_W_m_s2);
  EXPECT_TRUE(accelerometer.attitude_valid);
  expect_same_bits(bench.step(), exact(TimeUs(12'000)));
}

TEST(EstimatorFault, BarometerStandsAndGpsIsDeadReckoned) {
  Bench bench(silent());
  for (int k = 0; k < 10; ++k) bench.step();
  const Truth last = motion(TimeUs(36'000));
  EstimatorFault both;
  both.sensor_mask = sensor_bit(SensorBit::kBarometer) | sensor_bit(SensorBit::kGps);
  Estimate e;
  for (int k = 0; k < 250; ++k) e = bench.step(both);
  EXPECT_EQ(e.position_W_m.z, last.position_W_m.z);
  EXPECT_EQ(e.velocity_W_m_s.z, last.velocity_W_m_s.z);
  EXPECT_EQ(e.velocity_W_m_s.x, last.velocity_W_m_s.x);
  EXPECT_NEAR(e.position_W_m.x, last.position_W_m.x + last.velocity_W_m_s.x, 1e-12);
  EXPECT_NEAR(e.position_W_m.y, last.position_W_m.y + last.velocity_W_m_s.y, 1e-12);
  EXPECT_FALSE(e.horizontal_valid || e.vertical_valid);
  EXPECT_TRUE(e.attitude_valid);
  expect_same_bits(bench.step(), exact(TimeUs(260 * 4'000)));
}

// Level and still, a rate error of 0.02 rad/s about down turns the heading by 0.02 rad in 1 s.
TEST(EstimatorFault, WithoutMagnetometerHeadingDriftsWithTheRateError) {
  Bench bench(silent());
  bench.still = true;
  EstimatorFault fault;
  fault.rate_bias_B_rad_s = {0.0, 0.0, 0.02};
  EXPECT_EQ(yaw_of(bench.step(fault).attitude), 0.0);
  fault.sensor_mask = sensor_bit(SensorBit::kMagnetometer);
  Estimate e;
  for (int k = 0; k < 250; ++k) e = bench.step(fault);
  EXPECT_NEAR(yaw_of(e.attitude), 0.02, 1e-12);
  EXPECT_TRUE(e.attitude_valid);
  EXPECT_EQ(yaw_of(bench.step().attitude), 0.0);
}

TEST(EstimatorFault, ALongerDelayStopsTheEstimateAndAShorterOneCatchesUp) {
  Bench bench(silent());
  for (int k = 0; k < 10; ++k) bench.step();
  EstimatorFault late;
  late.extra_delay_us = 9'000;  // three periods, rounded up
  TimeUs stamps[8];
  for (TimeUs& stamp : stamps) stamp = bench.step(late).measured_at;
  const std::uint64_t expected[8] = {9, 9, 9, 10, 11, 12, 13, 14};
  for (int i = 0; i < 8; ++i) EXPECT_EQ(stamps[i], TimeUs(4'000 * expected[i])) << i;
  EXPECT_EQ(bench.step().measured_at, TimeUs(18 * 4'000));
}

// Whatever faults come and go, the estimate is finite, of unit attitude, and never gets younger.
TEST(EstimatorFault, StaysSaneUnderRandomFaults) {
  const RandomStream dice(99, "dice");
  EstimatorParameters p;
  p.attitude_bias_sigma_rad = {0.1, 0.1, 0.5};
  p.position_bias_sigma_W_m = {5.0, 5.0, 5.0};
  p.velocity_bias_sigma_W_m_s = {1.0, 1.0, 1.0};
  Bench bench(p);
  EstimatorFault fault;
  TimeUs last;
  const auto steps = static_cast<std::uint64_t>(testing::scaled(400'000));
  for (std::uint64_t k = 0; k < steps; ++k) {
    if (dice.uniform(k, 0) < 0.02) {
      const PhiloxBlock bits = dice.bits(k, 1);
      fault.sensor_mask = bits.word[0] & bits.word[1] & 0x7FU;
      fault.extra_delay_us = bits.word[2] % 244'001U;
      fault.rate_bias_B_rad_s = dice.normal3(k, 2);
    }
    const Estimate e = bench.step(fault);
    bool finite = true;
    for_each_leaf(e, [&](const LeafPath&, const auto& value) {
      if constexpr (std::is_floating_point_v<std::remove_cvref_t<decltype(value)>>) {
        finite = finite && math::is_finite(value);
      }
    });
    ASSERT_TRUE(finite) << k;
    ASSERT_NEAR(norm(e.attitude), 1.0, 1e-12) << k;
    ASSERT_GE(e.measured_at, last) << k;
    last = e.measured_at;
  }
}

}  // namespace
}  // namespace tactus
