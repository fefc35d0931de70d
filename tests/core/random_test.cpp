// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/core/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "tests/support/scale.h"

namespace tactus {
namespace {

// The seeds are fixed, so a test that passes always passes. Statistical limits are about 4.5
// standard deviations (a chance of 1e-5 each when they were first run), in the same form for every
// count.
constexpr double kSigmas = 4.5;

using Sampler = double (*)(const RandomStream&, std::uint64_t);

double uniform_of(const RandomStream& stream, std::uint64_t tick) { return stream.uniform(tick); }
double open_of(const RandomStream& stream, std::uint64_t tick) { return stream.uniform_open(tick); }
double normal_of(const RandomStream& stream, std::uint64_t tick) { return stream.normal(tick); }
double second_of(const RandomStream& stream, std::uint64_t tick) {
  double a = 0.0;
  double b = 0.0;
  stream.normal_pair(tick, 0, a, b);
  return b;
}
double third_of(const RandomStream& stream, std::uint64_t tick) { return stream.normal3(tick).z; }

std::vector<double> draw(Sampler sampler, const RandomStream& stream, std::size_t count) {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = sampler(stream, i);
  return values;
}

std::size_t sample_count() { return static_cast<std::size_t>(testing::scaled(4'000'000)); }

double correlation(const std::vector<double>& a, const std::vector<double>& b,
                   std::size_t lag = 0) {
  const auto n = static_cast<double>(a.size() - lag);
  double sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;
  for (std::size_t i = 0; i + lag < a.size(); ++i) {
    sa += a[i];
    sb += b[i + lag];
    saa += a[i] * a[i];
    sbb += b[i + lag] * b[i + lag];
    sab += a[i] * b[i + lag];
  }
  return (sab - sa * sb / n) / std::sqrt((saa - sa * sa / n) * (sbb - sb * sb / n));
}

/// Kolmogorov's statistic sqrt(n) * sup |F_n - F|; beyond 2.5 with a chance of 7e-6.
double kolmogorov(std::vector<double> values, double (*cdf)(double)) {
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  double worst = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double f = cdf(values[i]);
    const auto rank = static_cast<double>(i);
    worst = std::max({worst, f - rank / n, (rank + 1.0) / n - f});
  }
  return std::sqrt(n) * worst;
}

double uniform_cdf(double x) { return x; }
double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

/// Joint counts in a 16 x 16 grid; the statistic has mean 255 and standard deviation sqrt(510).
double chi_square_sigmas(const std::vector<double>& a, const std::vector<double>& b,
                         std::size_t lag = 0) {
  constexpr std::size_t kBins = 16;
  std::vector<double> counts(kBins * kBins, 0.0);
  for (std::size_t i = 0; i + lag < a.size(); ++i) {
    const auto row = static_cast<std::size_t>(a[i] * kBins);
    const auto column = static_cast<std::size_t>(b[i + lag] * kBins);
    counts[row * kBins + column] += 1.0;
  }
  const double expected = static_cast<double>(a.size() - lag) / (kBins * kBins);
  double sum = 0.0;
  for (const double count : counts) sum += (count - expected) * (count - expected) / expected;
  return (sum - 255.0) / std::sqrt(510.0);
}

// The three vectors published for philox4x32 with 10 rounds in the file kat_vectors of Random123
// (the authors' reference implementation): zeros, ones, digits of pi.
TEST(Philox, PublishedKnownAnswers) {
  const struct {
    PhiloxBlock counter;
    std::uint32_t key[2];
    PhiloxBlock expected;
  } cases[] = {
      {{{0, 0, 0, 0}}, {0, 0}, {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}}},
      {{{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}},
       {0xffffffff, 0xffffffff},
       {{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}}},
      {{{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}},
       {0xa4093822, 0x299f31d0},
       {{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}},
  };
  for (const auto& c : cases) {
    const PhiloxBlock result = philox4x32_10(c.counter, c.key[0], c.key[1]);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(result.word[i], c.expected.word[i]);
  }
}

// Published by the authors of FNV for the empty text, "a" and "foobar".
TEST(Stream, HashIsFnv1a) {
  static_assert(stream_hash("") == 0xcbf29ce484222325u);
  static_assert(stream_hash("a") == 0xaf63dc4c8601ec8cu);
  static_assert(stream_hash("foobar") == 0x85944171f73967e8u);
}

TEST(Stream, BitsAreTheDocumentedCounterAndKey) {
  constexpr RandomStream stream(7, "imu.gyro");
  static_assert(stream.key == (mix_bits(7) ^ stream_hash("imu.gyro")));
  const PhiloxBlock a = stream.bits(0x123456789abcdef0u, 5, 1);
  const PhiloxBlock b =
      philox4x32_10({{0x9abcdef0u, 0x12345678u, 5, 1}}, static_cast<std::uint32_t>(stream.key),
                    static_cast<std::uint32_t>(stream.key >> 32));
  for (int i = 0; i < 4; ++i) EXPECT_EQ(a.word[i], b.word[i]);
}

// The keys of a realistic sweep: all seeds, all streams, no two alike.
TEST(Stream, KeysOfASweepAreDistinct) {
  std::set<std::uint64_t> keys;
  std::size_t made = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    for (int i = 0; i < 20; ++i, ++made) {
      keys.insert(RandomStream(seed, "motor" + std::to_string(i)).key);
    }
  }
  EXPECT_EQ(keys.size(), made);
}

