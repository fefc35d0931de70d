// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <memory>

#include "tactus/plant/ball.h"
#include "tactus/solver/config.h"
#include "tactus/vehicle/plant.h"
#include "tactus/vehicle/state_owner.h"

namespace tactus {

/// Where a ball starts.
struct BallStart {
  Vec3 position_W_m;
  Vec3 velocity_W_m_s;
  Quat attitude;
  Vec3 rate_B_rad_s;
};

/// The ball on the bus: it takes the wind and nothing else. Its points of contact are gear points.
std::unique_ptr<Plant> make_ball_plant(const Ball& ball, const SolverConfig& solver,
                                       const BallStart& start);

std::vector<StateOwner> ball_state_owners();

}  // namespace tactus
