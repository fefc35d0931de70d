// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Classical RK4 with the attitude on the rotation group (Runge–Kutta–Munthe-Kaas, order 4). Within
// a step q(t) = q0 ⊗ exp(u), where u' = dexp⁻¹ ω; with the inverse cut off where order 4 allows,
//   w_i = h ω_i                                  body rates of stage i
//   u_2 = ½ w_1
//   u_3 = ½ w_2 + ⅛ w_1 × w_2
//   u_4 = w_3
//   u   = ⅙ (w_1 + 2 w_2 + 2 w_3 + w_4) + 1/12 w_1 × w_4
// Four exponentials and two commutators (Munthe-Kaas 1999; Iserles, Munthe-Kaas, Nørsett, Zanna,
// "Lie-group methods", Acta Numerica 2000). The signs of the products are those of body rates,
// q' = ½ q ⊗ ω; for rates in the world frame they would be negative. All other entries take the
// classical stages. An attitude group without body rates is treated as ordinary entries and
// normalised.
//
// The quaternion stays at length one by itself: q0 ⊗ exp(u) is formed as q0 + q0 ⊗ (exp(u) − 1)
// with a small second term, so that its rounding is far below that of the sum, and the sum rounds
// without a bias.

#include "tactus/core/assert.h"
#include "tactus/core/hd.h"
#include "tactus/core/math.h"
#include "tactus/core/quat.h"
#include "tactus/core/vec.h"
#include "tactus/solver/runge_kutta.h"
#include "tactus/solver/system.h"
#include "tactus/solver/tableau.h"

namespace tactus {

/// exp(rotation vector) − 1, accurate relative to its own size.
TACTUS_HD inline Quat exp_rotation_minus_one(Vec3 rotation_rad) {
  // With a = |rotation|/4: cos 2a − 1 = −2 sin² a and sin 2a / (4a) = sin a cos a / (2a).
  const double a = 0.25 * norm(rotation_rad);
  double sine = a - a * a * a / 6.0;
  double cosine = 1.0 - 0.5 * a * a;
  double ratio = 1.0 - a * a / 6.0;  // sin a / a
  if (a > 1e-4) {
    math::sincos(a, &sine, &cosine);
    ratio = sine / a;
  }
  const double s = 0.5 * ratio * cosine;
  return {-2.0 * sine * sine, s * rotation_rad.x, s * rotation_rad.y, s * rotation_rad.z};
}

namespace detail {

TACTUS_HD inline Vec3 vec3_at(const double* x, int begin) {
  return {x[begin], x[begin + 1], x[begin + 2]};
}

TACTUS_HD inline void turn(const double* x, int begin, Vec3 rotation_rad, double* out) {
  const Quat q = quat_at(x, begin);
  const Quat turned = q + q * exp_rotation_minus_one(rotation_rad);
  out[begin] = turned.w;
  out[begin + 1] = turned.x;
  out[begin + 2] = turned.y;
  out[begin + 3] = turned.z;
}

/// h ω of the stages so far, for one attitude.
struct StageRotations {
  Vec3 w[4];

  /// u of stage 1, 2, 3 (counted from 0) or, with 4, of the new state.
  [[nodiscard]] TACTUS_HD Vec3 rotation(int stage) const {
    if (stage == 1) return 0.5 * w[0];
    if (stage == 2) return 0.5 * w[1] + 0.125 * cross(w[0], w[1]);
    if (stage == 3) return w[2];
    return (1.0 / 6.0) * (w[0] + 2.0 * w[1] + 2.0 * w[2] + w[3]) + (1.0 / 12.0) * cross(w[0], w[3]);
  }
};

/// Calls visit(group, rotations) for every attitude that has body rates.
template <class Visit>
TACTUS_HD inline void for_each_turning(const StateGroups& groups, StageRotations* rotations,
                                       Visit visit) {
  int attitude = 0;
  for (int g = 0; g < groups.count; ++g) {
    const StateGroup& group = groups.group[g];
    if (group.kind == ErrorGroup::kAttitude && group.rate_begin >= 0) {
      TACTUS_ASSERT(attitude < StateGroups::kMaxAttitudes, "room for every attitude");
      visit(group, rotations[attitude++]);
    }
  }
}

TACTUS_HD inline void note_rates(const StateGroups& groups, double h_s, int stage, const double* x,
                                 StageRotations* rotations) {
  for_each_turning(groups, rotations, [=](const StateGroup& group, StageRotations& r) {
    r.w[stage] = h_s * vec3_at(x, group.rate_begin);
  });
}

TACTUS_HD inline void turn_attitudes(const StateGroups& groups, int stage, const double* x,
                                     double* out, StageRotations* rotations) {
  for_each_turning(groups, rotations, [=](const StateGroup& group, StageRotations& r) {
    turn(x, group.begin, r.rotation(stage), out);
  });
}

template <int stage, System S, int Capacity>
TACTUS_HD inline Status evaluate_lie_stages(const S& system, StepSpan span, const double* x,
                                            StepArrays<Capacity, 4>& w, StageRotations* rotations) {
  if constexpr (stage < 4) {
    const double h_s = span.length_s();
    note_rates(system.groups(), h_s, stage - 1, stage == 1 ? x : w.stage, rotations);
    add_weighted<StageRow<Rk4Tableau, stage>, stage>(x, h_s, w.k, w.stage, system.size());
    turn_attitudes(system.groups(), stage, x, w.stage, rotations);
    const Status status = system.derivative(span.time_s(Rk4Tableau::c[stage]), w.stage, w.k[stage]);
    if (status != Status::kOk) return status;
    w.stages_done = stage + 1;
    return evaluate_lie_stages<stage + 1>(system, span, x, w, rotations);
  }
  return Status::kOk;
}

}  // namespace detail

/// From x and k[0] = f(x) to w.x_new; the quaternion entries of f are not used.
template <System S, int Capacity>
TACTUS_HD inline Status lie_rk4_step(const S& system, StepSpan span, const double* x,
                                     StepArrays<Capacity, 4>& w) {
  TACTUS_ASSERT(w.stages_done == 1 && span.length_us > 0, "the first stage is given");
  detail::StageRotations rotations[StateGroups::kMaxAttitudes];
  const int n = system.size();
  const double h_s = span.length_s();
  const Status status = detail::evaluate_lie_stages<1>(system, span, x, w, rotations);
  if (status != Status::kOk) return status;
  detail::note_rates(system.groups(), h_s, 3, w.stage, rotations);
  detail::add_weighted<SolutionRow<Rk4Tableau>, 4>(x, h_s, w.k, w.x_new, n);
  detail::turn_attitudes(system.groups(), 4, x, w.x_new, rotations);
  normalize_attitudes(system.groups(), w.x_new, true);
  if (!all_finite(w.x_new, n)) return Status::kNonFiniteState;
  return Status::kOk;
}

}  // namespace tactus
