// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/scenario/sensor_assembly.h"

#include <memory>
#include <utility>
#include <variant>

#include "tactus/autopilot/airframe/thrust_curve.h"
#include "tactus/engine/instrument_sources.h"
#include "tactus/spec/vehicle/multirotor.h"
#include "tactus/spec/vehicle/vehicle_type.h"

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

/// THR_MDL_FAC, by which motor commands are made of the thrusts of the PX4 library; 0: of another
/// autopilot, which has its own rule. What a spec says wins over what follows from the aircraft.
double thrust_curve(const Spec& spec) {
  const bool is_multirotor = std::holds_alternative<MultirotorParameters>(spec.vehicle);
  if (spec.autopilot != AutopilotKind::kPx4Library || !is_multirotor) return 0.0;
  for (const EmittedParameter& given :
       parse_parameters(spec.external.parameters, "autopilot.outside.parameters")) {
    if (given.name == "THR_MDL_FAC") return given.value;
  }
  return fit_curvature(make_multirotor(spec), {});
}

}  // namespace

LandedVehicle landed_vehicle(const Spec& spec, int motors) {
  return {vehicle_type(spec).flies(), motors, thrust_curve(spec)};
}

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
