// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The autopilot of a spec: the built-in one, the PX4 library, or an external program.

#include <memory>
#include <string_view>

#include "tactus/autopilot/autopilot.h"
#include "tactus/autopilot/mission/flight_plan.h"
#include "tactus/spec/model/spec.h"
#include "tactus/spec/vehicle/external_autopilots.h"

namespace tactus {

/// What a mission is compiled with.
PlanContext plan_context(const Spec& spec);

/// Position of a parameter in the list of the spec's autopilot, for ParameterChange::index. Throws
/// Error(kBadInput) if there is none, or the value is out of range, as far as that is known before
/// the flight.
int parameter_index(const Spec& spec, std::string_view key, double value);

/// Starts nothing. `external` is null where there are no others than the built-in one. Throws Error
/// that names the key if the vehicle, the mission or a path does not fit.
std::unique_ptr<Autopilot> make_autopilot(const Spec& spec, const ExternalAutopilots* external);

}  // namespace tactus
