// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <algorithm>

#include "tactus/core/quat.h"
#include "tactus/plant/multirotor_state.h"

namespace tactus::verify {

/// Largest distances between two flights, over all boundaries.
struct FlightDistance {
  double position_m = 0.0;
  double attitude_rad = 0.0;

  void add(const MultirotorLayout& at, const double* a, const double* b) {
    position_m =
        std::max(position_m, norm(load_vec3(a + at.position) - load_vec3(b + at.position)));
    attitude_rad =
        std::max(attitude_rad, attitude_distance(normalized(load_quat(a + at.attitude)),
                                                 normalized(load_quat(b + at.attitude))));
  }
};

struct IndependentComparison {
  FlightDistance own;     ///< SUNDIALS at 1e-11 from SUNDIALS at 1e-13
  FlightDistance tactus;  ///< RK45 at 1e-9 from SUNDIALS at 1e-13
};

}  // namespace tactus::verify
