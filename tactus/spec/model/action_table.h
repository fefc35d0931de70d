// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Everything that is known about the actions of events, one row each: reading and checking a spec,
// acting, warnings and names follow from it. A new action is an enumerator, a row and, if no other
// acts as it does, one function in action_effects.h. docs/faults.md describes the same; a test
// compares.

#include <array>
#include <cstddef>
#include <optional>

#include "tactus/spec/model/action_row.h"
#include "tactus/world/wind.h"

namespace tactus {
namespace detail {

constexpr ActionRow order(ActionKind kind, const char* name, void (*give)(HighLevelCommand&),
                          const char* meaning) {
  return {
      .kind = kind, .name = name, .does = ActionClass::kOrder, .meaning = meaning, .order = give};
}

constexpr ActionRow effect(ActionKind kind, const char* name, ActionTarget target,
                           const ActionInput& input, std::optional<ActionKind> ended_by,
                           void (*add)(const ResolvedAction&, double, Effects&),
                           const char* meaning, const ActionSum& together = {}) {
  return {.kind = kind,
          .name = name,
          .does = ActionClass::kEffect,
          .meaning = meaning,
          .target = target,
          .input = input,
          .ended_by = ended_by,
          .add = add,
          .together = together,
          .is_fault = true};
}

constexpr ActionRow restore(ActionKind kind, const char* name, ActionTarget target,
                            void (*undo)(int, Effects&), const char* meaning) {
  return {.kind = kind,
          .name = name,
          .does = ActionClass::kRestore,
          .meaning = meaning,
          .target = target,
          .restore = undo};
}

constexpr ActionRow other(ActionKind kind, const char* name, ActionClass does, const char* meaning,
                          ActionTarget target = ActionTarget::kNone,
                          const ActionInput& input = {}) {
  return {.kind = kind,
          .name = name,
          .does = does,
          .meaning = meaning,
          .target = target,
          .input = input};
}

constexpr ActionRow fault(ActionRow row) {
  row.is_fault = true;
  return row;
}

consteval auto make_actions() {
  using K = ActionKind;
  using T = ActionTarget;
  constexpr ActionInput kNoInput;
  constexpr ActionInput kAnyValue = value_within(-math::infinity(), math::infinity());
  constexpr ActionInput kWholeFactor{
      .kind = ActionInput::Kind::kValue, .low = 1.0, .high = 1e6, .neutral = 1.0, .whole = true};
  constexpr ActionInput kVoltsOfPack{
      .kind = ActionInput::Kind::kValue, .neutral = 0.0, .up_to_empty_pack = true};
  constexpr ActionInput kLag{.kind = ActionInput::Kind::kLag};
  constexpr ActionInput kPattern{.kind = ActionInput::Kind::kPattern};
  constexpr ActionInput kNoise{
      .kind = ActionInput::Kind::kNoise, .low = 0.0, .high = 0.5, .neutral = 0.0};
  constexpr const char* kModeSwitch = "pilot's mode switch";
  return std::array{
      order(K::kArm, "arm", order_armed<true>, "pilot's switch: armed"),
      fault(order(K::kDisarm, "disarm", order_armed<false>, "pilot's switch: disarmed")),
      order(K::kTakeoff, "takeoff", order_mode<FlightMode::kTakeoff>, kModeSwitch),
      order(K::kMission, "mission", order_mode<FlightMode::kMission>, kModeSwitch),
      order(K::kHold, "hold", order_mode<FlightMode::kHold>, kModeSwitch),
      order(K::kReturn, "return", order_mode<FlightMode::kReturn>, kModeSwitch),
      order(K::kLand, "land", order_mode<FlightMode::kLand>, kModeSwitch),
      other(K::kEnd, "end", ActionClass::kEnd, "the run ends at this boundary, which is completed"),
      effect(K::kWindStep, "wind_step", T::kNone, vector_up_to(kStrongestWind_m_s), std::nullopt,
             add_wind,
             "adds `vector` (NED, m/s) to the wind; with `duration_s` a gust with sharp edges",
             ActionSum{whole_wind, "the wind steps add up to", " m/s"}),
      effect(K::kMotorOff, "motor_off", T::kRotor, kNoInput, K::kMotorRestore, add_motor_off,
             "the speed controller gives no drive; the rotor coasts"),
      effect(K::kMotorStuck, "motor_stuck", T::kRotor, value_within(0.0, 1.0), K::kMotorRestore,
             add_motor_stuck, "drive stays at `value` (0 to 1), whatever is commanded"),
      effect(K::kThrustLoss, "thrust_loss", T::kRotor, value_within(0.0, 1.0, 0.0),
             K::kMotorRestore, add_thrust_loss,
             "blades lose the fraction `value` (0 to 1) of thrust and torque"),
      effect(K::kRotorJam, "rotor_jam", T::kRotor, kNoInput, K::kMotorRestore, add_rotor_jam,
             "the rotor locks to the airframe and hands over its angular momentum; released, "
             "it stands still"),
      effect(K::kMotorDelay, "motor_delay", T::kRotor, kLag, K::kMotorRestore, add_motor_delay,
             "commands act `lag_s` later; until the first late one the drive is what it was "
             "that long ago, 0 before the run"),
      effect(K::kMotorIntermittent, "motor_intermittent", T::kRotor, kPattern, K::kMotorRestore,
             add_motor_off,
             "off for `off_s`, whole for `on_s` (0.001 at least each), and so on from its "
             "start"),
      restore(K::kMotorRestore, "motor_restore", T::kRotor, restore_motor,
              "clears every fault of the rotor, standing and timed"),
      effect(K::kPackDisconnect, "pack_disconnect", T::kPack, kNoInput, K::kPackReconnect,
             add_open_plug, "the plug is open: no current"),
      restore(K::kPackReconnect, "pack_reconnect", T::kPack, restore_plug,
              "closes the plug; other faults of the pack stay"),
      effect(K::kPackResistance, "pack_resistance", T::kPack, value_within(1.0, 1e6, 1.0),
             std::nullopt, add_pack_resistance, "series resistance times `value` (1 to 1e6)",
             ActionSum{whole_pack_resistance, "the factors multiply to", ""}),
      effect(K::kPackCellDrop, "pack_cell_drop", T::kPack, kVoltsOfPack, std::nullopt,
             add_cell_drop,
             "open-circuit voltage lower by `value` volts, up to that of the empty pack (the "
             "first `ocv_v`)",
             ActionSum{whole_cell_drop, "the drops add up to", " V"}),
      effect(K::kServoStuck, "servo_stuck", T::kServo, value_within(-1.0, 1.0), K::kServoRestore,
             add_servo_stuck,
             "servo stands at `value` (−1 to 1); on a rover the drive of a wheel (0 left, 1 "
             "right)"),
      restore(K::kServoRestore, "servo_restore", T::kServo, restore_servo,
              "follows its command again"),
      effect(K::kSensorFail, "sensor_fail", T::kSensor, kNoInput, K::kSensorRestore,
             add_sensor_fail, "see below"),
      restore(K::kSensorRestore, "sensor_restore", T::kSensor, restore_sensor,
              "the sensor is back; what it missed is not made up"),
      effect(K::kEstimatorBias, "estimator_bias", T::kQuantity, vector_up_to(1e6), std::nullopt,
             add_estimator_bias,
             "adds `vector` to `quantity` (position m, velocity m/s, attitude rad about NED "
             "axes, rate rad/s)",
             ActionSum{whole_estimator_bias, "the biases add up to", ""}),
      effect(K::kEstimatorDelay, "estimator_delay", T::kNone, kLag, std::nullopt,
             add_estimator_delay, "the estimate is older by `lag_s`, rounded up to sensor ticks"),
      fault(other(K::kParameter, "parameter", ActionClass::kParameter,
                  "`parameter` becomes `value`: a key of `[autopilot]` of the built-in autopilot, "
                  "the own name of an external PX4 or ArduPilot (`MPC_XY_CRUISE`)",
                  T::kParameter, kAnyValue)),
      other(K::kMarker, "marker", ActionClass::kMarker, "a note in the log"),
      effect(K::kSensorStuck, "sensor_stuck", T::kInstrument, kNoInput, K::kInstrumentRestore,
             add_instrument_bit<InstrumentBit::kStuck>,
             "the instrument repeats its last value and says that it is new"),
      effect(K::kSensorDropout, "sensor_dropout", T::kInstrument, kNoInput, K::kInstrumentRestore,
             add_instrument_bit<InstrumentBit::kDropout>, "no new reading"),
      effect(K::kGpsNoFix, "gps_no_fix", T::kGps, kNoInput, K::kInstrumentRestore,
             add_instrument_bit<InstrumentBit::kNoFix>,
             "a GPS receiver sees no satellites: it goes on reporting, without a fix"),
      effect(K::kSensorGarbage, "sensor_garbage", T::kInstrument, kNoInput, K::kInstrumentRestore,
             add_instrument_bit<InstrumentBit::kGarbage>, "random values over its whole range"),
      effect(K::kSensorBias, "sensor_bias", T::kInstrument, vector_up_to(1e6),
             K::kInstrumentRestore, add_sensor_bias, "adds `vector`, see below",
             ActionSum{whole_sensor_bias, "the biases add up to", ""}),
      effect(K::kSensorNoise, "sensor_noise", T::kInstrument, value_within(0.0, 1e6, 1.0),
             K::kInstrumentRestore, add_sensor_noise, "noise times `value` (0 to 1e6)",
             ActionSum{whole_sensor_noise, "the factors multiply to", ""}),
      effect(K::kSensorDelay, "sensor_delay", T::kInstrument, kLag, K::kInstrumentRestore,
             add_sensor_delay, "readings arrive `lag_s` later, rounded up to its ticks"),
      effect(K::kSensorSlow, "sensor_slow", T::kInstrument, kWholeFactor, K::kInstrumentRestore,
             add_sensor_slow, "only every `value`-th reading (a whole number) arrives"),
      effect(K::kSensorIntermittent, "sensor_intermittent", T::kInstrument, kPattern,
             K::kInstrumentRestore, add_instrument_bit<InstrumentBit::kDropout>,
             "silent for `off_s`, whole for `on_s` (0.001 at least each), and so on from its "
             "start"),
      restore(K::kInstrumentRestore, "instrument_restore", T::kInstrument, restore_instrument,
              "clears every fault of the instrument, standing and timed"),
      effect(K::kMotorNoise, "motor_noise", T::kRotor, kNoise, K::kMotorRestore, add_motor_noise,
             "thrust and torque of the rotor fluctuate, see below; `value` (0 to 0.5): "
             "standard deviation as a share of them, `correlation_s`: how long a deviation "
             "lasts"),
  };
}

}  // namespace detail

/// In the order of ActionKind.
inline constexpr auto kActions = detail::make_actions();

namespace detail {

consteval bool actions_are_in_order() {
  for (std::size_t i = 0; i < kActions.size(); ++i) {
    if (static_cast<std::size_t>(kActions[i].kind) != i) return false;
  }
  return kActions.size() == static_cast<std::size_t>(ActionKind::kCount);
}
static_assert(actions_are_in_order(), "one row for every ActionKind, in its order");

}  // namespace detail

constexpr const ActionRow& row_of(ActionKind kind) {
  return kActions[static_cast<std::size_t>(kind)];
}

/// Whether an action lasts, rather than being done at once.
constexpr bool lasts(ActionKind kind) { return row_of(kind).does == ActionClass::kEffect; }

/// Whether it acts for `off`, pauses for `on`, and so on from its start.
constexpr bool has_pattern(ActionKind kind) {
  return row_of(kind).input.kind == ActionInput::Kind::kPattern;
}

/// Whether it is drawn at every tick of the autopilot.
constexpr bool has_noise(ActionKind kind) {
  return row_of(kind).input.kind == ActionInput::Kind::kNoise;
}

/// Whether an autopilot is all that it needs, and nothing that is simulated.
constexpr bool needs_only_autopilot(ActionKind kind) {
  const ActionClass does = row_of(kind).does;
  return does == ActionClass::kOrder || does == ActionClass::kParameter ||
         does == ActionClass::kMarker;
}

/// Whether `restore` ends `effect`, of the same target.
constexpr bool ends(ActionKind restore, ActionKind effect) {
  return row_of(effect).ended_by == restore;
}

}  // namespace tactus
