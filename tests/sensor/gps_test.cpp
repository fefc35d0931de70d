// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sensor/gps.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/core/fields.h"
#include "tactus/core/math.h"
#include "tests/support/scale.h"

namespace tactus {
namespace {

static_assert(std::is_trivially_copyable_v<GpsState>);

constexpr DurationUs kPeriod{100'000};
const WorldOrigin kOrigin;

GpsParameters exact() {
  GpsParameters p;
  p.latency = DurationUs();
  p.horizontal_wander_sigma_m = p.horizontal_noise_sigma_m = 0.0;
  p.vertical_wander_sigma_m = p.vertical_noise_sigma_m = 0.0;
  p.velocity_wander_sigma_m_s = p.velocity_noise_sigma_m_s = 0.0;
  return p;
}

Truth flying(TimeUs t) {
  const double s = to_seconds(t);
  Truth truth;
  truth.position_W_m = {100.0 + 3.0 * s, -50.0 + 2.0 * s, -20.0 - s};
  truth.velocity_W_m_s = {3.0, 2.0, -1.0};
  return truth;
}

struct Bench {
  explicit Bench(const GpsParameters& p, std::uint64_t seed = 1)
      : parameters(p), stream(seed, "gps0"), frame(make_local_frame(kOrigin)) {}

  [[nodiscard]] TimeUs now() const { return TimeUs(0) + state.line.taken * kPeriod; }
  GpsReading step(const Truth& truth, InstrumentFault fault = {}, bool sky = true) {
    if (!sky) fault.mask |= instrument_bit(InstrumentBit::kNoFix);
    return step_gps(parameters, stream, kPeriod, {truth, frame, kOrigin}, fault, now(), state);
  }
  /// Where a reading says that the vehicle is.
  [[nodiscard]] Vec3 place(const GpsReading& r) const {
    const Vec3 p = geodetic_to_ned(frame, {r.latitude_deg, r.longitude_deg, r.altitude_msl_m});
    return {p.x, p.y, kOrigin.alt_msl_m - r.altitude_msl_m};
  }

  GpsParameters parameters;
  RandomStream stream;
  LocalFrame frame;
  GpsState state;
};

TEST(Gps, WithoutErrorsItReadsTheTruth) {
  Bench bench(exact());
  for (int k = 0; k < 20; ++k) {
    const Truth truth = flying(bench.now());
    const GpsReading r = bench.step(truth);
    EXPECT_LT(norm(bench.place(r) - truth.position_W_m), 1e-3);
    EXPECT_TRUE(r.velocity_W_m_s == truth.velocity_W_m_s);
    EXPECT_EQ(r.fix, GpsFix::k3d);
    EXPECT_EQ(r.satellites, 14);
    EXPECT_EQ(r.count, static_cast<std::uint32_t>(k + 1));
  }
}

// 250 ms at 10 Hz: three readings late, and nothing before.
TEST(Gps, LatencyIsInTheTimeStamp) {
  GpsParameters p = exact();
  p.latency = DurationUs(250'000);
  Bench bench(p);
  for (std::uint64_t k = 0; k < 30; ++k) {
    const GpsReading r = bench.step(flying(bench.now()));
    if (k < 3) {
      EXPECT_EQ(r.count, 0U);
      EXPECT_EQ(r.fix, GpsFix::kNone);
      continue;
    }
    EXPECT_EQ(r.count, k - 2);
    EXPECT_EQ(r.measured_at, TimeUs((k - 3) * 100'000));
    EXPECT_LT(norm(bench.place(r) - flying(r.measured_at).position_W_m), 1e-3);
  }
}

TEST(Gps, AntennaIsNotAtTheCentreOfMass) {
  GpsParameters p = exact();
  p.position_B_m = {0.0, 0.5, 0.0};
  Bench bench(p);
  Truth truth;
  truth.attitude = from_euler({0.0, 0.0, math::kHalfPi});  // right is now south
  truth.rate_B_rad_s = {0.0, 0.0, 2.0};
  const GpsReading r = bench.step(truth);
  EXPECT_LT(norm(bench.place(r) - Vec3{-0.5, 0.0, 0.0}), 1e-6);
  EXPECT_LT(norm(r.velocity_W_m_s - Vec3{0.0, -1.0, 0.0}), 1e-12);
}

/// Error of one axis over many receivers at two instants that are `ticks` apart.
struct ErrorStatistics {
  Vec3 variance;
  Vec3 covariance;  ///< of the two instants
  Vec3 velocity_variance;
};

ErrorStatistics error_statistics(const GpsParameters& p, int runs, int ticks) {
  ErrorStatistics s;
  for (int seed = 0; seed < runs; ++seed) {
    Bench bench(p, static_cast<std::uint64_t>(seed));
    const Truth truth;
    Vec3 first;
    GpsReading r;
    for (int k = 0; k <= ticks; ++k) {
      r = bench.step(truth);
      if (k == 0) first = bench.place(r);
    }
    const Vec3 last = bench.place(r);
    const double weight = 1.0 / runs;
    s.variance += weight * multiply_elements(last, last);
    s.covariance += weight * multiply_elements(first, last);
    s.velocity_variance += weight * multiply_elements(r.velocity_W_m_s, r.velocity_W_m_s);
  }
  return s;
}

// Autopilots count height from the first fix, so what it wanders within a flight is their error.
TEST(Gps, ByDefaultTheAltitudeWandersLittleWithinAFlight) {
  const int flights = 200;
  const int ticks = 1000;  // 100 s
  double squares = 0.0;
  int bad = 0;
  for (int seed = 1; seed <= flights; ++seed) {
    Bench bench(GpsParameters{}, static_cast<std::uint64_t>(seed));
    const auto error_m = [&bench] {
      bench.step(Truth{});
      return bench.parameters.vertical_wander_sigma_m * bench.state.position_wander.z;
    };
    const double start_m = error_m();
    double sum = 0.0;
    for (int k = 0; k < ticks; ++k) sum += math::square(error_m() - start_m) / ticks;
    squares += sum / flights;
    bad += sum > math::square(0.5) ? 1 : 0;
  }
  // The mean of 2 σ² (1 − exp(−t/τ)) over 100 s with σ = 0.4 m, τ = 300 s.
  const double expected = 2.0 * 0.16 * (1.0 - 3.0 * (1.0 - math::exp(-1.0 / 3.0)));
  EXPECT_NEAR(squares, expected, 0.25 * expected);
  EXPECT_LT(bad, flights / 20) << "flights with more than 0.5 m RMS";
}

TEST(Gps, ReportedAccuracyIsTheDeviationOfTheError) {
  GpsParameters p;
  p.latency = DurationUs();
  p.horizontal_noise_sigma_m = 0.2;
  p.position_time_constant_s = 2.0;
  const int runs = testing::test_all() ? 20'000 : 4'000;
  const int ticks = 10;  // half a time constant
  const ErrorStatistics s = error_statistics(p, runs, ticks);
  Bench bench(p);
  const GpsReading r = bench.step(Truth{});
  EXPECT_NEAR(r.horizontal_accuracy_m, math::sqrt(0.3 * 0.3 + 0.2 * 0.2), 1e-12);
  const double h = math::square(r.horizontal_accuracy_m);
  const double v = math::square(r.vertical_accuracy_m);
  const double w = math::square(r.speed_accuracy_m_s);
  const double four_sigma = 4.0 * math::sqrt(2.0 / runs);
  EXPECT_NEAR(s.variance.x, h, h * four_sigma);
  EXPECT_NEAR(s.variance.y, h, h * four_sigma);
  EXPECT_NEAR(s.variance.z, v, v * four_sigma);
  EXPECT_NEAR(s.velocity_variance.x, w, w * four_sigma);
  EXPECT_NEAR(s.velocity_variance.z, w, w * four_sigma);
  // Only the wandering part remembers.
  const double fade = math::exp(-1.0 / 2.0);
  EXPECT_NEAR(s.covariance.x, fade * 0.09, h * four_sigma);
  EXPECT_NEAR(s.covariance.y, fade * 0.09, h * four_sigma);
  EXPECT_NEAR(s.covariance.z, fade * 0.16, v * four_sigma);
}

// Autocorrelation along one flight: e^(−t/τ).
TEST(Gps, ErrorStaysForItsTimeConstant) {
  GpsParameters p = exact();
  p.horizontal_wander_sigma_m = 1.0;
  p.position_time_constant_s = 3.0;
  Bench bench(p);
  const int n = 40'000;
  std::vector<double> x;
  x.reserve(n);
  for (int k = 0; k < n; ++k) x.push_back(bench.place(bench.step(Truth{})).x);
  for (const std::size_t lag : {10U, 30U, 60U}) {
    double sum = 0.0;
    for (std::size_t i = lag; i < x.size(); ++i) sum += x[i] * x[i - lag];
    sum /= static_cast<double>(x.size() - lag);
    EXPECT_NEAR(sum, math::exp(-0.1 * static_cast<double>(lag) / 3.0), 0.15) << lag;
  }
}

TEST(Gps, WithoutSkyThereIsNoFix) {
  GpsParameters p = exact();
  p.first_fix = DurationUs(300'000);
  Bench bench(p);
  for (int k = 0; k < 3; ++k) {
    const GpsReading r = bench.step(flying(bench.now()));
    EXPECT_EQ(r.fix, GpsFix::kNone);
    EXPECT_EQ(r.satellites, 0);
    EXPECT_EQ(r.count, static_cast<std::uint32_t>(k + 1));
  }
  const GpsReading good = bench.step(flying(bench.now()));
  EXPECT_EQ(good.fix, GpsFix::k3d);
  const GpsReading lost = bench.step(flying(bench.now()), {}, false);
  EXPECT_EQ(lost.fix, GpsFix::kNone);
  EXPECT_GT(lost.horizontal_accuracy_m, 10.0);
  EXPECT_EQ(lost.latitude_deg, good.latitude_deg);
  EXPECT_EQ(lost.count, good.count + 1);
  EXPECT_EQ(bench.step(flying(bench.now())).fix, GpsFix::k3d);
}

TEST(Gps, Faults) {
  GpsParameters p;
  p.latency = DurationUs();
  Bench healthy(p), biased(p), noisy(p), stuck(p), garbage(p);
  InstrumentFault fault;
  fault.bias = {5.0, -3.0, 2.0};
  const Truth truth = flying(TimeUs(0));
  const Vec3 a = healthy.place(healthy.step(truth));
  EXPECT_LT(norm(biased.place(biased.step(truth, fault)) - a - fault.bias), 1e-3);
  fault = {};
  fault.noise_scale = 3.0;
  const GpsReading loud = noisy.step(truth, fault);
  EXPECT_LT(norm(noisy.place(loud) - truth.position_W_m - 3.0 * (a - truth.position_W_m)), 1e-3);
  EXPECT_LT(loud.horizontal_accuracy_m, 0.4);  // it does not know
  fault = {};
  fault.mask = instrument_bit(InstrumentBit::kStuck);
  const GpsReading first = stuck.step(truth, fault);
  const GpsReading second = stuck.step(flying(stuck.now()), fault);
  EXPECT_EQ(first.latitude_deg, second.latitude_deg);
  EXPECT_EQ(second.measured_at, TimeUs(100'000));
  fault.mask = instrument_bit(InstrumentBit::kGarbage);
  EXPECT_GT(norm(garbage.place(garbage.step(truth, fault)) - truth.position_W_m), 1e4);
}

TEST(Gps, ALatencyThatDoesNotFitIsRefused) {
  GpsParameters p;
  EXPECT_NO_THROW(validate(p, "gps"));
  EXPECT_NO_THROW(validate_latency(p, kPeriod, "gps"));
  p.latency = DurationUs(3'200'000);
  EXPECT_THROW(validate_latency(p, kPeriod, "gps"), Error);
  p = {};
  p.position_time_constant_s = 0.0;
  EXPECT_THROW(validate(p, "gps"), Error);
  p = {};
  p.satellites = 300;
  EXPECT_THROW(validate(p, "gps"), Error);
}

}  // namespace
}  // namespace tactus