TEST(Uniform, Range) {
  const RandomStream stream(1, "range");
  for (std::uint64_t tick = 0; tick < 100'000; ++tick) {
    const double u = stream.uniform(tick);
    const double open = stream.uniform_open(tick);
    ASSERT_TRUE(u >= 0.0 && u < 1.0);
    ASSERT_TRUE(open > 0.0 && open < 1.0);
    ASSERT_EQ(u * 0x1p53, std::floor(u * 0x1p53));
  }
}

TEST(Uniform, Moments) {
  for (const Sampler sampler : {uniform_of, open_of}) {
    const std::vector<double> values = draw(sampler, RandomStream(2, "moments"), sample_count());
    const auto n = static_cast<double>(values.size());
    double sum = 0.0;
    double squares = 0.0;
    for (const double u : values) {
      sum += u - 0.5;
      squares += (u - 0.5) * (u - 0.5);
    }
    EXPECT_LT(std::abs(sum / n), kSigmas * std::sqrt(1.0 / 12.0 / n));
    EXPECT_LT(std::abs(squares / n - 1.0 / 12.0), kSigmas * std::sqrt(1.0 / 180.0 / n));
  }
}

TEST(Uniform, KolmogorovSmirnov) {
  for (const Sampler sampler : {uniform_of, open_of}) {
    EXPECT_LT(kolmogorov(draw(sampler, RandomStream(3, "ks"), sample_count()), uniform_cdf), 2.5);
  }
}

// E x^2k = (2k - 1)!!, so the variance of the mean of x^k is (E x^2k - (E x^k)^2) / n.
TEST(Normal, Moments) {
  const double mean[] = {0.0, 1.0, 0.0, 3.0};
  const double variance[] = {1.0, 2.0, 15.0, 96.0};
  for (const Sampler sampler : {normal_of, second_of, third_of}) {
    const std::vector<double> values = draw(sampler, RandomStream(4, "moments"), sample_count());
    const auto n = static_cast<double>(values.size());
    double sum[4] = {};
    for (const double x : values) {
      double power = 1.0;
      for (double& s : sum) s += (power *= x);
    }
    for (int k = 0; k < 4; ++k) {
      EXPECT_LT(std::abs(sum[k] / n - mean[k]), kSigmas * std::sqrt(variance[k] / n)) << k + 1;
    }
  }
}

TEST(Normal, KolmogorovSmirnov) {
  for (const Sampler sampler : {normal_of, second_of, third_of}) {
    EXPECT_LT(kolmogorov(draw(sampler, RandomStream(5, "ks"), sample_count()), normal_cdf), 2.5);
  }
}

