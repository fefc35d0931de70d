// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// How PX4's control allocator turns torque and thrust setpoints into motor controls, as far as the
// gains depend on it: without its limits.
//
// Rotor i at full control gives the thrust CT a along its axis a (pointing where the thrust pushes)
// and the moment CT (r × a − KM a): six rows of a matrix B. Its pseudo-inverse maps wrenches to
// controls. Setpoints are then made free of size and strength of the vehicle by scaling columns:
//   roll, pitch   both by the larger of their root mean squares, taken over half of the motors that
//                 take part: on a square quadrotor a unit of roll moves each motor by 0.707;
//   yaw           by its largest entry: a unit of yaw moves no motor up by more than 1;
//   thrust        each axis by the mean of its magnitudes: a unit of thrust is full control.

#include "tactus/core/vec.h"
#include "tactus/signal/limits.h"

namespace tactus {

struct Px4Rotor {
  Vec3 position_m;               ///< CA_ROTORn_PX, PY, PZ: from the centre of mass, body axes
  Vec3 axis{0.0, 0.0, -1.0};     ///< CA_ROTORn_AX, AY, AZ
  double thrust = 6.5;           ///< CA_ROTORn_CT
  double moment_ratio_m = 0.05;  ///< CA_ROTORn_KM
};

struct Px4Geometry {
  int rotor_count = 0;
  Px4Rotor rotor[kMaxMotors];
};

struct Px4Mix {
  /// Change of each motor's control per unit of roll, pitch, yaw torque, x, y, z thrust.
  double control[kMaxMotors][6] = {};
};

Px4Mix px4_mix(const Px4Geometry& geometry);

}  // namespace tactus
