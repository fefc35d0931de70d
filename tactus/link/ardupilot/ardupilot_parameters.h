// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What ArduPilot is told about an aircraft.

#include <vector>

#include "tactus/autopilot/parameters/emitted_parameters.h"
#include "tactus/plant/multirotor_model.h"

namespace tactus {

/// Frame, thrust curve, hover, rate gains of ArduCopter. Throws Error(kBadInput) if the rotors do
/// not form a frame that ArduPilot knows.
std::vector<EmittedParameter> ardupilot_parameters(const Multirotor& vehicle,
                                                   const EmittedFor& flight);

/// Our rotor (from 0) for each motor of the ArduPilot frame: element k belongs to its motor k + 1,
/// which is driven by servo channel k + 1. Throws Error(kBadInput) as above.
std::vector<int> ardupilot_motor_order(const Multirotor& vehicle);

}  // namespace tactus
