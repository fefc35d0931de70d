// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// When a battery is low, critical, or an emergency is set once, by low_soc, critical_soc and
// emergency_soc of the packs: battery[].warning follows them, and an external autopilot gets them
// as parameters (BAT_LOW_THR, BATT_LOW_MAH …). Here the levels by which such an autopilot will act
// are compared with those of the packs, so that a flight whose log and autopilot disagree says so.

#include <string>
#include <vector>

#include "tactus/spec/model/spec.h"

namespace tactus {

/// A sentence for each level at which `autopilot` acts otherwise than the packs warn: other values
/// given by the spec, packs with levels of their own, levels that MAVLink cannot distinguish. The
/// spec's parameters and events count if it flies that autopilot. Empty for those inside. The spec
/// must hold a multirotor.
std::vector<std::string> battery_level_notes(const Spec& spec, AutopilotKind autopilot);

}  // namespace tactus
