// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

/// pow and the roots cbrt and hypot.
///
/// pow: e^(y log x) with both kernels of math_exp_log.h. The logarithm pair has a relative error
/// below 2^-67 and |y log x| <= 745 for a finite result, which leaves 0.1 ulp: the total is below
/// 0.6 ulp and every exactly representable power comes out exactly.
/// cbrt: a 17-bit guess t from a polynomial of degree 5, whose cube is exact, then the binomial
/// series of cbrt(1 + e), e = (x - t^3)/t^3; below 0.501 ulp.
/// hypot: x^2 + y^2 as an exact pair, square root with one correction; below 0.501 ulp.
/// Special values follow C Annex F; every NaN result is canonical_nan().

#pragma once

#include "tactus/core/math_exp_log.h"

namespace tactus::math {
namespace detail {

enum class Parity { kNotInteger, kOdd, kEven };

TACTUS_HD inline Parity parity_of(double y) {
  const double a = abs(y);
  if (a >= 0x1p53) return Parity::kEven;
  if (floor(a) != a) return Parity::kNotInteger;
  return floor(0.5 * a) == 0.5 * a ? Parity::kEven : Parity::kOdd;
}

/// x^y for x > 0 finite and y finite.
TACTUS_HD inline double pow_positive(double x, double y) {
  const double a = abs(y);
  if (a < 0x1p-65) return 1.0;  // |y log x| below 2^-55
  if (a > 0x1p64) {             // |log x| is 0 or at least 2^-53
    if (x == 1.0) return 1.0;
    return (x > 1.0) == (y > 0.0) ? infinity() : 0.0;
  }
  const Pair l = log_of(x);
  // yh * lh is exact; the rest is below 2^-25 of it, which is the least exp_of asks for.
  const double lh = head(l.hi);
  const double yh = head(y);
  return exp_rounded({yh * lh, (y - yh) * lh + y * ((l.hi - lh) + l.lo)});
}

/// x^y where x is zero, negative or infinite or y is infinite; neither is NaN, y is not 0.
TACTUS_HD inline double pow_special(double x, double y) {
  const double a = abs(x);
  if (is_inf(y)) {
    if (a == 1.0) return 1.0;
    return (a > 1.0) == (y > 0.0) ? infinity() : 0.0;
  }
  const Parity parity = parity_of(y);
  const double sign = sign_bit(x) && parity == Parity::kOdd ? -1.0 : 1.0;
  if (a == 0.0) return copysign(y > 0.0 ? 0.0 : infinity(), sign);
  if (is_inf(a)) return copysign(y > 0.0 ? infinity() : 0.0, sign);
  if (parity == Parity::kNotInteger) return canonical_nan();
  return copysign(pow_positive(a, y), sign);
}

}  // namespace detail

TACTUS_HD inline double pow(double x, double y) {
  if (x > 0.0 && x < infinity() && is_finite(y)) return detail::pow_positive(x, y);
  if (y == 0.0 || x == 1.0) return 1.0;
  if (is_nan(x) || is_nan(y)) return canonical_nan();
  return detail::pow_special(x, y);
}

TACTUS_HD inline double cbrt(double x) {
  if (x == 0.0 || is_inf(x)) return x;
  if (is_nan(x)) return canonical_nan();
  const double a = abs(x);
  const bool subnormal = a < 0x1p-1022;
  const std::uint64_t bits = to_bits(subnormal ? a * 0x1p54 : a);
  // |x| = m 8^k 2^j with m in [1, 2); 3 * 400 keeps the dividend positive.
  const std::uint64_t exponent = (bits >> 52) + (1200 - 1023) - (subnormal ? 54 : 0);
  const std::uint64_t j = exponent % 3;
  const double m = from_bits((bits & 0x000fffffffffffffu) | 0x3ff0000000000000u);
  const double root_of_scale = j == 0 ? 1.0 : (j == 1 ? 0x1.428a2f98d728bp0 : 0x1.965fea53d6e3dp0);
  const double z = m * (j == 0 ? 1.0 : (j == 1 ? 2.0 : 4.0));

  const double m2 = m * m;
  const double guess = (0x1.e68ceb1fc3429p-2 + m * 0x1.a9da3cc66f245p-1) +
                       m2 * ((-0x1.d758498b983bcp-2 + m * 0x1.92bfc00e33108p-3) +
                             m2 * (-0x1.8bd2dce403128p-5 + m * 0x1.4c7608a04eba1p-8));
  // Round to 17 bits (guess * root is in [1, 2)); then t^3 and z - t^3 are exact.
  const double t = (guess * root_of_scale + 0x1.8p36) - 0x1.8p36;
  const double t3 = t * t * t;
  const double e = (z - t3) / t3;
  const double series = 0x1.5555555555555p-2 + e * (-1.0 / 9 + e * (5.0 / 81 + e * (-10.0 / 243)));
  const double root = t + t * (e * series);
  return copysign(root * detail::power_of_two(static_cast<std::int64_t>(exponent / 3) - 400), x);
}

TACTUS_HD inline double hypot(double x, double y) {
  if (is_inf(x) || is_inf(y)) return infinity();
  if (is_nan(x) || is_nan(y)) return canonical_nan();
  const double a = max(abs(x), abs(y));
  const double b = min(abs(x), abs(y));
  if (b <= a * 0x1p-60) return a + b;  // also when b is 0
  const double scale = a > 0x1p500 ? 0x1p-600 : (b < 0x1p-400 ? 0x1p600 : 1.0);
  const detail::Pair aa = detail::two_product(a * scale, a * scale);
  const detail::Pair bb = detail::two_product(b * scale, b * scale);
  const detail::Pair sum = detail::fast_two_sum(aa.hi, bb.hi);
  const detail::Pair root = detail::sqrt(detail::fast_two_sum(sum.hi, sum.lo + (aa.lo + bb.lo)));
  if (scale > 1.0 && root.hi < 0x1p-422) {  // subnormal: round at its last place, only once
    const detail::Pair s = detail::fast_two_sum(0x1p-422, root.hi);
    return ((s.hi + (s.lo + root.lo)) - 0x1p-422) * 0x1p-600;
  }
  return (root.hi + root.lo) * (1.0 / scale);
}

}  // namespace tactus::math
