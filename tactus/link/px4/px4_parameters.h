// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What PX4 is told about an aircraft.

#include <vector>

#include "tactus/autopilot/parameters/emitted_parameters.h"
#include "tactus/plant/multirotor_model.h"

namespace tactus {

/// Geometry, thrust curve, hover, rate gains. Throws Error(kBadInput) if the aircraft has more
/// rotors than PX4 knows or cannot hover.
std::vector<EmittedParameter> px4_parameters(const Multirotor& vehicle, const EmittedFor& flight);

/// What PX4's output stage makes of a motor's control, 0 to 1, with THR_MDL_FAC. PX4 as a process
/// does this itself; the PX4 library ends before that stage, so the reader of its motors does it.
double px4_motor_signal(double control, double thrust_model_factor);

}  // namespace tactus
