// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The error of a step in units of the tolerance: the largest over all controlled entries of
// |err| / (atol + rtol · max(|x0|, |x1|)); an attitude counts once, as the angle between the two
// solutions over its tolerance, by 4 asin(½|q1 ∓ q2|) on normalised quaternions.
// A step is accepted if the norm is at most 1.

#include "tactus/core/assert.h"
#include "tactus/core/hd.h"
#include "tactus/core/math.h"
#include "tactus/core/quat.h"
#include "tactus/solver/config.h"
#include "tactus/solver/system.h"

namespace tactus {

/// The norm and the entry that decides it. NaN anywhere gives infinity.
struct ErrorEstimate {
  double value = 0.0;
  int index = -1;
  ErrorGroup group = ErrorGroup::kOther;

  TACTUS_HD void include(double ratio, int entry, ErrorGroup kind) {
    if (ratio <= value) return;
    value = math::is_nan(ratio) ? math::infinity() : ratio;
    index = entry;
    group = kind;
  }
};

TACTUS_HD inline Quat quat_at(const double* x, int begin) {
  return {x[begin], x[begin + 1], x[begin + 2], x[begin + 3]};
}

/// `err` is the difference of the two solutions, `x1` the one that is carried on.
TACTUS_HD inline ErrorEstimate error_norm(const SolverConfig& config, const StateGroups& groups,
                                          const double* x0, const double* x1, const double* err) {
  ErrorEstimate estimate;
  TACTUS_ASSERT(groups.count <= StateGroups::kMaxGroups, "groups that exist");
  for (int g = 0; g < groups.count; ++g) {
    const StateGroup& group = groups.group[g];
    const Tolerance tolerance = config.tolerance(group.kind);
    if (!math::is_finite(tolerance.atol)) continue;
    if (group.kind == ErrorGroup::kAttitude) {
      const Quat q1 = normalized(quat_at(x1, group.begin));
      const Quat other = normalized(quat_at(x1, group.begin) - quat_at(err, group.begin));
      estimate.include(attitude_distance(q1, other) / tolerance.atol, group.begin, group.kind);
      continue;
    }
    for (int i = group.begin; i < group.begin + group.count; ++i) {
      const double size = math::max(math::abs(x0[i]), math::abs(x1[i]));
      const double allowed = tolerance.atol + tolerance.rtol * size;
      estimate.include(math::abs(err[i]) / allowed, i, group.kind);
    }
  }
  TACTUS_ASSERT(estimate.value >= 0.0, "a norm, NaN counted as infinite");
  return estimate;
}

}  // namespace tactus
