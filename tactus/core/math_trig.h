// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

/// sin, cos, sincos, tan and wrap_pi; angles in radians.
///
/// Reduction: x = n pi/2 + r, |r| <= pi/4, r a pair. Up to 2^20 pi/2 is subtracted in three parts
/// (33 + 33 + 53 bits; Cody and Waite 1980), error 2^-100. Beyond that, or where r comes out below
/// 2^-30, x is multiplied by the bits of 2/pi that matter in 192-bit integers (Payne and Hanek
/// 1983): error 2^-126, while no double is closer than 2^-61 to a multiple of pi/2 (Muller,
/// Elementary Functions, chapter on range reduction; 6381956970095103 * 2^797 is the closest).
///
/// Kernel: r = a + d with a = j/16 nearest to r, |d| <= 1/32, and the angle addition formulas with
/// sin a, cos a from a table; the large product, d times the slope, is exact. sin d - d and
/// cos d - 1 are minimax polynomials, errors 2^-65 d and 2^-61. tan divides two pairs.
/// Errors: below 0.52 ulp for every finite x.
///
/// Infinite and NaN arguments give canonical_nan(). sin and tan are odd, cos is even, to the bit.

#pragma once

#include "tactus/core/math_tables.h"

namespace tactus::math {
namespace detail {

struct Reduced {
  Pair r;
  std::uint64_t quadrant;  ///< n; only n mod 4 counts
};

/// 64 x 64 -> 128 bits in 32-bit pieces: standard C++ has no 128-bit integer.
struct Product128 {
  std::uint64_t hi;
  std::uint64_t lo;
};

TACTUS_HD constexpr Product128 multiply_wide(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t kMask = 0xffffffffu;
  const std::uint64_t low = (a & kMask) * (b & kMask);
  const std::uint64_t mid1 = (a >> 32) * (b & kMask) + (low >> 32);
  const std::uint64_t mid2 = (a & kMask) * (b >> 32) + (mid1 & kMask);
  return {(a >> 32) * (b >> 32) + (mid1 >> 32) + (mid2 >> 32), (mid2 << 32) | (low & kMask)};
}

/// 64 bits of 2/pi that start `skip` bits behind the binary point; skip >= -64.
TACTUS_HD inline std::uint64_t two_over_pi_bits(int skip) {
  const int word = (skip + 64) / 64 - 1;
  const int shift = (skip + 64) % 64;
  const std::uint64_t first = two_over_pi_word(word) << shift;
  return shift == 0 ? first : first | (two_over_pi_word(word + 1) >> (64 - shift));
}

/// Any finite |x| >= 0.5, given as its absolute value.
TACTUS_HD inline Reduced reduce_exactly(double a) {
  const std::uint64_t bits = to_bits(a);
  const std::uint64_t m = (bits & 0x000fffffffffffffu) | 0x0010000000000000u;
  const int e = static_cast<int>(bits >> 52) - 1075;  // a = m 2^e
  // Bits of 2/pi with weight 4 or more give whole turns. The next 192, times m, are
  // a * 2/pi mod 4 in units of 2^-190.
  const Product128 p2 = multiply_wide(m, two_over_pi_bits(e - 2 + 128));
  const Product128 p1 = multiply_wide(m, two_over_pi_bits(e - 2 + 64));
  const std::uint64_t w1 = p1.lo + p2.hi;
  const std::uint64_t w0 = m * two_over_pi_bits(e - 2) + p1.hi + (w1 < p1.lo ? 1u : 0u);

  std::uint64_t hi = (w0 << 2) | (w1 >> 62);  // the fraction, in units of 2^-128
  std::uint64_t lo = (w1 << 2) | (p2.lo >> 62);
  std::uint64_t quadrant = w0 >> 62;
  const bool above_half = (hi >> 63) != 0;
  if (above_half) {
    quadrant += 1;
    hi = ~hi;
    lo = ~lo;  // one unit of 2^-128 too small: below the error of the product
  }
  const double first = static_cast<double>(hi >> 16) * 0x1p-48;
  const double second = static_cast<double>(((hi & 0xffffu) << 32) | (lo >> 32)) * 0x1p-96;
  const double third = static_cast<double>(lo & 0xffffffffu) * 0x1p-128;
  Pair f = fast_two_sum(first, second);
  f = fast_two_sum(f.hi, f.lo + third);

  constexpr Pair kHalfPiPair = {0x1.921fb54442d18p0, 0x1.1a62633145c07p-54};
  const Pair p = two_product(f.hi, kHalfPiPair.hi);
  const Pair r = fast_two_sum(p.hi, p.lo + (f.hi * kHalfPiPair.lo + f.lo * kHalfPiPair.hi));
  return {above_half ? Pair{-r.hi, -r.lo} : r, quadrant};
}

/// Any finite x.
TACTUS_HD inline Reduced reduce(double x) {
  const double a = abs(x);
  if (a <= 0x1.921fb54442d18p-1) return {{x, 0.0}, 0};
  if (a < 0x1p20) {
    constexpr double kShift = 0x1.8p52;  // adding it leaves the nearest integer in the low bits
    const double shifted = x * 0x1.45f306dc9c883p-1 + kShift;
    const double n = shifted - kShift;
    // The first two products are exact, and so is the first difference. If the second needs
    // rounding then its first operand is the larger one, as fast_two_sum asks.
    const Pair first = fast_two_sum(x - n * 0x1.921fb544p0, -(n * 0x1.0b4611a6p-34));
    const Pair r = fast_two_sum(first.hi, first.lo - n * 0x1.3198a2e037073p-69);
    if (abs(r.hi) > 0x1p-30) return {r, to_bits(shifted)};
  }
  const Reduced e = reduce_exactly(a);
  return x < 0.0 ? Reduced{{-e.r.hi, -e.r.lo}, 0u - e.quadrant} : e;
}

/// r = a + d, ready for the angle addition formulas.
struct Split {
  Pair sine;    ///< of a
  Pair cosine;  ///< of a
  double d;
  double d_head;
  double d_rest;  ///< d - d_head, with what r.lo adds
  double sin_minus_d;
  double cos_minus_1;
};

TACTUS_HD inline Split split(Pair r) {
  constexpr double kShift = 0x1.8p52 + 13.0;  // j + 13, the table index, ends in the low bits
  const double shifted = 16.0 * r.hi + kShift;
  const SinCosEntry& entry = sincos_entry(to_bits(shifted) & 31u);
  const double d = r.hi - (shifted - kShift) * 0.0625;
  const double d_head = head(d);
  const double z = d * d;
  const double p = -0x1.5555555555544p-3 + z * (0x1.1111110f6f431p-7 + z * -0x1.a01736042eb3cp-13);
  const double q = -0.5 + z * (0x1.5555555373c92p-5 + z * -0x1.6c143842f1d24p-10);
  return {entry.sine, entry.cosine, d, d_head, (d - d_head) + r.lo, d * z * p, z * q - d * r.lo};
}

/// base cos d + slope sin d; hi + lo rounds to the result.
TACTUS_HD inline Pair rotate(const Split& v, Pair base, Pair slope) {
  const Pair s = fast_two_sum(base.hi, slope.hi * v.d_head);
  const double curved = (base.hi + base.lo) * v.cos_minus_1 + (slope.hi + slope.lo) * v.sin_minus_d;
  return {s.hi, s.lo + (curved + (base.lo + (slope.hi * v.d_rest + slope.lo * v.d)))};
}

TACTUS_HD inline Pair sin_kernel(const Split& v) { return rotate(v, v.sine, v.cosine); }
TACTUS_HD inline Pair cos_kernel(const Split& v) {
  return rotate(v, v.cosine, {-v.sine.hi, -v.sine.lo});
}

inline constexpr double kTinyAngle = 0x1p-27;  // below it sin x = tan x = x to 0.1 ulp

/// sin (turn = 0) or cos (turn = 1) of a reduced angle.
TACTUS_HD inline double sin_of(const Reduced& v, std::uint64_t turn) {
  const std::uint64_t quadrant = v.quadrant + turn;
  const Split parts = split(v.r);
  const Pair s = (quadrant & 1u) != 0 ? cos_kernel(parts) : sin_kernel(parts);
  const double value = s.hi + s.lo;
  return (quadrant & 2u) != 0 ? -value : value;
}

}  // namespace detail

TACTUS_HD inline double sin(double x) {
  if (!is_finite(x)) return canonical_nan();
  if (abs(x) < detail::kTinyAngle) return x;
  return detail::sin_of(detail::reduce(x), 0);
}

TACTUS_HD inline double cos(double x) {
  if (!is_finite(x)) return canonical_nan();
  return detail::sin_of(detail::reduce(x), 1);
}

/// The same bits as sin(x) and cos(x), with one reduction.
TACTUS_HD inline void sincos(double x, double* sine, double* cosine) {
  if (!is_finite(x)) {
    *sine = *cosine = canonical_nan();
    return;
  }
  const detail::Reduced v = detail::reduce(x);
  const detail::Split parts = detail::split(v.r);
  const detail::Pair s = detail::sin_kernel(parts);
  const detail::Pair c = detail::cos_kernel(parts);
  const bool odd = (v.quadrant & 1u) != 0;
  const double a = odd ? c.hi + c.lo : s.hi + s.lo;
  const double b = odd ? s.hi + s.lo : c.hi + c.lo;
  *sine = abs(x) < detail::kTinyAngle ? x : ((v.quadrant & 2u) != 0 ? -a : a);
  *cosine = ((v.quadrant + 1u) & 2u) != 0 ? -b : b;
}

TACTUS_HD inline double tan(double x) {
  if (!is_finite(x)) return canonical_nan();
  if (abs(x) < detail::kTinyAngle) return x;
  const detail::Reduced v = detail::reduce(x);
  const detail::Split parts = detail::split(v.r);
  const detail::Pair s0 = detail::sin_kernel(parts);
  const detail::Pair c0 = detail::cos_kernel(parts);
  const detail::Pair s = detail::fast_two_sum(s0.hi, s0.lo);
  const detail::Pair c = detail::fast_two_sum(c0.hi, c0.lo);
  const bool odd = (v.quadrant & 1u) != 0;
  const detail::Pair t = odd ? detail::divide({-c.hi, -c.lo}, s) : detail::divide(s, c);
  return t.hi + t.lo;
}

/// The angle in (-pi, pi] that points the same way: x minus a multiple of the true 2 pi, so that
/// sin(wrap_pi(x)) agrees with sin(x) for large x too. Angles that are already in
/// (-kPi, kPi] come back unchanged; -kPi becomes kPi.
TACTUS_HD inline double wrap_pi(double x) {
  if (!is_finite(x)) return canonical_nan();
  if (abs(x) <= kPi) return x == -kPi ? kPi : x;
  constexpr detail::Pair kHalfPiPair = {0x1.921fb54442d18p0, 0x1.1a62633145c07p-54};
  const detail::Reduced v = detail::reduce(x);
  const std::uint64_t quadrant = v.quadrant & 3u;
  double n = quadrant == 3u ? -1.0 : static_cast<double>(quadrant);
  if (n == 2.0 && v.r.hi > 0.0) n = -2.0;
  const detail::Pair s = detail::two_sum(n * kHalfPiPair.hi, v.r.hi);
  const double wrapped = s.hi + (s.lo + (n * kHalfPiPair.lo + v.r.lo));
  return wrapped <= -kPi ? kPi : wrapped;
}

}  // namespace tactus::math
