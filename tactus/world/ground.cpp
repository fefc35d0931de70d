// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/world/ground.h"

#include "tactus/core/checks.h"

namespace tactus {

void validate(const GroundParameters& ground, std::string_view where) {
  if (!ground.present) return;
  require_finite(where, "down_m", ground.down_m);
  const double length = norm(ground.normal_W);
  if (!(math::abs(length - 1.0) < 1e-9)) {
    refuse(where, "normal_ned", "length", length, "the ground normal must be a unit vector");
  }
  if (!(ground.normal_W.z < -0.1)) {
    refuse(where, "normal_ned.z", ground.normal_W.z,
           "the ground normal must point up (negative z in NED) and be less than 84 degrees steep");
  }
}

}  // namespace tactus
