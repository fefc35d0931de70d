// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What single actions do to the signals of the bus; action_table.h says which action does what.
// Effects that stand at the same time compose, in any order of their ends:
//   masks and open plugs   one is enough
//   wind, biases, volts    add up
//   blade effect, ohms,
//   noise                  multiply (blade effect: up to kMostThrustScale)
//   delays, slow readings  the longest acts
//   stuck positions        the last one given acts
// `index` is valid for the target of the action: resolve_action (actions.h) has checked it.

#include <cstdint>

#include "tactus/core/fields.h"
#include "tactus/core/time.h"
#include "tactus/signal/bus.h"
#include "tactus/signal/signals.h"
#include "tactus/spec/model/event.h"

namespace tactus {

/// An action with its target found and its ranges checked.
struct ResolvedAction {
  ActionKind kind = ActionKind::kMarker;
  int index = -1;  ///< rotor, pack, servo, sensor bit, instrument, parameter or quantity
  double value = 0.0;
  Vec3 vector;
  DurationUs duration;
  DurationUs delay;
  DurationUs on;
  DurationUs off;
  DurationUs correlation;
  double most = 0.0;  ///< together with others; of what its effect changes
};

/// Everything that lasts.
struct Effects {
  Faults faults;
  Disturbance disturbance;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("faults", "", self.faults);
    visit("disturbance", "", self.disturbance);
  }
};
static_assert(lists_every_field<Effects>());

/// Orders to the autopilot.
template <bool armed>
void order_armed(HighLevelCommand& command) {
  command.armed = armed;
}
template <FlightMode mode>
void order_mode(HighLevelCommand& command) {
  command.mode = mode;
}

/// Add one effect to those that stand; `noise`: deviation of an action with noise, in standard
/// ones.
void add_wind(const ResolvedAction& action, double noise, Effects& effects);
void add_motor_off(const ResolvedAction& action, double noise, Effects& effects);
void add_motor_stuck(const ResolvedAction& action, double noise, Effects& effects);
void add_thrust_loss(const ResolvedAction& action, double noise, Effects& effects);
void add_rotor_jam(const ResolvedAction& action, double noise, Effects& effects);
void add_motor_delay(const ResolvedAction& action, double noise, Effects& effects);
void add_motor_noise(const ResolvedAction& action, double noise, Effects& effects);
void add_open_plug(const ResolvedAction& action, double noise, Effects& effects);
void add_pack_resistance(const ResolvedAction& action, double noise, Effects& effects);
void add_cell_drop(const ResolvedAction& action, double noise, Effects& effects);
void add_servo_stuck(const ResolvedAction& action, double noise, Effects& effects);
void add_sensor_fail(const ResolvedAction& action, double noise, Effects& effects);
void add_estimator_bias(const ResolvedAction& action, double noise, Effects& effects);
void add_estimator_delay(const ResolvedAction& action, double noise, Effects& effects);
void add_sensor_bias(const ResolvedAction& action, double noise, Effects& effects);
void add_sensor_noise(const ResolvedAction& action, double noise, Effects& effects);
void add_sensor_delay(const ResolvedAction& action, double noise, Effects& effects);
void add_sensor_slow(const ResolvedAction& action, double noise, Effects& effects);
template <InstrumentBit bit>
void add_instrument_bit(const ResolvedAction& action, double /*noise*/, Effects& effects) {
  effects.faults.instrument[action.index].mask |= instrument_bit(bit);
}

/// What those that stand come to together, where that has a limit.
double whole_wind(int index, const Effects& effects);
double whole_pack_resistance(int index, const Effects& effects);
double whole_cell_drop(int index, const Effects& effects);
double whole_estimator_bias(int index, const Effects& effects);
double whole_sensor_bias(int index, const Effects& effects);
double whole_sensor_noise(int index, const Effects& effects);

/// Take out of `effects` what a restore or reconnect of this target ends.
void restore_motor(int index, Effects& effects);
void restore_plug(int index, Effects& effects);
void restore_servo(int index, Effects& effects);
void restore_sensor(int index, Effects& effects);
void restore_instrument(int index, Effects& effects);

}  // namespace tactus
