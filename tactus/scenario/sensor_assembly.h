// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The instruments of a spec in a run.

#include "tactus/engine/run.h"
#include "tactus/sensor/land_detector.h"
#include "tactus/sensor/sensors_spec.h"
#include "tactus/signal/schedule.h"
#include "tactus/spec/model/spec.h"
#include "tactus/spec/schema/actions.h"

namespace tactus {

/// Ticks of the instruments that are fitted; an IMU without a period gets the autopilot's, which
/// must be set already.
void set_sensor_axes(const SensorsSpec& sensors, Schedule& schedule);

/// What the land detector asks of the vehicle; its thrusts are those that the autopilot wanted.
LandedVehicle landed_vehicle(const Spec& spec, int motors);

/// Which of them events may name, and how much later they may be.
void set_instrument_targets(const Spec& spec, ActionTargets& targets);

/// One source per kind, and their counts. The axes of `setup.schedule` must be set. Throws
/// Error(kBadInput) if a kind has no period.
void add_sensor_sources(const Spec& spec, RunSetup& setup);

}  // namespace tactus
