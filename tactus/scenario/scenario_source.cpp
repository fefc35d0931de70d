// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/scenario/scenario_source.h"

#include <fmt/format.h>

#include <algorithm>

#include "tactus/core/error.h"
#include "tactus/scenario/compiled_scenario.h"

namespace tactus {
namespace {

[[noreturn]] void stop(TimeUs now, const CompiledEvent& event, const std::string& reason) {
  throw ScenarioStopped(now, event, reason);
}

}  // namespace

ScenarioStopped::ScenarioStopped(TimeUs now, const CompiledEvent& event, const std::string& reason)
    : Error(ExitCode::kRunStopped, fmt::format("t = {} us: {}: {}", now.us, event.place, reason)),
      now_(now),
      event_(event.id),
      place_(event.place),
      reason_(reason) {}

ScenarioSource::ScenarioSource(const ScenarioSetup& setup)
    : scenario_(compile(setup)),
      events_(scenario_->events.size()),
      records_(scenario_->events.size()) {
  for (std::size_t i = 0; i < events_.size(); ++i) events_[i].due = scenario_->events[i].at;
  notes_.reserve(kReservedNotes);
}

SourceInfo ScenarioSource::info() const {
  return {.name = "scenario",
          .stage = Stage::kScenario,
          .axis = Axis::kEveryBoundary,
          .reads = SignalSet::all(),
          .writes = signals_of(Component::kScenario),
          .mode = SourceMode::kLive,
          .period = {},
          .wants_outputs = scenario_->reads_outputs};
}

std::unique_ptr<Source> ScenarioSource::clone() const {
  auto copy = std::make_unique<ScenarioSource>(*this);
  copy->notes_.reserve(kReservedNotes);
  return copy;
}

void ScenarioSource::take_notes(std::vector<Note>& notes) {
  notes.insert(notes.end(), notes_.begin(), notes_.end());
  notes_.clear();
}

void ScenarioSource::update(SourceContext& context) {
  const Bus& bus = context.bus.read_all();
  if (!something_to_do(context, bus)) return;
  expire_effects(context.now);
  draw_noise(context.now);
  publish_effects(context);
  context.bus.write<Signal::kMarker>() = marker_;
  run_passes(context, bus);
  publish_parameter(context);
  collect_watches();
  next_ = next_instant(context.now);
  if (next_ != kNever && next_ != requested_) {
    context.requests.boundary_at(next_);
    requested_ = next_;
  }
}

bool ScenarioSource::something_to_do(const SourceContext& context, const Bus& bus) const {
  if (context.now >= next_) return true;
  for (const int i : scenario_->steps) {
    const auto k = static_cast<std::size_t>(i);
    if (events_[k].phase == Phase::kArmed && context.boundary >= scenario_->events[k].step) {
      return true;
    }
  }
  for (const int i : scenario_->conditions) {
    if (condition_calls(i, context, bus)) return true;
  }
  return false;
}

/// Whether a `when` event would change its phase now.
bool ScenarioSource::condition_calls(int event, const SourceContext& context,
                                     const Bus& bus) const {
  const auto k = static_cast<std::size_t>(event);
  const CompiledEvent& compiled = scenario_->events[k];
  if (context.boundary == 0 && !compiled.known_at_start) return false;
  switch (events_[k].phase) {
    case Phase::kArmed: return compiled.holds(bus);
    case Phase::kWaiting:
      return context.now >= events_[k].due ||
             (compiled.mode != TriggerMode::kLatched && !compiled.holds(bus));
    case Phase::kSpent: return compiled.is_back(bus);
    case Phase::kDone: return false;
  }
  return false;
}

void ScenarioSource::run_passes(SourceContext& context, const Bus& bus) {
  // A chain of `after` that is written backwards takes a pass per event.
  const int events = static_cast<int>(events_.size());
  const int most = events + kMaxPasses;
  int acted = 0;
  for (int pass = 0; pass < most && acted >= 0; ++pass) {
    acted = -1;
    for (int i = 0; i < events; ++i) {
      if (!due_now(i, context, bus)) continue;
      act(i, context);
      acted = i;
    }
  }
  if (acted >= 0) {
    stop(context.now, scenario_->events[static_cast<std::size_t>(acted)],
         fmt::format("still acts after {} passes at the same instant; events set each other off: "
                     "give one of them a delay_s, or a condition that ends",
                     most));
  }
}

/// Moves the event's own state on; true: it acts now.
bool ScenarioSource::due_now(int event, const SourceContext& context, const Bus& bus) {
  const auto k = static_cast<std::size_t>(event);
  const CompiledEvent& compiled = scenario_->events[k];
  EventState& state = events_[k];
  if (compiled.kind == TriggerKind::kWhen) return condition_due(event, context, bus);
  if (compiled.kind == TriggerKind::kAfter) return timer_due(event, context.now);
  if (compiled.kind == TriggerKind::kAtStep && state.phase == Phase::kArmed &&
      context.boundary >= compiled.step) {
    state = {Phase::kWaiting, snapped(event, context.now)};
  }
  const bool waits = compiled.kind == TriggerKind::kAtStep ? state.phase == Phase::kWaiting
                                                           : state.phase == Phase::kArmed;
  if (!waits || context.now < snapped(event, state.due)) return false;
  if (compiled.mode == TriggerMode::kRepeat) {
    state.due += compiled.every;
  } else {
    state.phase = Phase::kDone;
  }
  return true;
}

bool ScenarioSource::condition_due(int event, const SourceContext& context, const Bus& bus) {
  if (!condition_calls(event, context, bus)) return false;
  const auto k = static_cast<std::size_t>(event);
  const CompiledEvent& compiled = scenario_->events[k];
  EventState& state = events_[k];
  if (state.phase == Phase::kSpent) {
    state.phase = Phase::kArmed;
    return false;
  }
  if (state.phase == Phase::kWaiting && compiled.mode != TriggerMode::kLatched &&
      !compiled.holds(bus)) {
    state.phase = Phase::kArmed;
    return false;
  }
  if (state.phase == Phase::kArmed) {
    state = {Phase::kWaiting, snapped(event, context.now + compiled.delay)};
  }
  if (context.now < state.due) return false;
  state.phase = compiled.mode == TriggerMode::kRepeat ? Phase::kSpent : Phase::kDone;
  return true;
}

bool ScenarioSource::timer_due(int event, TimeUs now) {
  for (int i = 0; i < timers_.count; ++i) {
    if (timers_.item[i].event != event || timers_.item[i].due > now) continue;
    timers_.erase(i);
    return true;
  }
  return false;
}

void ScenarioSource::act(int event, SourceContext& context) {
  const CompiledEvent& compiled = scenario_->events[static_cast<std::size_t>(event)];
  const ResolvedAction& action = compiled.action;
  count_action(event, context.now);
  EventRecord& record = records_[static_cast<std::size_t>(event)];
  if (record.count++ == 0) record.first = context.now;
  record.last = context.now;
  notes_.push_back({context.now, "acts", event, NoteFrom::kScenario});
  if (event < 64) marker_.fired_mask |= std::uint64_t{1} << static_cast<unsigned>(event);
  const ActionRow& row = row_of(action.kind);
  if (row.does == ActionClass::kMarker) {
    ++marker_.count;
    marker_.event = event;
  }
  context.bus.write<Signal::kMarker>() = marker_;
  start_followers(event, context.now);
  switch (row.does) {
    case ActionClass::kOrder: {
      HighLevelCommand& high_level = context.bus.write<Signal::kHighLevel>();
      row.order(high_level);
      ++high_level.count;
      break;
    }
    case ActionClass::kEnd: context.requests.end_run(); break;
    case ActionClass::kEffect: start_effect(event, context); break;
    case ActionClass::kRestore:
      end_effects(event);
      publish_effects(context);
      break;
    case ActionClass::kParameter: queue_parameter(event, context.now); break;
    case ActionClass::kMarker: break;
  }
}

void ScenarioSource::queue_parameter(int event, TimeUs now) {
  if (parameters_.full()) {
    stop(now, scenario_->events[static_cast<std::size_t>(event)],
         fmt::format("more than {} parameter changes wait for a tick of the autopilot; one is "
                     "made per tick: repeat less often",
                     kMaxParameters));
  }
  parameters_.add(event);
}

/// A condition that its own action makes true again and again is a mistake, not a flight. Nothing
/// else can run away: times are known, and an `after` acts as often as the other.
void ScenarioSource::count_action(int event, TimeUs now) {
  const CompiledEvent& compiled = scenario_->events[static_cast<std::size_t>(event)];
  if (compiled.kind != TriggerKind::kWhen || compiled.mode != TriggerMode::kRepeat) return;
  if (now - actions_since_ >= DurationUs(1'000'000)) {
    actions_since_ = now;
    actions_ = 0;
  }
  const int most = kMaxActionsPerSecond * scenario_->repeating_conditions;
  if (++actions_ <= most) return;
  stop(now, compiled,
       fmt::format("more than {} actions of repeating conditions within a second of simulated "
                   "time; give it a hysteresis or a delay_s",
                   most));
}

void ScenarioSource::start_followers(int event, TimeUs now) {
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const CompiledEvent& follower = scenario_->events[i];
    if (follower.after != event || events_[i].phase == Phase::kDone) continue;
    if (follower.mode != TriggerMode::kRepeat) events_[i].phase = Phase::kDone;
    if (timers_.full()) {
      stop(now, follower,
           fmt::format("more than {} delayed events wait at the same time; give it a shorter "
                       "delay_s, or let the other event repeat less often",
                       kMaxTimers));
    }
    const int position = static_cast<int>(i);
    timers_.add({position, snapped(position, now + follower.delay)});
  }
}

