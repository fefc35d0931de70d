// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// SUNDIALS, an integrator that others wrote: an oracle of `verify` and `compare`. It brings
// hundreds of packages with it, so it is an extra: compiled in where the build finds it
// (cmake/extras.cmake). A program without it says so wherever it is asked for.

#include "tactus/plant/multirotor_model.h"
#include "tactus/replay/compare/compare.h"
#include "tactus/verify/flight_distance.h"

namespace tactus::cli {

/// Why this program lacks SUNDIALS and what to do about it; empty: it has it.
const char* sundials_lacking();

/// The multirotor integrated by SUNDIALS, as a reference of `compare`. The tolerance is relative
/// and absolute (SI units), per entry of the state and step. Throws Error(kEnvironment) if lacking.
Integration sundials_reference(double tolerance);

/// The Iris of `verify` flown by both. Throws Error(kEnvironment) if lacking.
verify::IndependentComparison sundials_comparison(const MultirotorParameters& parameters);

}  // namespace tactus::cli
