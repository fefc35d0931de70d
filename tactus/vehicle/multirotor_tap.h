// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The multirotor with an observer of every evaluation of its right-hand side. It is a
// system of its own, so a flight without a tap pays nothing, and it computes the same bits: the
// outputs are formed beside the derivative, never in front of it.

#include "tactus/vehicle/multirotor_flight.h"
#include "tactus/vehicle/rhs_tap.h"

namespace tactus {

/// advance(), tapped. `samples` may be null.
AdvanceResult advance_tapped(const MultirotorSystem& system, const SolverConfig& config,
                             SolverMemory<kMultirotorCapacity>& memory, TimeUs t0, TimeUs t1,
                             double* x, MultirotorSamples* samples, RhsTap& tap);

}  // namespace tactus
