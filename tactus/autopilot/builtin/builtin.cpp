// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/autopilot/builtin/builtin.h"

#include <utility>

#include "tactus/autopilot/airframe/allocation.h"
#include "tactus/autopilot/parameters/parameter_change.h"

namespace tactus {

BuiltinAutopilot::BuiltinAutopilot(const BuiltinParameters& parameters, const Multirotor& vehicle,
                                   std::shared_ptr<const FlightPlan> plan, DurationUs period)
    : given_(parameters),
      parameters_(parameters),
      pack_count_(vehicle.counts.packs),
      navigator_(std::move(plan), period),
      control_(vehicle, parameters, period) {
  validate(parameters, "autopilot");
}

void BuiltinAutopilot::step(const AutopilotInput& input, AutopilotOutput& output) {
  take_parameter(input.parameter);
  watch_motors();
  const NavigatorInput seen{
      input.now,     input.estimate, input.land,       input.high_level,
      input.battery, pack_count_,    tilt_controlled_, control_.yaw_controlled()};
  FlightSetpoint setpoint;
  navigator_.step(seen, parameters_, setpoint);
  if (navigator_.state().armed) {
    control_.step({input.now, input.estimate, input.battery, input.esc}, setpoint, output.command,
                  output.status);
  } else {
    control_.stop(output.command);
  }
  navigator_.report(setpoint, output.status);
}

void BuiltinAutopilot::take_parameter(const ParameterChange& change) {
  if (change.count == changes_seen_) return;
  changes_seen_ = change.count;
  set_parameters(with_parameter(parameters_, change.index, change.value));
}

void BuiltinAutopilot::set_parameters(const BuiltinParameters& parameters) {
  parameters_ = parameters;
  control_.set_parameters(parameters_);
}

void BuiltinAutopilot::set_plan(std::shared_ptr<const FlightPlan> plan) {
  navigator_.set_plan(std::move(plan));
}

void BuiltinAutopilot::watch_motors() {
  if (control_.motor_lost_mask() == lost_mask_) return;
  lost_mask_ = control_.motor_lost_mask();
  tilt_controlled_ = make_allocation(control_.model(), lost_mask_).controls_tilt;
}

void BuiltinAutopilot::restart() {
  navigator_.restart();
  Command off;
  control_.stop(off);
}

void BuiltinAutopilot::save(StateWriter& to) const {
  save_parameters(given_, parameters_, to);
  to.begin("builtin");
  to.add(changes_seen_);
  to.add(lost_mask_);
  to.add(tilt_controlled_);
  navigator_.save(to);
  control_.save(to);
}

void BuiltinAutopilot::load(StateReader& from) {
  set_parameters(load_parameters(given_, from));
  from.begin("builtin");
  changes_seen_ = from.get<std::uint32_t>();
  lost_mask_ = from.get<std::uint32_t>();
  tilt_controlled_ = from.get<bool>();
  navigator_.load(from);
  control_.load(from);
}

std::unique_ptr<Autopilot> BuiltinAutopilot::clone() const {
  return std::make_unique<BuiltinAutopilot>(*this);
}

}  // namespace tactus
