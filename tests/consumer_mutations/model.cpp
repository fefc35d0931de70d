// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// A user's own model on top of the headers. It knows nothing of the floating-point checks.

#include "tactus/core/math.h"

double thrust_of_model(double speed_rad_s);

double thrust_of_model(double speed_rad_s) {
  return 1e-5 * speed_rad_s * speed_rad_s + 0.1 * tactus::math::sin(speed_rad_s);
}
