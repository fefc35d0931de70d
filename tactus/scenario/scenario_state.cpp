// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Saving and loading a scenario. Positions of events are saved as they are and matched by id when
// they are loaded, so that a branch of a flight may have other events to come.

#include <fmt/format.h>

#include <algorithm>

#include "tactus/core/error.h"
#include "tactus/scenario/compiled_scenario.h"
#include "tactus/scenario/scenario_source.h"

namespace tactus {
namespace {

constexpr int kMostEvents = 100'000;

[[noreturn]] void refuse_event(const std::string& id, std::string_view reason) {
  throw Error(ExitCode::kBadInput, fmt::format("event \"{}\" {}", id, reason));
}

/// Position of an event that has acted, or is about to, in the scenario that goes on.
int moved(const std::vector<int>& position, int event, StateReader& from) {
  if (event < 0 || static_cast<std::size_t>(event) >= position.size()) {
    from.refuse("names an event that does not exist");
  }
  const int here = position[static_cast<std::size_t>(event)];
  if (here < 0) {
    throw Error(ExitCode::kBadInput, "an event that is on its way cannot be removed");
  }
  return here;
}

}  // namespace

void ScenarioSource::save(StateWriter& to) const {
  to.begin("scenario");
  to.add(static_cast<int>(events_.size()));
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const CompiledEvent& event = scenario_->events[i];
    to.add_text(event.id);
    to.add(event.definition.high);
    to.add(event.definition.low);
    to.add(events_[i].phase);
    to.add(events_[i].due);
    to.add_fields("event", records_[i]);
  }
  to.add_fields("marker", marker_);
  to.add_fields("effects", standing_);
  to.add(effects_.count);
  for (int i = 0; i < effects_.count; ++i) {
    to.add(effects_.item[i].event);
    to.add(effects_.item[i].start);
    to.add(effects_.item[i].end);
    if (!is_noise(effects_.item[i].event)) continue;
    to.add(effects_.item[i].noise.value);
    to.add(effects_.item[i].noise.tick);
  }
  to.add(timers_.count);
  for (int i = 0; i < timers_.count; ++i) {
    to.add(timers_.item[i].event);
    to.add(timers_.item[i].due);
  }
  to.add(parameters_.count);
  for (int i = 0; i < parameters_.count; ++i) to.add(parameters_.item[i]);
  to.add(actions_since_);
  to.add(actions_);
  to.add(parameter_free_);
}

/// `position`: where each saved event is here.
void ScenarioSource::load_events(StateReader& from, std::vector<int>& position) {
  position.resize(static_cast<std::size_t>(from.get_count(kMostEvents)));
  if (!from.other_events() && position.size() != events_.size()) {
    from.refuse("is that of another scenario");
  }
  for (int& place : position) {
    const std::string id = from.get_text();
    Digest128 definition;
    definition.high = from.get<std::uint64_t>();
    definition.low = from.get<std::uint64_t>();
    EventState state;
    state.phase = from.get<Phase>();
    state.due = from.get_time();
    EventRecord record;
    from.get_fields("event", record);
    const auto& known = scenario_->events;
    const auto here = std::find_if(known.begin(), known.end(),
                                   [&id](const CompiledEvent& event) { return event.id == id; });
    place = here == known.end() ? -1 : static_cast<int>(here - known.begin());
    const bool same = place >= 0 && here->definition == definition;
    const bool begun = state.phase != Phase::kArmed || record.count > 0;
    if (!same && !from.other_events()) from.refuse("is that of another scenario");
    if (!same && begun) {
      refuse_event(id, "has begun to act by then; it can neither change nor be removed");
    }
    if (!same) continue;
    events_[static_cast<std::size_t>(place)] = state;
    records_[static_cast<std::size_t>(place)] = record;
  }
}

void ScenarioSource::load(StateReader& from) {
  from.begin("scenario");
  std::vector<int> position;
  load_events(from, position);
  Marker marker;
  from.get_fields("marker", marker);
  marker_ = {marker.count, marker.event < 0 ? -1 : moved(position, marker.event, from), 0};
  for (std::size_t i = 0; i < std::min<std::size_t>(position.size(), 64); ++i) {
    const bool fired = ((marker.fired_mask >> i) & 1U) != 0;
    const bool has_place = position[i] >= 0 && position[i] < 64;
    if (fired && has_place) marker_.fired_mask |= std::uint64_t{1} << position[i];
  }
  from.get_fields("effects", standing_);
  effects_.count = from.get_count(kMaxEffects);
  for (int i = 0; i < effects_.count; ++i) {
    effects_.item[i].event = moved(position, from.get<int>(), from);
    effects_.item[i].start = from.get_time();
    effects_.item[i].end = from.get_time();
    effects_.item[i].noise = {};
    if (!is_noise(effects_.item[i].event)) continue;
    effects_.item[i].noise.value = from.get<double>();
    effects_.item[i].noise.tick = from.get<std::uint64_t>();
  }
  timers_.count = from.get_count(kMaxTimers);
  for (int i = 0; i < timers_.count; ++i) {
    timers_.item[i].event = moved(position, from.get<int>(), from);
    timers_.item[i].due = from.get_time();
  }
  parameters_.count = from.get_count(kMaxParameters);
  for (int i = 0; i < parameters_.count; ++i) {
    parameters_.item[i] = moved(position, from.get<int>(), from);
  }
  actions_since_ = from.get_time();
  actions_ = from.get<int>();
  parameter_free_ = from.get_time();
  collect_watches();
  // At the next boundary it evaluates everything, and asks for the next instant again: doing so
  // twice does no harm, and another end may have dropped the first request.
  next_ = {};
  requested_ = kNever;
}

}  // namespace tactus
