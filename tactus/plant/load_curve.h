// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Bus current of one electrical load as a function of bus voltage, exactly as a continuous,
// non-decreasing, piecewise linear function: the form in which motors meet the power network, so
// that Kirchhoff's law can be solved in closed form on each piece.
//
//   I(V) = slope_a_per_v[k] · V + offset_a[k]   for break_v[k−1] ≤ V < break_v[k],  k = 0 … count−1
//
// with break_v[−1] = −∞ and break_v[count−1] = +∞ (neither is stored): `count` segments have
// `count − 1` ascending breakpoints. Positive current is drawn from the bus; slopes are ≥ 0.

#include "tactus/core/assert.h"
#include "tactus/core/hd.h"

namespace tactus {

struct LoadCurve {
  static constexpr int kMaxSegments = 4;

  int count = 1;  ///< segments in use, 1 … kMaxSegments
  // Unused segments are never read, so hot code leaves them uninitialised. `LoadCurve{}` draws
  // nothing.
  double break_v[kMaxSegments - 1];
  double slope_a_per_v[kMaxSegments];
  double offset_a[kMaxSegments];
};

/// Segment that holds at this voltage.
TACTUS_HD constexpr int segment_at(const LoadCurve& curve, double bus_v) {
  TACTUS_ASSERT(curve.count >= 1 && curve.count <= LoadCurve::kMaxSegments, "segments in use");
  int k = 0;
  while (k < curve.count - 1 && bus_v >= curve.break_v[k]) ++k;
  return k;
}

/// Current drawn at this voltage.
TACTUS_HD constexpr double current_at(const LoadCurve& curve, double bus_v) {
  const int k = segment_at(curve, bus_v);
  TACTUS_ASSERT(!(curve.slope_a_per_v[k] < 0.0), "a load that draws no less at a higher voltage");
  return curve.slope_a_per_v[k] * bus_v + curve.offset_a[k];
}

}  // namespace tactus
