// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

/// Exact operations on doubles: bits, classification, sign, order, rounding to integers, sqrt.
/// Nothing here has a rounding error other than the one of IEEE sqrt. The only libm names used
/// are fabs, copysign and sqrt, which IEEE 754 defines to the bit. NaN results are
/// canonical_nan() or the unchanged argument, because the NaN that hardware makes up differs
/// between x86-64, aarch64 and GPU.
/// All of it assumes round-to-nearest, no flush-to-zero and -ffp-contract=off.

#pragma once

#include <cmath>
#include <cstdint>

#include "tactus/core/hd.h"

namespace tactus::math {

inline constexpr double kPi = 0x1.921fb54442d18p+1;
inline constexpr double kTwoPi = 0x1.921fb54442d18p+2;
inline constexpr double kHalfPi = 0x1.921fb54442d18p+0;
inline constexpr double kDegToRad = 0x1.1df46a2529d39p-6;
inline constexpr double kRadToDeg = 0x1.ca5dc1a63c1f8p+5;

TACTUS_HD constexpr std::uint64_t to_bits(double x) { return __builtin_bit_cast(std::uint64_t, x); }
TACTUS_HD constexpr double from_bits(std::uint64_t bits) {
  return __builtin_bit_cast(double, bits);
}

/// The one NaN that Tactus produces and stores: quiet, positive, no payload.
TACTUS_HD constexpr double canonical_nan() { return from_bits(0x7ff8000000000000u); }
TACTUS_HD constexpr double infinity() { return from_bits(0x7ff0000000000000u); }

TACTUS_HD constexpr bool is_nan(double x) {
  return (to_bits(x) & 0x7fffffffffffffffu) > 0x7ff0000000000000u;
}
TACTUS_HD constexpr bool is_finite(double x) {
  return (to_bits(x) & 0x7ff0000000000000u) != 0x7ff0000000000000u;
}
TACTUS_HD constexpr bool is_inf(double x) {
  return (to_bits(x) & 0x7fffffffffffffffu) == 0x7ff0000000000000u;
}
/// True for -0.0 and negative NaN too.
TACTUS_HD constexpr bool sign_bit(double x) { return (to_bits(x) >> 63) != 0; }

TACTUS_HD inline double abs(double x) { return std::fabs(x); }
TACTUS_HD inline double copysign(double magnitude, double sign) {
  return std::copysign(magnitude, sign);
}

/// Correctly rounded; sqrt(-0) = -0; negative or NaN gives canonical_nan().
TACTUS_HD inline double sqrt(double x) { return x >= 0.0 ? std::sqrt(x) : canonical_nan(); }

/// min and max return the second argument when the two are equal (so also for +0 and -0) or
/// when either is NaN. Unlike fmin they do not hide a NaN in b.
TACTUS_HD constexpr double min(double a, double b) { return a < b ? a : b; }
TACTUS_HD constexpr double max(double a, double b) { return a > b ? a : b; }

/// x limited to [lo, hi]; needs lo <= hi. A NaN x stays NaN.
TACTUS_HD constexpr double clamp(double x, double lo, double hi) {
  return x < lo ? lo : (x > hi ? hi : x);
}

TACTUS_HD constexpr double square(double x) { return x * x; }

/// Nearest integer, halves to even. Below 2^52 adding and subtracting 2^52 makes the adder round
/// at the units place; from 2^52 on every double is an integer. The sign of zero is kept.
TACTUS_HD inline double rint(double x) {
  constexpr double kTwo52 = 0x1p52;
  const double a = abs(x);
  if (!(a < kTwo52)) return x;
  return copysign((a + kTwo52) - kTwo52, x);
}

TACTUS_HD inline double floor(double x) {
  const double r = rint(x);
  return r > x ? r - 1.0 : r;
}

TACTUS_HD inline double ceil(double x) {
  const double r = rint(x);
  return r < x ? copysign(r + 1.0, x) : r;
}

TACTUS_HD inline double trunc(double x) { return copysign(floor(abs(x)), x); }

/// Nearest integer, halves away from zero. a - t is exact, so 0.49999999999999994 goes to 0.
TACTUS_HD inline double round(double x) {
  const double a = abs(x);
  const double t = floor(a);
  return copysign(a - t >= 0.5 ? t + 1.0 : t, x);
}

/// Truncates toward zero like a cast, but defined for every x: ok is whether the value fits;
/// if not (or NaN) the result is 0. Use this instead of a raw double-to-integer cast.
TACTUS_HD constexpr std::int64_t to_int64(double x, bool& ok) {
  ok = x >= -0x1p63 && x < 0x1p63;
  return ok ? static_cast<std::int64_t>(x) : 0;
}

}  // namespace tactus::math
