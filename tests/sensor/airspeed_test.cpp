// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sensor/airspeed.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>

#include "tactus/core/error.h"
#include "tactus/core/math.h"

namespace tactus {
namespace {

static_assert(std::is_trivially_copyable_v<AirspeedState>);

constexpr DurationUs kPeriod{100'000};

AirspeedParameters exact() {
  AirspeedParameters p;
  p.noise_sigma_pa = p.offset_sigma_pa = p.resolution_pa = 0.0;
  return p;
}

struct Bench {
  explicit Bench(const AirspeedParameters& p, std::uint64_t seed = 1)
      : parameters(p), stream(seed, "airspeed") {}

  AirspeedReading step(Vec3 air_velocity_B, const InstrumentFault& fault = {}) {
    return step_airspeed(parameters, stream, kPeriod, {air, air_velocity_B}, fault,
                         TimeUs(0) + state.line.taken * kPeriod, state);
  }

  AirspeedParameters parameters;
  RandomStream stream;
  Environment air;
  AirspeedState state;
};

// Air that comes from ahead has a negative x relative to the vehicle.
TEST(Airspeed, DynamicPressureWithItsSign) {
  Bench bench(exact());
  EXPECT_NEAR(bench.step({-15.0, 3.0, 2.0}).differential_pressure_pa, 0.5 * 1.225 * 225.0, 1e-12);
  EXPECT_NEAR(bench.step({15.0, 0.0, 0.0}).differential_pressure_pa, -0.5 * 1.225 * 225.0, 1e-12);
  EXPECT_EQ(bench.step({0.0, 10.0, 10.0}).differential_pressure_pa, 0.0);
  EXPECT_NEAR(bench.step({}).temperature_c, 15.0, 1e-12);
  EXPECT_EQ(bench.state.line.count, 4U);
}

TEST(Airspeed, NoiseAndOffsetHaveTheirDeviations) {
  const int n = 20'000;
  AirspeedParameters p = exact();
  p.noise_sigma_pa = 2.0;
  Bench bench(p);
  double noise = 0.0;
  for (int k = 0; k < n; ++k) noise += math::square(bench.step({}).differential_pressure_pa) / n;
  EXPECT_NEAR(noise, 4.0, 4.0 * 4.0 * math::sqrt(2.0 / n));
  AirspeedParameters q = exact();
  q.offset_sigma_pa = 3.0;
  double offset = 0.0;
  for (int seed = 0; seed < n; ++seed) {
    offset +=
        math::square(Bench(q, static_cast<std::uint64_t>(seed)).step({}).differential_pressure_pa) /
        n;
  }
  EXPECT_NEAR(offset, 9.0, 9.0 * 4.0 * math::sqrt(2.0 / n));
}

TEST(Airspeed, RangeGainAndFaults) {
  AirspeedParameters p = exact();
  p.gain = 0.5;
  p.range_pa = 100.0;
  Bench bench(p);
  EXPECT_NEAR(bench.step({-10.0, 0.0, 0.0}).differential_pressure_pa, 30.625, 1e-12);
  EXPECT_EQ(bench.step({-40.0, 0.0, 0.0}).differential_pressure_pa, 100.0);
  InstrumentFault fault;
  fault.bias = {-5.0, 0.0, 0.0};
  EXPECT_EQ(bench.step({}, fault).differential_pressure_pa, -5.0);
  fault.mask = instrument_bit(InstrumentBit::kDropout);
  EXPECT_EQ(bench.step({-10.0, 0.0, 0.0}, fault).count, 3U);
}

TEST(Airspeed, BadParametersAreRefused) {
  AirspeedParameters p;
  EXPECT_NO_THROW(validate(p, "airspeed"));
  p.range_pa = -1.0;
  EXPECT_THROW(validate(p, "airspeed"), Error);
}

}  // namespace
}  // namespace tactus
