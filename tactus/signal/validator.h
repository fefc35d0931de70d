// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What every boundary is checked for (contract C7), always on: the bus has the version it was built
// for, every number is finite, the attitude is a unit quaternion, commands are in range. The
// autopilot's report is the exception: a setpoint that it does not use is NaN there.
// Each throws Error(kRunStopped) that names time, source, signal and value.

#include "tactus/signal/bus.h"

namespace tactus {

void validate_signals(const Bus& bus, SignalSet signals, const char* writer);
/// The same of a command that is on its way to a plant elsewhere.
void validate_command(const Command& command, TimeUs time, const char* writer);
/// `published`: those of kPlantSignals that the plant has written.
void validate_plant_signals(const Bus& bus, SignalSet published);

}  // namespace tactus
