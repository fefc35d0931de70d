// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Special values (C Annex F), exact cases, symmetry and monotonicity of the elementary functions.
// Accuracy is in math_accuracy_test.cpp, the exact operations in math_basic_test.cpp.

#include "tactus/core/math.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "tests/support/scale.h"
#include "tests/support/special_numbers.h"

namespace {

namespace m = tactus::math;

using tactus::testing::kInf;
using tactus::testing::kMax;
using tactus::testing::kNan;
using tactus::testing::kTiny;
using tactus::testing::next_bits;
using tactus::testing::same;
using tactus::testing::scaled;

struct Case1 {
  double (*f)(double);
  double x;
  double expected;
};

TEST(MathSpecial, OneArgument) {
  const Case1 cases[] = {
      {m::sin, 0.0, 0.0},
      {m::sin, -0.0, -0.0},
      {m::sin, kInf, kNan},
      {m::sin, -kTiny, -kTiny},
      {m::cos, 0.0, 1.0},
      {m::cos, -0.0, 1.0},
      {m::cos, -kInf, kNan},
      {m::tan, -0.0, -0.0},
      {m::tan, kInf, kNan},
      {m::tan, kTiny, kTiny},
      {m::asin, -0.0, -0.0},
      {m::asin, 1.0, m::kHalfPi},
      {m::asin, -1.0, -m::kHalfPi},
      {m::asin, 1.0 + 0x1p-52, kNan},
      {m::asin, kInf, kNan},
      {m::acos, 1.0, 0.0},
      {m::acos, -1.0, m::kPi},
      {m::acos, 0.0, m::kHalfPi},
      {m::acos, -0.0, m::kHalfPi},
      {m::acos, -1.5, kNan},
      {m::acos, kInf, kNan},
      {m::atan, -0.0, -0.0},
      {m::atan, kInf, m::kHalfPi},
      {m::atan, -kInf, -m::kHalfPi},
      {m::atan, 1.0, 0.5 * m::kHalfPi},
      {m::atan, kTiny, kTiny},
      {m::exp, 0.0, 1.0},
      {m::exp, -0.0, 1.0},
      {m::exp, kInf, kInf},
      {m::exp, -kInf, 0.0},
      {m::exp, 710.0, kInf},
      {m::exp, -746.0, 0.0},
      {m::exp, kMax, kInf},
      {m::exp, -kMax, 0.0},
      {m::exp, kTiny, 1.0},
      {m::expm1, 0.0, 0.0},
      {m::expm1, -0.0, -0.0},
      {m::expm1, kInf, kInf},
      {m::expm1, -kInf, -1.0},
      {m::expm1, -100.0, -1.0},
      {m::expm1, 1000.0, kInf},
      {m::log, 1.0, 0.0},
      {m::log, 0.0, -kInf},
      {m::log, -0.0, -kInf},
      {m::log, kInf, kInf},
      {m::log, -1.0, kNan},
      {m::log, -kInf, kNan},
      {m::log1p, -0.0, -0.0},
      {m::log1p, 0.0, 0.0},
      {m::log1p, -1.0, -kInf},
      {m::log1p, kInf, kInf},
      {m::log1p, -1.5, kNan},
      {m::log1p, -kInf, kNan},
      {m::cbrt, -0.0, -0.0},
      {m::cbrt, kInf, kInf},
      {m::cbrt, -kInf, -kInf},
      {m::cbrt, 27.0, 3.0},
      {m::cbrt, -0x1p-1074, -0x1p-358},
      {m::sqrt, -0.0, -0.0},
      {m::sqrt, kInf, kInf},
      {m::sqrt, -1.0, kNan},
      {m::sqrt, 2.25, 1.5},
      {m::wrap_pi, kInf, kNan},
  };
  for (const Case1& c : cases) EXPECT_TRUE(same(c.f(c.x), c.expected)) << c.x;
}

TEST(MathSpecial, NanInGivesTheCanonicalNan) {
  const double odd_nan = m::from_bits(0xfff0000000abcdefu);
  double (*const functions[])(double) = {m::sin,  m::cos,  m::tan,    m::asin,  m::acos,
                                         m::atan, m::exp,  m::log,    m::expm1, m::log1p,
                                         m::cbrt, m::sqrt, m::wrap_pi};
  for (auto* f : functions) EXPECT_TRUE(same(f(odd_nan), m::canonical_nan()));
  for (auto* f : {m::atan2, m::hypot, m::pow}) {
    EXPECT_TRUE(same(f(odd_nan, 2.0), m::canonical_nan()));
    EXPECT_TRUE(same(f(2.0, odd_nan), m::canonical_nan()));
  }
}

struct Case2 {
  double x;
  double y;
  double expected;
};

TEST(MathSpecial, ArcTangentOfTwo) {
  const double three_quarters = 0x1.2d97c7f3321d2p1;
  const Case2 cases[] = {
      {0.0, 1.0, 0.0},
      {-0.0, 1.0, -0.0},
      {0.0, -1.0, m::kPi},
      {-0.0, -1.0, -m::kPi},
      {0.0, 0.0, 0.0},
      {-0.0, 0.0, -0.0},
      {0.0, -0.0, m::kPi},
      {-0.0, -0.0, -m::kPi},
      {1.0, 0.0, m::kHalfPi},
      {-1.0, -0.0, -m::kHalfPi},
      {1.0, kInf, 0.0},
      {-1.0, kInf, -0.0},
      {1.0, -kInf, m::kPi},
      {-1.0, -kInf, -m::kPi},
      {kInf, 1.0, m::kHalfPi},
      {-kInf, -1.0, -m::kHalfPi},
      {kInf, kInf, 0.5 * m::kHalfPi},
      {-kInf, kInf, -0.5 * m::kHalfPi},
      {kInf, -kInf, three_quarters},
      {-kInf, -kInf, -three_quarters},
      {1.0, 1.0, 0.5 * m::kHalfPi},
      {1.0, -1.0, three_quarters},
      {kTiny, kTiny, 0.5 * m::kHalfPi},
      {kMax, kMax, 0.5 * m::kHalfPi},
      {kTiny, kMax, 0.0},
      {kMax, kTiny, m::kHalfPi},
      {kTiny, -kMax, m::kPi},
      {kTiny, 1.0, kTiny},
  };
  for (const Case2& c : cases) {
    EXPECT_TRUE(same(m::atan2(c.x, c.y), c.expected)) << c.x << ' ' << c.y;
  }
}

TEST(MathSpecial, Hypotenuse) {
  EXPECT_TRUE(same(m::hypot(kNan, -kInf), kInf));
  EXPECT_TRUE(same(m::hypot(kInf, kNan), kInf));
  EXPECT_TRUE(same(m::hypot(-0.0, -0.0), 0.0));
  EXPECT_TRUE(same(m::hypot(-0.0, -2.5), 2.5));
  EXPECT_TRUE(same(m::hypot(3.0, -4.0), 5.0));
  EXPECT_TRUE(same(m::hypot(3.0 * kTiny, 4.0 * kTiny), 5.0 * kTiny));
  EXPECT_TRUE(same(m::hypot(0x1.8p1022, 0x1p1023), 0x1.4p1023));
  EXPECT_TRUE(same(m::hypot(kMax, kMax), kInf));
}

TEST(MathSpecial, Power) {
  const Case2 cases[] = {
      {kNan, 0.0, 1.0},
      {1.0, kNan, 1.0},
      {kInf, -0.0, 1.0},
      {0.0, 3.0, 0.0},
      {-0.0, 3.0, -0.0},
      {-0.0, 2.0, 0.0},
      {-0.0, 2.5, 0.0},
      {0.0, -3.0, kInf},
      {-0.0, -3.0, -kInf},
      {-0.0, -2.0, kInf},
      {-0.0, -2.5, kInf},
      {0.0, -kInf, kInf},
      {0.0, kInf, 0.0},
      {-1.0, kInf, 1.0},
      {-1.0, -kInf, 1.0},
      {2.0, kInf, kInf},
      {2.0, -kInf, 0.0},
      {-0.5, kInf, 0.0},
      {0.5, -kInf, kInf},
      {kInf, 2.0, kInf},
      {kInf, -2.0, 0.0},
      {-kInf, 3.0, -kInf},
      {-kInf, 2.0, kInf},
      {-kInf, -3.0, -0.0},
      {-kInf, -2.0, 0.0},
      {-kInf, 0.5, kInf},
      {-2.0, 0.5, kNan},
      {-2.0, 3.0, -8.0},
      {-2.0, -2.0, 0.25},
      {2.0, 1023.0, 0x1p1023},
      {2.0, 1024.0, kInf},
      {2.0, -1074.0, kTiny},
      {2.0, -1075.0, 0.0},
      {-2.0, -1073.0, -2.0 * kTiny},
      {-2.0, 1025.0, -kInf},
      {1.0 + 0x1p-52, kMax, kInf},
      {kMax, kTiny, 1.0},
      {1.0 - 0x1p-53, kMax, 0.0},
      {1.0, kMax, 1.0},
      {-1.0, kMax, 1.0},
      {-1.0, 0x1.fffffffffffffp52, -1.0},
      {-1.0, 0x1p53, 1.0},
      {kTiny, 1.0, kTiny},
      {kMax, 1.0, kMax},
      {kTiny, 0.5, 0x1p-537},
      {kInf, kInf, kInf},
      {-kInf, -kInf, 0.0},
  };
  for (const Case2& c : cases) {
    EXPECT_TRUE(same(m::pow(c.x, c.y), c.expected)) << c.x << ' ' << c.y;
  }
}

TEST(MathExact, IntegerPowers) {
  for (std::uint64_t base = 2; base <= 1000; ++base) {
    std::uint64_t power = base;
    for (int n = 2; power * base < (std::uint64_t{1} << 53); ++n) {
      power *= base;
      const auto b = static_cast<double>(base);
      ASSERT_TRUE(same(m::pow(b, n), static_cast<double>(power))) << base << '^' << n;
      ASSERT_TRUE(same(m::pow(-b, n), (n % 2 == 0 ? 1.0 : -1.0) * static_cast<double>(power)));
    }
  }
}

TEST(MathExact, RootsUndoPowers) {
  for (double x = 1.0; x < 100000.0; x += 1.0) {
    ASSERT_TRUE(same(m::pow(x * x, 0.5), x));
    ASSERT_TRUE(same(m::pow(x * x * x * x, 0.25), x) || x > 9000.0) << x;
    ASSERT_TRUE(same(m::cbrt(-x * x * x), -x));
    ASSERT_TRUE(same(m::hypot(3.0 * x, 4.0 * x), 5.0 * x));
  }
}

TEST(MathLaw, SinCosIsSineAndCosine) {
  std::uint64_t state = 1;
  for (long i = 0, n = scaled(2'000'000); i < n; ++i) {
    const std::uint64_t bits = next_bits(state);
    for (const double x : {m::from_bits(bits), static_cast<double>(bits >> 11) * 0x1p-50 - 4.0}) {
      double s = 0.0;
      double c = 0.0;
      m::sincos(x, &s, &c);
      ASSERT_TRUE(same(s, m::sin(x))) << x;
      ASSERT_TRUE(same(c, m::cos(x))) << x;
    }
  }
}

TEST(MathLaw, OddAndEven) {
  std::uint64_t state = 2;
  for (long i = 0, n = scaled(400'000); i < n; ++i) {
    const std::uint64_t bits = next_bits(state);
    const double any = m::from_bits(bits & ~(std::uint64_t{1} << 63));
    if (m::is_nan(any)) continue;
    const double unit = static_cast<double>(bits >> 11) * 0x1p-53;
    for (const double x : {any, unit, 100.0 * unit}) {
      if (m::is_finite(x)) {
        ASSERT_TRUE(same(m::sin(-x), -m::sin(x))) << x;
        ASSERT_TRUE(same(m::tan(-x), -m::tan(x))) << x;
        ASSERT_TRUE(same(m::cos(-x), m::cos(x))) << x;
      }
      ASSERT_TRUE(same(m::atan(-x), -m::atan(x))) << x;
      ASSERT_TRUE(same(m::cbrt(-x), -m::cbrt(x))) << x;
      ASSERT_TRUE(same(m::hypot(-x, unit), m::hypot(unit, x))) << x;
      ASSERT_TRUE(same(m::atan2(-x, unit), -m::atan2(x, unit))) << x;
      if (x <= 1.0) {
        ASSERT_TRUE(same(m::asin(-x), -m::asin(x))) << x;
      }
    }
  }
}

struct Monotone {
  const char* name;
  double (*f)(double);
  double from;
  double to;
  double direction;
};

TEST(MathLaw, MonotoneAlongFineSteps) {
  // Neighbours (1 and 3 ulp apart) may not be out of order; an error below 1 ulp alone does not
  // promise that, so it is tried where kernels and table intervals meet.
  const Monotone cases[] = {
      {"exp", m::exp, -20.0, 20.0, 1.0},      {"expm1", m::expm1, -2.0, 2.0, 1.0},
      {"log", m::log, 0.01, 10.0, 1.0},       {"log1p", m::log1p, -0.9, 5.0, 1.0},
      {"atan", m::atan, -3.0, 3.0, 1.0},      {"asin", m::asin, -0.999, 0.999, 1.0},
      {"acos", m::acos, -0.999, 0.999, -1.0}, {"cbrt", m::cbrt, 0.1, 30.0, 1.0},
      {"sin", m::sin, -1.5, 1.5, 1.0},        {"cos", m::cos, 0.1, 3.0, -1.0},
      {"tan", m::tan, -1.5, 1.5, 1.0}};
  for (const Monotone& c : cases) {
    const long n = scaled(100'000);
    for (long i = 0; i < n; ++i) {
      const double x = c.from + (c.to - c.from) * (static_cast<double>(i) / static_cast<double>(n));
      for (const std::uint64_t step : {1u, 3u}) {
        const double y = m::from_bits(m::to_bits(x) + step);
        const double rise = (y > x ? 1.0 : -1.0) * c.direction * (c.f(y) - c.f(x));
        ASSERT_GE(rise, 0.0) << c.name << ' ' << std::hexfloat << x;
      }
    }
  }
}

TEST(MathLaw, WrapPi) {
  EXPECT_TRUE(same(m::wrap_pi(m::kPi), m::kPi));
  EXPECT_TRUE(same(m::wrap_pi(-m::kPi), m::kPi));
  EXPECT_TRUE(same(m::wrap_pi(-0.0), -0.0));
  EXPECT_NEAR(m::wrap_pi(m::kTwoPi + 0.25), 0.25, 1e-15);
  EXPECT_NEAR(m::wrap_pi(m::kPi + 0.25), 0.25 - m::kPi, 1e-15);
  EXPECT_NEAR(m::wrap_pi(-m::kPi - 0.25), m::kPi - 0.25, 1e-15);
  std::uint64_t state = 4;
  for (long i = 0, n = scaled(400'000); i < n; ++i) {
    const std::uint64_t bits = next_bits(state);
    const double any = m::from_bits(bits);
    const double moderate = static_cast<double>(static_cast<std::int64_t>(bits)) * 0x1p-56;
    for (const double x : {any, moderate, m::kPi * m::rint(moderate)}) {
      if (!m::is_finite(x)) continue;
      const double w = m::wrap_pi(x);
      ASSERT_TRUE(w > -m::kPi && w <= m::kPi) << x;
      // wrap_pi rounds, so the sines differ by up to half an ulp of pi.
      ASSERT_NEAR(m::sin(w), m::sin(x), 4e-16) << x;
      ASSERT_NEAR(m::cos(w), m::cos(x), 4e-16) << x;
    }
  }
}

}  // namespace
