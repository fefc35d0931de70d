// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/autopilot/parameters/parameter_change.h"

#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

#include "tactus/core/checks.h"
#include "tactus/core/error.h"
#include "tactus/core/fields.h"
#include "tactus/core/math.h"
#include "tactus/core/text.h"

namespace tactus {

namespace {

constexpr std::string_view kWhere = "autopilot";

/// The key of a leaf as a spec writes it: times in seconds.
std::string key_of(const LeafPath& path) {
  std::string key = path.text();
  if (key.ends_with("_us")) key.replace(key.size() - 2, 2, "s");
  return key;
}

DurationUs duration(double seconds, const std::string& key) {
  return duration_from_seconds(seconds, key);
}

/// 0.01 in single precision is 0.00999999978.
DurationUs duration(float seconds, const std::string& key) {
  const double us = math::rint(double{seconds} * 1e6);
  return duration_from_seconds(us / 1e6, key);
}

template <class T, class Number>
void set_leaf(const std::string& key, Number value, T& leaf) {
  if constexpr (std::is_floating_point_v<T>) {
    leaf = double{value};
  } else if constexpr (std::is_same_v<T, std::uint64_t>) {
    leaf = duration(value, std::string(kWhere) + "." + key).us;
  } else {
    static_assert(std::is_same_v<T, bool> || std::is_same_v<T, BatteryAction>);
    constexpr int kHighest = std::is_same_v<T, bool> ? 1 : static_cast<int>(BatteryAction::kLand);
    for (int choice = 0; choice <= kHighest; ++choice) {
      if (double{value} != static_cast<double>(choice)) continue;
      leaf = static_cast<T>(choice);
      return;
    }
    refuse(kWhere, key, value, kHighest == 1 ? "must be 0 or 1" : "must be 0, 1 or 2");
  }
}

template <class Number>
BuiltinParameters changed(BuiltinParameters parameters, int index, Number value) {
  int position = 0;
  bool found = false;
  for_each_leaf(parameters, [&](const LeafPath& path, auto& leaf) {
    if (position++ != index) return;
    found = true;
    set_leaf(key_of(path), value, leaf);
  });
  if (!found) refuse(kWhere, "parameter.index", index, "there is no parameter of this number");
  validate(parameters, kWhere);
  return parameters;
}

}  // namespace

int builtin_parameter_index(std::string_view key) {
  const BuiltinParameters parameters;
  std::vector<std::string> keys;
  for_each_leaf(parameters,
                [&](const LeafPath& path, const auto&) { keys.push_back(key_of(path)); });
  const auto it = std::find(keys.begin(), keys.end(), key);
  if (it != keys.end()) return static_cast<int>(it - keys.begin());
  throw Error(ExitCode::kBadInput,
              did_you_mean("the built-in autopilot has no parameter \"" + std::string(key) + "\"",
                           key, keys));
}

BuiltinParameters with_parameter(BuiltinParameters parameters, int index, double value) {
  return changed(parameters, index, value);
}

BuiltinParameters with_parameter(BuiltinParameters parameters, int index, float value) {
  return changed(parameters, index, value);
}

double parameter_value(const BuiltinParameters& parameters, int index) {
  int position = 0;
  double value = math::canonical_nan();
  for_each_leaf(parameters, [&](const LeafPath&, const auto& leaf) {
    if (position++ != index) return;
    using Leaf = std::remove_cvref_t<decltype(leaf)>;
    if constexpr (std::is_same_v<Leaf, std::uint64_t>) {
      value = to_seconds(DurationUs(leaf));
    } else {
      value = static_cast<double>(leaf);
    }
  });
  return value;
}

void save_parameters(const BuiltinParameters& given, const BuiltinParameters& in_force,
                     StateWriter& to) {
  to.add_fields("parameters given", given);
  to.add_fields("parameters in force", in_force);
}

BuiltinParameters load_parameters(const BuiltinParameters& given, StateReader& from) {
  BuiltinParameters saved_given;
  BuiltinParameters in_force;
  from.get_fields("parameters given", saved_given);
  from.get_fields("parameters in force", in_force);
  std::vector<std::uint64_t> before;
  std::vector<std::uint64_t> here;
  for_each_value(saved_given, [&](const auto& leaf) { before.push_back(canonical_bits(leaf)); });
  for_each_value(given, [&](const auto& leaf) { here.push_back(canonical_bits(leaf)); });
  std::size_t i = 0;
  for_each_value(in_force, [&](auto& leaf) {
    using Leaf = std::remove_cvref_t<decltype(leaf)>;
    const std::size_t k = i++;
    if (canonical_bits(leaf) != before[k]) return;  // changed in flight
    if constexpr (std::is_same_v<Leaf, double>) {
      leaf = __builtin_bit_cast(double, here[k]);
    } else {
      leaf = static_cast<Leaf>(here[k]);
    }
  });
  return in_force;
}

std::optional<EmittedParameter> NamedChanges::take(const ParameterChange& change) {
  if (change.count == seen_) return std::nullopt;
  seen_ = change.count;
  if (change.index < 0 || static_cast<std::size_t>(change.index) >= names_.size()) {
    refuse(kWhere, "parameter.index", change.index, "there is no parameter of this number");
  }
  EmittedParameter changed;
  changed.name = names_[static_cast<std::size_t>(change.index)];
  changed.value = change.value;
  changed.integer = math::rint(change.value) == change.value;
  changed.why = "changed in flight";
  return changed;
}

void put_parameter(const EmittedParameter& changed, std::vector<EmittedParameter>& parameters) {
  const auto old =
      std::find_if(parameters.begin(), parameters.end(),
                   [&](const EmittedParameter& other) { return other.name == changed.name; });
  if (old == parameters.end()) {
    parameters.push_back(changed);
  } else {
    *old = changed;
  }
}

}  // namespace tactus
