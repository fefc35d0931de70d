// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// From the bus to what a multirotor holds over the next interval: commands after faults and delays,
// wind with the scenario's part. A replay of one component goes through the same door.

#include "tactus/plant/multirotor_input.h"
#include "tactus/plant/multirotor_model.h"
#include "tactus/signal/bus.h"
#include "tactus/vehicle/command_delay.h"

namespace tactus {

/// `delay` holds the commands up to and with this instant. Sets all that the vehicle has, and
/// leaves the rest of `input` alone.
void read_input(const Bus& bus, const Multirotor& vehicle, const CommandDelay& delay,
                MultirotorInput& input);

/// Equal as numbers in all that the vehicle has: what decides whether an input has changed.
bool same_input(const MultirotorInput& a, const MultirotorInput& b, const Multirotor& vehicle);

}  // namespace tactus
