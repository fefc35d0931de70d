// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Parameters of an autopilot that change in flight. ParameterChange has room for a number, so it is
// the position in a list that both sides know: the field list of BuiltinParameters for the built-in
// autopilots, the names that the events of the spec change for external ones.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tactus/autopilot/parameters/builtin_parameters.h"
#include "tactus/autopilot/parameters/emitted_parameters.h"
#include "tactus/core/state_archive.h"
#include "tactus/signal/signals.h"

namespace tactus {

/// Position of a parameter for ParameterChange::index. Keys are those of a spec: a time is named
/// `…_s`. Throws Error(kBadInput) that names the nearest key if there is no such parameter.
int builtin_parameter_index(std::string_view key);

/// The parameters with one of them changed, validated. Times are in seconds; an enumeration or a
/// switch is its number. Throws Error(kBadInput) that names the parameter and the value.
BuiltinParameters with_parameter(BuiltinParameters parameters, int index, double value);
/// The same of what came in single precision: times are the nearest microsecond.
BuiltinParameters with_parameter(BuiltinParameters parameters, int index, float value);

/// The value of one of them, in the units of with_parameter.
double parameter_value(const BuiltinParameters& parameters, int index);

/// Saves what an autopilot was given and what is in force by now.
void save_parameters(const BuiltinParameters& given, const BuiltinParameters& in_force,
                     StateWriter& to);

/// What is in force: as `given` here, and what was changed in flight stays changed.
BuiltinParameters load_parameters(const BuiltinParameters& given, StateReader& from);

/// Changes for an external autopilot, which knows its parameters by name.
class NamedChanges {
 public:
  explicit NamedChanges(std::vector<std::string> names) : names_(std::move(names)) {}

  /// The change on the bus, once. Throws Error(kBadInput) if there is no name of this number.
  std::optional<EmittedParameter> take(const ParameterChange& change);
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
  std::uint32_t seen_ = 0;
};

/// Puts the changed one in the place of the old one, or at the end.
void put_parameter(const EmittedParameter& changed, std::vector<EmittedParameter>& parameters);

}  // namespace tactus
