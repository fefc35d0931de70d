// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <string>

#include "tactus/fleet/fleet_flight.h"

namespace tactus {

inline constexpr char kBridgeSchema[] = "tactus.bridge/1";

/// What came of a fleet, for machines. Wall-clock figures stand apart: all else is the same on
/// every machine. `wall_s`: how long it flew.
std::string fleet_json(const FleetPlan& plan, FleetFlight& fleet, double wall_s);

}  // namespace tactus
