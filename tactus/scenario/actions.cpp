// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/scenario/actions.h"

#include <fmt/format.h>

#include <algorithm>

#include "tactus/core/checks.h"
#include "tactus/core/error.h"
#include "tactus/core/math.h"
#include "tactus/core/text.h"
#include "tactus/plant/environment/wind.h"
#include "tactus/plant/multirotor_flight.h"
#include "tactus/scenario/instruments.h"
#include "tactus/scenario/schema_enums.h"

namespace tactus {
namespace {

enum Quantity : int { kPosition, kVelocity, kAttitude, kRate };

const std::vector<std::string> kQuantityNames = {"position", "velocity", "attitude", "rate"};

const std::vector<std::string> kSensorNames(kNames<SensorBit>.begin(), kNames<SensorBit>.end());

const std::vector<std::string> kInstrumentNames(kNames<Instrument>.begin(),
                                                kNames<Instrument>.end());

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
  const int index = index_among(event, "instrument", kInstrumentNames);
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

bool is_motor_fault(ActionKind kind) {
  return (kind >= ActionKind::kMotorOff && kind <= ActionKind::kMotorIntermittent) ||
         kind == ActionKind::kMotorNoise;
}

bool is_instrument_fault(ActionKind kind) {
  return kind >= ActionKind::kSensorStuck && kind <= ActionKind::kSensorIntermittent;
}

int resolve_target(const Event& event, const ActionTargets& targets) {
  switch (event.action.kind) {
    case ActionKind::kMotorOff:
    case ActionKind::kMotorStuck:
    case ActionKind::kThrustLoss:
    case ActionKind::kRotorJam:
    case ActionKind::kMotorDelay:
    case ActionKind::kMotorIntermittent:
    case ActionKind::kMotorNoise:
    case ActionKind::kMotorRestore: return index_among(event, "rotor", targets.rotor_ids);
    case ActionKind::kPackDisconnect:
    case ActionKind::kPackReconnect:
    case ActionKind::kPackResistance:
    case ActionKind::kPackCellDrop: return index_among(event, "pack", targets.pack_ids);
    case ActionKind::kServoStuck:
    case ActionKind::kServoRestore: return servo_index(event, targets.servo_count);
    case ActionKind::kSensorFail:
    case ActionKind::kSensorRestore: return index_among(event, "sensor", kSensorNames);
    case ActionKind::kEstimatorBias: return index_among(event, "quantity", kQuantityNames);
    case ActionKind::kParameter: return parameter_index(event, targets);
    case ActionKind::kInstrumentRestore: return instrument_index(event, targets.instruments);
    default:
      return is_instrument_fault(event.action.kind) ? instrument_index(event, targets.instruments)
                                                    : -1;
  }
}

double empty_voltage(const ActionTargets& targets, ActionKind kind, int index) {
  return kind == ActionKind::kPackCellDrop ? targets.pack_empty_v[static_cast<std::size_t>(index)]
                                           : 0.0;
}

void check_values(const Event& event, const ActionTargets& targets, int index) {
  const Action& action = event.action;
  const std::string place = place_of(event);
  if (const auto range = value_range(action.kind, empty_voltage(targets, action.kind, index))) {
    require_within(place, "value", action.value, range->low, range->high);
  }
  if (!(norm(action.vector) <= longest_vector(action.kind))) {
    refuse(place, "vector (length)", norm(action.vector),
           fmt::format("must not be longer than {}", longest_vector(action.kind)));
  }
  switch (action.kind) {
    case ActionKind::kParameter: require_finite(place, "value", action.value); break;
    case ActionKind::kMotorDelay:
      require_duration(event, "lag_s", action.delay, targets.longest_motor_delay);
      break;
    case ActionKind::kEstimatorDelay:
      require_duration(event, "lag_s", action.delay, targets.longest_estimator_delay);
      break;
    case ActionKind::kSensorDelay:
      require_duration(event, "lag_s", action.delay, targets.longest_instrument_delay[index]);
      break;
    case ActionKind::kSensorSlow:
      if (math::floor(action.value) != action.value) {
        refuse(place, "value", action.value, "must be a whole number");
      }
      break;
    case ActionKind::kMotorIntermittent:
    case ActionKind::kSensorIntermittent:
      require_duration(event, "off_s", action.off, kLongestPattern);
      require_duration(event, "on_s", action.on, kLongestPattern);
      break;
    default: break;
  }
}

double most_together(const Action& action, const ActionTargets& targets, int index) {
  const auto range = value_range(action.kind, empty_voltage(targets, action.kind, index));
  return range ? range->high : longest_vector(action.kind);
}

std::uint32_t bit_of(int index) { return std::uint32_t{1} << static_cast<unsigned>(index); }

/// `fault` may be const.
template <class Fault>
auto& bias_of(int quantity, Fault& fault) {
  switch (quantity) {
    case kPosition: return fault.position_bias_W_m;
    case kVelocity: return fault.velocity_bias_W_m_s;
    case kAttitude: return fault.attitude_bias_rad;
    default: return fault.rate_bias_B_rad_s;
  }
}

std::uint32_t longer(std::uint32_t delay_us, DurationUs other) {
  return std::max(delay_us, static_cast<std::uint32_t>(other.us));
}

void add_instrument_fault(const ResolvedAction& action, InstrumentFault& fault) {
  switch (action.kind) {
    case ActionKind::kSensorStuck: fault.mask |= instrument_bit(InstrumentBit::kStuck); break;
    case ActionKind::kSensorDropout:
    case ActionKind::kSensorIntermittent:
      fault.mask |= instrument_bit(InstrumentBit::kDropout);
      break;
    case ActionKind::kGpsNoFix: fault.mask |= instrument_bit(InstrumentBit::kNoFix); break;
    case ActionKind::kSensorGarbage: fault.mask |= instrument_bit(InstrumentBit::kGarbage); break;
    case ActionKind::kSensorBias: fault.bias += action.vector; break;
    case ActionKind::kSensorNoise: fault.noise_scale *= action.value; break;
    case ActionKind::kSensorDelay: fault.delay_us = longer(fault.delay_us, action.delay); break;
    case ActionKind::kSensorSlow:
      fault.every = std::max(fault.every, static_cast<std::uint32_t>(action.value));
      break;
    default: break;
  }
}

/// Of the same target.
bool ends(ActionKind restore, ActionKind effect) {
  switch (restore) {
    case ActionKind::kMotorRestore: return is_motor_fault(effect);
    case ActionKind::kPackReconnect: return effect == ActionKind::kPackDisconnect;
    case ActionKind::kServoRestore: return effect == ActionKind::kServoStuck;
    case ActionKind::kSensorRestore: return effect == ActionKind::kSensorFail;
    case ActionKind::kInstrumentRestore: return is_instrument_fault(effect);
    default: return false;
  }
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
  switch (kind) {
    case ActionKind::kMotorStuck:
    case ActionKind::kThrustLoss: return {{0.0, 1.0}};
    case ActionKind::kServoStuck: return {{-1.0, 1.0}};
    case ActionKind::kMotorNoise: return {{0.0, 0.5}};
    case ActionKind::kPackResistance:
    case ActionKind::kSensorSlow: return {{1.0, 1e6}};
    case ActionKind::kSensorNoise: return {{0.0, 1e6}};
    case ActionKind::kPackCellDrop: return {{0.0, pack_empty_v}};
    default: return std::nullopt;
  }
}

double longest_vector(ActionKind kind) {
  switch (kind) {
    case ActionKind::kWindStep: return kStrongestWind_m_s;
    case ActionKind::kEstimatorBias:
    case ActionKind::kSensorBias: return 1e6;
    default: return math::infinity();
  }
}

bool lasts(ActionKind kind) {
  switch (kind) {
    case ActionKind::kWindStep:
    case ActionKind::kPackDisconnect:
    case ActionKind::kPackResistance:
    case ActionKind::kPackCellDrop:
    case ActionKind::kServoStuck:
    case ActionKind::kSensorFail:
    case ActionKind::kEstimatorBias:
    case ActionKind::kEstimatorDelay: return true;
    default: return is_motor_fault(kind) || is_instrument_fault(kind);
  }
}

bool has_pattern(ActionKind kind) {
  return kind == ActionKind::kMotorIntermittent || kind == ActionKind::kSensorIntermittent;
}

bool changes_by_itself(ActionKind kind) {
  return has_pattern(kind) || kind == ActionKind::kMotorNoise;
}

void add_effect(const ResolvedAction& action, double noise, Effects& effects) {
  Faults& faults = effects.faults;
  const int i = action.index;
  switch (action.kind) {
    case ActionKind::kWindStep: effects.disturbance.wind_W_m_s += action.vector; break;
    case ActionKind::kMotorOff:
    case ActionKind::kMotorIntermittent: faults.motor_off_mask |= bit_of(i); break;
    case ActionKind::kMotorStuck:
      faults.motor_stuck_mask |= bit_of(i);
      faults.motor_stuck[i] = action.value;
      break;
    case ActionKind::kThrustLoss: faults.thrust_scale[i] *= 1.0 - action.value; break;
    case ActionKind::kMotorNoise: {
      const double factor = math::clamp(1.0 + action.value * noise, 0.0, kMostThrustScale);
      faults.thrust_scale[i] = math::min(faults.thrust_scale[i] * factor, kMostThrustScale);
      break;
    }
    case ActionKind::kRotorJam: faults.rotor_jam_mask |= bit_of(i); break;
    case ActionKind::kMotorDelay:
      faults.motor_delay_us[i] = longer(faults.motor_delay_us[i], action.delay);
      break;
    case ActionKind::kPackDisconnect: faults.pack[i].connected = false; break;
    case ActionKind::kPackResistance: faults.pack[i].resistance_scale *= action.value; break;
    case ActionKind::kPackCellDrop: faults.pack[i].voltage_offset_v -= action.value; break;
    case ActionKind::kServoStuck:
      faults.servo_stuck_mask |= bit_of(i);
      faults.servo_stuck[i] = action.value;
      break;
    case ActionKind::kSensorFail: faults.estimator.sensor_mask |= bit_of(i); break;
    case ActionKind::kEstimatorBias: bias_of(i, faults.estimator) += action.vector; break;
    case ActionKind::kEstimatorDelay:
      faults.estimator.extra_delay_us = longer(faults.estimator.extra_delay_us, action.delay);
      break;
    default:
      if (is_instrument_fault(action.kind)) add_instrument_fault(action, faults.instrument[i]);
      break;
  }
}

std::string beyond_limit(const ResolvedAction& action, const Effects& effects) {
  const Faults& faults = effects.faults;
  const auto is_more = [&](double value) { return !(value <= action.most); };
  switch (action.kind) {
    case ActionKind::kWindStep: {
      const double wind = norm(effects.disturbance.wind_W_m_s);
      if (is_more(wind)) return fmt::format("the wind steps add up to {:g} m/s", wind);
      break;
    }
    case ActionKind::kPackResistance: {
      const double scale = faults.pack[action.index].resistance_scale;
      if (is_more(scale)) return fmt::format("the factors multiply to {:g}", scale);
      break;
    }
    case ActionKind::kPackCellDrop: {
      const double drop_v = -faults.pack[action.index].voltage_offset_v;
      if (is_more(drop_v)) return fmt::format("the drops add up to {:g} V", drop_v);
      break;
    }
    case ActionKind::kSensorNoise: {
      const double scale = faults.instrument[action.index].noise_scale;
      if (is_more(scale)) return fmt::format("the factors multiply to {:g}", scale);
      break;
    }
    case ActionKind::kSensorBias: {
      const double bias = norm(faults.instrument[action.index].bias);
      if (is_more(bias)) return fmt::format("the biases add up to {:g}", bias);
      break;
    }
    case ActionKind::kEstimatorBias: {
      const double bias = norm(bias_of(action.index, faults.estimator));
      if (is_more(bias)) return fmt::format("the biases add up to {:g}", bias);
      break;
    }
    default: break;
  }
  return {};
}

bool ends(const ResolvedAction& action, const ResolvedAction& effect) {
  return action.index == effect.index && ends(action.kind, effect.kind);
}

bool ends(const Action& action, const Action& effect) {
  return action.target == effect.target && ends(action.kind, effect.kind);
}

void take_back(const ResolvedAction& action, Effects& effects) {
  Faults& faults = effects.faults;
  const int i = action.index;
  switch (action.kind) {
    case ActionKind::kMotorRestore:
      faults.motor_off_mask &= ~bit_of(i);
      faults.motor_stuck_mask &= ~bit_of(i);
      faults.rotor_jam_mask &= ~bit_of(i);
      faults.motor_stuck[i] = 0.0;
      faults.thrust_scale[i] = 1.0;
      faults.motor_delay_us[i] = 0;
      break;
    case ActionKind::kPackReconnect: faults.pack[i].connected = true; break;
    case ActionKind::kServoRestore:
      faults.servo_stuck_mask &= ~bit_of(i);
      faults.servo_stuck[i] = 0.0;
      break;
    case ActionKind::kSensorRestore: faults.estimator.sensor_mask &= ~bit_of(i); break;
    case ActionKind::kInstrumentRestore: faults.instrument[i] = {}; break;
    default: break;
  }
}

}  // namespace tactus
