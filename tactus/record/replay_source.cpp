// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/record/replay_source.h"

#include <fmt/format.h>

#include <utility>

#include "tactus/core/error.h"
#include "tactus/record/status_events.h"
#include "tactus/signal/note.h"

namespace tactus {
namespace {

constexpr char kActs[] = "acts";  // what only a scenario says

std::vector<TimeUs> instants_of(const Recording& recording, BringBack bring_back) {
  const Table& table = recording.require("boundary");
  const RowField* const found = table.layout.find("/time/boundary_found");
  const RowField* const instant = table.layout.find("/time/boundary_instant");
  if (found == nullptr || instant == nullptr) {
    throw Error(ExitCode::kBadInput, "the recording does not say which boundaries were found");
  }
  std::vector<TimeUs> instants;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::byte* const row = table.row(i).data();
    const bool was_found = whole_number(*found, 0, row) != 0;
    if (whole_number(*instant, 0, row) != 0 || (was_found && bring_back == BringBack::kAll)) {
      instants.push_back(table.time(i));
    }
  }
  return instants;
}

/// Only what is held between its samples can be played at any instant.
void require_held(const Table& table) {
  if (table.layout.rule != Rule::kSampled) return;
  throw Error(
      ExitCode::kBadInput,
      fmt::format("the table \"{}\" is known at its own instants only, so it cannot be held "
                  "in place of a source",
                  table.layout.name));
}

/// Notes of the scenario or the autopilot. Events that follow from signals are none of these: they
/// come about again.
std::vector<Note> notes_of(const Recording& recording, NoteFrom from) {
  std::vector<Note> notes;
  const Table* const table = recording.find("events");
  if (table == nullptr) return notes;
  const RowField* const who = table->layout.find("/events/who");
  const RowField* const what = table->layout.find("/events/what");
  const RowField* const index = table->layout.find("/events/index");
  const bool of_autopilot = from == NoteFrom::kAutopilot;
  if (what == nullptr || index == nullptr || (of_autopilot && who == nullptr)) {
    throw Error(ExitCode::kBadInput, "the recording does not say what its events are");
  }
  for (std::size_t i = 0; i < table->size(); ++i) {
    const std::byte* const row = table->row(i).data();
    const std::string what_text(text(*what, row));
    const bool wanted = of_autopilot ? text(*who, row) == "autopilot" && !is_status_event(what_text)
                                     : what_text == kActs;
    if (!wanted) continue;
    notes.push_back(
        {table->time(i), kept_text(what_text), static_cast<int>(number(*index, 0, row)), from});
  }
  return notes;
}

}  // namespace

ReplaySource::ReplaySource(std::shared_ptr<const Recording> recording, Stage stage,
                           SignalSet signals, BringBack bring_back)
    : recording_(std::move(recording)),
      stage_(stage),
      signals_(signals),
      name_(std::make_shared<const std::string>("replay of " + to_text(signals))) {
  const std::vector<BusLeaf> leaves = bus_leaves(recording_->meta.counts);
  for (std::size_t i = 0; i < kSignals; ++i) {
    const auto signal = static_cast<Signal>(i);
    if (!signals_.has(signal)) continue;
    const Table* const table = recording_->signal(signal);
    if (table == nullptr || table->size() == 0) {
      throw Error(ExitCode::kBadInput, *name_ + ": the recording has no \"" + to_text(signal) +
                                           "\"; record a run in which a source writes it, or "
                                           "with a higher tier");
    }
    require_held(*table);
    tracks_.push_back(
        {table, find_fields(table->layout, kSignalsGroup, leaves_of(signal, leaves)), signal, 0});
  }
  if (stage_ == Stage::kScenario) {
    instants_ = std::make_shared<const std::vector<TimeUs>>(instants_of(*recording_, bring_back));
  }
  if (stage_ == Stage::kScenario || stage_ == Stage::kAutopilot) {
    const NoteFrom from = stage_ == Stage::kScenario ? NoteFrom::kScenario : NoteFrom::kAutopilot;
    notes_ = std::make_shared<const std::vector<Note>>(notes_of(*recording_, from));
  }
}

SourceInfo ReplaySource::info() const {
  SourceInfo info;
  info.name = name_->c_str();
  info.stage = stage_;
  info.axis = Axis::kEveryBoundary;
  info.writes = signals_;
  info.mode = SourceMode::kReplay;
  info.wants_outputs = stage_ == Stage::kScenario && recording_->find("scenario_inputs") != nullptr;
  return info;
}

void ReplaySource::update(SourceContext& context) {
  now_ = context.now;
  for (Track& track : tracks_) play(track, context);
  if (stage_ == Stage::kScenario) bring_back_instants(context);
}

void ReplaySource::play(Track& track, SourceContext& context) {
  const Table& table = *track.table;
  const std::size_t before = track.next;
  while (track.next < table.size() && table.time(track.next) <= context.now) ++track.next;
  if (track.next == 0) {
    throw Error(ExitCode::kBadInput, *name_ + ": \"" + to_text(track.signal) +
                                         "\" begins at t = " + to_text(table.time(0)) +
                                         ", the run is at t = " + to_text(context.now));
  }
  const DurationUs period = table.layout.period;
  if (period.us != 0 && context.now - table.time(track.next - 1) >= period) {
    throw Error(ExitCode::kBadInput,
                fmt::format("{}: \"{}\" has no sample between t = {} and {}, but one every {}: the "
                            "recording ends there or has a gap",
                            *name_, to_text(track.signal), to_text(table.time(track.next - 1)),
                            to_text(context.now), to_text(period)));
  }
  if (track.next == before) return;
  track.part.scatter(table.row(track.next - 1).data(), &context.bus.write_all(track.signal));
  if (track.next < table.size()) context.requests.boundary_at(table.time(track.next));
}

void ReplaySource::bring_back_instants(SourceContext& context) {
  const std::size_t before = next_instant_;
  while (next_instant_ < instants_->size() && (*instants_)[next_instant_] <= context.now) {
    ++next_instant_;
  }
  const bool moved = next_instant_ != before || context.boundary == 0;
  if (moved && next_instant_ < instants_->size()) {
    context.requests.boundary_at((*instants_)[next_instant_]);
  }
  const RecordingEnd& end = recording_->end;
  if (end.complete && context.now >= end.time) context.requests.end_run();
}

void ReplaySource::take_notes(std::vector<Note>& notes) {
  if (!notes_) return;
  for (; next_note_ < notes_->size() && (*notes_)[next_note_].time <= now_; ++next_note_) {
    notes.push_back((*notes_)[next_note_]);
  }
}

std::unique_ptr<Source> ReplaySource::clone() const {
  return std::make_unique<ReplaySource>(*this);
}

void ReplaySource::save(StateWriter& to) const {
  to.begin("replay");
  for (const Track& track : tracks_) to.add(std::uint64_t{track.next});
  to.add(std::uint64_t{next_instant_});
  to.add(std::uint64_t{next_note_});
  to.add(now_.us);
}

void ReplaySource::load(StateReader& from) {
  const auto position = [&from](std::size_t count) {
    const auto next = from.get<std::uint64_t>();
    if (next <= count) return static_cast<std::size_t>(next);
    throw Error(ExitCode::kBadInput, "a saved replay is beyond the end of its recording");
  };
  from.begin("replay");
  for (Track& track : tracks_) track.next = position(track.table->size());
  next_instant_ = position(instants_ ? instants_->size() : 0);
  next_note_ = position(notes_ ? notes_->size() : 0);
  now_ = TimeUs(from.get<std::uint64_t>());
}

}  // namespace tactus
