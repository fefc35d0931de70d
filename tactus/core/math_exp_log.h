// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

/// exp, expm1, log, log1p. One exponential and one logarithm kernel, both with more than 53 bits
/// inside, serve these four and pow.
///
/// Exponential: x = k ln2/128 + r, |r| <= 0.0028; e^x = 2^(k/128) (1 + r + r^2 p(r)), 2^(j/128)
/// from a table of pairs. p interpolates (e^r - 1 - r)/r^2 at 4 Chebyshev nodes; its error is
/// 2^-63 of the result. What is rounded before the last addition is below 2^-8 of the result, so
/// the total error is below 0.51 ulp.
///
/// Logarithm: x = 2^k z, z in [0.703125, 1.40625); a table gives an inverse of z with 10 bits, so
/// that r = z*inverse - 1 is exact as a pair, |r| <= 2^-7, and
/// log x = k ln2 - log(inverse) + r - r^2/2 + r^3 q(r), q minimax of degree 6, error 2^-72 r.
/// r^2/2 is formed exactly; the pair returned has a relative error below 2^-67.
/// Errors: log and log1p below 0.51 ulp, expm1 below 0.6 ulp.
/// Special values follow C Annex F; every NaN result is canonical_nan().

#pragma once

#include "tactus/core/math_tables.h"

