// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// What lasts of a scenario: effects begin, end, and are composed on the bus.

#include <fmt/format.h>

#include "tactus/scenario/compiled_scenario.h"
#include "tactus/scenario/scenario_source.h"

namespace tactus {

void ScenarioSource::start_effect(int event, SourceContext& context) {
  const CompiledEvent& compiled = scenario_->events[static_cast<std::size_t>(event)];
  const bool changes_by_itself =
      has_pattern(compiled.action.kind) || has_noise(compiled.action.kind);
  if (compiled.action.duration.us == 0 && !changes_by_itself) {
    add_effect(compiled.action, 0.0, standing_);
  } else {
    add_timed_effect(event, context.now);
  }
  const std::string beyond = beyond_limit(compiled.action, publish_effects(context));
  if (beyond.empty()) return;
  throw ScenarioStopped(
      context.now, compiled,
      fmt::format("{} with what stands already, which may be {:g} at most; give the events "
                  "durations or smaller values, or repeat less often",
                  beyond, compiled.action.most));
}

void ScenarioSource::add_timed_effect(int event, TimeUs now) {
  const CompiledEvent& compiled = scenario_->events[static_cast<std::size_t>(event)];
  const ResolvedAction& action = compiled.action;
  const bool has_end = action.duration.us > 0;
  // One event is one source of noise: overlaps of its own would be the same draws twice.
  if (!has_end || is_noise(event)) {
    for (int i = effects_.count - 1; i >= 0; --i) {
      if (effects_.item[i].event == event) effects_.erase(i);  // it starts anew
    }
  }
  if (effects_.full()) {
    throw ScenarioStopped(
        now, compiled,
        fmt::format("more than {} effects that end by themselves stand at the same time; give it a "
                    "shorter duration_s, or repeat it less often",
                    kMaxEffects));
  }
  Effect effect{event, now, has_end ? now + action.duration : kNever, {}};
  if (is_noise(event)) effect.noise = begin_noise(compiled.noise, now);
  effects_.add(effect);
}

void ScenarioSource::end_effects(int event) {
  const ResolvedAction& action = scenario_->events[static_cast<std::size_t>(event)].action;
  row_of(action.kind).restore(action.index, standing_);
  for (int i = effects_.count - 1; i >= 0; --i) {
    const auto k = static_cast<std::size_t>(effects_.item[i].event);
    if (ends(action, scenario_->events[k].action)) effects_.erase(i);
  }
}

void ScenarioSource::expire_effects(TimeUs now) {
  for (int i = effects_.count - 1; i >= 0; --i) {
    if (effects_.item[i].end > now) continue;
    EventRecord& record = records_[static_cast<std::size_t>(effects_.item[i].event)];
    ++record.ended;
    record.last_end = now;
    effects_.erase(i);
  }
}

bool ScenarioSource::is_noise(int event) const {
  return has_noise(scenario_->events[static_cast<std::size_t>(event)].action.kind);
}

void ScenarioSource::draw_noise(TimeUs now) {
  for (int i = 0; i < effects_.count; ++i) {
    const auto k = static_cast<std::size_t>(effects_.item[i].event);
    if (!is_noise(effects_.item[i].event)) continue;
    advance_noise(scenario_->events[k].noise, now, effects_.item[i].noise);
  }
}

/// Composed anew from what stands, so that nothing is left over when an effect ends.
Effects ScenarioSource::publish_effects(SourceContext& context) const {
  Effects sum = standing_;
  for (int i = 0; i < effects_.count; ++i) {
    const Effect& effect = effects_.item[i];
    const ResolvedAction& action = scenario_->events[static_cast<std::size_t>(effect.event)].action;
    const bool in_pause = has_pattern(action.kind) &&
                          (context.now - effect.start) % (action.off + action.on) >= action.off;
    if (!in_pause) add_effect(action, effect.noise.value, sum);
  }
  context.bus.write<Signal::kFaults>() = sum.faults;
  context.bus.write<Signal::kDisturbance>() = sum.disturbance;
  return sum;
}

}  // namespace tactus
