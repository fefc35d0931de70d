// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/engine/validator.h"

#include <fmt/format.h>

#include <string>

#include "tactus/core/error.h"
#include "tactus/engine/wrong_value.h"

namespace tactus {
namespace {

[[noreturn]] void refuse(TimeUs time, const char* writer, const std::string& wrong) {
  throw Error(ExitCode::kRunStopped, fmt::format("t = {} us: {} wrote {}", time.us, writer, wrong));
}

[[noreturn]] void refuse(TimeUs time, const char* writer, const std::string& leaf, double value,
                         const char* must) {
  refuse(time, writer, fmt::format("{} = {}: must be {}", leaf, value, must));
}

template <class T>
void check_finite(const Bus& bus, const char* writer, Signal signal, const T& value) {
  const std::string wrong = wrong_number(to_text(signal), value);
  if (!wrong.empty()) refuse(bus.time, writer, wrong);
}

void check_unit(const Bus& bus, const char* writer, Signal signal, const Quat& attitude) {
  const std::string wrong = wrong_attitude(to_text(signal), attitude);
  if (!wrong.empty()) refuse(bus.time, writer, wrong);
}

}  // namespace

void validate_signals(const Bus& bus, SignalSet signals, const char* writer) {
  const auto check = [&](Signal signal, const auto& value) {
    if (signals.has(signal)) check_finite(bus, writer, signal, value);
  };
  check(Signal::kParameter, bus.parameter);
  check(Signal::kFaults, bus.faults);
  check(Signal::kDisturbance, bus.disturbance);
  check(Signal::kWind, bus.wind);
  check(Signal::kImu, bus.imu);
  check(Signal::kMagnetometer, bus.magnetometer);
  check(Signal::kBarometer, bus.barometer);
  check(Signal::kGps, bus.gps);
  check(Signal::kAirspeed, bus.airspeed);
  check(Signal::kRangeFinder, bus.range_finder);
  check(Signal::kEstimate, bus.estimate);
  if (signals.has(Signal::kEstimate)) {
    check_unit(bus, writer, Signal::kEstimate, bus.estimate.attitude);
  }
  if (signals.has(Signal::kCommand)) validate_command(bus.command, bus.time, writer);
}

void validate_command(const Command& command, TimeUs time, const char* writer) {
  for (int i = 0; i < kMaxMotors; ++i) {
    const double value = command.motor[i];
    if (value >= 0.0 && value <= 1.0) continue;
    refuse(time, writer, fmt::format("command.motor[{}]", i), value, "0 to 1");
  }
  for (int i = 0; i < kMaxServos; ++i) {
    const double value = command.servo[i];
    if (value >= -1.0 && value <= 1.0) continue;
    refuse(time, writer, fmt::format("command.servo[{}]", i), value, "-1 to 1");
  }
}

void validate_plant_signals(const Bus& bus, SignalSet published) {
  constexpr char kPlant[] = "the plant";
  if (bus.version != kBusVersion)
    refuse(bus.time, kPlant, "version", bus.version, "this program's");
  const auto check = [&](Signal signal, const auto& value) {
    if (published.has(signal)) check_finite(bus, kPlant, signal, value);
  };
  check(Signal::kTruth, bus.truth);
  check(Signal::kEnvironment, bus.environment);
  check(Signal::kBattery, bus.battery);
  check(Signal::kPower, bus.power);
  check(Signal::kEsc, bus.esc);
  check(Signal::kLoads, bus.loads);
  check_unit(bus, kPlant, Signal::kTruth, bus.truth.attitude);
}

}  // namespace tactus
