// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sensor/magnetometer.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>

#include "tactus/core/error.h"
#include "tactus/core/fields.h"
#include "tactus/core/math.h"
#include "tactus/world/magnetic_field.h"

namespace tactus {
namespace {

static_assert(std::is_trivially_copyable_v<MagnetometerState>);

constexpr DurationUs kPeriod{20'000};

MagnetometerParameters exact() {
  MagnetometerParameters p;
  p.noise_sigma_gauss = p.bias_sigma_gauss = p.resolution_gauss = 0.0;
  return p;
}

struct Bench {
  explicit Bench(const MagnetometerParameters& p, std::uint64_t seed = 1)
      : parameters(p), stream(seed, "magnetometer0") {}

  MagnetometerReading step(const MagnetometerInput& input, const InstrumentFault& fault = {}) {
    return step_magnetometer(parameters, stream, kPeriod, input, fault,
                             TimeUs(0) + state.line.taken * kPeriod, state);
  }

  MagnetometerParameters parameters;
  RandomStream stream;
  MagnetometerState state;
};

/// Zurich.
MagnetometerInput at_home(Quat attitude = {}) {
  const MagneticField field = make_magnetic_field({2026.0});
  return {attitude, kGaussPerNanotesla * magnetic_flux_nt(field, {47.397742, 8.545594, 488.0})};
}

// A level compass that is turned by the heading it shows points north again.
TEST(Magnetometer, HeadingFollowsFromFieldAndDeclination) {
  Bench bench(exact());
  const Vec3 field = at_home().field_W_gauss;
  const double declination = math::atan2(field.y, field.x);
  EXPECT_NEAR(declination * math::kRadToDeg, 3.6, 0.5);  // some degrees east in central Europe
  EXPECT_NEAR(norm(field), 0.485, 0.01);
  for (const double yaw : {-3.0, -1.0, 0.0, 0.7, 2.5}) {
    const Vec3 b = bench.step(at_home(from_euler({0.0, 0.0, yaw}))).field_B_gauss;
    EXPECT_NEAR(math::wrap_pi(math::atan2(-b.y, b.x) + declination - yaw), 0.0, 1e-12);
    EXPECT_NEAR(norm(b), norm(field), 1e-15);
  }
}

TEST(Magnetometer, HardIronSoftIronAndCurrent) {
  MagnetometerParameters p = exact();
  p.hard_iron_gauss = {0.1, -0.2, 0.3};
  p.soft_iron_diagonal = {1.1, 0.9, 1.0};
  p.soft_iron_off_diagonal = {0.01, 0.02, 0.03};
  p.current_gain_gauss_a = {0.0, 0.0, 0.001};
  Bench bench(p);
  const MagnetometerInput input{{}, {0.2, 0.4, 0.5}, 20.0};
  const Vec3 b = bench.step(input).field_B_gauss;
  EXPECT_NEAR(b.x, 1.1 * 0.2 + 0.01 * 0.4 + 0.02 * 0.5 + 0.1, 1e-15);
  EXPECT_NEAR(b.y, 0.01 * 0.2 + 0.9 * 0.4 + 0.03 * 0.5 - 0.2, 1e-15);
  EXPECT_NEAR(b.z, 0.02 * 0.2 + 0.03 * 0.4 + 1.0 * 0.5 + 0.3 + 0.02, 1e-15);
}

TEST(Magnetometer, NoiseHasItsDeviationAndIsNeverConstant) {
  MagnetometerParameters p;
  p.bias_sigma_gauss = 0.0;
  Bench bench(p);
  const Vec3 field = at_home().field_W_gauss;
  const int n = 20'000;
  double square = 0.0;
  int equal_in_a_row = 0;
  int longest = 0;
  Vec3 last;
  for (int k = 0; k < n; ++k) {
    const Vec3 b = bench.step(at_home()).field_B_gauss;
    square += norm_squared(b - field) / (3.0 * n);
    equal_in_a_row = b.x == last.x || b.y == last.y || b.z == last.z ? equal_in_a_row + 1 : 0;
    longest = equal_in_a_row > longest ? equal_in_a_row : longest;
    last = b;
  }
  EXPECT_NEAR(math::sqrt(square), p.noise_sigma_gauss, 0.02 * p.noise_sigma_gauss);
  EXPECT_LT(longest, 10);
}

TEST(Magnetometer, RangeResolutionAndFaults) {
  MagnetometerParameters p = exact();
  p.range_gauss = 0.4;
  p.resolution_gauss = 0.05;
  Bench bench(p);
  const MagnetometerInput input{{}, {0.21, -0.6, 0.0}, 0.0};
  EXPECT_LT(norm(bench.step(input).field_B_gauss - Vec3{0.2, -0.4, 0.0}), 1e-15);
  InstrumentFault fault;
  fault.bias = {0.1, 0.0, 0.0};
  EXPECT_NEAR(bench.step(input, fault).field_B_gauss.x, 0.3, 1e-15);
  fault.mask = instrument_bit(InstrumentBit::kStuck);
  EXPECT_NEAR(bench.step({}, fault).field_B_gauss.x, 0.3, 1e-15);
  EXPECT_EQ(bench.state.line.count, 3U);
}

TEST(Magnetometer, BadParametersAreRefused) {
  MagnetometerParameters p;
  EXPECT_NO_THROW(validate(p, "magnetometer"));
  p.soft_iron_diagonal.y = -1.0;
  EXPECT_THROW(validate(p, "magnetometer"), Error);
  p = {};
  p.range_gauss = 0.0;
  EXPECT_THROW(validate(p, "magnetometer"), Error);
}

}  // namespace
}  // namespace tactus
