// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The state inside an accepted step, without further evaluations of the right-hand side:
//   Euler            x0 + θ (x1 − x0)                                    order 1
//   RK4, RK23, Lie   cubic Hermite through x0, f0, x1, f1                order 3
//   RK45             the same plus θ²(1−θ)² h Σ d_i k_i                  order 4
// (Hairer, Nørsett, Wanner I, II.6). Exact at both ends. Quaternions are not normalised in between.

#include <cstdint>

#include "tactus/core/assert.h"
#include "tactus/core/hd.h"
#include "tactus/core/time.h"
#include "tactus/solver/tableau.h"

namespace tactus {

/// A view of the solver's working arrays: valid until the next step.
struct DenseOutput {
  TimeUs start;
  DurationUs length;
  int size = 0;
  const double* x0 = nullptr;
  const double* x1 = nullptr;
  const double* f0 = nullptr;  ///< null: linear
  const double* f1 = nullptr;
  const double* bump = nullptr;  ///< Σ d_i k_i; null: cubic

  /// State at start + theta · length, 0 <= theta <= 1.
  TACTUS_HD void evaluate(double theta, double* __restrict out) const {
    TACTUS_ASSERT(theta >= 0.0 && theta <= 1.0, "dense output is asked within its step");
    TACTUS_ASSERT(x0 != nullptr && x1 != nullptr && size >= 0, "a step that was taken");
    TACTUS_ASSERT((f0 == nullptr) == (f1 == nullptr), "derivatives at both ends or at none");
    TACTUS_ASSERT(bump == nullptr || f0 != nullptr, "the quartic term is added to the cubic");
    const double rest = 1.0 - theta;
    if (f0 == nullptr) {
      for (int i = 0; i < size; ++i) out[i] = rest * x0[i] + theta * x1[i];
      return;
    }
    const double h_s = to_seconds(length);
    const double w0 = rest * rest * (1.0 + 2.0 * theta);
    const double w1 = theta * theta * (1.0 + 2.0 * rest);
    const double v0 = h_s * theta * rest * rest;
    const double v1 = -h_s * theta * theta * rest;
    for (int i = 0; i < size; ++i) {
      out[i] = w0 * x0[i] + w1 * x1[i] + v0 * f0[i] + v1 * f1[i];
    }
    if (bump == nullptr) return;
    const double w = h_s * theta * theta * rest * rest;
    for (int i = 0; i < size; ++i) out[i] = out[i] + w * bump[i];
  }
};

}  // namespace tactus
