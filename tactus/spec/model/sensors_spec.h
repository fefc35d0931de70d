// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Which instruments the vehicle carries, how often they measure and how well: [sensors] of a spec.
// The built-in autopilot reads an estimate and needs none of them.

#include <cstdint>
#include <string_view>

#include "tactus/core/time.h"
#include "tactus/sensor/airspeed.h"
#include "tactus/sensor/barometer.h"
#include "tactus/sensor/gps.h"
#include "tactus/sensor/imu.h"
#include "tactus/sensor/magnetometer.h"
#include "tactus/sensor/range_finder.h"
#include "tactus/signal/bus.h"

namespace tactus {

/// All instruments of one kind. They share period and parameters; each has its own errors.
template <class Parameters>
struct SensorKind {
  std::int32_t count = 0;
  DurationUs period;
  Parameters parameters;

  /// The parameters are keys of the same table.
  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("count", "", self.count, "how many are fitted");
    visit("period_us", "us", self.period, "between readings; imu, 0: the autopilot's period");
    Parameters::visit_fields(self.parameters, visit);
  }
};

struct SensorsSpec {
  bool fitted = false;
  SensorKind<ImuParameters> imu{1, {}, {}};  ///< period 0: that of the autopilot
  SensorKind<MagnetometerParameters> magnetometer{1, DurationUs(20'000), {}};
  SensorKind<BarometerParameters> barometer{1, DurationUs(20'000), {}};
  SensorKind<GpsParameters> gps{1, DurationUs(100'000), {}};
  SensorKind<AirspeedParameters> airspeed{0, DurationUs(20'000), {}};
  SensorKind<RangeFinderParameters> range_finder{0, DurationUs(20'000), {}};

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("fitted", "", self.fitted, "the instruments below are on board");
    visit("imu", "", self.imu, "gyroscopes and accelerometers");
    visit("magnetometer", "", self.magnetometer, "magnetometers");
    visit("barometer", "", self.barometer, "barometers");
    visit("gps", "", self.gps, "satellite receivers");
    visit("airspeed", "", self.airspeed, "pitot tube");
    visit("range_finder", "", self.range_finder, "distance to the ground");
  }
};
static_assert(lists_every_field<SensorsSpec>());

/// Every kind with what counts it: visit(CountOf::kGps, sensors.gps).
template <class Sensors, class Visitor>
constexpr void for_each_kind(Sensors& sensors, Visitor&& visit) {
  visit(CountOf::kImus, sensors.imu);
  visit(CountOf::kMagnetometers, sensors.magnetometer);
  visit(CountOf::kBarometers, sensors.barometer);
  visit(CountOf::kGps, sensors.gps);
  visit(CountOf::kAirspeeds, sensors.airspeed);
  visit(CountOf::kRangeFinders, sensors.range_finder);
}

/// Throws Error naming `where`, the field and its value. Everything must be in range; what a period
/// is for, only where something is fitted.
void validate(const SensorsSpec& sensors, std::string_view where);

/// What is on board: nothing, unless `fitted`.
InstrumentCounts instrument_counts(const SensorsSpec& sensors);

/// How often instruments of a kind measure; 0: none of it is fitted.
DurationUs sensor_period(const SensorsSpec& sensors, CountOf kind, DurationUs autopilot_period);

}  // namespace tactus
