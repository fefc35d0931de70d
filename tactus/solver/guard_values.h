// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A guard is a function of time and state: quiet while g < 0, it fires when it becomes g >= 0.

#include <cstdint>

#include "tactus/core/assert.h"
#include "tactus/core/hd.h"
#include "tactus/core/time.h"
#include "tactus/solver/runge_kutta.h"
#include "tactus/solver/system.h"

namespace tactus {

/// Values of all guards at one instant.
template <int Capacity>
struct GuardValues {
  double g[Capacity > 0 ? Capacity : 1];
  int count = 0;

  TACTUS_HD void copy_from(const GuardValues& other) {
    TACTUS_ASSERT(other.count >= 0 && other.count <= Capacity, "guards that have room");
    count = other.count;
    copy_entries(other.g, g, count);
  }
  /// Lowest guard that was quiet in `before` and is not now; -1 if none. NaN is not quiet.
  [[nodiscard]] TACTUS_HD int first_fired_since(const GuardValues& before) const {
    TACTUS_ASSERT(count == before.count, "the same guards at both instants");
    for (int i = 0; i < count; ++i) {
      if (before.g[i] < 0.0 && !(g[i] < 0.0)) return i;
    }
    return -1;
  }
};

template <HasGuards S>
using GuardValuesOf = GuardValues<S::kGuardCapacity>;

template <HasGuards S>
TACTUS_HD inline void evaluate_guards(const S& system, std::uint64_t at_us, const double* x,
                                      GuardValuesOf<S>& values) {
  values.count = system.guard_count();
  system.guards(to_seconds(DurationUs(at_us)), x, values.g);
}

}  // namespace tactus
