// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/scenario/sensor_assembly.h"

#include <fmt/format.h>

#include <memory>

#include "tactus/core/checks.h"
#include "tactus/core/error.h"
#include "tactus/engine/instrument_sources.h"

namespace tactus {
namespace {

/// Takes the period from the schedule, so that axis and source agree.
template <class InstrumentSource, class Parameters, class... World>
void add_source(const Spec& spec, CountOf kind, RunSetup& setup, const Parameters& parameters,
                const World&... world) {
  const int count = count_of({.instruments = setup.instruments}, kind);
  if (count == 0) return;
  const Axis axis = signal_counted_by(kind).axis;
  const DurationUs period = setup.schedule.period(axis);
  if (period.us == 0) {
    refuse_key("sensors", fmt::format("fitted, but the axis \"{}\" has no period; set its period_s "
                                      "(an IMU follows time.autopilot_s)",
                                      to_text(axis)));
  }
  const InstrumentSet set{count, spec.seed, period};
  setup.sources.push_back(std::make_unique<InstrumentSource>(parameters, set, world...));
}

/// What is late already without a fault.
template <class Parameters>
DurationUs latency_of(const Parameters& parameters) {
  if constexpr (requires { parameters.latency; }) {
    return parameters.latency;
  } else {
    return {};
  }
}

}  // namespace

void set_sensor_axes(const SensorsSpec& sensors, Schedule& schedule) {
  const DurationUs autopilot = schedule.period(Axis::kAutopilot);
  for_each_kind(sensors, [&](CountOf kind, const auto& /*of_kind*/) {
    schedule.set_period(signal_counted_by(kind).axis, sensor_period(sensors, kind, autopilot));
  });
}

void set_instrument_targets(const Spec& spec, ActionTargets& targets) {
  targets.instruments = instrument_counts(spec.sensors);
  for_each_kind(spec.sensors, [&](CountOf kind, const auto& of_kind) {
    const DurationUs period = sensor_period(spec.sensors, kind, spec.timeline.autopilot);
    if (period.us == 0) return;
    const DurationUs longest =
        longest_delay(line_samples(of_kind.parameters), latency_of(of_kind.parameters), period);
    for (const InstrumentGroup& group : kInstrumentGroups) {
      if (group.count != kind) continue;
      for (int i = 0; i < of_kind.count; ++i) {
        targets.longest_instrument_delay[static_cast<int>(group.first) + i] = longest;
      }
    }
  });
}

void add_sensor_sources(const Spec& spec, RunSetup& setup) {
  const SensorsSpec& sensors = spec.sensors;
  const WorldParameters& world = spec.world;
  setup.instruments = instrument_counts(sensors);
  add_source<ImuSource>(spec, CountOf::kImus, setup, sensors.imu.parameters, make_world(world),
                        setup.plant->counts().motors);
  add_source<MagnetometerSource>(spec, CountOf::kMagnetometers, setup,
                                 sensors.magnetometer.parameters, world.magnetic_field,
                                 world.origin);
  add_source<BarometerSource>(spec, CountOf::kBarometers, setup, sensors.barometer.parameters);
  add_source<GpsSource>(spec, CountOf::kGps, setup, sensors.gps.parameters, world.origin);
  add_source<AirspeedSource>(spec, CountOf::kAirspeeds, setup, sensors.airspeed.parameters);
  add_source<RangeFinderSource>(spec, CountOf::kRangeFinders, setup,
                                sensors.range_finder.parameters, world.ground);
}

}  // namespace tactus
