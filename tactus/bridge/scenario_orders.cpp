// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/bridge/scenario_orders.h"

#include <fmt/format.h>

#include "tactus/core/assert.h"
#include "tactus/core/error.h"
#include "tactus/scenario/autopilot_assembly.h"
#include "tactus/spec/model/action_table.h"
#include "tactus/spec/schema/instruments.h"
#include "tactus/spec/vehicle/vehicle_type.h"

namespace tactus {
namespace {

ScenarioSetup setup_of(const Spec& spec) {
  for (const Event& event : spec.events) {
    if (needs_only_autopilot(event.action.kind)) continue;
    throw Error(ExitCode::kBadInput,
                fmt::format("event {}: only orders to the pilot, parameters and markers reach a "
                            "vehicle in an external simulator",
                            event.id));
  }
  ScenarioSetup setup;
  setup.events = spec.events;
  setup.leaves = leaves_of(kFrameSignals, bus_leaves(vehicle_counts(spec)));
  setup.autopilot_period = spec.timeline.autopilot;
  setup.targets.parameter_index = [&spec](std::string_view key, double value) {
    return parameter_index(spec, key, value);
  };
  return setup;
}

}  // namespace

ScenarioOrders::ScenarioOrders(const Spec& spec)
    : schedule_(TimeUs() + spec.timeline.end), source_(setup_of(spec)) {}

void ScenarioOrders::play(SensorFrame& frame) {
  // Its instants are those of the frames: the schedule only takes down what the events ask for.
  while (schedule_.next() < frame.time && !schedule_.current().end) {
    schedule_.advance_to(schedule_.next());
  }
  TACTUS_ASSERT(schedule_.current().time <= frame.time, "frames in the order of time");
  copy_signals(frame, bus_);
  const SourceInfo info = source_.info();
  Requests requests(schedule_);
  SourceContext context{BusPort(bus_, info.reads, info.writes, info.name), frame.time, boundary_++,
                        requests};
  source_.update(context);
  frame.high_level = bus_.high_level;
  frame.parameter = bus_.parameter;
}

}  // namespace tactus
