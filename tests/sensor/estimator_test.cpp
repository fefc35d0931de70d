// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sensor/estimator.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/core/fields.h"
#include "tactus/core/math.h"
#include "tactus/core/quat.h"
#include "tests/support/estimator_bench.h"

namespace tactus {
namespace {

using testing::exact;
using testing::expect_same_bits;
using testing::kPeriod;
using testing::silent;
using Bench = testing::EstimatorBench;

static_assert(std::is_trivially_copyable_v<EstimatorState>);

TEST(Estimator, TruthPassesBitForBit) {
  EstimatorParameters p;  // its noise and its delay do not matter
  p.kind = EstimatorKind::kTruth;
  Bench bench(p);
  for (std::uint64_t k = 0; k < 100; ++k) {
    expect_same_bits(bench.step(), exact(TimeUs(0) + k * kPeriod));
  }
}

// 50 ms at 10 ms: exactly five samples old once filled, and the first sample until then.
TEST(Estimator, DelayIsExactlyFiveSteps) {
  EstimatorParameters p = silent();
  p.delay = DurationUs(50'000);
  Bench bench(p);
  bench.period = DurationUs(10'000);
  for (std::uint64_t k = 0; k < 1000; ++k) {
    const std::uint64_t expected = k < 5 ? 0 : k - 5;
    expect_same_bits(bench.step(), exact(TimeUs(10'000 * expected)));
  }
}

TEST(Estimator, WarmUpNeverGoesBackInTime) {
  Bench bench(EstimatorParameters{});
  TimeUs last;
  Estimate first = bench.step();
  EXPECT_EQ(first.measured_at, TimeUs(0));
  for (int k = 1; k < 20; ++k) {
    const Estimate estimate = bench.step();
    if (k <= 2) expect_same_bits(estimate, first);
    EXPECT_GE(estimate.measured_at, last);
    last = estimate.measured_at;
  }
  EXPECT_EQ(last, TimeUs((19 - 2) * 4'000));
}

TEST(Estimator, SameSeedSameBitsOtherSeedOtherNoise) {
  Bench a(EstimatorParameters{}, 7), b(EstimatorParameters{}, 7), c(EstimatorParameters{}, 8);
  for (int k = 0; k < 500; ++k) {
    const Estimate estimate = a.step();
    expect_same_bits(estimate, b.step());
    EXPECT_FALSE(estimate.position_W_m == c.step().position_W_m);
  }
}

TEST(Estimator, ACopyContinuesWithTheSameBits) {
  Bench a(EstimatorParameters{});
  for (int k = 0; k < 77; ++k) a.step();
  Bench b = a;
  for (int k = 0; k < 77; ++k) expect_same_bits(a.step(), b.step());
}

// Turning one noise on or off shifts no other.
TEST(Estimator, NoisesAreIndependent) {
  EstimatorParameters all;
  all.delay = DurationUs(0);
  all.position_bias_sigma_W_m = {1.0, 1.0, 1.0};
  all.acceleration_sigma_W_m_s2 = {1.0, 1.0, 1.0};
  EstimatorParameters few = all;
  few.position_sigma_W_m.z = 0.0;
  few.velocity_sigma_W_m_s = {0.0, 0.05, 0.0};
  few.rate_bias_sigma_B_rad_s = {};
  few.rate_sigma_B_rad_s = {};
  Bench a(all), b(few);
  for (int k = 0; k < 200; ++k) {
    const Estimate x = a.step();
    const Estimate y = b.step();
    EXPECT_EQ(x.position_W_m.x, y.position_W_m.x);
    EXPECT_EQ(x.velocity_W_m_s.y, y.velocity_W_m_s.y);
    EXPECT_TRUE(x.attitude == y.attitude);
    EXPECT_TRUE(x.acceleration_W_m_s2 == y.acceleration_W_m_s2);
  }
}

/// Mean and variance of a sequence.
struct Moments {
  double mean = 0.0;
  double variance = 0.0;
};

Moments moments(const std::vector<double>& x) {
  Moments m;
  for (const double v : x) m.mean += v;
  m.mean /= static_cast<double>(x.size());
  for (const double v : x) m.variance += (v - m.mean) * (v - m.mean);
  m.variance /= static_cast<double>(x.size());
  return m;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const Moments ma = moments(a), mb = moments(b);
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - ma.mean) * (b[i] - mb.mean);
  return sum / static_cast<double>(a.size()) / math::sqrt(ma.variance * mb.variance);
}

TEST(Estimator, WhiteNoiseHasItsDeviationAndNoMemory) {
  EstimatorParameters p;
  p.delay = DurationUs(0);
  p.rate_bias_sigma_B_rad_s = {};
  p.acceleration_sigma_W_m_s2 = {0.1, 0.2, 0.3};
  p.attitude_sigma_rad = {0.002, 0.003, 0.01};
  Bench bench(p);
  bench.still = true;
  const int n = 40'000;
  std::vector<std::vector<double>> series(15);
  for (int k = 0; k < n; ++k) {
    const Estimate e = bench.step();
    const Vec3 turn = log_rotation(e.attitude);
    const Vec3 values[5] = {e.position_W_m, e.velocity_W_m_s, turn, e.rate_B_rad_s,
                            e.acceleration_W_m_s2};
    for (std::size_t i = 0; i < 5; ++i) {
      series[3 * i].push_back(values[i].x);
      series[3 * i + 1].push_back(values[i].y);
      series[3 * i + 2].push_back(values[i].z);
    }
  }
  const double sigma[15] = {0.02, 0.02,  0.02,  0.05,  0.05, 0.05, 0.002, 0.003,
                            0.01, 0.005, 0.005, 0.005, 0.1,  0.2,  0.3};
  const double four_sigma = 4.0 / math::sqrt(static_cast<double>(n));
  for (std::size_t i = 0; i < 15; ++i) {
    const Moments m = moments(series[i]);
    EXPECT_NEAR(m.mean, 0.0, four_sigma * sigma[i]) << i;
    EXPECT_NEAR(m.variance, sigma[i] * sigma[i], 0.04 * sigma[i] * sigma[i]) << i;
    const std::vector<double> early(series[i].begin(), series[i].end() - 1);
    const std::vector<double> late(series[i].begin() + 1, series[i].end());
    EXPECT_NEAR(correlation(early, late), 0.0, four_sigma) << i;
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_NEAR(correlation(series[i], series[j]), 0.0, 1.25 * four_sigma) << i << " " << j;
    }
  }
}

// Over many seeds the bias has its variance at the first tick and later: it starts stationary.
TEST(Estimator, BiasIsStationaryFromTheFirstTick) {
  EstimatorParameters p = silent();
  p.position_bias_sigma_W_m = {2.0, 2.0, 2.0};
  p.position_bias_time_constant_s = 0.1;
  const int seeds = 3000;
  std::vector<double> first, later;
  for (int seed = 0; seed < seeds; ++seed) {
    Bench bench(p, static_cast<std::uint64_t>(seed));
    bench.still = true;
    first.push_back(bench.step().position_W_m.x);
    for (int k = 1; k < 25; ++k) bench.step();
    later.push_back(bench.step().position_W_m.x);
  }
  EXPECT_NEAR(moments(first).variance, 4.0, 0.4);
  EXPECT_NEAR(moments(later).variance, 4.0, 0.4);
  // 25 ticks of 4 ms are one time constant.
  EXPECT_NEAR(correlation(first, later), 0.36787944117144233, 0.06);
}

TEST(Estimator, BiasVarianceAndCorrelationAlongOneRun) {
  EstimatorParameters p = silent();
  p.rate_bias_sigma_B_rad_s = {0.5, 0.1, 0.02};
  p.rate_bias_time_constant_s = 0.02;
  Bench bench(p);
  bench.still = true;
  std::vector<double> x, y;
  for (int k = 0; k < 100'000; ++k) {
    const Vec3 rate = bench.step().rate_B_rad_s;
    x.push_back(rate.x);
    y.push_back(rate.y);
  }
  EXPECT_NEAR(moments(x).variance, 0.25, 0.025);
  EXPECT_NEAR(moments(y).variance, 0.01, 0.001);
  EXPECT_NEAR(correlation(x, y), 0.0, 0.04);
  const std::vector<double> early(x.begin(), x.end() - 5), late(x.begin() + 5, x.end());
  EXPECT_NEAR(correlation(early, late), 0.36787944117144233, 0.05);
}

std::string message_of(void (*act)()) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    return error.what();
  }
  return "no error";
}

TEST(Estimator, DelayMustFit) {
  EstimatorParameters p;
  EXPECT_EQ(longest_extra_delay(p, kPeriod), DurationUs(244'000));
  validate_delay(p, kPeriod, "estimator");
  Bench bench(p);
  EstimatorFault fault;
  fault.extra_delay_us = 244'000;
  for (int k = 0; k < 200; ++k) bench.step(fault);
  EXPECT_EQ(bench.step(fault).measured_at, TimeUs((200 - 63) * 4'000));
  EXPECT_NE(message_of([] {
              EstimatorFault too_much;
              too_much.extra_delay_us = 244'001;
              Bench(EstimatorParameters{}).step(too_much);
            }).find("the longest extra delay is 244ms"),
            std::string::npos);
  EXPECT_EQ(
      message_of([] { validate_delay(EstimatorParameters{}, DurationUs(5'000), "estimator"); }),
      "estimator.delay_s = 0.008: must be a multiple of the sensor period 5ms");
  EXPECT_EQ(message_of([] {
              EstimatorParameters slow;
              slow.delay = DurationUs(256'000);
              validate_delay(slow, kPeriod, "estimator");
            }),
            "estimator.delay_s = 0.256: must be at most 252ms: the delay line holds 64 samples of "
            "4ms");
  EXPECT_NE(message_of([] {
              validate_delay(EstimatorParameters{}, DurationUs(0), "estimator");
            }).find("time.sensors_s"),
            std::string::npos);
  EstimatorParameters truth;
  truth.kind = EstimatorKind::kTruth;
  validate_delay(truth, DurationUs(5'000), "estimator");
}

// Every number of the parameters, one at a time: negative, NaN and infinite are refused.
TEST(Estimator, ParametersOutOfRangeAreRefusedByName) {
  validate(EstimatorParameters{}, "estimator");
  const double nan = __builtin_nan("");
  int refused = 0;
  for (const double bad : {-1e-9, nan, 1e300 * 1e300}) {
    for (int target = 0; target < 34; ++target) {
      EstimatorParameters p;
      int position = 0;
      std::string name;
      for_each_leaf(p, [&](const LeafPath& path, auto& value) {
        if constexpr (std::is_same_v<std::remove_reference_t<decltype(value)>, double>) {
          if (position++ != target) return;
          value = bad;
          name = path.text();
        }
      });
      try {
        validate(p, "estimator");
        ADD_FAILURE() << name << " = " << bad << " was accepted";
      } catch (const Error& error) {
        const std::string key = "estimator." + name.substr(0, name.find('.'));
        EXPECT_EQ(std::string(error.what()).substr(0, key.size()), key);
        ++refused;
      }
    }
  }
  EXPECT_EQ(refused, 3 * 34);
}

}  // namespace
}  // namespace tactus
