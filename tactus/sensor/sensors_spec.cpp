// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sensor/sensors_spec.h"

#include <fmt/format.h>

#include <string>

#include "tactus/core/checks.h"

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
  for_each_kind(sensors, [&](CountOf counted, const auto& kind) {
    const std::string at = fmt::format("{}.{}", where, signal_counted_by(counted).name);
    const bool follows_autopilot = counted == CountOf::kImus;
    validate_kind(kind, at, most_of(counted), sensors.fitted && !follows_autopilot);
  });
  if (sensors.gps.period.us != 0) {
    validate_latency(sensors.gps.parameters, sensors.gps.period, fmt::format("{}.gps", where));
  }
}

InstrumentCounts instrument_counts(const SensorsSpec& sensors) {
  VehicleCounts counts;
  if (!sensors.fitted) return counts.instruments;
  for_each_kind(sensors, [&](CountOf counted, const auto& kind) {
    int position = 0;
    for_each_count(counts, [&](const char*, const char*, int& count, int) {
      if (position++ == static_cast<int>(counted)) count = kind.count;
    });
  });
  return counts.instruments;
}

DurationUs sensor_period(const SensorsSpec& sensors, CountOf wanted, DurationUs autopilot_period) {
  DurationUs period;
  for_each_kind(sensors, [&](CountOf counted, const auto& kind) {
    if (counted != wanted || !sensors.fitted || kind.count == 0) return;
    const bool follows = counted == CountOf::kImus && kind.period.us == 0;
    period = follows ? autopilot_period : kind.period;
  });
  return period;
}

}  // namespace tactus
