// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Velocity that a rotor induces in its own disc: Glauert's momentum theory in every flight state.
//
//   T / (2 ρ S) = vi √(V² + w² + f (N² − w²)),   w = Vc + vi,   f = Vc² / (Vc² + V²)
// with Vc climb speed and V in-plane speed.
//
// N is the flow through the disc that axial momentum theory would need. It is w in climb and in the
// windmill-brake state (v ≥ kWindmill vi, v = −Vc > 0). Between them momentum theory has no wake to
// speak of; there the measured vi/vh = 1 − 1.125x − 1.372x² − 1.718x³ − 0.655x⁴, x = Vc/vh
// (Leishman, Principles of Helicopter Aerodynamics, eq. 2.99) is used. Because every branch is
// homogeneous it reads N = vi p(u), u = v/vi, with p = 1/y² and u = −x/y on the curve y(x): p is
// kept as a cubic Hermite interpolant through points and slopes of that curve for −1.9 ≤ x ≤ −0.3,
// and from there to the momentum branches, whose values and slopes it takes at u = 0 (climb) and
// at u = kWindmill. So N is C¹. In-plane speed removes the descent correction (f → 0) and leaves
// Glauert's formula. The right-hand side grows strictly with vi, blade thrust falls with it: there
// is one root. Negative thrust is the same problem with all signs changed.

#include "tactus/core/assert.h"
#include "tactus/core/hd.h"
#include "tactus/core/math.h"

