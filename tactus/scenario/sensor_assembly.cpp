// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/scenario/sensor_assembly.h"

#include <fmt/format.h>

#include <memory>

#include "tactus/core/error.h"
#include "tactus/engine/instrument_sources.h"

namespace tactus {
namespace {

/// Takes the period from the schedule, so that axis and source agree.
template <class InstrumentSource, class Parameters, class... World>
void add_source(const Spec& spec, int count, Axis axis, RunSetup& setup,
                const Parameters& parameters, const World&... world) {
  if (count == 0) return;
  const DurationUs period = setup.schedule.period(axis);
  if (period.us == 0) {
    throw Error(ExitCode::kBadInput,
                fmt::format("sensors: fitted, but the axis \"{}\" has no period; set its period_s "
                            "(an IMU follows time.autopilot_s)",
                            to_text(axis)));
  }
  const InstrumentSet set{count, spec.seed, period};
  setup.sources.push_back(std::make_unique<InstrumentSource>(parameters, set, world...));
}

}  // namespace

void set_sensor_axes(const SensorsSpec& sensors, Schedule& schedule) {
  for (const auto& [axis, period] : sensor_axes(sensors, schedule.period(Axis::kAutopilot))) {
    schedule.set_period(axis, period);
  }
}

void set_instrument_targets(const Spec& spec, ActionTargets& targets) {
  const InstrumentCounts counts = instrument_counts(spec.sensors);
  const SensorAxes axes = sensor_axes(spec.sensors, spec.timeline.autopilot);
  const auto set = [&](Instrument first, int count, Axis of, std::uint64_t line_samples,
                       DurationUs own_delay = {}) {
    for (const auto& [axis, period] : axes) {
      if (axis != of || period.us == 0) continue;
      for (int i = 0; i < count; ++i) {
        targets.longest_instrument_delay[static_cast<int>(first) + i] =
            longest_delay(line_samples, own_delay, period);
      }
    }
  };
  targets.instruments = counts;
  set(Instrument::kGyroscope0, counts.imus, Axis::kImu, kImuLineSamples);
  set(Instrument::kAccelerometer0, counts.imus, Axis::kImu, kImuLineSamples);
  set(Instrument::kMagnetometer0, counts.magnetometers, Axis::kMagnetometer,
      kMagnetometerLineSamples);
  set(Instrument::kBarometer0, counts.barometers, Axis::kBarometer, kBarometerLineSamples);
  set(Instrument::kGps0, counts.gps, Axis::kGps, kGpsLineSamples,
      spec.sensors.gps.parameters.latency);
  set(Instrument::kAirspeed, counts.airspeeds, Axis::kAirspeed, kAirspeedLineSamples);
  set(Instrument::kRangeFinder, counts.range_finders, Axis::kRangeFinder, kRangeFinderLineSamples);
}

void add_sensor_sources(const Spec& spec, RunSetup& setup) {
  const SensorsSpec& sensors = spec.sensors;
  const MultirotorParameters& world = spec.multirotor;
  const InstrumentCounts counts = instrument_counts(sensors);
  setup.instruments = counts;
  add_source<ImuSource>(spec, counts.imus, Axis::kImu, setup, sensors.imu.parameters,
                        make_gravity(world.gravity, world.origin.lat_deg), world.origin.alt_msl_m,
                        setup.plant->counts().motors);
  add_source<MagnetometerSource>(spec, counts.magnetometers, Axis::kMagnetometer, setup,
                                 sensors.magnetometer.parameters, sensors.magnetic_field,
                                 world.origin);
  add_source<BarometerSource>(spec, counts.barometers, Axis::kBarometer, setup,
                              sensors.barometer.parameters);
  add_source<GpsSource>(spec, counts.gps, Axis::kGps, setup, sensors.gps.parameters, world.origin);
  add_source<AirspeedSource>(spec, counts.airspeeds, Axis::kAirspeed, setup,
                             sensors.airspeed.parameters);
  add_source<RangeFinderSource>(spec, counts.range_finders, Axis::kRangeFinder, setup,
                                sensors.range_finder.parameters, world.ground);
}

}  // namespace tactus
