// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sensor/imu.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/core/fields.h"
#include "tactus/core/math.h"
#include "tactus/core/quat.h"
#include "tests/support/scale.h"

namespace tactus {
namespace {

static_assert(std::is_trivially_copyable_v<ImuState>);

constexpr double kGravity_m_s2 = kStandardGravity_m_s2;

/// An instrument without errors.
ImuParameters exact() {
  ImuParameters p;
  p.gyro_noise_rad_s_sqrthz = p.accel_noise_m_s2_sqrthz = 0.0;
  p.gyro_bias_sigma_rad_s = p.accel_bias_sigma_m_s2 = 0.0;
  p.gyro_bias_walk_rad_s_sqrts = p.accel_bias_walk_m_s2_sqrts = 0.0;
  p.gyro_resolution_rad_s = p.accel_resolution_m_s2 = 0.0;
  p.gyro_range_rad_s = p.accel_range_m_s2 = 1e9;
  p.vibration_gyro_rad_s = p.vibration_accel_m_s2 = {};
  return p;
}

struct Bench {
  explicit Bench(const ImuParameters& p, DurationUs t = DurationUs(4'000), std::uint64_t seed = 1)
      : parameters(p), period(t), stream(seed, "imu0") {}

  [[nodiscard]] TimeUs now() const { return TimeUs(0) + state.gyroscope.line.taken * period; }

  ImuReading step(const Truth& truth, const InstrumentFault& gyro = {},
                  const InstrumentFault& accel = {}) {
    return step_imu(parameters, stream, period, {truth, gravity_W, rotors}, gyro, accel, now(),
                    state);
  }

  ImuParameters parameters;
  DurationUs period;
  RandomStream stream;
  std::vector<EscStatus> rotors;
  Vec3 gravity_W{0.0, 0.0, kGravity_m_s2};
  ImuState state;
};

/// At rest on the ground.
Truth resting() {
  Truth truth;
  truth.specific_force_B_m_s2 = {0.0, 0.0, -kGravity_m_s2};
  return truth;
}

/// An axis that turns with 50 Hz, tilted by 0.1 rad: no body axis turns in the end, but the
/// gyroscope sees a constant rate about z.
Quat coning_attitude(double t) {
  double s = 0.0;
  double c = 1.0;
  math::sincos(math::kTwoPi * 50.0 * t, &s, &c);
  return exp_rotation({0.1 * c, 0.1 * s, 0.0});
}

Truth coning(TimeUs t) {
  const double h = 1e-5;
  const double s = to_seconds(t);
  Truth truth = resting();
  truth.attitude = coning_attitude(s);
  truth.rate_B_rad_s =
      log_rotation(conjugate(coning_attitude(s - h)) * coning_attitude(s + h)) / (2.0 * h);
  return truth;
}

/// Attitude after composing the delta angles of `seconds` of coning, as an autopilot does.
double attitude_error_after_coning(ImuSampling sampling, DurationUs period, double seconds) {
  ImuParameters p = exact();
  p.sampling = sampling;
  Bench bench(p, period);
  bench.step(coning(bench.now()));
  Quat q = coning_attitude(0.0);
  while (to_seconds(bench.now()) <= seconds) {
    const ImuReading reading = bench.step(coning(bench.now()));
    q = q * exp_rotation(to_seconds(period) * reading.rate_B_rad_s);
  }
  return attitude_distance(normalized(q), coning(bench.now() - period).attitude);
}

TEST(Imu, DeltaAnglesComposeToTheTrueAttitude) {
  for (const DurationUs period : {DurationUs(1'000), DurationUs(4'000), DurationUs(7'000)}) {
    EXPECT_LT(attitude_error_after_coning(ImuSampling::kMean, period, 60.0), 1e-9);
  }
  // What the mean is for: rates of the instant lose the coning.
  EXPECT_GT(attitude_error_after_coning(ImuSampling::kPoint, DurationUs(4'000), 60.0), 0.1);
}

TEST(Imu, AtRestItReadsGravityWhereverThatPoints) {
  Bench bench(exact());
  bench.gravity_W = {0.02, -0.03, 9.7};
  Truth truth = resting();
  truth.attitude = from_euler({0.2, -0.1, 1.0});
  truth.specific_force_B_m_s2 = rotate_inverse(truth.attitude, -bench.gravity_W);
  for (int i = 0; i < 3; ++i) {
    const Vec3 force_B = bench.step(truth).specific_force_B_m_s2;
    EXPECT_LT(norm(rotate(truth.attitude, force_B) + bench.gravity_W), 1e-14);
  }
}

TEST(Imu, MeanGravityIsThatOfBothEnds) {
  Bench bench(exact());
  bench.gravity_W = {0.0, 0.0, 9.0};
  bench.step(resting());
  bench.gravity_W = {0.5, 0.0, 10.0};
  EXPECT_LT(norm(bench.step(resting()).specific_force_B_m_s2 - Vec3{-0.25, 0.0, -9.5}), 1e-14);
}

/// A wild flight with a jump of velocity and rate every 50 ms, as contact makes them.
Truth wild(TimeUs t) {
  const double s = to_seconds(t);
  const double jump = static_cast<double>(t.us / 50'000 % 7) - 3.0;
  Truth truth;
  truth.attitude = from_euler({9.0 * s, 0.8 * math::sin(11.0 * s), 5.0 * s});
  truth.velocity_W_m_s = {8.0 * math::sin(3.0 * s) + jump, s * s - 2.0 * jump,
                          4.0 * math::cos(20.0 * s) + 0.5 * jump};
  truth.rate_B_rad_s = {9.0 + jump, 8.0 * math::cos(11.0 * s), 5.0 - jump};
  return truth;
}

/// ∫ exp(s ω) f ds over one interval in 200 pieces by Simpson: no formula of the model in it.
Vec3 integrate_force(const ImuReading& r, double dt_s) {
  constexpr int kPieces = 200;
  Vec3 sum;
  for (int i = 0; i <= kPieces; ++i) {
    const double weight = i == 0 || i == kPieces ? 1.0 : (i % 2 == 1 ? 4.0 : 2.0);
    const double s = dt_s * i / kPieces;
    sum += weight * rotate(exp_rotation(s * r.rate_B_rad_s), r.specific_force_B_m_s2);
  }
  return dt_s / (3.0 * kPieces) * sum;
}

TEST(Imu, StrapdownVelocityIsExactThroughJumps) {
  const Vec3 lever{0.1, -0.05, 0.2};
  for (const DurationUs period : {DurationUs(1'000), DurationUs(4'000), DurationUs(10'000)}) {
    ImuParameters p = exact();
    p.position_B_m = lever;
    Bench bench(p, period);
    const double dt_s = to_seconds(period);
    const auto point_velocity = [&](const Truth& truth) {
      return truth.velocity_W_m_s + rotate(truth.attitude, cross(truth.rate_B_rad_s, lever));
    };
    bench.step(wild(bench.now()));
    Quat q = wild(TimeUs(0)).attitude;
    Vec3 v = point_velocity(wild(TimeUs(0)));
    Truth truth;
    while (bench.now() < TimeUs(2'000'000)) {
      truth = wild(bench.now());
      const ImuReading reading = bench.step(truth);
      v += rotate(q, integrate_force(reading, dt_s)) + Vec3{0.0, 0.0, kGravity_m_s2 * dt_s};
      q = normalized(q * exp_rotation(dt_s * reading.rate_B_rad_s));
    }
    EXPECT_LT(norm(v - point_velocity(truth)), 1e-9);
    EXPECT_LT(attitude_distance(q, truth.attitude), 1e-9);
    EXPECT_GT(norm(point_velocity(truth) - truth.velocity_W_m_s), 0.5);  // the lever matters
  }
}

// The closed form beyond 0.1 rad joins the series below.
TEST(Imu, LargeTurnsInOneInterval) {
  for (const double angle : {0.0999, 0.1001, 0.5, 2.0, 3.1}) {
    const Quat q1 = exp_rotation({0.6 * angle, -0.8 * angle, 0.0});
    const Vec3 dv{1.0, 2.0, 3.0};
    const MeanMotion mean = mean_motion({}, q1, {}, dv, {}, 1.0);
    ImuReading reading;
    reading.rate_B_rad_s = mean.rate_B_rad_s;
    reading.specific_force_B_m_s2 = mean.specific_force_B_m_s2;
    EXPECT_LT(norm(integrate_force(reading, 1.0) - dv), 3e-8) << angle;
  }
}

TEST(Imu, AtRestItReadsMinusGravity) {
  Bench bench(exact());
  for (int k = 0; k < 3; ++k) {
    const ImuReading reading = bench.step(resting());
    EXPECT_TRUE(reading.rate_B_rad_s == Vec3{});
    EXPECT_TRUE(reading.specific_force_B_m_s2 == (Vec3{0.0, 0.0, -kGravity_m_s2}));
    EXPECT_EQ(reading.rate_count, static_cast<std::uint32_t>(k + 1));
    EXPECT_EQ(reading.measured_at, TimeUs(static_cast<std::uint64_t>(k) * 4'000));
  }
}

TEST(Imu, PointSamplingGivesTheInstantAtItsPoint) {
  ImuParameters p = exact();
  p.sampling = ImuSampling::kPoint;
  p.position_B_m = {0.1, 0.0, 0.0};
  Bench bench(p);
  Truth truth = resting();
  truth.rate_B_rad_s = {0.0, 0.0, 10.0};
  truth.angular_acceleration_B_rad_s2 = {0.0, 0.0, 20.0};
  bench.step(truth);
  const ImuReading reading = bench.step(truth);
  EXPECT_TRUE(reading.rate_B_rad_s == truth.rate_B_rad_s);
  EXPECT_NEAR(reading.specific_force_B_m_s2.x, -10.0, 1e-12);  // ω² r toward the axis
  EXPECT_NEAR(reading.specific_force_B_m_s2.y, 2.0, 1e-12);    // α r
  EXPECT_EQ(reading.specific_force_B_m_s2.z, -kGravity_m_s2);
}

/// Overlapping-free Allan deviation at 1 s of both instruments, all axes, relative to the density.
std::array<double, 2> allan_at_one_second(DurationUs period, int seconds) {
  ImuParameters p;
  p.vibration_gyro_rad_s = p.vibration_accel_m_s2 = {};
  Bench bench(p, period);
  const Truth truth = resting();
  const double n = 1e6 / static_cast<double>(period.us);
  Vec3 last[2];
  double sum[2] = {};
  for (int bin = 0; bin < seconds; ++bin) {
    Vec3 mean[2];
    for (double k = 0.0; k < n; k += 1.0) {
      const ImuReading reading = bench.step(truth);
      mean[0] += reading.rate_B_rad_s / n;
      mean[1] += reading.specific_force_B_m_s2 / n;
    }
    for (int i = 0; i < 2; ++i) {
      if (bin > 0) sum[i] += norm_squared(mean[i] - last[i]);
      last[i] = mean[i];
    }
  }
  const double pairs = 3.0 * (seconds - 1);
  return {math::sqrt(0.5 * sum[0] / pairs) / p.gyro_noise_rad_s_sqrthz,
          math::sqrt(0.5 * sum[1] / pairs) / p.accel_noise_m_s2_sqrthz};
}

// With the errors of a default instrument, walk and rounding included.
TEST(Imu, AllanDeviationAtOneSecondDoesNotDependOnTheRate) {
  const int seconds = testing::test_all() ? 4000 : 1000;
  const auto slow = allan_at_one_second(DurationUs(4'000), seconds);
  const auto fast = allan_at_one_second(DurationUs(1'000), seconds);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(slow[i], 1.0, 0.05);
    EXPECT_NEAR(fast[i], 1.0, 0.05);
    EXPECT_NEAR(slow[i] / fast[i], 1.0, 0.05);
  }
}

TEST(Imu, WhiteNoiseHasItsDensityAndNoMemory) {
  for (const DurationUs period : {DurationUs(1'000), DurationUs(4'000)}) {
    ImuParameters p = exact();
    p.gyro_noise_rad_s_sqrthz = 2e-4;
    Bench bench(p, period);
    const int n = 30'000;
    double square = 0.0;
    double lagged = 0.0;
    Vec3 mean;
    Vec3 last;
    for (int k = 0; k < n; ++k) {
      const Vec3 w = bench.step(resting()).rate_B_rad_s;
      square += norm_squared(w) / (3.0 * n);
      lagged += dot(w, last) / (3.0 * n);
      mean += w / n;
      last = w;
    }
    const double variance = 4e-8 / to_seconds(period);
    const double deviation = 1.0 / math::sqrt(3.0 * n);  // of the sums, relative
    EXPECT_NEAR(square, variance, 4.0 * math::sqrt(2.0) * deviation * variance);
    EXPECT_NEAR(lagged, 0.0, 4.0 * deviation * variance);
    EXPECT_LT(norm(mean), 4.0 * math::sqrt(3.0 * variance / n));
  }
}

TEST(Imu, TurnOnBiasIsSeededAndConstant) {
  ImuParameters p = exact();
  p.gyro_bias_sigma_rad_s = 0.01;
  double square = 0.0;
  const int runs = 2000;
  for (int seed = 0; seed < runs; ++seed) {
    Bench bench(p, DurationUs(4'000), static_cast<std::uint64_t>(seed));
    const Vec3 bias = bench.step(resting()).rate_B_rad_s;
    EXPECT_TRUE(bench.step(resting()).rate_B_rad_s == bias);
    square += norm_squared(bias) / (3.0 * runs);
  }
  EXPECT_NEAR(square, 1e-4, 1e-4 * 4.0 * math::sqrt(2.0 / (3.0 * runs)));
}

TEST(Imu, ScaleMisalignmentRangeAndResolution) {
  ImuParameters p = exact();
  p.accel_scale_error = {0.01, 0.0, -0.02};
  p.accel_misalignment_rad = {0.001, 0.0, 0.0};
  Bench bench(p);
  const Vec3 f = bench.step(resting()).specific_force_B_m_s2;
  EXPECT_EQ(f.x, 0.0);
  EXPECT_NEAR(f.y, -0.001 * kGravity_m_s2, 1e-12);  // turned about x: sees some of z
  EXPECT_NEAR(f.z, -0.98 * kGravity_m_s2, 1e-12);

  ImuParameters coarse = exact();
  coarse.accel_range_m_s2 = 8.0;
  coarse.accel_resolution_m_s2 = 0.5;
  coarse.gyro_resolution_rad_s = 0.25;
  Bench other(coarse);
  Truth truth = resting();
  truth.rate_B_rad_s = {0.3, 0.4, -0.4};
  const ImuReading reading = other.step(truth);
  EXPECT_EQ(reading.specific_force_B_m_s2.z, -8.0);
  EXPECT_TRUE(reading.rate_B_rad_s == (Vec3{0.25, 0.5, -0.5}));
}

// No number shifts when another noise is switched off or a fault comes and goes.
TEST(Imu, NoisesAndFaultsAreIndependent) {
  ImuParameters all;
  ImuParameters few = all;
  few.gyro_noise_rad_s_sqrthz = 0.0;
  few.gyro_bias_walk_rad_s_sqrts = 0.0;
  Bench a(all), b(few), c(all);
  InstrumentFault fault;
  fault.mask = instrument_bit(InstrumentBit::kGarbage);
  fault.noise_scale = 5.0;
  fault.bias = {1.0, 2.0, 3.0};
  for (int k = 0; k < 200; ++k) {
    const bool faulty = k >= 50 && k < 100;
    const ImuReading x = a.step(resting());
    const ImuReading y = b.step(resting());
    const ImuReading z =
        c.step(resting(), faulty ? fault : InstrumentFault{}, faulty ? fault : InstrumentFault{});
    EXPECT_TRUE(x.specific_force_B_m_s2 == y.specific_force_B_m_s2);
    EXPECT_EQ(first_difference(x, z).has_value(), faulty) << k;
  }
}

TEST(Imu, GyroscopeAndAccelerometerFailOneByOne) {
  Bench bench(ImuParameters{});
  ImuReading before;
  for (int k = 0; k < 5; ++k) before = bench.step(resting());
  InstrumentFault dropout;
  dropout.mask = instrument_bit(InstrumentBit::kDropout);
  const ImuReading reading = bench.step(resting(), dropout);
  EXPECT_EQ(reading.rate_count, 5U);
  EXPECT_TRUE(reading.rate_B_rad_s == before.rate_B_rad_s);
  EXPECT_EQ(reading.force_count, 6U);
  EXPECT_FALSE(reading.specific_force_B_m_s2 == before.specific_force_B_m_s2);
  EXPECT_EQ(reading.measured_at, TimeUs(20'000));
  const ImuReading next = bench.step(resting(), {}, dropout);
  EXPECT_EQ(next.rate_count, 6U);
  EXPECT_EQ(next.force_count, 6U);
}

TEST(Imu, FaultBiasAndNoiseActOnTheReading) {
  ImuParameters p = exact();
  p.gyro_noise_rad_s_sqrthz = 1e-3;
  Bench healthy(p), faulty(p);
  InstrumentFault fault;
  fault.bias = {0.5, 0.0, 0.0};
  fault.noise_scale = 10.0;
  const Vec3 a = healthy.step(resting()).rate_B_rad_s;
  const Vec3 b = faulty.step(resting(), fault).rate_B_rad_s;
  EXPECT_NEAR(norm(b - (10.0 * a + Vec3{0.5, 0.0, 0.0})), 0.0, 1e-15);
}

TEST(Imu, SameSeedSameBitsAndACopyContinues) {
  Bench a(ImuParameters{}), b(ImuParameters{}), other(ImuParameters{}, DurationUs(4'000), 2);
  for (int k = 0; k < 50; ++k) {
    const ImuReading x = a.step(coning(a.now()));
    EXPECT_FALSE(first_difference(x, b.step(coning(b.now()))));
    EXPECT_FALSE(x.rate_B_rad_s == other.step(coning(other.now())).rate_B_rad_s);
  }
  Bench copy = a;
  for (int k = 0; k < 50; ++k) {
    EXPECT_FALSE(first_difference(a.step(coning(a.now())), copy.step(coning(copy.now()))));
  }
}

// The rotors shake both instruments, each axis with its gain.
TEST(Imu, RotorsShakeIt) {
  ImuParameters p = exact();
  p.vibration_accel_m_s2 = {3.0, 2.0, 1.0};
  p.vibration_gyro_rad_s = {0.1, 0.2, 0.0};
  Bench bench(p);
  bench.rotors = {{620.0, 0.0}, {655.0, 0.0}};
  RotorAngles rotors;
  for (int k = 0; k < 100; ++k) {
    const double dt_s = k == 0 ? 0.0 : to_seconds(bench.period);
    const Vec3 shape =
        step_vibration(bench.rotors, p.vibration_reference_rad_s, dt_s, k > 0, rotors);
    const ImuReading reading = bench.step(resting());
    EXPECT_LT(norm(reading.rate_B_rad_s - multiply_elements({0.1, 0.2, 0.0}, shape)), 1e-12);
    EXPECT_LT(norm(reading.specific_force_B_m_s2 + Vec3{0.0, 0.0, kGravity_m_s2} -
                   multiply_elements({3.0, 2.0, 1.0}, shape)),
              1e-12);
  }
}

TEST(Imu, BadParametersAreNamed) {
  ImuParameters p;
  EXPECT_NO_THROW(validate(p, "sensors.imu"));
  p.accel_bias_time_constant_s = -1.0;
  try {
    validate(p, "sensors.imu");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("sensors.imu.accel_bias_time_constant_s = -1"),
              std::string::npos)
        << error.what();
  }
  for (double* field : {&(p = {}).gyro_noise_rad_s_sqrthz, &p.gyro_range_rad_s,
                        &p.accel_resolution_m_s2, &p.vibration_reference_rad_s}) {
    const double good = *field;
    *field = -1.0;
    EXPECT_THROW(validate(p, "imu"), Error);
    *field = good;
  }
  EXPECT_NO_THROW(validate(p, "imu"));
}

}  // namespace
}  // namespace tactus