namespace tactus {

namespace detail {

inline constexpr int kDescentKnots = 9;
inline constexpr double kWindmill =
    2.3;  ///< at 2 the slope of the windmill branch would be infinite

struct DescentCurve {
  double u[kDescentKnots];
  double p[kDescentKnots];
  double slope[kDescentKnots];
};

TACTUS_HD constexpr DescentCurve make_descent_curve() {
  DescentCurve curve{};
  curve.u[0] = 0.0;
  curve.p[0] = 1.0;
  curve.slope[0] = -1.0;
  const double xs[kDescentKnots - 2] = {-0.3, -0.6, -0.9, -1.2, -1.5, -1.75, -1.9};
  for (int i = 0; i < kDescentKnots - 2; ++i) {
    const double x = xs[i];
    const double y = 1.0 + x * (-1.125 + x * (-1.372 + x * (-1.718 - 0.655 * x)));
    const double dy = -1.125 + x * (-2.744 + x * (-5.154 - 2.62 * x));
    curve.u[i + 1] = -x / y;
    curve.p[i + 1] = 1.0 / (y * y);
    curve.slope[i + 1] = 2.0 * dy / (y * (y - x * dy));  // (dp/dx) / (du/dx)
  }
  curve.u[kDescentKnots - 1] = kWindmill;
  curve.p[kDescentKnots - 1] = kWindmill - 1.0;
  curve.slope[kDescentKnots - 1] = 1.0;
  return curve;
}

/// Flow through the disc and its slope over vi.
struct DiscFlow {
  double flow_m_s;
  double slope;
};

/// N(vi) for v = −Vc > 0 and vi ≥ 0.
TACTUS_HD inline DiscFlow descent_flow(double v, double vi) {
  if (v >= kWindmill * vi) return {v - vi, -1.0};
  static constexpr DescentCurve kCurve = make_descent_curve();
  const double u = v / vi;
  int k = 0;
  while (k < kDescentKnots - 2 && u >= kCurve.u[k + 1]) ++k;
  const double width = kCurve.u[k + 1] - kCurve.u[k];
  const double t = (u - kCurve.u[k]) / width;
  const double chord = (kCurve.p[k + 1] - kCurve.p[k]) / width;
  const double m0 = kCurve.slope[k];
  const double a2 = 3.0 * chord - 2.0 * m0 - kCurve.slope[k + 1];
  const double a3 = m0 + kCurve.slope[k + 1] - 2.0 * chord;
  const double p = kCurve.p[k] + width * t * (m0 + t * (a2 + t * a3));
  const double dp = m0 + t * (2.0 * a2 + 3.0 * t * a3);
  return {vi * p, p - u * dp};
}

/// Residual c1 vd + vi sqrt(…) − c0 and its slope over vi; also vd itself.
struct InflowResidual {
  double value;
  double slope;
  double through_disc_m_s;
};

TACTUS_HD inline InflowResidual inflow_residual(double vi, double c0, double c1, double climb,
                                                double in_plane2, double ground) {
  const double w = climb + vi;
  double flow2 = in_plane2 + w * w;
  double half_slope = w;
  if (climb < 0.0) {
    const DiscFlow n = descent_flow(-climb, vi);
    // A descent too slow for its square is axial if nothing moves in the plane.
    const double speed2 = climb * climb + in_plane2;
    const double f = speed2 > 0.0 ? climb * climb / speed2 : 1.0;
    flow2 += f * (n.flow_m_s * n.flow_m_s - w * w);
    half_slope += f * (n.flow_m_s * n.slope - w);
  }
  const double flow = math::sqrt(flow2);
  const double vi2 = vi * vi;
  const double sum2 = vi2 + in_plane2;
  const double share = sum2 > 0.0 ? vi2 / sum2 : 1.0;
  const double disc = vi * (1.0 - ground * share);
  const double disc_slope = 1.0 - ground * share * (3.0 - 2.0 * share);
  const double momentum_slope = flow + (flow > 0.0 ? vi * half_slope / flow : 0.0);
  return {c1 * disc + vi * flow - c0, c1 * disc_slope + momentum_slope, disc};
}

}  // namespace detail

/// Induced velocity through the disc, vd, of a rotor whose blades make T/(2ρS) = c0 − c1 vd with
/// c1 > 0. `ground` is the share of vi that the ground takes away in hover, 0 ≤ ground < 0.8.
/// Newton's method kept inside a bracket, with the result of kIterations always: a smooth function
/// for the solver. Iterations whose result is known are not spent: mostly the fourth finds vi
/// again, or goes back to the vi from which Newton had come, and from then on the two alternate.
TACTUS_HD inline double disc_induced_velocity(double c0, double c1, double climb_m_s,
                                              double in_plane2, double ground) {
  // NaN passes: the solver names the state that it comes from. So does the zero to which c1 rounds
  // when a rotor has almost come to rest.
  TACTUS_ASSERT(!(c1 < 0.0), "blades that lift less as air flows in");
  constexpr int kIterations = 7;
  if (c0 == 0.0) return 0.0;
  const double sign = c0 < 0.0 ? -1.0 : 1.0;
  const double target = sign * c0;
  const double climb = sign * climb_m_s;
  // Exact in axial climb out of ground effect; an over-estimate in forward flight.
  const double b = 0.5 * (c1 + math::max(0.0, climb));
  double vi = target / (b + math::sqrt(b * b + target));
  double low = 0.0;
  double high = target / (c1 * (1.0 - ground));
  double vi_before = -1.0;
  double disc_before = 0.0;
  bool by_newton = false;  // how vi was found
  for (int left = kIterations;; --left) {
    const detail::InflowResidual r =
        detail::inflow_residual(vi, target, c1, climb, in_plane2, ground);
    const double disc = r.through_disc_m_s;
    if (left == 0) return sign * disc;
    if (r.value > 0.0) {
      high = vi;
    } else {
      low = vi;
    }
    const double newton = vi - r.value / r.slope;
    const bool inside = newton >= low && newton <= high;
    const double next = inside ? newton : 0.5 * (low + high);
    if (next == vi) return sign * disc;
    if (next == vi_before && by_newton) return sign * (left % 2 == 0 ? disc : disc_before);
    by_newton = inside;
    vi_before = vi;
    disc_before = disc;
    vi = next;
  }
}

}  // namespace tactus
