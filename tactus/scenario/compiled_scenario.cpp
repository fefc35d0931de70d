// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/scenario/compiled_scenario.h"

#include <fmt/format.h>

#include "tactus/core/checks.h"
#include "tactus/core/error.h"
#include "tactus/spec/model/spec_digest.h"

namespace tactus {
namespace {

[[noreturn]] void refuse_event(const Event& event, const std::string& what) {
  throw about(Error(ExitCode::kBadInput, place_of(event) + ": " + what), "event." + event.id);
}

/// Whether the signal has a value before the first scenario stage: it is the scenario's own or the
/// plant's.
bool known_at_start(const BusLeaf& leaf) {
  const SignalFacts* const facts = facts_of_leaf(leaf.name);
  return facts == nullptr || facts->owner == Component::kScenario || is_of_plant(facts->owner);
}

/// Written by the plant, and not a function of its state alone.
bool is_output(const BusLeaf& leaf) {
  const SignalFacts* const facts = facts_of_leaf(leaf.name);
  return facts != nullptr && is_of_plant(facts->owner) && !part_of_leaf(leaf.name).of_state;
}

void compile_condition(const Event& event, const ScenarioSetup& setup, CompiledEvent& to) {
  const Trigger& trigger = event.trigger;
  require_finite(place_of(event), "threshold", trigger.threshold);
  require_not_negative(place_of(event), "hysteresis", trigger.hysteresis);
  if (trigger.hysteresis > 0.0 && trigger.mode != TriggerMode::kRepeat) {
    refuse_event(event, "hysteresis needs mode = \"repeat\"");
  }
  to.leaf = find_leaf(setup.leaves, trigger.signal, place_of(event));
  to.sign = trigger.comparison == Comparison::kAbove ? 1.0 : -1.0;
  to.threshold = trigger.threshold;
  to.back = trigger.threshold - to.sign * trigger.hysteresis;
  if (setup.watch_for) to.watch = setup.watch_for(to.leaf);
  to.known_at_start = known_at_start(to.leaf);
}

int position_of(const std::vector<Event>& events, const Event& event) {
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (events[i].id == event.trigger.after) return static_cast<int>(i);
  }
  refuse_event(event, fmt::format("after = \"{}\": there is no such event", event.trigger.after));
}

void check_trigger(const Event& event, const ScenarioSetup& setup) {
  const Trigger& trigger = event.trigger;
  const bool repeats = trigger.mode == TriggerMode::kRepeat;
  const bool periodic = trigger.kind == TriggerKind::kAtTime && repeats;
  if (periodic != (trigger.every.us > 0)) {
    refuse_event(event, "every_s and mode = \"repeat\" of a time belong together");
  }
  if (trigger.kind == TriggerKind::kAtStep && repeats) {
    refuse_event(event, "a boundary number comes once, it cannot repeat");
  }
  const bool waits = trigger.kind == TriggerKind::kWhen || trigger.kind == TriggerKind::kAfter;
  if (trigger.delay.us > 0 && !waits) {
    refuse_event(event, "delay_s belongs to when and after; give the later time itself");
  }
  if (!trigger.snap_to_autopilot) return;
  if (setup.autopilot_period.us == 0) {
    refuse_event(event, "snap = \"autopilot\", but no autopilot runs");
  }
  if (periodic && trigger.every < setup.autopilot_period) {
    refuse_event(event, fmt::format("every_s = {} is shorter than the autopilot's period of {}",
                                    to_text(trigger.every), to_text(setup.autopilot_period)));
  }
}

MotorNoise compile_noise(const Event& event, const ScenarioSetup& setup, int rotor) {
  if (setup.autopilot_period.us == 0) {
    refuse_event(event,
                 fmt::format("{} changes at ticks of the autopilot, but time.autopilot_s = 0",
                             row_of(event.action.kind).name));
  }
  return make_motor_noise(setup.seed, event.id, rotor, event.action.correlation,
                          setup.autopilot_period);
}

CompiledEvent compile_event(const Event& event, const ScenarioSetup& setup) {
  check_trigger(event, setup);
  const Trigger& trigger = event.trigger;
  CompiledEvent to;
  to.id = event.id;
  to.definition = event_digest(event);
  to.kind = trigger.kind;
  to.mode = trigger.mode;
  to.at = trigger.at;
  to.every = trigger.every;
  to.step = trigger.step;
  to.delay = trigger.delay;
  to.snap = trigger.snap_to_autopilot;
  to.place = place_of(event);
  to.action = resolve_action(event, setup.targets);
  if (has_noise(to.action.kind)) {
    to.noise = compile_noise(event, setup, to.action.index);
  }
  if (to.kind == TriggerKind::kWhen) compile_condition(event, setup, to);
  if (to.kind == TriggerKind::kAfter) to.after = position_of(setup.events, event);
  return to;
}

CompiledEvent compile_or_refuse(const Event& event, const ScenarioSetup& setup) {
  try {
    return compile_event(event, setup);
  } catch (const Error& error) {
    throw about(error, "event." + event.id);
  }
}

/// An `after` chain that leads back to itself never starts.
void check_chains(const ScenarioSetup& setup, const CompiledScenario& scenario) {
  for (std::size_t i = 0; i < scenario.events.size(); ++i) {
    int at = static_cast<int>(i);
    for (std::size_t links = 0; at >= 0; ++links) {
      if (links > scenario.events.size()) {
        refuse_event(setup.events[i], "the chain of after leads back to itself, it never starts");
      }
      at = scenario.events[static_cast<std::size_t>(at)].after;
    }
  }
}

}  // namespace

std::shared_ptr<const CompiledScenario> compile(const ScenarioSetup& setup) {
  auto scenario = std::make_shared<CompiledScenario>();
  scenario->autopilot_period = setup.autopilot_period;
  int watched = 0;
  for (std::size_t i = 0; i < setup.events.size(); ++i) {
    scenario->events.push_back(compile_or_refuse(setup.events[i], setup));
    const CompiledEvent& event = scenario->events.back();
    if (event.kind == TriggerKind::kWhen) {
      scenario->conditions.push_back(static_cast<int>(i));
      if (event.mode == TriggerMode::kRepeat) ++scenario->repeating_conditions;
      scenario->reads_outputs = scenario->reads_outputs || is_output(event.leaf);
    }
    if (event.kind == TriggerKind::kAtStep) scenario->steps.push_back(static_cast<int>(i));
    if (event.watch && ++watched > kMaxWatches) {
      refuse_event(setup.events[i],
                   fmt::format("more than {} conditions on continuous signals", kMaxWatches));
    }
  }
  check_chains(setup, *scenario);
  return scenario;
}

}  // namespace tactus
