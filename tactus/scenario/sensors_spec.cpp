// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/scenario/sensors_spec.h"

#include <fmt/format.h>

#include <string>

#include "tactus/core/checks.h"
#include "tactus/core/limits.h"

namespace tactus {
namespace {

template <class Parameters>
void validate_kind(const SensorKind<Parameters>& kind, const std::string& where, int most,
                   bool period_needed) {
  require_within(where, "count", kind.count, 0, most);
  if (period_needed && kind.count > 0 && kind.period.us == 0) {
    refuse(where, "period_us", 0.0, "must be greater than zero: it is fitted");
  }
  validate(kind.parameters, where);
}

}  // namespace

void validate(const SensorsSpec& sensors, std::string_view where) {
  const auto at = [where](const char* kind) { return fmt::format("{}.{}", where, kind); };
  const bool fitted = sensors.fitted;
  validate_kind(sensors.imu, at("imu"), kMaxImus, false);
  validate_kind(sensors.magnetometer, at("magnetometer"), kMaxMagnetometers, fitted);
  validate_kind(sensors.barometer, at("barometer"), kMaxBarometers, fitted);
  validate_kind(sensors.gps, at("gps"), kMaxGps, fitted);
  validate_kind(sensors.airspeed, at("airspeed"), kMaxAirspeeds, fitted);
  validate_kind(sensors.range_finder, at("range_finder"), kMaxRangeFinders, fitted);
  if (sensors.gps.period.us != 0) {
    validate_latency(sensors.gps.parameters, sensors.gps.period, at("gps"));
  }
  validate(sensors.magnetic_field, "world.magnetic_field");
}

InstrumentCounts instrument_counts(const SensorsSpec& sensors) {
  if (!sensors.fitted) return {};
  return {.imus = sensors.imu.count,
          .magnetometers = sensors.magnetometer.count,
          .barometers = sensors.barometer.count,
          .gps = sensors.gps.count,
          .airspeeds = sensors.airspeed.count,
          .range_finders = sensors.range_finder.count};
}

SensorAxes sensor_axes(const SensorsSpec& sensors, DurationUs autopilot_period) {
  const auto period_of = [&sensors](const auto& kind) {
    return sensors.fitted && kind.count > 0 ? kind.period : DurationUs();
  };
  const bool imus = sensors.fitted && sensors.imu.count > 0;
  const bool follows = imus && sensors.imu.period.us == 0;
  return {{{Axis::kImu, follows ? autopilot_period : period_of(sensors.imu)},
           {Axis::kMagnetometer, period_of(sensors.magnetometer)},
           {Axis::kBarometer, period_of(sensors.barometer)},
           {Axis::kGps, period_of(sensors.gps)},
           {Axis::kAirspeed, period_of(sensors.airspeed)},
           {Axis::kRangeFinder, period_of(sensors.range_finder)}}};
}

}  // namespace tactus
