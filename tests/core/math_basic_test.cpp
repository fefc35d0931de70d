// link: mpfr gmp
// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The exact operations against their definitions; rounding to integers against MPFR.

#include "tactus/core/math_basic.h"

#include <gtest/gtest.h>
#include <mpfr.h>

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

TEST(MathRounding, AgainstMpfrOnAllKindsOfNumbers) {
  mpfr_t exact;
  mpfr_init2(exact, 64);
  std::uint64_t state = 3;
  const auto check = [&](double x) {
    const auto expect = [&](double own, int (*truth)(mpfr_ptr, mpfr_srcptr)) {
      mpfr_set_d(exact, x, MPFR_RNDN);
      truth(exact, exact);
      ASSERT_TRUE(same(own, mpfr_get_d(exact, MPFR_RNDN))) << std::hexfloat << x;
    };
    expect(m::floor(x), mpfr_floor);
    expect(m::ceil(x), mpfr_ceil);
    expect(m::trunc(x), mpfr_trunc);
    expect(m::round(x), mpfr_round);
    mpfr_set_d(exact, x, MPFR_RNDN);
    mpfr_roundeven(exact, exact);
    ASSERT_TRUE(same(m::rint(x), mpfr_get_d(exact, MPFR_RNDN))) << std::hexfloat << x;
  };
  for (double x : {0.0, 0.5, 0.49999999999999994, 1.5, 2.5, 0x1p51 + 0.5, 0x1p52 - 0.5, 0x1p52,
                   0x1p52 + 1.0, 0x1p53, kTiny, kMax, kInf}) {
    check(x);
    check(-x);
  }
  for (long i = 0, n = scaled(1'000'000); i < n; ++i) {
    const std::uint64_t bits = next_bits(state);
    const double x = m::from_bits(bits);
    if (!m::is_nan(x)) check(x);
    check(static_cast<double>(static_cast<std::int64_t>(bits)) * 0x1p-54);
    check(static_cast<double>(static_cast<std::int64_t>(bits >> 20)) * 0.25);
  }
  mpfr_clear(exact);
}

TEST(MathBasic, ConversionToInteger) {
  bool ok = false;
  EXPECT_EQ(m::to_int64(-2.75, ok), -2);
  EXPECT_TRUE(ok);
  EXPECT_EQ(m::to_int64(-0x1p63, ok), std::numeric_limits<std::int64_t>::min());
  EXPECT_TRUE(ok);
  EXPECT_EQ(m::to_int64(0x1.fffffffffffffp62, ok), 0x7ffffffffffffc00);
  EXPECT_TRUE(ok);
  for (const double bad : {0x1p63, -0x1.0000000000001p63, kInf, -kInf, kNan}) {
    EXPECT_EQ(m::to_int64(bad, ok), 0);
    EXPECT_FALSE(ok) << bad;
  }
}

TEST(MathBasic, OrderAndClassification) {
  EXPECT_TRUE(same(m::min(1.0, 2.0), 1.0));
  EXPECT_TRUE(same(m::max(1.0, 2.0), 2.0));
  EXPECT_TRUE(same(m::min(-0.0, 0.0), 0.0)) << "equal: the second";
  EXPECT_TRUE(same(m::max(0.0, -0.0), -0.0)) << "equal: the second";
  EXPECT_TRUE(same(m::min(kNan, 3.0), 3.0)) << "NaN: the second";
  EXPECT_TRUE(m::is_nan(m::max(3.0, kNan))) << "NaN: the second";
  EXPECT_TRUE(same(m::clamp(5.0, -1.0, 1.0), 1.0));
  EXPECT_TRUE(same(m::clamp(-5.0, -1.0, 1.0), -1.0));
  EXPECT_TRUE(same(m::clamp(-0.0, 0.0, 1.0), -0.0));
  EXPECT_TRUE(m::is_nan(m::clamp(kNan, -1.0, 1.0)));
  EXPECT_TRUE(same(m::canonical_nan(), m::from_bits(0x7ff8000000000000u)));
  EXPECT_TRUE(m::is_finite(kMax) && !m::is_finite(kInf) && !m::is_finite(kNan));
  EXPECT_TRUE(m::is_inf(-kInf) && !m::is_inf(kNan) && !m::is_inf(kMax));
  EXPECT_TRUE(same(m::copysign(3.0, -0.0), -3.0));
  EXPECT_TRUE(same(m::square(-3.0), 9.0));
}

}  // namespace
