// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Parameters of the built-in autopilots that change in flight, by their position in the field list
// of BuiltinParameters.

#include <string_view>

#include "tactus/autopilot/builtin_parameters.h"
#include "tactus/core/state_archive.h"

namespace tactus {

/// Position of a parameter for ParameterChange::index. Keys are those of a spec: a time is named
/// `…_s`. Throws Error(kBadInput) that names the nearest key if there is no such parameter.
int builtin_parameter_index(std::string_view key);

/// The parameters with one of them changed, validated. Times are in seconds; an enumeration or a
/// switch is its number. Throws Error(kBadInput) that names the parameter and the value.
BuiltinParameters with_parameter(BuiltinParameters parameters, int index, double value);

/// The value of one of them, in the units of with_parameter.
double parameter_value(const BuiltinParameters& parameters, int index);

/// Saves what an autopilot was given and what is in force by now.
void save_parameters(const BuiltinParameters& given, const BuiltinParameters& in_force,
                     StateWriter& to);

/// What is in force: as `given` here, and what was changed in flight stays changed.
BuiltinParameters load_parameters(const BuiltinParameters& given, StateReader& from);

}  // namespace tactus
