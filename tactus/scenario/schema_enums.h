// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Names of enum values in a spec: the enumerators in snake_case without the k, in their order.

#include "tactus/autopilot/builtin_parameters.h"
#include "tactus/plant/actuator.h"
#include "tactus/plant/environment/atmosphere.h"
#include "tactus/plant/environment/gravity.h"
#include "tactus/plant/environment/wind.h"
#include "tactus/plant/motor.h"
#include "tactus/plant/power_network.h"
#include "tactus/plant/propeller.h"
#include "tactus/scenario/spec.h"
#include "tactus/sensor/estimator.h"
#include "tactus/sensor/imu.h"
#include "tactus/solver/config.h"

namespace tactus {

/// kNames<E>[i] is the name of the value i.
template <class E>
inline constexpr auto kNames = nullptr;

template <std::size_t n>
using NameList = std::array<const char*, n>;

template <>
inline constexpr NameList<3> kNames<ActuatorKind>{"direct", "first_order", "second_order"};
template <>
inline constexpr NameList<2> kNames<MotorMode>{"drive", "damped"};
template <>
inline constexpr NameList<2> kNames<MotorStop>{"coast", "brake"};
template <>
inline constexpr NameList<2> kNames<PropellerKind>{"quadratic", "blade_element"};
template <>
inline constexpr NameList<2> kNames<EscBrownOut>{"restarts", "stays_off"};
template <>
inline constexpr NameList<3> kNames<AutopilotBrownOut>{"keeps_running", "restarts", "stops"};
template <>
inline constexpr NameList<2> kNames<AltitudeKind>{"geometric", "geopotential"};
template <>
inline constexpr NameList<3> kNames<GravityKind>{"uniform", "spherical", "wgs84"};
template <>
inline constexpr NameList<4> kNames<TurbulenceKind>{"none", "ornstein_uhlenbeck", "dryden",
                                                    "von_karman"};
template <>
inline constexpr NameList<2> kNames<GustShape>{"step", "one_minus_cosine"};
template <>
inline constexpr NameList<2> kNames<WindRule>{"hold", "linear"};
template <>
inline constexpr NameList<5> kNames<Method>{"euler", "rk4", "rk23", "rk45", "lie_rk4"};
template <>
inline constexpr NameList<2> kNames<ImuSampling>{"mean", "point"};
template <>
inline constexpr NameList<2> kNames<EstimatorKind>{"truth", "noisy"};
template <>
inline constexpr NameList<3> kNames<BatteryAction>{"none", "return", "land"};
template <>
inline constexpr NameList<2> kNames<VehicleKind>{"multirotor", "rover"};
template <>
inline constexpr NameList<2> kNames<LogMode>{"boundary", "interpolate"};
template <>
inline constexpr NameList<5> kNames<AutopilotKind>{"builtin", "none", "px4-lib", "px4-sitl",
                                                   "ardupilot"};
template <>
inline constexpr NameList<4> kNames<LatePolicy>{"fail", "hold", "drop", "free_running"};
template <>
inline constexpr NameList<3> kNames<TriggerMode>{"once", "repeat", "latched"};
template <>
inline constexpr NameList<2> kNames<Comparison>{"above", "below"};
template <>
inline constexpr NameList<39> kNames<ActionKind>{"arm",
                                                 "disarm",
                                                 "takeoff",
                                                 "mission",
                                                 "hold",
                                                 "return",
                                                 "land",
                                                 "end",
                                                 "wind_step",
                                                 "motor_off",
                                                 "motor_stuck",
                                                 "thrust_loss",
                                                 "rotor_jam",
                                                 "motor_delay",
                                                 "motor_intermittent",
                                                 "motor_restore",
                                                 "pack_disconnect",
                                                 "pack_reconnect",
                                                 "pack_resistance",
                                                 "pack_cell_drop",
                                                 "servo_stuck",
                                                 "servo_restore",
                                                 "sensor_fail",
                                                 "sensor_restore",
                                                 "estimator_bias",
                                                 "estimator_delay",
                                                 "parameter",
                                                 "marker",
                                                 "sensor_stuck",
                                                 "sensor_dropout",
                                                 "gps_no_fix",
                                                 "sensor_garbage",
                                                 "sensor_bias",
                                                 "sensor_noise",
                                                 "sensor_delay",
                                                 "sensor_slow",
                                                 "sensor_intermittent",
                                                 "instrument_restore",
                                                 "motor_noise"};
static_assert(kNames<ActionKind>.size() == static_cast<std::size_t>(ActionKind::kMotorNoise) + 1);
template <>
inline constexpr NameList<8> kNames<ExpectationKind>{
    "reach_item", "mission_complete", "land_by", "stay_inside",
    "signal_max", "signal_min",       "final",   "survive"};
static_assert(kNames<ExpectationKind>.size() ==
              static_cast<std::size_t>(ExpectationKind::kSurvive) + 1);
template <>
inline constexpr NameList<7> kNames<SensorBit>{
    "gyroscope", "accelerometer",    "magnetometer",     "barometer",
    "gps",       "estimator_freeze", "estimator_dropout"};
static_assert(kNames<SensorBit>.size() == static_cast<std::size_t>(SensorBit::kCount));
template <>
inline constexpr NameList<14> kNames<Instrument>{
    "gyroscope0",     "gyroscope1",    "gyroscope2",    "accelerometer0", "accelerometer1",
    "accelerometer2", "magnetometer0", "magnetometer1", "barometer0",     "barometer1",
    "gps0",           "gps1",          "airspeed",      "range_finder"};
static_assert(kNames<Instrument>.size() == static_cast<std::size_t>(kInstrumentCount));

template <class E>
const char* name_of(E value) {
  return kNames<E>[static_cast<std::size_t>(value)];
}

}  // namespace tactus
