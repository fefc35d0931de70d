// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What an external autopilot must know about an aircraft, as files that its ground stations read.

#include <string>
#include <vector>

#include "tactus/autopilot/parameters/emitted_parameters.h"
#include "tactus/spec/model/spec.h"

namespace tactus {

enum class ParameterFamily { kPx4, kArdupilot };

/// Those of the aircraft and, where the spec flies such an autopilot, those that it adds or
/// replaces. The spec must hold a multirotor. Throws Error(kBadInput) if the autopilot cannot fly
/// it.
std::vector<EmittedParameter> parameters_for(const Spec& spec, ParameterFamily family);

/// As a file has it.
std::string parameter_text(const EmittedParameter& parameter);

/// PX4: .params of QGroundControl. ArduPilot: .parm, as its --defaults and ground stations read it.
/// Its first line says what it is made from.
std::string parameter_file(const std::vector<EmittedParameter>& list, ParameterFamily family,
                           const std::string& made_from);

/// Where the autopilot acts otherwise than the spec says (battery_level_notes()).
std::vector<std::string> parameter_notes(const Spec& spec, ParameterFamily family);

}  // namespace tactus
