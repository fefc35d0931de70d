// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/extra/sundials.h"

#if TACTUS_HAS_SUNDIALS

#include "cli/extra/independent_flight.h"
#include "cli/extra/sundials_integration.h"

namespace tactus::cli {

const char* sundials_lacking() { return ""; }

Integration sundials_reference(double tolerance) { return sundials_integration(tolerance); }

verify::IndependentComparison sundials_comparison(const MultirotorParameters& parameters) {
  return verify::compare_with_sundials(parameters);
}

}  // namespace tactus::cli

#else

#include "tactus/core/error.h"

namespace tactus::cli {

const char* sundials_lacking() {
  return "built without SUNDIALS; install libsundials-dev and run ./run again";
}

Integration sundials_reference(double /*tolerance*/) {
  throw Error(ExitCode::kEnvironment, sundials_lacking());
}

verify::IndependentComparison sundials_comparison(const MultirotorParameters& /*parameters*/) {
  throw Error(ExitCode::kEnvironment, sundials_lacking());
}

}  // namespace tactus::cli

#endif
