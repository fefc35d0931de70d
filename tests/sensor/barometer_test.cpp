// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sensor/barometer.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>

#include "tactus/core/error.h"
#include "tactus/core/math.h"
#include "tactus/world/atmosphere.h"

namespace tactus {
namespace {

static_assert(std::is_trivially_copyable_v<BarometerState>);

BarometerParameters exact() {
  BarometerParameters p;
  p.noise_sigma_pa = p.drift_sigma_pa = p.resolution_pa = p.lag_s = 0.0;
  p.dynamic_pressure_coefficient = 0.0;
  return p;
}

struct Bench {
  explicit Bench(const BarometerParameters& p, DurationUs t = DurationUs(20'000),
                 std::uint64_t seed = 1)
      : parameters(p), period(t), stream(seed, "barometer0") {}

  [[nodiscard]] TimeUs now() const { return TimeUs(0) + state.line.taken * period; }
  BarometerReading step(double pressure_pa, Vec3 wind_B = {}, const InstrumentFault& fault = {}) {
    Environment air;
    air.pressure_pa = pressure_pa;
    return step_barometer(parameters, stream, period, {air, wind_B}, fault, now(), state);
  }

  BarometerParameters parameters;
  DurationUs period;
  RandomStream stream;
  BarometerState state;
};

// The inverse of the atmosphere that the plant flies in, in both of its lower layers.
TEST(Barometer, AltitudeIsTheInverseOfTheAtmosphere) {
  AtmosphereParameters p;
  p.altitude_kind = AltitudeKind::kGeopotential;
  const Atmosphere atmosphere = make_atmosphere(p);
  for (const double altitude : {-1000.0, 0.0, 488.0, 3000.0, 10999.0, 11001.0, 19000.0}) {
    EXPECT_NEAR(pressure_altitude_m(air_state(atmosphere, altitude).pressure_pa), altitude, 1e-6);
  }
}

TEST(Barometer, ReadsPressureAltitudeAndTemperature) {
  Bench bench(exact());
  const BarometerReading reading = bench.step(95'000.0);
  EXPECT_EQ(reading.pressure_pa, 95'000.0);
  EXPECT_NEAR(reading.altitude_m, 540.3, 0.1);
  EXPECT_NEAR(reading.temperature_c, 15.0, 1e-12);
  EXPECT_EQ(reading.count, 1U);
}

// A ramp is followed at a distance of lag × slope; a step decays with the lag, whatever the rate.
TEST(Barometer, LagIsExactAtEveryRate) {
  BarometerParameters p = exact();
  p.lag_s = 0.1;
  for (const DurationUs period : {DurationUs(5'000), DurationUs(20'000), DurationUs(100'000)}) {
    Bench bench(p, period);
    double last = 0.0;
    while (bench.now() <= TimeUs(2'000'000)) {
      const double t = to_seconds(bench.now());
      last = bench.step(100'000.0 - 50.0 * t).pressure_pa;
      const double expected = 100'000.0 - 50.0 * (t - 0.1 * (1.0 - math::exp(-t / 0.1)));
      EXPECT_NEAR(last, expected, 1e-9);
    }
    EXPECT_NEAR(last, 100'000.0 - 50.0 * 1.9, 1e-6);
  }
}

TEST(Barometer, WindOnTheStaticPort) {
  BarometerParameters p = exact();
  p.dynamic_pressure_coefficient = -0.1;
  Bench bench(p);
  EXPECT_NEAR(bench.step(100'000.0, {-10.0, 0.0, 0.0}).pressure_pa,
              100'000.0 - 0.1 * 0.5 * 1.225 * 100.0, 1e-9);
}

TEST(Barometer, NoiseAndDriftHaveTheirDeviations) {
  BarometerParameters p = exact();
  p.noise_sigma_pa = 3.0;
  Bench white(p);
  double square = 0.0;
  const int n = 20'000;
  for (int k = 0; k < n; ++k) {
    square += math::square(white.step(100'000.0).pressure_pa - 100'000.0) / n;
  }
  EXPECT_NEAR(square, 9.0, 9.0 * 4.0 * math::sqrt(2.0 / n));

  // Drift over many seeds: stationary from the start, correlation e^(−t/τ).
  BarometerParameters slow = exact();
  slow.drift_sigma_pa = 2.0;
  slow.drift_time_constant_s = 1.0;
  const int runs = 4000;
  double first = 0.0;
  double later = 0.0;
  double product = 0.0;
  for (int seed = 0; seed < runs; ++seed) {
    Bench bench(slow, DurationUs(20'000), static_cast<std::uint64_t>(seed));
    const double a = bench.step(100'000.0).pressure_pa - 100'000.0;
    double b = a;
    for (int k = 0; k < 50; ++k) b = bench.step(100'000.0).pressure_pa - 100'000.0;
    first += a * a / runs;
    later += b * b / runs;
    product += a * b / runs;
  }
  const double four_sigma = 4.0 * math::sqrt(2.0 / runs);
  EXPECT_NEAR(first, 4.0, 4.0 * four_sigma);
  EXPECT_NEAR(later, 4.0, 4.0 * four_sigma);
  EXPECT_NEAR(product, 4.0 * math::exp(-1.0), 4.0 * four_sigma);
}

TEST(Barometer, ADefaultOneIsNeverConstant) {
  Bench bench(BarometerParameters{});
  int equal = 0;
  double last = 0.0;
  for (int k = 0; k < 10'000; ++k) {
    const double p = bench.step(100'000.0).pressure_pa;
    equal += p == last ? 1 : 0;
    last = p;
  }
  EXPECT_LT(equal, 100);
}

TEST(Barometer, FaultsAndLimits) {
  Bench bench(exact());
  InstrumentFault bias;
  bias.bias = {50.0, 0.0, 0.0};
  EXPECT_EQ(bench.step(100'000.0, {}, bias).pressure_pa, 100'050.0);
  EXPECT_EQ(bench.step(200'000.0).pressure_pa, 120'000.0);
  InstrumentFault garbage;
  garbage.mask = instrument_bit(InstrumentBit::kGarbage);
  double lowest = 1e9;
  double highest = 0.0;
  for (int k = 0; k < 200; ++k) {
    const double p = bench.step(100'000.0, {}, garbage).pressure_pa;
    lowest = math::min(lowest, p);
    highest = math::max(highest, p);
  }
  EXPECT_LT(lowest, 5e3);
  EXPECT_GE(lowest, 1e3);
  EXPECT_GT(highest, 115e3);
  EXPECT_LE(highest, 120e3);
}

TEST(Barometer, BadParametersAreRefused) {
  BarometerParameters p;
  EXPECT_NO_THROW(validate(p, "barometer"));
  p.highest_pa = 500.0;
  EXPECT_THROW(validate(p, "barometer"), Error);
  p = {};
  p.drift_time_constant_s = 0.0;
  EXPECT_THROW(validate(p, "barometer"), Error);
  p = {};
  p.lag_s = -1.0;
  EXPECT_THROW(validate(p, "barometer"), Error);
}

}  // namespace
}  // namespace tactus
