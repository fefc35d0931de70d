// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/scenario/rehearsal.h"

#include <fmt/format.h>

#include "tactus/core/error.h"
#include "tactus/spec/model/event_chain.h"

namespace tactus {
namespace {

/// Instants times events: a fraction of a second.
constexpr std::size_t kMostWork = 1'000'000;

/// The events whose instants are known, without what another one may take back or cut off.
std::vector<Event> certain_events(const std::vector<Event>& events) {
  const EventChains chains(events);
  std::vector<Event> certain;
  std::vector<const Event*> others;
  for (const Event& event : events) {
    if (chains.start(event).is_timed()) {
      certain.push_back(event);
    } else {
      others.push_back(&event);
    }
  }
  for (const Event* other : others) {
    if (other->action.kind == ActionKind::kEnd) return {};
    for (Event& event : certain) {
      if (ends(other->action, event.action)) event.action = {};  // a marker
    }
  }
  return certain;
}

void play(ScenarioSource& source, Schedule& schedule, std::size_t most_instants) {
  Bus bus;
  std::vector<Note> notes;
  const SourceInfo info = source.info();
  for (std::size_t i = 0; i < most_instants; ++i) {
    bus.time = schedule.current().time;
    Requests requests(schedule);
    SourceContext context{BusPort(bus, info.reads, info.writes, info.name), bus.time, i, requests};
    source.update(context);
    source.take_notes(notes);
    notes.clear();
    if (requests.ends() || schedule.current().end) return;
    schedule.advance_to(schedule.next());
  }
}

}  // namespace

void rehearse(const ScenarioSetup& setup, TimeUs end) {
  ScenarioSetup certain = setup;
  certain.events = certain_events(setup.events);
  if (certain.events.empty()) return;
  ScenarioSource source(certain);
  Schedule schedule(end);
  try {
    play(source, schedule, kMostWork / certain.events.size());
  } catch (const ScenarioStopped& stopped) {
    const std::string message = fmt::format("{}: at {} s: {}", stopped.place(),
                                            to_seconds(stopped.now()), stopped.reason());
    throw about(Error(ExitCode::kBadInput, message), "event." + stopped.event());
  }
}

}  // namespace tactus
