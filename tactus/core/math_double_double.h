// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

/// A number as the sum of two doubles, for the places where an elementary function needs more
/// than 53 bits. Exact sums after Dekker (1971) and Knuth (TAOCP vol. 2, 4.2.2). Products are
/// split by masking bits rather than with fma, which not every target has; the split cannot
/// overflow.

#pragma once

#include "tactus/core/math_basic.h"

namespace tactus::math::detail {

struct Pair {
  double hi;
  double lo;
};

/// The leading 26 bits of x; x - head(x) is exact and has at most 27 bits.
TACTUS_HD constexpr double head(double x) { return from_bits(to_bits(x) & 0xfffffffff8000000u); }

/// a + b exactly, if |a| >= |b| or a == 0 or the sum needs no rounding.
TACTUS_HD constexpr Pair fast_two_sum(double a, double b) {
  const double s = a + b;
  return {s, (a - s) + b};
}

/// a + b exactly, whatever their order.
TACTUS_HD constexpr Pair two_sum(double a, double b) {
  const double s = a + b;
  const double b_part = s - a;
  return {s, (a - (s - b_part)) + (b - b_part)};
}

/// a * b to about 106 bits (exact but for the last bit of the lowest partial product).
TACTUS_HD constexpr Pair two_product(double a, double b) {
  const double ah = head(a);
  const double al = a - ah;
  const double bh = head(b);
  const double bl = b - bh;
  const double p = a * b;
  return {p, (((ah * bh - p) + ah * bl) + al * bh) + al * bl};
}

/// n / d; relative error below 2^-100 for normalised pairs far from overflow and underflow.
TACTUS_HD constexpr Pair divide(Pair n, Pair d) {
  const double q = n.hi / d.hi;
  const Pair p = two_product(q, d.hi);
  const double remainder = ((n.hi - p.hi) - p.lo) + (n.lo - q * d.lo);
  return {q, remainder / d.hi};
}

/// sqrt(a) for a normalised a > 0, relative error below 2^-100.
TACTUS_HD inline Pair sqrt(Pair a) {
  const double s = math::sqrt(a.hi);
  const Pair p = two_product(s, s);
  return {s, (((a.hi - p.hi) - p.lo) + a.lo) / (2.0 * s)};
}

}  // namespace tactus::math::detail