namespace tactus::math {
namespace detail {

/// (base + tail) 2^k with base in [1, 2) and tail below 2^-8 of it.
struct Scaled {
  double base;
  double tail;
  std::int64_t k;
};

/// e^(x.hi + x.lo), |x.hi| < 1000, |x.lo| < 2^-14. Not every k it returns has 2^k as a double.
TACTUS_HD inline Scaled exp_of(Pair x) {
  constexpr double kShift = 0x1.8p52;  // adding it leaves the nearest integer in the low bits
  constexpr double kLn2Hi = 0x1.62e42fef8p-8;  // ln2/128; its products with 18 bits are exact
  constexpr double kLn2Lo = 0x1.1cf79abc9e3b4p-43;
  const double shifted = x.hi * 0x1.71547652b82fep7 + kShift;
  const std::int64_t n = static_cast<std::int64_t>(to_bits(shifted) - to_bits(kShift));
  const double nd = shifted - kShift;
  const double r = (x.hi - nd * kLn2Hi) + (x.lo - nd * kLn2Lo);
  const double r2 = r * r;
  const double p = (0x1.fffffffffff4p-2 + r * 0x1.555555555551ep-3) +
                   r2 * (0x1.55555b2de4194p-5 + r * 0x1.111114683e11cp-7);
  const Pair& t = exp2_entry(static_cast<std::uint64_t>(n) & 127u);
  return {t.hi, t.lo + t.hi * (r + r2 * p), n >> 7};
}

TACTUS_HD constexpr double power_of_two(std::int64_t k) {
  return from_bits(static_cast<std::uint64_t>(k + 1023) << 52);
}

/// Rounds to double, once, also where the result overflows or is subnormal.
TACTUS_HD inline double assemble(const Scaled& v) {
  const double sum = v.base + v.tail;
  if (v.k >= -1021 && v.k <= 1022) return sum * power_of_two(v.k);
  if (v.k > 0) return sum * 0x1p1022 * power_of_two(v.k - 1022);
  if (v.k == -1022 && sum >= 1.0) return sum * 0x1p-1022;
  if (v.k < -1076) return 0.0;
  // Adding 2^52 units of the last subnormal place makes the adder round at that place.
  const double grid = power_of_two(52 - 1074 - v.k);
  const Pair s = fast_two_sum(grid, v.base);
  const double rounded = (s.hi + (s.lo + v.tail)) - grid;
  return rounded * power_of_two(v.k + 60) * 0x1p-60;
}

/// e^(x.hi + x.lo), |x.lo| < 2^-14, x.hi finite.
TACTUS_HD inline double exp_rounded(Pair x) {
  if (x.hi > 710.0) return infinity();
  if (x.hi < -746.0) return 0.0;
  return assemble(exp_of(x));
}

/// log of 2^k (x + low) for a positive normal x and |low| <= ulp(x)/2.
TACTUS_HD inline Pair log_of(double x, double low, std::int64_t k) {
  constexpr std::uint64_t kFirst = 0x3fe6800000000000u;  // bits of 0.703125
  constexpr double kLn2Hi = 0x1.62e42fefa38p-1;          // a multiple of 2^-42, as the table's hi
  constexpr double kLn2Lo = 0x1.ef35793c7673p-45;
  const std::uint64_t offset = to_bits(x) - kFirst;
  const LogEntry& entry = log_entry((offset >> 45) & 127u);
  const std::int64_t shift = static_cast<std::int64_t>(offset) >> 52;
  const double z = from_bits(to_bits(x) - (static_cast<std::uint64_t>(shift) << 52));
  const double kd = static_cast<double>(k + shift);

  const double zh = head(z);
  Pair r = fast_two_sum(zh * entry.inverse - 1.0, (z - zh) * entry.inverse);
  if (low != 0.0) {  // only log1p, where x < 2^61
    const Pair t = fast_two_sum(r.hi, low * power_of_two(-shift) * entry.inverse);
    r = {t.hi, t.lo + r.lo};
  }
  const double rh = head(r.hi);
  const double half_square_hi = 0.5 * rh * rh;
  const double half_square_lo = 0.5 * (r.hi - rh) * (r.hi + rh);
  const double r2 = r.hi * r.hi;
  const double q = (0x1.5555555555555p-2 + r.hi * -0x1.000000000008cp-2) +
                   r2 * ((0x1.99999999ad51ap-3 + r.hi * -0x1.555555412717cp-3) +
                         r2 * ((0x1.24923fa1ec377p-3 + r.hi * -0x1.00072727b0adbp-3) +
                               r2 * 0x1.c9cb84fdf7ef8p-4));
  // k kLn2Hi + entry.hi is exact; each later term is smaller than the sum before it.
  const Pair a = fast_two_sum(kd * kLn2Hi + entry.hi, r.hi);
  const Pair b = fast_two_sum(a.hi, -half_square_hi);
  const double small = (kd * kLn2Lo + entry.lo) + r.lo * (1.0 - r.hi) - half_square_lo;
  return fast_two_sum(b.hi, b.lo + (a.lo + (small + r2 * r.hi * q)));
}

/// log of a positive finite x, subnormal or not.
TACTUS_HD inline Pair log_of(double x) {
  return x < 0x1p-1022 ? log_of(x * 0x1p52, 0.0, -52) : log_of(x, 0.0, 0);
}

}  // namespace detail

TACTUS_HD inline double exp(double x) {
  if (abs(x) < 746.0) return detail::assemble(detail::exp_of({x, 0.0}));
  if (is_nan(x)) return canonical_nan();
  return x > 0.0 ? infinity() : 0.0;
}

/// Near 0 a minimax polynomial of degree 8 in x + x^2/2 + x^3 p(x), error 2^-60, with x^2/2 exact;
/// elsewhere the exponential kernel minus 1, added before anything is rounded.
TACTUS_HD inline double expm1(double x) {
  if (is_nan(x)) return canonical_nan();
  const double a = abs(x);
  if (a < 0x1p-54) return x;
  if (a <= 0.25) {
    const double xh = detail::head(x);
    const double x2 = x * x;
    const double x4 = x2 * x2;
    const double p = ((0x1.5555555555555p-3 + x * 0x1.5555555555352p-5) +
                      x2 * (0x1.111111111155dp-7 + x * 0x1.6c16c16e1cdbdp-10)) +
                     x4 * (((0x1.a01a019c8106p-13 + x * 0x1.a019ec0dd6c71p-16) +
                            x2 * (0x1.71de4928360d3p-19 + x * 0x1.2842c451a0657p-22)) +
                           x4 * 0x1.ae6bbec4980c7p-26);
    const detail::Pair s = detail::fast_two_sum(x, 0.5 * xh * xh);
    return s.hi + (s.lo + (0.5 * (x - xh) * (x + xh) + x2 * x * p));
  }
  if (x > 40.0) return exp(x);  // the 1 is below 2^-57 of the result
  if (x < -40.0) return -1.0;
  const detail::Scaled e = detail::exp_of({x, 0.0});
  const double scale = detail::power_of_two(e.k);
  const detail::Pair s = detail::two_sum(e.base * scale, -1.0);
  return s.hi + (s.lo + e.tail * scale);
}

TACTUS_HD inline double log(double x) {
  if (x > 0.0 && x < infinity()) return detail::log_of(x).hi;
  if (x == 0.0) return -infinity();
  return x > 0.0 ? x : canonical_nan();
}

TACTUS_HD inline double log1p(double x) {
  if (abs(x) < 0x1p-54) return x;
  if (x == -1.0) return -infinity();
  if (!(x > -1.0)) return canonical_nan();
  if (x > 0x1p60) return log(x);  // the 1 is below 2^-60 of x
  const detail::Pair s = detail::two_sum(1.0, x);
  return detail::log_of(s.hi, s.lo, 0).hi;
}

}  // namespace tactus::math
