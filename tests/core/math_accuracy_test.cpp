// link: mpfr gmp
// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// slow: compares many arguments with exact results

// Every elementary function against MPFR, the independent truth: at most 1 ulp from the correctly
// rounded value, and the error in ulp of the exact value within the bound its header states.

#include <gtest/gtest.h>
#include <mpfr.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <vector>

#include "tactus/core/math.h"
#include "tests/support/scale.h"

namespace {

namespace m = tactus::math;
using tactus::testing::scaled;

constexpr mpfr_prec_t kPrecision = 128;

class Mpfr {
 public:
  Mpfr() { mpfr_init2(value_, kPrecision); }
  ~Mpfr() { mpfr_clear(value_); }
  Mpfr(const Mpfr&) = delete;
  Mpfr& operator=(const Mpfr&) = delete;
  operator mpfr_ptr() { return value_; }  // NOLINT(google-explicit-constructor): stands for mpfr_t

 private:
  mpfr_t value_;
};

class Rng {  // splitmix64
 public:
  explicit Rng(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  double uniform(double lo, double hi) {
    return lo + (hi - lo) * (static_cast<double>(bits() >> 11) * 0x1p-53);
  }

 private:
  std::uint64_t state_;
};

std::int64_t ordinal(double x) {  // consecutive doubles have consecutive ordinals, -0 is +0
  const auto b = static_cast<std::int64_t>(m::to_bits(x));
  return b < 0 ? std::numeric_limits<std::int64_t>::min() - b : b;
}

double ulp_of(double x) {  // spacing of doubles at x; the largest exponent for infinity
  const double a = m::abs(x);
  if (a < 0x1p-1021) return 0x1p-1074;
  const std::uint64_t e = std::min<std::uint64_t>(m::to_bits(a) >> 52, 2046);
  return m::from_bits(e << 52) * 0x1p-52;
}

struct Worst {
  double error_ulp = 0.0;  // |result - exact| in ulp of the result, before the exact is rounded
  std::uint64_t distance = 0;
  long count = 0;
  double x = 0.0;
  double y = 0.0;
};

/// Takes one result into account; exact is the MPFR value.
void compare(Worst& worst, double result, Mpfr& exact, double x, double y) {
  ++worst.count;
  const double rounded = mpfr_get_d(exact, MPFR_RNDN);
  if (m::is_nan(rounded) || m::is_nan(result)) {
    EXPECT_EQ(m::to_bits(result), m::is_nan(rounded) ? m::to_bits(m::canonical_nan()) : 1u)
        << std::hexfloat << x << ' ' << y;
    return;
  }
  const auto gap =
      static_cast<std::uint64_t>(ordinal(result)) - static_cast<std::uint64_t>(ordinal(rounded));
  const std::uint64_t distance = std::min(gap, 0u - gap);
  double error = 0.0;
  if (m::is_finite(result) && m::is_finite(rounded)) {
    mpfr_sub_d(exact, exact, result, MPFR_RNDN);
    mpfr_div_d(exact, exact, ulp_of(rounded), MPFR_RNDN);
    error = m::abs(mpfr_get_d(exact, MPFR_RNDN));
  }
  if (rounded == 0.0 && result == 0.0) {
    EXPECT_EQ(m::sign_bit(rounded), m::sign_bit(result)) << std::hexfloat << x << ' ' << y;
  }
  worst.distance = std::max(worst.distance, distance);
  if (error > worst.error_ulp) {
    worst.error_ulp = error;
    worst.x = x;
    worst.y = y;
  }
}

void report(const char* name, const Worst& worst, double bound_ulp) {
  std::printf("%-6s max error %.4f ulp at (%a, %a), max distance %llu ulp, %ld samples\n", name,
              worst.error_ulp, worst.x, worst.y, static_cast<unsigned long long>(worst.distance),
              worst.count);
  EXPECT_LE(worst.distance, 1u) << name;
  EXPECT_LT(worst.error_ulp, bound_ulp) << name;
}

struct Range {
  double lo;
  double hi;
};

using Own1 = double (*)(double);
using Truth1 = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

/// `full` samples: a third over all bit patterns, the rest evenly over the ranges, of both uniform
/// and log-uniform density; and the neighbourhood of every point in `points`.
void check(const char* name, Own1 own, Truth1 truth, double bound_ulp,
           const std::vector<Range>& ranges, const std::vector<double>& points, long full) {
  Mpfr argument;
  Mpfr exact;
  Worst worst;
  const auto at = [&](double x) {
    mpfr_set_d(argument, x, MPFR_RNDN);
    truth(exact, argument, MPFR_RNDN);
    compare(worst, own(x), exact, x, 0.0);
  };
  Rng rng(0x7ac7u);
  const long n = scaled(full);
  for (long i = 0; i < n / 3; ++i) at(m::from_bits(rng.bits()));
  const long per_range = n / 3 * 2 / static_cast<long>(ranges.size());
  for (const Range& r : ranges) {
    const std::int64_t first = ordinal(r.lo);
    // The full range of ordinals does not fit a signed difference.
    const double span = static_cast<double>(ordinal(r.hi)) - static_cast<double>(first);
    for (long i = 0; i < per_range / 2; ++i) {
      at(rng.uniform(r.lo, r.hi));
      const auto o = static_cast<std::int64_t>(static_cast<double>(first) + rng.uniform(0.0, span));
      at(o < 0 ? -m::from_bits(static_cast<std::uint64_t>(-o))
               : m::from_bits(static_cast<std::uint64_t>(o)));
    }
  }
  for (const double p : points) {
    for (std::uint64_t i = 0; i <= 40; ++i) {
      at(m::from_bits(m::to_bits(p) + i - 20));
      at(-m::from_bits(m::to_bits(p) + i - 20));
    }
  }
  report(name, worst, bound_ulp);
}

using Own2 = double (*)(double, double);
using Truth2 = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

class Check2 {
 public:
  Check2(Own2 own, Truth2 truth) : own_(own), truth_(truth) {}
  void at(double x, double y) {
    mpfr_set_d(a_, x, MPFR_RNDN);
    mpfr_set_d(b_, y, MPFR_RNDN);
    truth_(exact_, a_, b_, MPFR_RNDN);
    compare(worst_, own_(x, y), exact_, x, y);
  }
  const Worst& worst() const { return worst_; }

