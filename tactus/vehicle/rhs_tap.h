// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <span>

#include "tactus/core/time.h"

namespace tactus {

/// One evaluation of the right-hand side, those of rejected steps and of probes for events
/// included.
struct RhsEvaluation {
  TimeUs from;                             ///< start of the interval that is integrated
  double t_s = 0.0;                        ///< since then
  std::span<const double> state;           ///< as packed by the plant
  std::span<const double> derivative;      ///< NaN in every entry: there is none
  std::span<const double> bus_v;           ///< solution of the power network; empty: none
  std::span<const double> bus_residual_a;  ///< what Kirchhoff's law is off by, there
};

/// Called with every evaluation, in order (record tier 2). It must not change anything.
class RhsTap {
 public:
  virtual ~RhsTap() = default;
  virtual void evaluated(const RhsEvaluation& evaluation) = 0;
};

}  // namespace tactus
