// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <memory>

#include "tactus/engine/plant.h"
#include "tactus/plant/multirotor_flight.h"

namespace tactus {

/// The multirotor on the bus. The autopilot is fed by the first power bus, whose parameters say
/// what a brown-out does to it.
std::unique_ptr<Plant> make_multirotor_plant(std::shared_ptr<const Multirotor> vehicle,
                                             const SolverConfig& solver,
                                             const MultirotorState& initial);

}  // namespace tactus
