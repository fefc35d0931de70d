// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/world/wind.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/core/fields.h"
#include "tests/support/scale.h"

namespace tactus {
namespace {

constexpr DurationUs kPeriod(20'000);

/// Samples of the first `count` ticks for a vehicle that stands still at 10 m.
std::vector<WindSample> fly(const WindParameters& p, int count, std::uint64_t seed = 1) {
  const RandomStream stream(seed, "wind");
  const WindInput input{10.0, {}};
  TimeUs t{};
  WindState state = start_wind(p, stream, input, t);
  std::vector<WindSample> samples;
  for (int i = 0; i < count; ++i, t += kPeriod) {
    samples.push_back(step_wind(p, stream, input, t, kPeriod, state));
  }
  return samples;
}

WindParameters with_turbulence(TurbulenceKind kind) {
  WindParameters p;
  p.mean_W_m_s = {3.0, -4.0, 0.5};
  p.turbulence = kind;
  return p;
}

TEST(Wind, ConstantIsConstant) {
  for (const WindSample& sample : fly(with_turbulence(TurbulenceKind::kNone), 10)) {
    EXPECT_EQ(sample.value_W_m_s, (Vec3{3.0, -4.0, 0.5}));
    EXPECT_EQ(sample.slope_W_m_s2, Vec3{});
  }
}

TEST(Wind, ShearIsAPowerLawOverHeight) {
  WindParameters p;
  p.mean_W_m_s = {0.0, 8.0, 0.0};
  p.shear_exponent = 1.0 / 7.0;
  EXPECT_DOUBLE_EQ(mean_wind(p, 10.0).y, 8.0);
  for (const double h : {1.0, 35.0, 120.0, 300.0}) {
    EXPECT_NEAR(mean_wind(p, h).y, 8.0 * std::pow(h / 10.0, 1.0 / 7.0), 1e-14);
  }
  EXPECT_EQ(mean_wind(p, 0.0).y, 0.0);
  EXPECT_EQ(mean_wind(p, -2.0).y, 0.0);
  EXPECT_EQ(mean_wind(p, 2000.0), mean_wind(p, 300.0));
}

TEST(Wind, GustsAreHalfOpenAndAddUp) {
  WindParameters p;
  p.gust_count = 2;
  p.gusts[0] = {GustShape::kStep, {2.0, 0.0, 0.0}, TimeUs(1'000'000), TimeUs(3'000'000)};
  p.gusts[1] = {GustShape::kStep, {1.0, 1.0, 0.0}, TimeUs(2'000'000), TimeUs(4'000'000)};
  p.gusts[2] = {GustShape::kStep, {9.0, 9.0, 9.0}, TimeUs(0), TimeUs(9'000'000)};  // not in use
  EXPECT_EQ(gust_velocity(p, TimeUs(999'999)), Vec3{});
  EXPECT_EQ(gust_velocity(p, TimeUs(1'000'000)), (Vec3{2.0, 0.0, 0.0}));
  EXPECT_EQ(gust_velocity(p, TimeUs(2'000'000)), (Vec3{3.0, 1.0, 0.0}));
  EXPECT_EQ(gust_velocity(p, TimeUs(2'999'999)), (Vec3{3.0, 1.0, 0.0}));
  EXPECT_EQ(gust_velocity(p, TimeUs(3'000'000)), (Vec3{1.0, 1.0, 0.0}));
  EXPECT_EQ(gust_velocity(p, TimeUs(4'000'000)), Vec3{});
}

TEST(Wind, OneMinusCosineGustRisesToItsPeakAndEndsAtZero) {
  WindParameters p;
  p.gust_count = 1;
  p.gusts[0] = {GustShape::kOneMinusCosine, {0.0, 0.0, -6.0}, TimeUs(500'000), TimeUs(2'500'000)};
  for (std::uint64_t us = 500'000; us < 2'500'000; us += 12'345) {
    const double phase = static_cast<double>(us - 500'000) / 2e6;
    const double expected = -3.0 * (1.0 - std::cos(2.0 * math::kPi * phase));
    EXPECT_NEAR(gust_velocity(p, TimeUs(us)).z, expected, 1e-14);
  }
  EXPECT_EQ(gust_velocity(p, TimeUs(500'000)).z, 0.0);
  EXPECT_DOUBLE_EQ(gust_velocity(p, TimeUs(1'500'000)).z, -6.0);
  EXPECT_EQ(gust_velocity(p, TimeUs(2'500'000)).z, 0.0);
}

TEST(Wind, OrnsteinUhlenbeckHasItsVarianceMeanAndCorrelation) {
  WindParameters p = with_turbulence(TurbulenceKind::kOrnsteinUhlenbeck);
  p.ou_sigma_W_m_s = {1.5, 0.7, 0.0};
  p.ou_time_constant_s = {0.2, 0.1, 1.0};
  // 20 ms ticks: at least 7200 correlation times of x, 14,400 of y.
  const int count = static_cast<int>(testing::scaled(20 * 200'000));
  const std::vector<WindSample> samples = fly(p, count);
  Vec3 square{}, lagged{}, mean{};
  for (std::size_t i = 1; i < samples.size(); ++i) {
    const Vec3 now = samples[i].value_W_m_s - p.mean_W_m_s;
    square += multiply_elements(now, now);
    lagged += multiply_elements(now, samples[i - 1].value_W_m_s - p.mean_W_m_s);
    mean += now;
    EXPECT_EQ(now.z, 0.0);
  }
  EXPECT_NEAR(square.x / count, 1.5 * 1.5, 0.05 * 1.5 * 1.5);
  EXPECT_NEAR(square.y / count, 0.7 * 0.7, 0.05 * 0.7 * 0.7);
  EXPECT_NEAR(lagged.x / square.x, std::exp(-0.1), 0.005);
  EXPECT_NEAR(lagged.y / square.y, std::exp(-0.2), 0.005);
  EXPECT_NEAR(mean.x / count, 0.0, 0.05);
}

class AnyTurbulentWind : public ::testing::TestWithParam<TurbulenceKind> {};

TEST_P(AnyTurbulentWind, LinearRuleIsContinuousAndMeetsTheHeldValues) {
  WindParameters p = with_turbulence(GetParam());
  p.gust_count = 1;
  p.gusts[0] = {GustShape::kStep, {0.0, 3.0, 0.0}, TimeUs(1'000'000), TimeUs(2'000'000)};
  const std::vector<WindSample> held = fly(p, 200);
  p.rule = WindRule::kLinear;
  const std::vector<WindSample> linear = fly(p, 200);
  for (std::size_t i = 0; i < held.size(); ++i) {
    EXPECT_EQ(held[i].slope_W_m_s2, Vec3{});
    EXPECT_EQ(linear[i].value_W_m_s, held[i].value_W_m_s);
    if (i == 0) continue;
    const WindSample& before = linear[i - 1];
    const Vec3 reached = before.value_W_m_s + to_seconds(kPeriod) * before.slope_W_m_s2;
    EXPECT_LT(norm(reached - linear[i].value_W_m_s), 1e-14);
  }
}

TEST_P(AnyTurbulentWind, IsTheSameForTheSameSeedAndAnotherForAnother) {
  const WindParameters p = with_turbulence(GetParam());
  const auto a = fly(p, 50, 5);
  const auto b = fly(p, 50, 5);
  const auto c = fly(p, 50, 6);
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].value_W_m_s, b[i].value_W_m_s);
    EXPECT_NE(a[i].value_W_m_s.x, c[i].value_W_m_s.x);
  }
}

TEST_P(AnyTurbulentWind, ACopyContinuesIdentically) {
  WindParameters p = with_turbulence(GetParam());
  p.rule = WindRule::kLinear;
  const RandomStream stream(3, "wind");
  const WindInput input{30.0, {5.0, 0.0, 0.0}};
  WindState original = start_wind(p, stream, input, TimeUs{});
  TimeUs t{};
  for (int i = 0; i < 20; ++i, t += kPeriod) step_wind(p, stream, input, t, kPeriod, original);
  WindState copy = original;
  for (int i = 0; i < 20; ++i, t += kPeriod) {
    const WindSample a = step_wind(p, stream, input, t, kPeriod, original);
    const WindSample b = step_wind(p, stream, input, t, kPeriod, copy);
    EXPECT_FALSE(first_difference(a, b).has_value());
  }
  EXPECT_FALSE(first_difference(original, copy).has_value());
}

TEST_P(AnyTurbulentWind, StaysFiniteInCalmAirOnTheGround) {
  WindParameters p;
  p.turbulence = GetParam();
  p.turbulence_w20_m_s = 5.0;
  const RandomStream stream(3, "wind");
  const WindInput parked{-0.2, {}};
  WindState state = start_wind(p, stream, parked, TimeUs{});
  double largest = 0.0;
  for (std::uint64_t i = 0; i < 5000; ++i) {
    const WindSample sample = step_wind(p, stream, parked, TimeUs(i * kPeriod.us), kPeriod, state);
    ASSERT_TRUE(is_finite(sample.value_W_m_s));
    largest = std::max(largest, norm(sample.value_W_m_s));
  }
  EXPECT_GT(largest, 0.5);
  EXPECT_LT(largest, 10.0);
}

INSTANTIATE_TEST_SUITE_P(Kinds, AnyTurbulentWind,
                         ::testing::Values(TurbulenceKind::kOrnsteinUhlenbeck,
                                           TurbulenceKind::kDryden, TurbulenceKind::kVonKarman));

TEST(Wind, TurnsTheTurbulenceWithTheMeanWind) {
  // The same noise: along and across follow the direction of the mean, the vertical does not.
  WindParameters north;
  north.turbulence = TurbulenceKind::kDryden;
  north.mean_W_m_s = {6.0, 0.0, 0.0};
  WindParameters east = north;
  east.mean_W_m_s = {0.0, 6.0, 0.0};
  const auto a = fly(north, 100);
  const auto b = fly(east, 100);
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_DOUBLE_EQ(a[i].value_W_m_s.x, b[i].value_W_m_s.y);
    EXPECT_DOUBLE_EQ(a[i].value_W_m_s.y, -b[i].value_W_m_s.x);
    EXPECT_DOUBLE_EQ(a[i].value_W_m_s.z, b[i].value_W_m_s.z);
  }
}

std::string refusal(const WindParameters& p) {
  try {
    validate(p, "wind");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Wind, RefusesUnphysicalParametersByName) {
  EXPECT_EQ(refusal(with_turbulence(TurbulenceKind::kDryden)), "");
  const auto expect_named = [](const char* name, auto change) {
    WindParameters p;
    change(p);
    EXPECT_NE(refusal(p).find(name), std::string::npos) << name << ": " << refusal(p);
  };
  expect_named("mean_ned_m_s", [](auto& p) { p.mean_W_m_s.y = std::nan(""); });
  expect_named("shear_exponent", [](auto& p) { p.shear_exponent = -0.1; });
  expect_named("shear_reference_height_m", [](auto& p) { p.shear_reference_height_m = 0.0; });
  expect_named("ou_sigma_ned_m_s", [](auto& p) { p.ou_sigma_W_m_s.z = -1.0; });
  expect_named("ou_time_constant_s", [](auto& p) { p.ou_time_constant_s.x = 0.0; });
  expect_named("turbulence_w20_m_s", [](auto& p) { p.turbulence_w20_m_s = -5.0; });
  expect_named("turbulence_speed_floor_m_s", [](auto& p) { p.turbulence_speed_floor_m_s = 0.0; });
  expect_named("gust_count", [](auto& p) { p.gust_count = kMaxGusts + 1; });
  expect_named("gusts[0].off", [](auto& p) { p.gust_count = 1; });
  expect_named("gusts[1].velocity_ned_m_s", [](auto& p) {
    p.gust_count = 2;
    p.gusts[0].off = TimeUs(1);
    p.gusts[1] = {GustShape::kStep, {1e9, 0.0, 0.0}, TimeUs(0), TimeUs(1)};
  });
}

}  // namespace
}  // namespace tactus
