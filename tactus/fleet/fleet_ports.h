// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include "tactus/fleet/fleet_file.h"

namespace tactus {

/// Throws PlacedError(kBadInput) if two of the fleet need the same port of this machine: ground
/// stations, PX4, ArduPilot and external simulators.
void require_own_ports(const FleetPlan& plan);

}  // namespace tactus
