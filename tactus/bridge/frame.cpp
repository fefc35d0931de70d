// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/bridge/frame.h"

#include <algorithm>
#include <iterator>

#include "tactus/engine/wrong_value.h"

namespace tactus {
namespace {

template <class T, std::size_t size>
void copy_all(const T (&from)[size], T (&to)[size]) {
  std::copy(std::begin(from), std::end(from), std::begin(to));
}

/// Both call their signals by the same names.
template <class From, class To>
void copy_between(const From& from, To& to) {
  to.time = from.time;
  to.estimate = from.estimate;
  to.land = from.land;
  to.truth = from.truth;
  to.high_level = from.high_level;
  to.parameter = from.parameter;
  copy_all(from.battery, to.battery);
  copy_all(from.esc, to.esc);
  copy_all(from.imu, to.imu);
  copy_all(from.magnetometer, to.magnetometer);
  copy_all(from.barometer, to.barometer);
  copy_all(from.gps, to.gps);
  copy_all(from.airspeed, to.airspeed);
  copy_all(from.range_finder, to.range_finder);
}

}  // namespace

std::string wrong_value(const SensorFrame& frame) {
  std::string wrong;
  const auto check = [&](Signal signal, const auto& value) {
    if (wrong.empty() && frame.tells.has(signal)) wrong = wrong_number(to_text(signal), value);
  };
  const auto check_unit = [&](Signal signal, const Quat& q) {
    if (wrong.empty() && frame.tells.has(signal)) wrong = wrong_attitude(to_text(signal), q);
  };
  check(Signal::kTruth, frame.truth);
  check(Signal::kEstimate, frame.estimate);
  check(Signal::kBattery, frame.battery);
  check(Signal::kEsc, frame.esc);
  check(Signal::kImu, frame.imu);
  check(Signal::kMagnetometer, frame.magnetometer);
  check(Signal::kBarometer, frame.barometer);
  check(Signal::kGps, frame.gps);
  check(Signal::kAirspeed, frame.airspeed);
  check(Signal::kRangeFinder, frame.range_finder);
  check_unit(Signal::kTruth, frame.truth.attitude);
  check_unit(Signal::kEstimate, frame.estimate.attitude);
  return wrong;
}

void copy_signals(const Bus& from, SensorFrame& to) {
  copy_between(from, to);
  to.powered = from.power.autopilot_powered;
}

void copy_signals(const SensorFrame& from, Bus& to) {
  copy_between(from, to);
  to.power.autopilot_powered = from.powered;
}

}  // namespace tactus
