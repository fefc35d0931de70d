// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <memory>

#include "tactus/engine/plant.h"
#include "tactus/plant/environment/atmosphere.h"
#include "tactus/plant/rover.h"
#include "tactus/solver/config.h"

namespace tactus {

/// Where a rover starts; it stands still.
struct RoverStart {
  Vec3 position_W_m;
  double heading_rad = 0.0;
};

/// The rover on the bus: servo channels 0 and 1 drive the left and the right wheel. It stands at
/// `altitude_msl_m` for the air around it and has no power network.
std::unique_ptr<Plant> make_rover_plant(const RoverParameters& parameters,
                                        const SolverConfig& solver, const RoverStart& start,
                                        const AtmosphereParameters& atmosphere,
                                        double altitude_msl_m);

}  // namespace tactus
