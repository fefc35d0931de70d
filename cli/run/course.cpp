// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/run/course.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tactus/flight/names.h"

namespace tactus::cli {
namespace {

/// "    20.000 s what", by time.
std::vector<std::string> in_order(std::vector<std::pair<TimeUs, std::string>> list) {
  std::stable_sort(list.begin(), list.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> lines;
  lines.reserve(list.size());
  for (const auto& [time, what] : list) {
    lines.push_back(fmt::format("{:>10} {}", seconds_text(time), what));
  }
  return lines;
}

/// What the notes of one kind come to.
struct NoteKind {
  std::string what;
  std::size_t count = 0;
  TimeUs first;
  TimeUs last;
  std::vector<int> indices;  ///< each once
};

std::vector<NoteKind> note_kinds(const FlightFacts& facts) {
  std::vector<NoteKind> kinds;
  for (const Note& note : facts.notes) {
    auto kind = std::find_if(kinds.begin(), kinds.end(),
                             [&](const NoteKind& known) { return known.what == note.what; });
    if (kind == kinds.end()) kind = kinds.insert(kind, {note.what, 0, note.time, note.time, {}});
    ++kind->count;
    kind->last = note.time;
    const auto known = std::find(kind->indices.begin(), kind->indices.end(), note.index);
    if (known == kind->indices.end()) kind->indices.push_back(note.index);
  }
  return kinds;
}

/// "rotor started: 4 of 4": whose notes these are.
std::string note_text(const NoteKind& kind, const Flight& flight) {
  const bool of_rotor = kind.what.starts_with("rotor");
  const std::vector<std::string>& ids = ids_of_note(kind.what, flight.spec);
  std::string text = kind.what;
  if (of_rotor && kind.indices.size() > 1) {
    text += fmt::format(": {} of {} rotors", kind.indices.size(), ids.size());
  } else {
    for (const int index : kind.indices) text += " " + name_at(ids, index);
  }
  if (kind.count > kind.indices.size()) {
    text += fmt::format(", {} times", kind.count);
  }
  return seconds_text(kind.last) == seconds_text(kind.first)
             ? text
             : text + ", last at " + seconds_text(kind.last);
}

}  // namespace

std::string repeated(std::uint64_t count, TimeUs last) {
  return count < 2 ? "" : fmt::format(", {} times, last at {}", count, seconds_text(last));
}

std::vector<std::string> event_lines(const Flight& flight) {
  std::vector<std::pair<TimeUs, std::string>> acted;
  std::vector<std::string> never;
  for (std::size_t i = 0; i < flight.records.size(); ++i) {
    const EventRecord& record = flight.records[i];
    std::string what =
        fmt::format("{} (event \"{}\")", action_name(flight.events[i]), flight.events[i].id);
    if (record.count == 0) {
      never.push_back(fmt::format("{:>10} {}", "never", what));
      continue;
    }
    what += repeated(record.count, record.last);
    if (record.ended > 0) {
      what +=
          (record.count > 1 ? ", last ended at " : ", ended at ") + seconds_text(record.last_end);
    }
    acted.emplace_back(record.first, std::move(what));
  }
  std::vector<std::string> lines = in_order(std::move(acted));
  lines.insert(lines.end(), never.begin(), never.end());
  return lines;
}

std::vector<std::string> autopilot_lines(const Flight& flight) {
  std::vector<std::pair<TimeUs, std::string>> list;
  for (const auto& armed : flight.facts.armed) {
    list.emplace_back(armed.time, armed.value ? "armed" : "disarmed");
  }
  for (const auto& refusal : flight.facts.refusals) {
    list.emplace_back(refusal.time, explain(refusal.value));
  }
  for (const auto& mode : flight.facts.modes) {
    list.emplace_back(mode.time, fmt::format("mode {}", to_text(mode.value)));
  }
  for (const auto& failsafe : flight.facts.failsafes) {
    list.emplace_back(failsafe.time, failsafe.value == Failsafe::kNone
                                         ? std::string("failsafe over")
                                         : fmt::format("failsafe {}", to_text(failsafe.value)));
  }
  for (const auto& motor : flight.facts.lost_motors) {
    list.emplace_back(motor.time, fmt::format("takes rotor {} for lost",
                                              name_at(flight.spec.parts.rotors, motor.value)));
  }
  for (const auto& motor : flight.facts.returned_motors) {
    list.emplace_back(motor.time, fmt::format("trusts rotor {} again",
                                              name_at(flight.spec.parts.rotors, motor.value)));
  }
  for (const auto& yaw : flight.facts.yaw_given_up) {
    list.emplace_back(yaw.time, yaw.value ? "yaw given up" : "yaw held again");
  }
  for (const Note& note : flight.facts.autopilot_notes) list.emplace_back(note.time, note.what);
  return in_order(std::move(list));
}

std::vector<std::string> note_lines(const Flight& flight) {
  std::vector<std::pair<TimeUs, std::string>> list;
  const NoteKind* lifts = nullptr;
  const NoteKind* touches = nullptr;
  const std::vector<NoteKind> kinds = note_kinds(flight.facts);
  for (const NoteKind& kind : kinds) {
    if (kind.what == "liftoff") {
      lifts = &kind;
    } else if (kind.what == "touchdown") {
      touches = &kind;
    } else {
      list.emplace_back(kind.first, note_text(kind, flight));
    }
  }
  if (lifts != nullptr) {
    list.emplace_back(lifts->first,
                      fmt::format("first lift-off of a gear point ({} in all)", lifts->count));
  }
  if (touches != nullptr) {
    list.emplace_back(touches->last,
                      fmt::format("last touchdown of a gear point ({} in all)", touches->count));
  }
  std::vector<std::string> lines = in_order(std::move(list));
  if (flight.facts.note_count > flight.facts.notes.size()) {
    lines.push_back(
        fmt::format("and {} more", flight.facts.note_count - flight.facts.notes.size()));
  }
  return lines;
}

}  // namespace tactus::cli
