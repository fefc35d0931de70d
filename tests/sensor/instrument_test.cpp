// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sensor/instrument.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <type_traits>

#include "tactus/core/error.h"
#include "tactus/core/math.h"
#include "tactus/sensor/airspeed.h"
#include "tactus/sensor/barometer.h"
#include "tactus/sensor/gps.h"
#include "tactus/sensor/imu.h"
#include "tactus/sensor/magnetometer.h"
#include "tactus/sensor/optical_flow.h"
#include "tactus/sensor/range_finder.h"
#include "tactus/world/geodesy.h"
#include "tactus/world/magnetic_field.h"
#include "tests/support/allocations.h"

namespace tactus {
namespace {

constexpr DurationUs kPeriod{10'000};
using Line = InstrumentLine<double, 8>;
static_assert(std::is_trivially_copyable_v<Line>);
static_assert(lists_every_field<Line>());

/// An instrument whose sample is the number of its tick, and whose garbage is negative.
struct Bench {
  Line& step(const InstrumentFault& fault = {}, DurationUs own_delay = DurationUs()) {
    const std::uint64_t tick = line.taken;
    deliver(
        fault, own_delay, kPeriod, TimeUs(0) + tick * kPeriod, static_cast<double>(tick),
        [](std::uint64_t k) { return -1.0 - static_cast<double>(k); }, line);
    return line;
  }
  Line line;
};

InstrumentFault with(InstrumentBit bit) {
  InstrumentFault fault;
  fault.mask = instrument_bit(bit);
  return fault;
}

TEST(Instrument, EverySampleArrivesAtOnce) {
  Bench bench;
  for (std::uint32_t k = 0; k < 30; ++k) {
    const Line& line = bench.step();
    EXPECT_EQ(line.count, k + 1);
    EXPECT_EQ(line.reading, k);
    EXPECT_EQ(line.measured_at, TimeUs(10'000 * k));
  }
}

TEST(Instrument, NothingArrivesBeforeItsOwnDelay) {
  Bench bench;
  const DurationUs delay{25'000};  // three ticks
  for (std::uint32_t k = 0; k < 30; ++k) {
    const Line& line = bench.step({}, delay);
    EXPECT_EQ(line.count, k < 3 ? 0 : k - 2);
    if (k < 3) continue;
    EXPECT_EQ(line.reading, k - 3);
    EXPECT_EQ(line.measured_at, TimeUs(10'000 * (k - 3)));
  }
}

TEST(Instrument, StuckRepeatsTheLastReadingAndCallsItNew) {
  Bench bench;
  for (int k = 0; k < 5; ++k) bench.step();
  for (std::uint32_t k = 5; k < 15; ++k) {
    const Line& line = bench.step(with(InstrumentBit::kStuck));
    EXPECT_EQ(line.reading, 4.0);
    EXPECT_EQ(line.count, k + 1);
    EXPECT_EQ(line.measured_at, TimeUs(10'000 * k));
  }
  EXPECT_EQ(bench.step().reading, 15.0);
}

TEST(Instrument, StuckFromTheStartStandsAtItsFirstValue) {
  Bench bench;
  for (int k = 0; k < 5; ++k) EXPECT_EQ(bench.step(with(InstrumentBit::kStuck)).reading, 0.0);
}

TEST(Instrument, DropoutBringsNothingNew) {
  Bench bench;
  for (int k = 0; k < 5; ++k) bench.step();
  for (int k = 5; k < 15; ++k) {
    const Line& line = bench.step(with(InstrumentBit::kDropout));
    EXPECT_EQ(line.reading, 4.0);
    EXPECT_EQ(line.count, 5U);
    EXPECT_EQ(line.measured_at, TimeUs(40'000));
  }
  EXPECT_EQ(bench.step().reading, 15.0);
  EXPECT_EQ(bench.line.count, 6U);
}

TEST(Instrument, GarbageIsCountedAndEndsWithTheFault) {
  Bench bench;
  for (int k = 0; k < 5; ++k) {
    EXPECT_EQ(bench.step(with(InstrumentBit::kGarbage)).reading, -1.0 - k);
  }
  EXPECT_EQ(bench.line.count, 5U);
  EXPECT_EQ(bench.step().reading, 5.0);
}

TEST(Instrument, EveryThirdReadingArrives) {
  Bench bench;
  InstrumentFault fault;
  fault.every = 3;
  for (std::uint32_t k = 0; k < 30; ++k) {
    const Line& line = bench.step(fault);
    EXPECT_EQ(line.reading, k - k % 3);
    EXPECT_EQ(line.count, k / 3 + 1);
  }
}

// A delay that begins stops the readings, one that ends skips some: time never goes back.
TEST(Instrument, ADelayComesAndGoes) {
  Bench bench;
  InstrumentFault late;
  late.delay_us = 35'000;  // four ticks
  for (int k = 0; k < 10; ++k) bench.step();
  for (int k = 10; k < 13; ++k) {
    EXPECT_EQ(bench.step(late).reading, 9.0);
    EXPECT_EQ(bench.line.count, 10U);
  }
  EXPECT_EQ(bench.step(late).reading, 9.0);  // tick 13 brings sample 9, which has been read
  EXPECT_EQ(bench.line.count, 10U);
  for (int k = 14; k < 25; ++k) EXPECT_EQ(bench.step(late).reading, k - 4.0);
  EXPECT_EQ(bench.line.measured_at, TimeUs(200'000));
  EXPECT_EQ(bench.step().reading, 25.0);
}

TEST(Instrument, ADelayThatDoesNotFitSaysWhatWould) {
  Bench bench;
  InstrumentFault late;
  late.delay_us = 70'000;
  EXPECT_NO_THROW(bench.step(late));
  EXPECT_EQ(longest_delay(Line::kSamples, DurationUs(), kPeriod), DurationUs(70'000));
  EXPECT_EQ(longest_delay(Line::kSamples, DurationUs(15'000), kPeriod), DurationUs(50'000));
  late.delay_us = 70'001;
  try {
    bench.step(late);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    EXPECT_NE(std::string(error.what()).find("70ms"), std::string::npos) << error.what();
  }
}

TEST(Instrument, QuantisesToTheNearestDigitAndSaturates) {
  EXPECT_EQ(quantise(0.74, 0.5), 0.5);
  EXPECT_EQ(quantise(0.76, 0.5), 1.0);
  EXPECT_EQ(quantise(-0.76, 0.5), -1.0);
  EXPECT_EQ(quantise(0.123, 0.0), 0.123);
  EXPECT_EQ(saturate(5.0, 2.0), 2.0);
  EXPECT_EQ(saturate(-5.0, 2.0), -2.0);
  EXPECT_TRUE(saturate(Vec3{3.0, -3.0, 1.0}, 2.0) == (Vec3{2.0, -2.0, 1.0}));
}

/// Variance of a process over many streams after `time_s`.
double ensemble_variance(const Wander& w, DurationUs period, double time_s) {
  const int members = 4000;
  bool ok = true;
  const auto steps = math::to_int64(math::rint(time_s / to_seconds(period)), ok);
  double sum = 0.0;
  for (int i = 0; i < members; ++i) {
    const RandomStream stream(static_cast<std::uint64_t>(i), "walk");
    double b = 0.0;
    for (std::int64_t k = 0; k < steps; ++k) {
      b = w.fade * b + w.drive * stream.normal(static_cast<std::uint64_t>(k));
    }
    sum += b * b;
  }
  return sum / members;
}

// Var b(t) = K² t, or K² τ/2 (1 − e^(−2t/τ)), for any period; 4000 members: deviation 2.2 %.
TEST(Instrument, ARandomWalkGrowsAlikeAtEveryRate) {
  for (const DurationUs period : {DurationUs(20'000), DurationUs(100'000)}) {
    EXPECT_NEAR(ensemble_variance(random_walk(period, 0.3, 0.0), period, 4.0), 0.09 * 4.0,
                0.09 * 4.0 * 0.09);
    const double expected = 0.09 * 0.5 * 2.0 * (1.0 - math::exp(-2.0 * 4.0 / 2.0));
    EXPECT_NEAR(ensemble_variance(random_walk(period, 0.3, 2.0), period, 4.0), expected,
                expected * 0.09);
  }
}

// fade and drive of two periods are those of one period twice.
TEST(Instrument, GaussMarkovStepsCompose) {
  const Wander one = gauss_markov(DurationUs(4'000), 7.0);
  const Wander two = gauss_markov(DurationUs(8'000), 7.0);
  EXPECT_NEAR(two.fade, one.fade * one.fade, 1e-15);
  EXPECT_NEAR(two.drive * two.drive, one.drive * one.drive * (1.0 + one.fade * one.fade), 1e-15);
  EXPECT_NEAR(one.fade * one.fade + one.drive * one.drive, 1.0, 1e-15);
}

TEST(Instrument, GarbageFillsTheRange) {
  const RandomStream stream(3, "garbage");
  double lowest = 0.0;
  double highest = 0.0;
  for (std::uint64_t k = 0; k < 1000; ++k) {
    const Vec3 v = uniform_within3(stream, k, 4, 2.0);
    for (const double x : {v.x, v.y, v.z}) {
      EXPECT_LE(math::abs(x), 2.0);
      lowest = math::min(lowest, x);
      highest = math::max(highest, x);
    }
  }
  EXPECT_LT(lowest, -1.98);
  EXPECT_GT(highest, 1.98);
}

// Every model on one bench, with and without faults.
TEST(Instrument, StepsDoNotAllocate) {
  const RandomStream stream(1, "all");
  const Truth truth;
  const Environment air;
  const EscStatus rotors[4] = {{600.0, 1.0}, {610.0, 1.0}, {620.0, 1.0}, {630.0, 1.0}};
  const LocalFrame frame = make_local_frame({});
  const MagneticField field = make_magnetic_field({});
  ImuState imu;
  MagnetometerState magnetometer;
  BarometerState barometer;
  GpsState gps;
  AirspeedState airspeed;
  RangeFinderState range;
  OpticalFlowState flow;
  const long before = allocations;
  for (std::uint64_t k = 0; k < 100; ++k) {
    InstrumentFault fault;
    fault.mask = static_cast<std::uint32_t>(k / 10 % 8);
    const TimeUs now = TimeUs(0) + k * kPeriod;
    step_imu({}, stream, kPeriod, {truth, {0.0, 0.0, 9.8}, rotors}, fault, fault, now, imu);
    const Vec3 flux = kGaussPerNanotesla * magnetic_flux_nt(field, {47.0, 8.0, 500.0});
    step_magnetometer({}, stream, kPeriod, {truth.attitude, flux}, fault, now, magnetometer);
    step_barometer({}, stream, kPeriod, {air, {}}, fault, now, barometer);
    step_gps({}, stream, kPeriod, {truth, frame}, fault, now, gps);
    step_airspeed({}, stream, kPeriod, {air, {}}, fault, now, airspeed);
    step_range_finder({}, stream, kPeriod, {truth.attitude, 3.0}, fault, now, range);
    step_optical_flow({}, stream, kPeriod, {{truth.attitude, 3.0}, {}}, fault, now, flow);
  }
  EXPECT_EQ(allocations, before);
  EXPECT_GT(imu.gyroscope.line.count, 50U);
}

}  // namespace
}  // namespace tactus
