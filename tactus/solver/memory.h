// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What a solver remembers from one interval to the next. Plain and copyable (contract C9): copy it
// with the state in mid-flight and both copies continue with the same bits.

#include <cstdint>

#include "tactus/core/fields.h"
#include "tactus/core/hd.h"

namespace tactus {

/// Work and outcome since the start of the run. They describe the flight and never influence it.
struct SolverTotals {
  std::uint64_t evaluations = 0;  ///< of the right-hand side, all of them
  std::uint64_t accepted = 0;     ///< steps of the flight
  std::uint64_t rejected = 0;     ///< attempts with too large an error, on the way of the flight
  std::uint64_t projected = 0;    ///< entries that a projection changed
  std::uint64_t events = 0;       ///< guards found
  std::uint64_t probes = 0;       ///< steps taken to locate guards and then taken back
  std::uint64_t kinks = 0;        ///< shortest steps taken although their error was too large

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("evaluations", "", self.evaluations);
    visit("accepted", "", self.accepted);
    visit("rejected", "", self.rejected);
    visit("projected", "", self.projected);
    visit("events", "", self.events);
    visit("probes", "", self.probes);
    visit("kinks", "", self.kinks);
  }
};
static_assert(lists_every_field<SolverTotals>());

/// The part of the memory that decides the next step.
struct StepMemory {
  std::uint64_t proposal_us = 0;  ///< next step of an adaptive method; 0: none yet
  double previous_error = 1e-4;   ///< of the last full step, for the PI controller
  bool derivative_valid = false;  ///< SolverMemory::derivative is f at the current state

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("proposal_us", "us", self.proposal_us);
    visit("previous_error", "1", self.previous_error);
    visit("derivative_valid", "", self.derivative_valid);
  }
};
static_assert(lists_every_field<StepMemory>());

template <int Capacity>
struct SolverMemory {
  StepMemory step;
  SolverTotals totals;
  double derivative[Capacity] = {};  ///< last stage, first of the next step (FSAL)

  /// To be called whenever something that the right-hand side reads has changed between two
  /// intervals: a held input, a parameter, a mode, or the state itself.
  TACTUS_HD constexpr void invalidate_derivative() { step.derivative_valid = false; }

  /// What decides the flight: the derivative is recomputed with the same bits when it is missing,
  /// so it is not listed.
  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("step", "", self.step);
    visit("totals", "", self.totals);
  }
};

}  // namespace tactus
