// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sensor/range_finder.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>

#include "tactus/core/error.h"
#include "tactus/core/math.h"

namespace tactus {
namespace {

static_assert(std::is_trivially_copyable_v<RangeFinderState>);

constexpr DurationUs kPeriod{50'000};

RangeFinderParameters exact() {
  RangeFinderParameters p;
  p.noise_sigma_m = p.noise_relative = p.resolution_m = 0.0;
  return p;
}

struct Bench {
  explicit Bench(const RangeFinderParameters& p) : parameters(p), stream(1, "range_finder") {}

  RangeReading step(const RangeFinderInput& input, const InstrumentFault& fault = {}) {
    return step_range_finder(parameters, stream, kPeriod, input, fault,
                             TimeUs(0) + state.line.taken * kPeriod, state);
  }

  RangeFinderParameters parameters;
  RandomStream stream;
  RangeFinderState state;
};

TEST(RangeFinder, TiltLengthensTheBeam) {
  Bench bench(exact());
  EXPECT_NEAR(bench.step({{}, 5.0}).distance_m, 5.0, 1e-12);
  const RangeReading tilted = bench.step({from_euler({0.3, 0.4, 1.0}), 5.0});
  EXPECT_NEAR(tilted.distance_m, 5.0 / (math::cos(0.3) * math::cos(0.4)), 1e-12);
  EXPECT_TRUE(tilted.in_range);
  EXPECT_EQ(tilted.count, 2U);
}

// On a slope the beam follows the world's vertical, not the normal.
TEST(RangeFinder, SlopedGroundAndItsOwnPlace) {
  RangeFinderParameters p = exact();
  p.position_B_m = {0.0, 0.0, 0.1};  // below the centre of mass
  Bench bench(p);
  const double slope = 0.2;
  const Vec3 normal{math::sin(slope), 0.0, -math::cos(slope)};
  const double above = 4.0;  // vertical height of the centre of mass
  const RangeReading r = bench.step({{}, above * math::cos(slope), normal});
  EXPECT_NEAR(r.distance_m, above - 0.1, 1e-12);
}

TEST(RangeFinder, LimitsAreSaid) {
  Bench bench(exact());
  const RangeReading far = bench.step({{}, 50.0});
  EXPECT_FALSE(far.in_range);
  EXPECT_EQ(far.distance_m, 40.0);
  const RangeReading near = bench.step({{}, 0.05});
  EXPECT_FALSE(near.in_range);
  EXPECT_EQ(near.distance_m, 0.1);
  EXPECT_FALSE(bench.step({from_euler({math::kPi, 0.0, 0.0}), 5.0}).in_range);  // on its back
  EXPECT_FALSE(bench.step({{}, 5.0, {0.0, 0.0, -1.0}, false}).in_range);
  EXPECT_TRUE(bench.step({{}, 5.0}).in_range);
}

TEST(RangeFinder, NoiseGrowsWithTheDistance) {
  RangeFinderParameters p = exact();
  p.noise_sigma_m = 0.01;
  p.noise_relative = 0.01;
  for (const double height : {1.0, 9.0}) {
    Bench bench(p);
    double square = 0.0;
    const int n = 20'000;
    for (int k = 0; k < n; ++k) {
      square += math::square(bench.step({{}, height}).distance_m - height) / n;
    }
    const double variance = math::square(0.01 + 0.01 * height);
    EXPECT_NEAR(square, variance, variance * 4.0 * math::sqrt(2.0 / n));
  }
}

TEST(RangeFinder, OffsetResolutionAndFaults) {
  RangeFinderParameters p = exact();
  p.offset_m = 0.07;
  p.resolution_m = 0.1;
  Bench bench(p);
  EXPECT_NEAR(bench.step({{}, 5.0}).distance_m, 5.1, 1e-12);
  InstrumentFault fault;
  fault.bias = {2.0, 0.0, 0.0};
  EXPECT_NEAR(bench.step({{}, 5.0}, fault).distance_m, 7.1, 1e-12);
  fault.mask = instrument_bit(InstrumentBit::kGarbage);
  double lowest = 40.0;
  double highest = 0.0;
  for (int k = 0; k < 300; ++k) {
    const double d = bench.step({{}, 5.0}, fault).distance_m;
    lowest = math::min(lowest, d);
    highest = math::max(highest, d);
  }
  EXPECT_LT(lowest, 2.0);
  EXPECT_GT(highest, 38.0);
}

TEST(RangeFinder, BadParametersAreRefused) {
  RangeFinderParameters p;
  EXPECT_NO_THROW(validate(p, "range_finder"));
  p.highest_m = 0.05;
  EXPECT_THROW(validate(p, "range_finder"), Error);
}

}  // namespace
}  // namespace tactus