 private:
  Own2 own_;
  Truth2 truth_;
  Mpfr a_, b_, exact_;
  Worst worst_;
};

/// Multiples of pi/2 near which a double lies, from 1 to the largest double, and famous hard cases.
std::vector<double> near_quarter_turns() {
  std::vector<double> points = {0x1p-27,
                                1e22,
                                0x1p1000,
                                0x1.fffffffffffffp1023,
                                0x1p20,
                                0x1p21,
                                0x1p52,
                                0x1p53,
                                0x1p63,
                                0x1p64,
                                0x1.6ac5b262ca1ffp849,  // closest of all
                                0x1.921fb54442d18p-1};
  for (double k = 1.0; k < 2000.0; k += 1.0) points.push_back(k * m::kHalfPi);
  for (double k = 1.0; k < 0x1p70; k *= 1.7) points.push_back(m::rint(k) * m::kHalfPi);
  return points;
}

const std::vector<Range> kAngles = {{0.0, 0.8},    {0.7, 7.0},         {-100.0, 100.0},
                                    {1e3, 0x1p20}, {-0x1p21, -0x1p19}, {0x1p20, 0x1p40},
                                    {1e15, 1e30},  {1e200, 1e300}};

TEST(MathAccuracy, Sine) {
  check("sin", m::sin, mpfr_sin, 0.52, kAngles, near_quarter_turns(), 2'000'000);
}
TEST(MathAccuracy, Cosine) {
  check("cos", m::cos, mpfr_cos, 0.52, kAngles, near_quarter_turns(), 2'000'000);
}
TEST(MathAccuracy, Tangent) {
  check("tan", m::tan, mpfr_tan, 0.52, kAngles, near_quarter_turns(), 2'000'000);
}
TEST(MathAccuracy, ArcSine) {
  check("asin", m::asin, mpfr_asin, 0.52, {{-1.0, 1.0}, {0.99, 1.0}, {0x1p-30, 0x1p-4}},
        {1.0, 0.5, 0x1p-28, 0x1.6a09e667f3bcdp-1}, 1'200'000);
}
TEST(MathAccuracy, ArcCosine) {
  check("acos", m::acos, mpfr_acos, 0.52, {{-1.0, 1.0}, {0.99, 1.0}, {-1.0, -0.99}, {-0.01, 0.01}},
        {1.0, 0.5, 0x1p-60, 0x1.6a09e667f3bcdp-1}, 1'200'000);
}
TEST(MathAccuracy, ArcTangent) {
  check("atan", m::atan, mpfr_atan, 0.52,
        {{0.0, 0.05}, {-1.0, 1.0}, {0.9, 1.1}, {1.0, 100.0}, {1e5, 1e20}},
        {1.0, 0x1p-28, 0x1p60, 1.0 / 64, 3.0 / 64, 63.0 / 64}, 1'200'000);
}
TEST(MathAccuracy, Exponential) {
  check("exp", m::exp, mpfr_exp, 0.51,
        {{-1.0, 1.0}, {-708.0, 709.0}, {-745.2, -707.0}, {709.0, 709.8}},
        {0x1.62e42fefa39efp-1, 709.782712893384, 708.3964185322641, 745.1332191019411, 744.4400719},
        2'000'000);
}
TEST(MathAccuracy, ExponentialMinusOne) {
  check("expm1", m::expm1, mpfr_expm1, 0.6,
        {{-0.25, 0.25}, {-1.0, -0.25}, {0.25, 1.0}, {-40.0, 40.0}, {30.0, 709.8}},
        {0.25, 0x1p-54, 40.0, 709.782712893384}, 1'200'000);
}
TEST(MathAccuracy, Logarithm) {
  check("log", m::log, mpfr_log, 0.51,
        {{0.7, 1.42}, {0.99, 1.01}, {0.0, 100.0}, {1e-308, 1e308}, {0.0, 0x1p-1022}},
        {1.0, 0.703125, 1.40625, 1.0 + 0x1p-7, 1.0 - 0x1p-8, 0x1p-1022}, 2'000'000);
}
TEST(MathAccuracy, LogarithmOfOnePlus) {
  check("log1p", m::log1p, mpfr_log1p, 0.51,
        {{-0.5, 0.5}, {-0.01, 0.01}, {-1.0, -0.9}, {1.0, 1e5}, {1e5, 1e20}, {0x1p-60, 0x1p-40}},
        {0x1p-54, 1.0, 0x1p53, 0x1p60, 0x1p-7, 0x1p-8}, 1'200'000);
}
TEST(MathAccuracy, CubeRoot) {
  check("cbrt", m::cbrt, mpfr_cbrt, 0.51, {{1.0, 8.0}, {-1e3, 1e3}, {0.0, 0x1p-1022}},
        {1.0, 2.0, 4.0, 8.0, 27.0, 0x1p-1022}, 1'200'000);
}

TEST(MathAccuracy, ArcTangentOfTwo) {
  Check2 c(m::atan2, mpfr_atan2);
  Rng rng(2);
  for (long i = 0, n = scaled(400'000); i < n; ++i) {
    c.at(m::from_bits(rng.bits()), m::from_bits(rng.bits()));
    c.at(rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0));
    c.at(rng.uniform(-1.0, 1.0) * 0x1p-1022, rng.uniform(-1.0, 1.0) * 0x1p-1020);
    const double y = m::from_bits(rng.bits());
    c.at(y, y * rng.uniform(-40.0, 40.0));
    c.at(y, y * rng.uniform(-1.0, 1.0) * 0x1p-55);
  }
  report("atan2", c.worst(), 0.52);
}

TEST(MathAccuracy, Hypotenuse) {
  Check2 c(m::hypot, mpfr_hypot);
  Rng rng(3);
  for (long i = 0, n = scaled(400'000); i < n; ++i) {
    const double x = m::from_bits(rng.bits());
    c.at(x, m::from_bits(rng.bits()));
    c.at(x, x * rng.uniform(-2.0, 2.0));
    c.at(rng.uniform(-9.0, 9.0), rng.uniform(-9.0, 9.0));
    c.at(rng.uniform(-1.0, 1.0) * 0x1p-1022, rng.uniform(-1.0, 1.0) * 0x1p-1030);
  }
  report("hypot", c.worst(), 0.51);
}

TEST(MathAccuracy, Power) {
  Check2 c(m::pow, mpfr_pow);
  Rng rng(4);
  for (long i = 0, n = scaled(400'000); i < n; ++i) {
    const double x = m::abs(m::from_bits(rng.bits()));
    c.at(x, m::from_bits(rng.bits()));
    c.at(rng.uniform(0.0, 2.0), rng.uniform(-8.0, 8.0));
    c.at(x, rng.uniform(-1.1, 1.1));
    const double near_one = 1.0 + rng.uniform(-0.01, 0.01);
    c.at(near_one, rng.uniform(-740.0, 740.0) / m::log(near_one));
    const double base = rng.uniform(0.1, 10.0);
    c.at(base, rng.uniform(-745.5, -707.0) / m::log(base));
    c.at(-m::rint(rng.uniform(1.0, 100.0)), m::rint(rng.uniform(-60.0, 60.0)));
  }
  report("pow", c.worst(), 0.6);
}

}  // namespace
