// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Which instruments the vehicle carries, how often they measure and how well: [sensors] of a spec.
// The built-in autopilot reads an estimate and needs none of them.

#include <cstdint>
#include <string_view>

#include "tactus/core/field_marks.h"
#include "tactus/core/time.h"
#include "tactus/sensor/airspeed.h"
#include "tactus/sensor/barometer.h"
#include "tactus/sensor/gps.h"
#include "tactus/sensor/imu.h"
#include "tactus/sensor/magnetometer.h"
#include "tactus/sensor/optical_flow.h"
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

namespace detail {

/// Digests of specs without a kind that came after the first ones stay what they were: is_told().
template <CountOf counted, class Kind>
constexpr decltype(auto) told_if_fitted(Kind& kind) {
  if constexpr (is_told({}, counted)) {
    return (kind);
  } else {
    return digested_if(
        kind, kind, [](const Kind& given) { return given.count > 0; },
        "a kind that came later, where it is not fitted");
  }
}

}  // namespace detail

struct SensorsSpec {
  bool fitted = false;
  SensorKind<ImuParameters> imu{1, {}, {}};  ///< period 0: that of the autopilot
  SensorKind<MagnetometerParameters> magnetometer{1, DurationUs(20'000), {}};
  SensorKind<BarometerParameters> barometer{1, DurationUs(20'000), {}};
  SensorKind<GpsParameters> gps{1, DurationUs(100'000), {}};
  SensorKind<AirspeedParameters> airspeed{0, DurationUs(20'000), {}};
  SensorKind<RangeFinderParameters> range_finder{0, DurationUs(20'000), {}};
  SensorKind<OpticalFlowParameters> optical_flow{0, DurationUs(20'000), {}};

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("fitted", "", self.fitted, "the instruments below are on board");
#define TACTUS_VISIT(Kind, Kinds, member, members, Reading, most, one, many, axis, meaning) \
  visit(#member, "", detail::told_if_fitted<CountOf::k##Kinds>(self.member), meaning);
    TACTUS_INSTRUMENT_KINDS(TACTUS_VISIT)
#undef TACTUS_VISIT
  }
};
static_assert(lists_every_field<SensorsSpec>());

/// Every kind with what counts it: visit(CountOf::kGps, sensors.gps).
template <class Sensors, class Visitor>
constexpr void for_each_kind(Sensors& sensors, Visitor&& visit) {
#define TACTUS_VISIT(Kind, Kinds, member, ...) visit(CountOf::k##Kinds, sensors.member);
  TACTUS_INSTRUMENT_KINDS(TACTUS_VISIT)
#undef TACTUS_VISIT
}

/// Throws Error naming `where`, the field and its value. Everything must be in range; what a period
/// is for, only where something is fitted.
void validate(const SensorsSpec& sensors, std::string_view where);

/// What is on board: nothing, unless `fitted`.
InstrumentCounts instrument_counts(const SensorsSpec& sensors);

/// How often instruments of a kind measure; 0: none of it is fitted.
DurationUs sensor_period(const SensorsSpec& sensors, CountOf kind, DurationUs autopilot_period);

}  // namespace tactus