/// The bus carries one change at a time, so each is left there until a tick has read it.
void ScenarioSource::publish_parameter(SourceContext& context) {
  if (parameters_.count == 0 || context.now < parameter_free_) return;
  const ResolvedAction& action =
      scenario_->events[static_cast<std::size_t>(parameters_.item[0])].action;
  parameters_.erase(0);
  ParameterChange& change = context.bus.write<Signal::kParameter>();
  change.index = action.index;
  change.value = action.value;
  ++change.count;
  parameter_free_ = round_up_to_tick(context.now) + scenario_->autopilot_period;
}

TimeUs ScenarioSource::round_up_to_tick(TimeUs instant) const {
  const std::uint64_t period = scenario_->autopilot_period.us;
  const std::uint64_t late = period == 0 ? 0 : instant.us % period;
  return late == 0 ? instant : instant + DurationUs(period - late);
}

TimeUs ScenarioSource::snapped(int event, TimeUs instant) const {
  return scenario_->events[static_cast<std::size_t>(event)].snap ? round_up_to_tick(instant)
                                                                 : instant;
}

TimeUs ScenarioSource::next_change(const Effect& effect, TimeUs now) const {
  const ResolvedAction& action = scenario_->events[static_cast<std::size_t>(effect.event)].action;
  if (has_noise(action.kind)) {
    return std::min(round_up_to_tick(now + DurationUs(1)), effect.end);
  }
  if (!has_pattern(action.kind)) return effect.end;
  const DurationUs cycle = action.off + action.on;
  const DurationUs phase = (now - effect.start) % cycle;
  const TimeUs toggle = now + ((phase < action.off ? action.off : cycle) - phase);
  return std::min(toggle, effect.end);
}

