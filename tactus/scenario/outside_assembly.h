// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What is not ours, from a spec: the PX4 library, PX4 and ArduPilot as programs, ground stations.

#include <memory>
#include <vector>

#include "tactus/autopilot/autopilot.h"
#include "tactus/autopilot/builtin_vehicle.h"
#include "tactus/autopilot/emitted_parameters.h"
#include "tactus/autopilot/flight_plan.h"
#include "tactus/plant/multirotor_model.h"
#include "tactus/scenario/autopilot_assembly.h"
#include "tactus/scenario/spec.h"

namespace tactus {

/// What a mission is compiled with.
PlanContext plan_context(const Spec& spec);

/// Those that follow from the aircraft, and those that the spec gives, which win.
std::vector<EmittedParameter> with_given(std::vector<EmittedParameter> emitted, const Spec& spec);

/// What a flight of this spec decides about an autopilot's parameters.
EmittedFor emitted_for(const Spec& spec, DurationUs autopilot_period);

/// Starts nothing. Throws Error that names the key if the aircraft, the mission or a path does not
/// fit.
std::unique_ptr<Autopilot> make_outside_autopilot(const Spec& spec, const Multirotor& vehicle,
                                                  const OutsideHelp& help);

/// The built-in autopilot with the ground station of the spec, or with what a recorded one sent.
/// `vehicle` is null for a rover. Opens nothing. Throws Error that names the key.
std::unique_ptr<Autopilot> with_ground_station(std::unique_ptr<BuiltinVehicle> autopilot,
                                               const Spec& spec, const Multirotor* vehicle,
                                               const OutsideHelp& help);

}  // namespace tactus
