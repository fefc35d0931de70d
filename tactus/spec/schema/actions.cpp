// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/spec/schema/actions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tactus/core/assert.h"
#include "tactus/core/checks.h"
#include "tactus/core/error.h"
#include "tactus/core/math.h"
#include "tactus/core/text.h"
#include "tactus/spec/schema/instruments.h"
#include "tactus/spec/schema/schema_enums.h"

namespace tactus {
namespace {

template <std::size_t n>
std::vector<std::string> as_list(const std::array<const char*, n>& names) {
  return {names.begin(), names.end()};
}

[[noreturn]] void refuse_target(const Event& event, std::string_view what,
                                const std::string& allowed) {
  throw Error(ExitCode::kBadInput,
              fmt::format("{}: there is no {} \"{}\"; allowed: {}", place_of(event), what,
                          event.action.target, allowed.empty() ? "none" : allowed));
}

int index_among(const Event& event, std::string_view what, const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), event.action.target);
  if (found == names.end()) {
    refuse_target(event, what, fmt::format("{}", fmt::join(names, ", ")));
  }
  return static_cast<int>(found - names.begin());
}

int servo_index(const Event& event, int count) {
  for (int i = 0; i < count; ++i) {
    if (event.action.target == fmt::format("{}", i)) return i;
  }
  refuse_target(event, "servo", count == 0 ? "" : fmt::format("0 to {}", count - 1));
}

int parameter_index(const Event& event, const ActionTargets& targets) {
  if (!targets.parameter_index) {
    refuse_target(event, "autopilot parameter", "none, because no autopilot flies");
  }
  try {
    return targets.parameter_index(event.action.target, event.action.value);
  } catch (const Error& error) {
    throw Error(ExitCode::kBadInput, fmt::format("{}: {}", place_of(event), error.what()));
  }
}

int instrument_index(const Event& event, const InstrumentCounts& fitted) {
  const int index = index_among(event, "instrument", as_list(kNames<Instrument>));
  const auto instrument = static_cast<Instrument>(index);
  if (is_fitted(instrument, fitted)) return index;
  throw Error(ExitCode::kBadInput,
              fmt::format("{}: the instrument \"{}\" is not fitted; the vehicle carries {}",
                          place_of(event), event.action.target, fitted_instruments(fitted)));
}

void require_duration(const Event& event, std::string_view key, DurationUs value,
                      DurationUs longest) {
  if (value.us > 0 && value <= longest) return;
  throw Error(ExitCode::kBadInput,
              fmt::format("{}.{} = {}: must be longer than zero and at most {}", place_of(event),
                          key, to_text(value), to_text(longest)));
}

constexpr DurationUs kLongestPattern{3'600'000'000};

int resolve_target(const Event& event, const ActionTargets& targets) {
  switch (row_of(event.action.kind).target) {
    case ActionTarget::kNone: return -1;
    case ActionTarget::kRotor: return index_among(event, "rotor", targets.rotor_ids);
    case ActionTarget::kPack: return index_among(event, "pack", targets.pack_ids);
    case ActionTarget::kServo: return servo_index(event, targets.servo_count);
    case ActionTarget::kSensor: return index_among(event, "sensor", as_list(kNames<SensorBit>));
    case ActionTarget::kInstrument:
    case ActionTarget::kGps: return instrument_index(event, targets.instruments);
    case ActionTarget::kQuantity: return index_among(event, "quantity", as_list(kQuantityNames));
    case ActionTarget::kParameter: return parameter_index(event, targets);
  }
  return -1;
}

/// Of an action that makes something later.
DurationUs longest_lag(ActionTarget target, const ActionTargets& targets, int index) {
  switch (target) {
    case ActionTarget::kRotor: return targets.longest_motor_delay;
    case ActionTarget::kInstrument: return targets.longest_instrument_delay[index];
    default: return targets.longest_estimator_delay;
  }
}

double empty_voltage(const ActionTargets& targets, ActionKind kind, int index) {
  return row_of(kind).input.up_to_empty_pack ? targets.pack_empty_v[static_cast<std::size_t>(index)]
                                             : 0.0;
}

void check_values(const Event& event, const ActionTargets& targets, int index) {
  const Action& action = event.action;
  const ActionRow& row = row_of(action.kind);
  const std::string place = place_of(event);
  if (const auto range = value_range(action.kind, empty_voltage(targets, action.kind, index))) {
    require_within(place, "value", action.value, range->low, range->high);
  }
  if (!(norm(action.vector) <= longest_vector(action.kind))) {
    refuse(place, "vector", "length", norm(action.vector),
           fmt::format("must not be longer than {}", longest_vector(action.kind)));
  }
  if (row.input.whole && math::floor(action.value) != action.value) {
    refuse(place, "value", action.value, "must be a whole number");
  }
  if (row.input.kind == ActionInput::Kind::kLag) {
    require_duration(event, "lag_s", action.delay, longest_lag(row.target, targets, index));
  }
  if (has_pattern(action.kind)) {
    require_duration(event, "off_s", action.off, kLongestPattern);
    require_duration(event, "on_s", action.on, kLongestPattern);
  }
}

double most_together(const Action& action, const ActionTargets& targets, int index) {
  const auto range = value_range(action.kind, empty_voltage(targets, action.kind, index));
  return range ? range->high : longest_vector(action.kind);
}

}  // namespace

std::string place_of(const Event& event) {
  return fmt::format("{}{}event \"{}\"", event.where, event.where.empty() ? "" : ": ", event.id);
}

ResolvedAction resolve_action(const Event& event, const ActionTargets& targets) {
  const Action& action = event.action;
  const int index = resolve_target(event, targets);
  check_values(event, targets, index);
  if (action.duration.us != 0 && !lasts(action.kind)) {
    throw Error(ExitCode::kBadInput,
                fmt::format("{}.duration_s = {}: this action is done at once and has no duration",
                            place_of(event), to_text(action.duration)));
  }
  return {action.kind,        index,
          action.value,       action.vector,
          action.duration,    action.delay,
          action.on,          action.off,
          action.correlation, most_together(action, targets, index)};
}

std::optional<ValueRange> value_range(ActionKind kind, double pack_empty_v) {
  const ActionInput& input = row_of(kind).input;
  if (!input.has_value()) return std::nullopt;
  return {{input.low, input.up_to_empty_pack ? pack_empty_v : input.high}};
}

double longest_vector(ActionKind kind) {
  const ActionInput& input = row_of(kind).input;
  return input.kind == ActionInput::Kind::kVector ? input.high : math::infinity();
}

void add_effect(const ResolvedAction& action, double noise, Effects& effects) {
  TACTUS_ASSERT(lasts(action.kind), "only what lasts is an effect");
  row_of(action.kind).add(action, noise, effects);
}

std::string beyond_limit(const ResolvedAction& action, const Effects& effects) {
  const ActionSum& together = row_of(action.kind).together;
  if (together.of == nullptr) return {};
  const double sum = together.of(action.index, effects);
  if (sum <= action.most) return {};
  return fmt::format("{} {:g}{}", together.text, sum, together.unit);
}

bool ends(const ResolvedAction& action, const ResolvedAction& effect) {
  return action.index == effect.index && ends(action.kind, effect.kind);
}

bool ends(const Action& action, const Action& effect) {
  return action.target == effect.target && ends(action.kind, effect.kind);
}

}  // namespace tactus
