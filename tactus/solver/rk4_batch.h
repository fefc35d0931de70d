// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// One step of classical RK4 for batches of vehicles on a device, for programs of users (an example:
// bench/gpu/batch.cu); flights of ours go through `advance`. Same bits as `advance` with
// Method::kRk4 and no guards: the same sums in the same order. The difference is storage: the sum
// of the stages grows as they are computed, so that only the stage at hand needs registers, and
// state and sum may lie anywhere: `Entries` is whatever has x[i], a pointer or a view of shared
// memory. There is no dense output, and a failure names no entry and leaves x as it was.

#include "tactus/core/assert.h"
#include "tactus/core/hd.h"
#include "tactus/core/status.h"
#include "tactus/solver/runge_kutta.h"
#include "tactus/solver/system.h"
#include "tactus/solver/tableau.h"

namespace tactus {

namespace detail {
inline constexpr double kOuterWeight = Rk4Tableau::b[0];
inline constexpr double kInnerWeight = Rk4Tableau::b[1];
}  // namespace detail

template <System S, class Entries>
TACTUS_HD inline Status rk4_batch_step(const S& system, StepSpan span, Entries x, Entries sum) {
  const int n = system.size();
  TACTUS_ASSERT(n >= 0 && n <= S::kCapacity, "a state that has room");
  TACTUS_ASSERT(span.length_us > 0, "a step that goes on");
  const double h_s = span.length_s();
  double next[S::kCapacity];  // where a stage is evaluated; after the last one the new state
  for (int i = 0; i < n; ++i) next[i] = x[i];
  // A loop, so that the right-hand side exists once in the program of a device.
  for (int stage = 0; stage < 4; ++stage) {
    const bool is_outer = stage == 0 || stage == 3;
    const double weight = h_s * (is_outer ? detail::kOuterWeight : detail::kInnerWeight);
    const double reach = h_s * (stage == 2 ? 1.0 : 0.5);
    const double c = stage == 0 ? 0.0 : (stage == 3 ? 1.0 : 0.5);
    double k[S::kCapacity];
    const Status status = system.derivative(span.time_s(c), next, k);
    if (status != Status::kOk) return status;
    for (int i = 0; i < n; ++i) {
      sum[i] = stage == 0 ? weight * k[i] : sum[i] + weight * k[i];
      next[i] = x[i] + (stage == 3 ? sum[i] : reach * k[i]);
    }
  }
  normalize_attitudes(system.groups(), next, false);
  if (!all_finite(next, n)) return Status::kNonFiniteState;
  if constexpr (HasProjection<S>) system.project(next);
  for (int i = 0; i < n; ++i) x[i] = next[i];
  return Status::kOk;
}

}  // namespace tactus