TimeUs ScenarioSource::next_instant(TimeUs now) const {
  TimeUs next = kNever;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const bool timed =
        scenario_->events[i].kind == TriggerKind::kAtTime && events_[i].phase == Phase::kArmed;
    if (timed || events_[i].phase == Phase::kWaiting) {
      next = std::min(next, snapped(static_cast<int>(i), events_[i].due));
    }
  }
  for (int i = 0; i < timers_.count; ++i) next = std::min(next, timers_.item[i].due);
  for (int i = 0; i < effects_.count; ++i) {
    next = std::min(next, next_change(effects_.item[i], now));
  }
  if (parameters_.count > 0) next = std::min(next, parameter_free_);
  return next;
}

/// One watch per condition: for the crossing that it waits for.
void ScenarioSource::collect_watches() {
  watches_.count = 0;
  for (const int i : scenario_->conditions) {
    const auto k = static_cast<std::size_t>(i);
    const CompiledEvent& compiled = scenario_->events[k];
    if (!compiled.watch || events_[k].phase == Phase::kDone) continue;
    Watch watch = *compiled.watch;
    watch.sign = compiled.sign;
    watch.threshold = compiled.threshold;
    if (events_[k].phase != Phase::kArmed) {
      if (events_[k].phase == Phase::kWaiting && compiled.mode == TriggerMode::kLatched) continue;
      const bool spent = events_[k].phase == Phase::kSpent;
      watch.sign = -compiled.sign;
      watch.threshold = spent ? compiled.back : compiled.threshold;
    }
    watches_.add(watch);
  }
}

}  // namespace tactus