// P(|x| > 3) = 0.0026998 and P(|x| > 4) = 6.334e-5: the tails are neither cut nor heavy.
TEST(Normal, Tails) {
  const std::vector<double> values = draw(normal_of, RandomStream(6, "tails"), sample_count());
  const auto n = static_cast<double>(values.size());
  const struct {
    double limit;
    double chance;
  } tails[] = {{3.0, 0.0026997960632601866}, {4.0, 6.334248366623996e-05}};
  for (const auto& tail : tails) {
    double beyond = 0.0;
    for (const double x : values) beyond += std::abs(x) > tail.limit ? 1.0 : 0.0;
    EXPECT_LT(std::abs(beyond - n * tail.chance), kSigmas * std::sqrt(n * tail.chance));
  }
}

TEST(Normal, TheThreeOfAVectorAreIndependentAndOneOfThemIsTheSingle) {
  const RandomStream stream(7, "vector");
  std::vector<double> axis[3];
  for (std::uint64_t tick = 0; tick < sample_count(); ++tick) {
    const Vec3 v = stream.normal3(tick);
    ASSERT_EQ(v.x, stream.normal(tick));
    axis[0].push_back(v.x);
    axis[1].push_back(v.y);
    axis[2].push_back(v.z);
  }
  const double limit = kSigmas / std::sqrt(static_cast<double>(sample_count()));
  EXPECT_LT(std::abs(correlation(axis[0], axis[1])), limit);
  EXPECT_LT(std::abs(correlation(axis[0], axis[2])), limit);
  EXPECT_LT(std::abs(correlation(axis[1], axis[2])), limit);
}

TEST(Independence, OfSuccessiveTicks) {
  const std::vector<double> u = draw(uniform_of, RandomStream(8, "serial"), sample_count());
  const double limit = kSigmas / std::sqrt(static_cast<double>(u.size()));
  for (const std::size_t lag : {1u, 2u, 3u, 4u, 250u, 1000u}) {
    EXPECT_LT(std::abs(correlation(u, u, lag)), limit) << lag;
    EXPECT_LT(std::abs(chi_square_sigmas(u, u, lag)), kSigmas) << lag;
  }
}

// Neighbours in every part of the key: similar names, successive seeds, neighbouring channels.
TEST(Independence, OfStreamsSeedsAndChannels) {
  const std::size_t n = sample_count();
  const std::vector<double> base = draw(uniform_of, RandomStream(9, "motor0"), n);
  std::vector<double> channel(n);
  for (std::size_t i = 0; i < n; ++i) channel[i] = RandomStream(9, "motor0").uniform(i, 1);
  const double limit = kSigmas / std::sqrt(static_cast<double>(n));
  for (const std::vector<double>& other :
       {draw(uniform_of, RandomStream(9, "motor1"), n),
        draw(uniform_of, RandomStream(10, "motor0"), n), channel}) {
    for (const std::size_t lag : {0u, 1u, 2u}) {
      EXPECT_LT(std::abs(correlation(base, other, lag)), limit);
      EXPECT_LT(std::abs(chi_square_sigmas(base, other, lag)), kSigmas);
    }
  }
}

TEST(RandomAccess, AnyOrderGivesTheSequence) {
  const RandomStream stream(11, "wind");
  const std::vector<double> forward = draw(normal_of, stream, 1000);
  for (std::size_t i = 1000; i-- > 0;) EXPECT_EQ(RandomStream(11, "wind").normal(i), forward[i]);
  static_assert(RandomStream(11, "wind").uniform(999) == RandomStream(11, "wind").uniform(999));
}

// Drawing from one source, more or less often, never moves another.
TEST(RandomAccess, OneStreamNeverShiftsAnother) {
  const RandomStream wind(12, "wind");
  const RandomStream gyro(12, "gyro");
  const std::vector<double> alone = draw(normal_of, wind, 100);
  for (std::uint64_t tick = 0; tick < 100; ++tick) {
    for (std::uint32_t channel = 0; channel < tick % 7; ++channel) (void)gyro.normal(tick, channel);
    EXPECT_EQ(wind.normal(tick), alone[tick]);
  }
}

}  // namespace
}  // namespace tactus
