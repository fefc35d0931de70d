// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Which rotor gives how much thrust: for any geometry, limits kept, tilt before lift before yaw.
//
// The wrench of the rotors is B u, u ≥ 0 the thrusts, B 4×n: roll, pitch, yaw moment and lift. The
// pseudo-inverse of least norm P = Bᵀ (B Bᵀ)⁻¹ (rows scaled to like size, thrusts by strength)
// gives u = P w while no limit is met. Otherwise the answer is the u within the limits with
//   first the largest share of the roll and pitch moment, its direction kept, then the lift nearest
//   to the demand, then the yaw moment nearest to the demand, then the least norm:
// a least-squares problem with weights far apart and bounds, solved by a primal active set that
// starts from the clamped pseudo-inverse (Härkegård 2002, with the normal equations on the side of
// the four rows). Every step is feasible and none is worse than the one before; their number is
// bounded.
// A lost rotor leaves B and gives nothing. If the rest cannot give yaw (rank, or no moment of both
// signs in a hover), yaw is taken as it comes.

#include <cstdint>

#include "tactus/autopilot/airframe/airframe_model.h"
#include "tactus/core/vec.h"
#include "tactus/signal/limits.h"

namespace tactus {

struct Wrench {
  Vec3 torque_B_nm;
  double lift_n = 0.0;  ///< along body up
};

struct Allocation {
  int rotor_count = 0;
  std::uint32_t lost_mask = 0;
  bool controls_tilt = true;           ///< roll and pitch of both signs can be given in a hover
  bool controls_yaw = true;            ///< and yaw with them
  double hover_yaw_nm = 0.0;           ///< yaw moment of either sign that a hover leaves room for
  Vec3 hover_tilt_nm;                  ///< x, y: roll and pitch moment of either sign in a hover
  double inverse[kMaxMotors][4] = {};  ///< P: roll, pitch, yaw, lift
  double effectiveness[4][kMaxMotors] = {};  ///< B; columns of lost rotors are zero
  double strength_n[kMaxMotors] = {};        ///< largest thrust
  double row_scale[4] = {};                  ///< makes the rows of B, strength included, unit
};

/// The allocation of the rotors that are left.
Allocation make_allocation(const AirframeModel& model, std::uint32_t lost_mask);

/// Thrusts within [lowest, highest] per rotor; zero for lost ones.
void allocate(const Allocation& allocation, const Wrench& demand, const double* lowest_n,
              const double* highest_n, double* thrust_n);

/// The wrench that thrusts give.
Wrench wrench_of(const Allocation& allocation, const double* thrust_n);

}  // namespace tactus
