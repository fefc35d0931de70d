// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Names of enum values in a spec: the enumerators in snake_case without the k, in their order.

#include "tactus/autopilot/parameters/builtin_parameters.h"
#include "tactus/plant/actuator.h"
#include "tactus/plant/motor.h"
#include "tactus/plant/power_network.h"
#include "tactus/plant/propeller.h"
#include "tactus/sensor/estimator.h"
#include "tactus/sensor/imu.h"
#include "tactus/solver/config.h"
#include "tactus/spec/model/action_table.h"
#include "tactus/spec/model/expectation_table.h"
#include "tactus/spec/model/spec.h"
#include "tactus/world/atmosphere.h"
#include "tactus/world/gravity.h"
#include "tactus/world/wind.h"

namespace tactus {

/// kNames<E>[i] is the name of the value i.
template <class E>
inline constexpr auto kNames = nullptr;

template <std::size_t n>
using NameList = std::array<const char*, n>;

namespace detail {

/// Of a table with one row per value, in their order.
template <class Row, std::size_t n>
consteval NameList<n> names_of(const std::array<Row, n>& rows) {
  NameList<n> names{};
  for (std::size_t i = 0; i < n; ++i) names[i] = rows[i].name;
  return names;
}

}  // namespace detail

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
inline constexpr auto kNames<ActionKind> = detail::names_of(kActions);
template <>
inline constexpr auto kNames<ExpectationKind> = detail::names_of(kExpectations);
template <>
inline constexpr NameList<7> kNames<SensorBit>{
    "gyroscope", "accelerometer",    "magnetometer",     "barometer",
    "gps",       "estimator_freeze", "estimator_dropout"};
static_assert(kNames<SensorBit>.size() == static_cast<std::size_t>(SensorBit::kCount));
template <>
inline constexpr auto kNames<Instrument> = kInstrumentNames;

template <class E>
const char* name_of(E value) {
  return kNames<E>[static_cast<std::size_t>(value)];
}

}  // namespace tactus
