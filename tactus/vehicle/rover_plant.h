// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <memory>

#include "tactus/plant/rover.h"
#include "tactus/solver/config.h"
#include "tactus/vehicle/plant.h"
#include "tactus/vehicle/state_owner.h"
#include "tactus/world/world.h"

namespace tactus {

/// Where a rover starts; it stands still.
struct RoverStart {
  Vec3 position_W_m;
  double heading_rad = 0.0;
};

/// The rover on the bus: servo channels 0 and 1 drive the left and the right wheel. The air around
/// it is that of the origin; it has no power network.
std::unique_ptr<Plant> make_rover_plant(const RoverParameters& parameters, const World& world,
                                        const SolverConfig& solver, const RoverStart& start);

std::vector<StateOwner> rover_state_owners();

}  // namespace tactus
