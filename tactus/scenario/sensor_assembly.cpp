// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/scenario/sensor_assembly.h"

#include <memory>
#include <utility>

#include "tactus/engine/instrument_sources.h"

namespace tactus {
namespace {

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
  setup.instruments = instrument_counts(spec.sensors);
  for (std::unique_ptr<Source>& source :
       make_instrument_sources(spec.sensors, spec.seed, setup.schedule, make_world(spec.world),
                               setup.plant->counts().motors)) {
    setup.sources.push_back(std::move(source));
  }
}

}  // namespace tactus
