// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A [[simulator]] of a fleet file. Mistakes are reported as in fleet_file.h.

#include "tactus/fleet/fleet_file.h"
#include "tactus/spec/toml/toml_document.h"

namespace tactus {

SimulatorPlan read_simulator(const TomlNode& node);

/// Each motor and servo of the vehicle that flies in it gets its channel, and it gets the world of
/// the vehicle's spec. `node` is that of the
/// simulator; nothing is done if it is built in.
void fit_channels(const TomlNode& node, const VehiclePlan& vehicle, SimulatorPlan& simulator);

}  // namespace tactus
