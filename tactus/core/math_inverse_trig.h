// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

/// atan, atan2, asin, acos; results in radians.
///
/// One kernel finds atan(n/d) for pairs n, d. It makes n <= d (atan(n/d) = pi/2 - atan(d/n)), takes
/// c = j/32 nearest to n/d and uses atan(n/d) = atan(c) + atan(t), t = (n - c d)/(d + c n),
/// |t| <= 1/64, with atan(c) from a table of pairs, t as a pair, and
/// atan t = t + t^3 p(t^2), p of degree 3 at Chebyshev nodes, error 2^-67 t.
/// asin x = atan(x / sqrt(1 - x^2)) and acos x = atan(sqrt(1 - x^2) / x), with 1 - x^2 exact.
/// Errors: below 0.51 ulp for all four (results below 2^-1022 are rounded once, by a division).
/// Special values follow C Annex F; every NaN result is canonical_nan().

#pragma once

#include "tactus/core/math_tables.h"

namespace tactus::math {
namespace detail {

/// atan(n/d) in [0, pi/2] for n, d >= 0, not both 0, the larger between 2^-60 and 2^60.
TACTUS_HD inline Pair atan_of(Pair n, Pair d) {
  const bool swapped = n.hi > d.hi;
  if (swapped) {
    const Pair keep = n;
    n = d;
    d = keep;
  }
  constexpr double kShift = 0x1.8p52;  // adding it leaves the nearest integer in the low bits
  const double shifted = 32.0 * (n.hi / d.hi) + kShift;
  const double c = (shifted - kShift) * 0.03125;
  // c has 6 bits, so its products with heads are exact; n - c * head(d) is exact by Sterbenz.
  const double nh = head(n.hi);
  const double dh = head(d.hi);
  const Pair numerator = fast_two_sum(n.hi - c * dh, n.lo - c * ((d.hi - dh) + d.lo));
  const Pair sum = fast_two_sum(d.hi, c * nh);
  const Pair denominator = fast_two_sum(sum.hi, sum.lo + (d.lo + c * ((n.hi - nh) + n.lo)));
  const Pair t = divide(numerator, denominator);

  const double z = t.hi * t.hi;
  const double p = (-0x1.5555555555555p-2 + z * 0x1.99999999969aap-3) +
                   (z * z) * (-0x1.249248374166bp-3 + z * 0x1.c6ed726fd3c12p-4);
  const Pair& base = atan_entry(static_cast<int>(to_bits(shifted) & 63u));
  const Pair s = fast_two_sum(base.hi, t.hi);
  const Pair angle = fast_two_sum(s.hi, s.lo + (base.lo + (t.lo + t.hi * z * p)));
  if (!swapped) return angle;
  const Pair rest = fast_two_sum(0x1.921fb54442d18p0, -angle.hi);
  return {rest.hi, rest.lo + (0x1.1a62633145c07p-54 - angle.lo)};
}

/// pi - a for 0 <= a <= pi.
TACTUS_HD inline double pi_minus(Pair a) {
  const Pair rest = fast_two_sum(kPi, -a.hi);
  return rest.hi + (rest.lo + (0x1.1a62633145c07p-53 - a.lo));
}

/// sqrt(1 - x^2) for |x| < 1.
TACTUS_HD inline Pair cosine_from_sine(double x) {
  const Pair square = two_product(x, x);
  const Pair rest = fast_two_sum(1.0, -square.hi);
  return sqrt(fast_two_sum(rest.hi, rest.lo - square.lo));
}

/// Angle of the point (x, y), both positive and finite, y / x neither above 2^60 nor below 2^-60
/// (by exponents). Both are scaled together to about 1, so that nothing overflows or underflows.
TACTUS_HD inline Pair angle_of(double y, double x) {
  const std::uint64_t exponent = to_bits(max(x, y)) >> 52;
  const double scale = from_bits((exponent > 2045 ? 1 : 2046 - exponent) << 52);
  return atan_of({y * scale, 0.0}, {x * scale, 0.0});
}

}  // namespace detail

TACTUS_HD inline double atan(double x) {
  if (is_nan(x)) return canonical_nan();
  const double a = abs(x);
  if (a < 0x1p-28) return x;
  if (a > 0x1p60) return copysign(kHalfPi, x);
  const detail::Pair angle = detail::atan_of({a, 0.0}, {1.0, 0.0});
  return copysign(angle.hi + angle.lo, x);
}

TACTUS_HD inline double atan2(double y, double x) {
  if (is_nan(x) || is_nan(y)) return canonical_nan();
  const double ax = abs(x);
  const double ay = abs(y);
  const int ratio = static_cast<int>(to_bits(ay) >> 52) - static_cast<int>(to_bits(ax) >> 52);
  const bool left = sign_bit(x);
  double angle = 0.0;
  if (is_inf(ax) && is_inf(ay)) {
    angle = left ? 0x1.2d97c7f3321d2p1 : 0.5 * kHalfPi;  // 3 pi / 4, pi / 4
  } else if (ay == 0.0 || (ratio < -60 && left) || is_inf(ax)) {
    angle = left ? kPi : 0.0;
  } else if (ax == 0.0 || ratio > 60) {
    angle = kHalfPi;
  } else if (ratio < -60) {
    angle = ay / ax;
  } else {
    const detail::Pair a = detail::angle_of(ay, ax);
    angle = left ? detail::pi_minus(a) : a.hi + a.lo;
  }
  return copysign(angle, y);
}

TACTUS_HD inline double asin(double x) {
  const double a = abs(x);
  if (a < 0x1p-28) return x;
  if (!(a <= 1.0)) return canonical_nan();
  if (a == 1.0) return copysign(kHalfPi, x);
  const detail::Pair angle = detail::atan_of({a, 0.0}, detail::cosine_from_sine(a));
  return copysign(angle.hi + angle.lo, x);
}

TACTUS_HD inline double acos(double x) {
  const double a = abs(x);
  if (!(a <= 1.0)) return canonical_nan();
  if (a == 1.0) return x > 0.0 ? 0.0 : kPi;
  const detail::Pair angle = detail::atan_of(detail::cosine_from_sine(a), {a, 0.0});
  return x < 0.0 ? detail::pi_minus(angle) : angle.hi + angle.lo;
}

}  // namespace tactus::math
