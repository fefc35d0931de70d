// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/spec/model/action_effects.h"

#include <algorithm>

#include "tactus/core/math.h"
#include "tactus/vehicle/multirotor_flight.h"

namespace tactus {
namespace {

std::uint32_t bit_of(int index) { return std::uint32_t{1} << static_cast<unsigned>(index); }

std::uint32_t longer(std::uint32_t delay_us, DurationUs other) {
  return std::max(delay_us, static_cast<std::uint32_t>(other.us));
}

/// By the position in kQuantityNames; `fault` may be const.
template <class Fault>
auto& bias_of(int quantity, Fault& fault) {
  switch (quantity) {
    case 0: return fault.position_bias_W_m;
    case 1: return fault.velocity_bias_W_m_s;
    case 2: return fault.attitude_bias_rad;
    default: return fault.rate_bias_B_rad_s;
  }
}

}  // namespace

void add_wind(const ResolvedAction& action, double /*noise*/, Effects& effects) {
  effects.disturbance.wind_W_m_s += action.vector;
}

void add_motor_off(const ResolvedAction& action, double /*noise*/, Effects& effects) {
  effects.faults.motor_off_mask |= bit_of(action.index);
}

void add_motor_stuck(const ResolvedAction& action, double /*noise*/, Effects& effects) {
  effects.faults.motor_stuck_mask |= bit_of(action.index);
  effects.faults.motor_stuck[action.index] = action.value;
}

void add_thrust_loss(const ResolvedAction& action, double /*noise*/, Effects& effects) {
  effects.faults.thrust_scale[action.index] *= 1.0 - action.value;
}

void add_rotor_jam(const ResolvedAction& action, double /*noise*/, Effects& effects) {
  effects.faults.rotor_jam_mask |= bit_of(action.index);
}

void add_motor_delay(const ResolvedAction& action, double /*noise*/, Effects& effects) {
  std::uint32_t& delay_us = effects.faults.motor_delay_us[action.index];
  delay_us = longer(delay_us, action.delay);
}

void add_motor_noise(const ResolvedAction& action, double noise, Effects& effects) {
  const double factor = math::clamp(1.0 + action.value * noise, 0.0, kMostThrustScale);
  double& scale = effects.faults.thrust_scale[action.index];
  scale = math::min(scale * factor, kMostThrustScale);
}

void add_open_plug(const ResolvedAction& action, double /*noise*/, Effects& effects) {
  effects.faults.pack[action.index].connected = false;
}

void add_pack_resistance(const ResolvedAction& action, double /*noise*/, Effects& effects) {
  effects.faults.pack[action.index].resistance_scale *= action.value;
}

void add_cell_drop(const ResolvedAction& action, double /*noise*/, Effects& effects) {
  effects.faults.pack[action.index].voltage_offset_v -= action.value;
}

void add_servo_stuck(const ResolvedAction& action, double /*noise*/, Effects& effects) {
  effects.faults.servo_stuck_mask |= bit_of(action.index);
  effects.faults.servo_stuck[action.index] = action.value;
}

void add_sensor_fail(const ResolvedAction& action, double /*noise*/, Effects& effects) {
  effects.faults.estimator.sensor_mask |= bit_of(action.index);
}

void add_estimator_bias(const ResolvedAction& action, double /*noise*/, Effects& effects) {
  bias_of(action.index, effects.faults.estimator) += action.vector;
}

void add_estimator_delay(const ResolvedAction& action, double /*noise*/, Effects& effects) {
  std::uint32_t& delay_us = effects.faults.estimator.extra_delay_us;
  delay_us = longer(delay_us, action.delay);
}

void add_sensor_bias(const ResolvedAction& action, double /*noise*/, Effects& effects) {
  effects.faults.instrument[action.index].bias += action.vector;
}

void add_sensor_noise(const ResolvedAction& action, double /*noise*/, Effects& effects) {
  effects.faults.instrument[action.index].noise_scale *= action.value;
}

void add_sensor_delay(const ResolvedAction& action, double /*noise*/, Effects& effects) {
  std::uint32_t& delay_us = effects.faults.instrument[action.index].delay_us;
  delay_us = longer(delay_us, action.delay);
}

void add_sensor_slow(const ResolvedAction& action, double /*noise*/, Effects& effects) {
  std::uint32_t& every = effects.faults.instrument[action.index].every;
  every = std::max(every, static_cast<std::uint32_t>(action.value));
}

double whole_wind(int /*index*/, const Effects& effects) {
  return norm(effects.disturbance.wind_W_m_s);
}

double whole_pack_resistance(int index, const Effects& effects) {
  return effects.faults.pack[index].resistance_scale;
}

double whole_cell_drop(int index, const Effects& effects) {
  return -effects.faults.pack[index].voltage_offset_v;
}

double whole_estimator_bias(int index, const Effects& effects) {
  return norm(bias_of(index, effects.faults.estimator));
}

double whole_sensor_bias(int index, const Effects& effects) {
  return norm(effects.faults.instrument[index].bias);
}

double whole_sensor_noise(int index, const Effects& effects) {
  return effects.faults.instrument[index].noise_scale;
}

void restore_motor(int index, Effects& effects) {
  Faults& faults = effects.faults;
  faults.motor_off_mask &= ~bit_of(index);
  faults.motor_stuck_mask &= ~bit_of(index);
  faults.rotor_jam_mask &= ~bit_of(index);
  faults.motor_stuck[index] = 0.0;
  faults.thrust_scale[index] = 1.0;
  faults.motor_delay_us[index] = 0;
}

void restore_plug(int index, Effects& effects) { effects.faults.pack[index].connected = true; }

void restore_servo(int index, Effects& effects) {
  effects.faults.servo_stuck_mask &= ~bit_of(index);
  effects.faults.servo_stuck[index] = 0.0;
}

void restore_sensor(int index, Effects& effects) {
  effects.faults.estimator.sensor_mask &= ~bit_of(index);
}

void restore_instrument(int index, Effects& effects) { effects.faults.instrument[index] = {}; }

}  // namespace tactus
