// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// One explicit Runge–Kutta step over any tableau, unrolled over its stages. The loops run over the
// active entries only and every sum has a fixed order, so vector code gives the same bits.

#include <cstdint>

#include "tactus/core/assert.h"
#include "tactus/core/hd.h"
#include "tactus/core/math.h"
#include "tactus/core/quat.h"
#include "tactus/core/status.h"
#include "tactus/core/time.h"
#include "tactus/solver/error_norm.h"
#include "tactus/solver/lanes.h"
#include "tactus/solver/system.h"
#include "tactus/solver/tableau.h"

namespace tactus {

/// Where a step is, in microseconds since the start of the interval.
struct StepSpan {
  std::uint64_t start_us = 0;
  std::uint64_t length_us = 0;

  [[nodiscard]] TACTUS_HD constexpr double length_s() const {
    return to_seconds(DurationUs(length_us));
  }
  /// Time of a stage. The end is derived from the count as the next step will derive its start:
  /// only then is the last stage of this step, bit for bit, the first one of the next.
  [[nodiscard]] TACTUS_HD constexpr double time_s(double c) const {
    if (c == 1.0) return to_seconds(DurationUs(start_us + length_us));
    return to_seconds(DurationUs(start_us)) + c * length_s();
  }
};

template <int Capacity, int Stages>
struct StepArrays {
  double k[Stages][Capacity];  ///< stage derivatives; k[0] is given
  double stage[Capacity];      ///< state of a stage, later the error or the dense output's bump
  double x_new[Capacity];
  int stages_done;  ///< how many of k are filled, for the diagnosis of a failure
};

TACTUS_HD inline void copy_entries(const double* __restrict from, double* __restrict to, int n) {
  for (int i = 0; i < n; ++i) to[i] = from[i];
}

/// True if no entry is NaN or infinite. Four chains, because one would wait for its own adder.
TACTUS_HD inline bool all_finite(const double* x, int n) {
  double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    s0 += 0.0 * x[i];
    s1 += 0.0 * x[i + 1];
    s2 += 0.0 * x[i + 2];
    s3 += 0.0 * x[i + 3];
  }
  for (; i < n; ++i) s0 += 0.0 * x[i];
  return (s0 + s1) + (s2 + s3) == 0.0;
}

/// Quaternions back to length one. With `only_without_rate`, just those that the Lie method does
/// not keep there itself.
TACTUS_HD inline void normalize_attitudes(const StateGroups& groups, double* x,
                                          bool only_without_rate) {
  TACTUS_UNROLL
  for (int g = 0; g < StateGroups::kMaxGroups && g < groups.count; ++g) {
    const StateGroup& group = groups.group[g];
    if (group.kind != ErrorGroup::kAttitude) continue;
    if (only_without_rate && group.rate_begin >= 0) continue;
    const Quat q = normalized(quat_at(x, group.begin));
    x[group.begin] = q.w;
    x[group.begin + 1] = q.x;
    x[group.begin + 2] = q.y;
    x[group.begin + 3] = q.z;
  }
}

namespace detail {

template <class Row, int count, int Capacity>
TACTUS_HD inline void add_weighted(const double* __restrict x, double h_s,
                                   const double (*__restrict k)[Capacity], double* __restrict out,
                                   int n) {
  for_each_lane(n, out, [=]<class Lane>(int i) {
    return load_lane<Lane>(x + i) + weighted_sum<Row, count, Lane>(h_s, k, i);
  });
}

template <class Tableau, int stage, System S, int Capacity, int Stages>
TACTUS_HD inline Status evaluate_stages(const S& system, StepSpan span, const double* x,
                                        StepArrays<Capacity, Stages>& w) {
  if constexpr (stage < Stages - (Tableau::kLastStageAtEnd ? 1 : 0)) {
    add_weighted<StageRow<Tableau, stage>, stage>(x, span.length_s(), w.k, w.stage, system.size());
    const Status status = system.derivative(span.time_s(Tableau::c[stage]), w.stage, w.k[stage]);
    if (status != Status::kOk) return status;
    w.stages_done = stage + 1;
    // A stage without weight in the solution would hide a NaN.
    if constexpr (Tableau::b[stage] == 0.0) {
      if (!all_finite(w.k[stage], system.size())) return Status::kNonFiniteDerivative;
    }
    return evaluate_stages<Tableau, stage + 1>(system, span, x, w);
  }
  return Status::kOk;
}

/// The last stage, at the end of the step. A system may want to tell it from the others: if the
/// step is the last of its interval, that instant is the one that is read next.
template <System S>
TACTUS_HD inline Status derivative_at_end(const S& system, double t_s, const double* x,
                                          double* dx) {
  if constexpr (requires { system.derivative_at_end(t_s, x, dx); }) {
    return system.derivative_at_end(t_s, x, dx);
  } else {
    return system.derivative(t_s, x, dx);
  }
}

}  // namespace detail

/// From x and k[0] = f(x) to w.x_new, quaternions normalised; with kLastStageAtEnd also f(w.x_new)
/// in the last stage. The normalisation comes before that stage, so the stage belongs to the very
/// bits that are carried on and can be reused; the error estimate changes only at its own order.
template <class Tableau, System S, int Capacity, int Stages>
TACTUS_HD inline Status runge_kutta_step(const S& system, StepSpan span, const double* x,
                                         StepArrays<Capacity, Stages>& w) {
  TACTUS_ASSERT(w.stages_done == 1, "the first stage is given");
  TACTUS_ASSERT(span.length_us > 0, "a step that goes on");
  const int n = system.size();
  const Status status = detail::evaluate_stages<Tableau, 1>(system, span, x, w);
  if (status != Status::kOk) return status;
  detail::add_weighted<SolutionRow<Tableau>, Stages>(x, span.length_s(), w.k, w.x_new, n);
  normalize_attitudes(system.groups(), w.x_new, false);
  if (!all_finite(w.x_new, n)) return Status::kNonFiniteState;
  if constexpr (Tableau::kLastStageAtEnd) {
    const Status last =
        detail::derivative_at_end(system, span.time_s(1.0), w.x_new, w.k[Stages - 1]);
    if (last != Status::kOk) return last;
    w.stages_done = Stages;
    if (!all_finite(w.k[Stages - 1], n)) return Status::kNonFiniteDerivative;
  }
  return Status::kOk;
}

}  // namespace tactus
