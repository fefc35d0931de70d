// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <cstdint>

#include "tactus/core/hd.h"

namespace tactus {

/// What hot code answers instead of throwing. The caller on the host turns it into an `Error`
/// that names time, place and values.
enum class Status : std::uint8_t {
  kOk,
  kNonFiniteState,       ///< the state handed in, or the state after a step, is not finite
  kNonFiniteDerivative,  ///< the right-hand side produced a non-finite value
  kStepTooSmall,         ///< an adaptive step of h_min was tried and still rejected
  kTooManySteps,         ///< more attempts in one interval than allowed
  kOutsideAtmosphere,    ///< the altitude is outside the range of the atmosphere model
  kNoPowerSink,          ///< a bus is fed more current than anything on it can take
  kInvalidArgument,      ///< a bug of the caller
};

/// Text of a status for messages.
TACTUS_HD constexpr const char* to_text(Status status) {
  switch (status) {
    case Status::kOk: return "ok";
    case Status::kNonFiniteState: return "non-finite state";
    case Status::kNonFiniteDerivative: return "non-finite derivative";
    case Status::kStepTooSmall: return "error too large even at the smallest step";
    case Status::kTooManySteps: return "too many steps in one interval";
    case Status::kOutsideAtmosphere: return "altitude outside -5 km to 86 km";
    case Status::kNoPowerSink: return "no load can take the current fed into a bus";
    case Status::kInvalidArgument: return "invalid argument";
  }
  return "unknown status";
}

}  // namespace tactus
