// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <memory>
#include <vector>

#include "tactus/vehicle/held_flight.h"
#include "tactus/vehicle/plant.h"
#include "tactus/vehicle/state_owner.h"

namespace tactus {

/// Names of the state and the modes of a flight in field-list order, with offsets into a
/// MultirotorFlight: the state block of the plant below.
std::vector<BusLeaf> flight_leaves(const MultirotorCounts& counts);

std::vector<StateOwner> multirotor_state_owners();

/// The multirotor on the bus. The autopilot is fed by the first power bus, whose parameters say
/// what a brown-out does to it. `instead` replaces the solvers of Tactus; its copies must work side
/// by side in one thread.
std::unique_ptr<Plant> make_multirotor_plant(std::shared_ptr<const Multirotor> vehicle,
                                             const SolverConfig& solver,
                                             const MultirotorState& initial,
                                             IntegrateMultirotor instead = {});

}  // namespace tactus
