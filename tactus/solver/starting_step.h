// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The first step of an adaptive method (Hairer, Nørsett, Wanner I, II.4): from the sizes of x, x'
// and a finite difference of x', all in units of the tolerance, one extra evaluation. It does not
// look at the length of the interval, so a boundary more or less does not change it.

#include <cstdint>

#include "tactus/core/assert.h"
#include "tactus/core/hd.h"
#include "tactus/core/math.h"
#include "tactus/solver/config.h"
#include "tactus/solver/controller.h"
#include "tactus/solver/runge_kutta.h"
#include "tactus/solver/system.h"

namespace tactus {

/// Largest |v_i| / tolerance_i over the controlled entries.
TACTUS_HD inline double scaled_size(const SolverConfig& config, const StateGroups& groups,
                                    const double* x, const double* v) {
  double largest = 0.0;
  for (int g = 0; g < groups.count; ++g) {
    const StateGroup& group = groups.group[g];
    const Tolerance tolerance = config.tolerance(group.kind);
    for (int i = group.begin; i < group.begin + group.count; ++i) {
      const double allowed = tolerance.atol + tolerance.rtol * math::abs(x[i]);
      largest = math::max(math::abs(v[i]) / allowed, largest);
    }
  }
  return largest;
}

/// w.k[0] = f(x) is given; w.stage and w.k[1] are overwritten. If f cannot be evaluated a little
/// later, the answer is the smallest step.
template <System S, int Capacity, int Stages>
TACTUS_HD inline std::uint64_t starting_step_us(const S& system, const SolverConfig& config,
                                                int error_order, StepSpan at, const double* x,
                                                StepArrays<Capacity, Stages>& w) {
  TACTUS_ASSERT(w.stages_done == 1, "the derivative at the start is given");
  const StateGroups& groups = system.groups();
  const int n = system.size();
  const double d0 = scaled_size(config, groups, x, x);
  const double d1 = scaled_size(config, groups, x, w.k[0]);
  double h0_s = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * (d0 / d1);
  TACTUS_ASSERT(error_order > 0, "an error that shrinks with the step");
  h0_s = math::clamp(h0_s, 1e-6, 1.0);
  for (int i = 0; i < n; ++i) w.stage[i] = x[i] + h0_s * w.k[0][i];
  const Status status = system.derivative(at.time_s(0.0) + h0_s, w.stage, w.k[1]);
  if (status != Status::kOk) return config.h_min_us;
  for (int i = 0; i < n; ++i) w.k[1][i] = (w.k[1][i] - w.k[0][i]) / h0_s;
  const double steepest = math::max(d1, scaled_size(config, groups, x, w.k[1]));
  const double h1_s = steepest <= 1e-15 ? math::max(1e-6, 1e-3 * h0_s)
                                        : math::pow(0.01 / steepest, 1.0 / error_order);
  return quantised_step_us(config, 1e6 * math::min(100.0 * h0_s, h1_s));
}

}  // namespace tactus
