// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/branch/branch.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "tactus/core/error.h"
#include "tactus/core/text.h"
#include "tactus/engine/run_state.h"
#include "tactus/files/disk_files.h"
#include "tactus/flight/external/external_autopilots.h"
#include "tactus/replay/branch/branch_event.h"
#include "tactus/replay/branch/branch_sink.h"
#include "tactus/scenario/warnings.h"
#include "tactus/signal/component.h"
#include "tactus/spec/model/spec_digest.h"
#include "tactus/spec/reader/spec_keys.h"
#include "tactus/spec/schema/spec_places.h"

namespace tactus {
namespace {

/// Marks a change that an earlier branch made: "body.mass_kg=1.7 (since 5s)".
constexpr char kSince[] = " (since ";

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ExitCode::kBadInput, "branch: " + message);
}

/// The first recorded boundary at or after the asked instant.
TimeUs boundary_at(const Recording& parent, TimeUs asked) {
  const Table& boundaries = parent.require("boundary");
  for (std::size_t i = 0; i < boundaries.size(); ++i) {
    if (boundaries.time(i) >= asked) return boundaries.time(i);
  }
  refuse(fmt::format("at {}: the recording of \"{}\" ends at {}", to_text(asked), parent.meta.name,
                     to_text(parent.end.time)));
}

const Event* find_event(const std::vector<Event>& events, const std::string& id) {
  const auto it = std::find_if(events.begin(), events.end(),
                               [&id](const Event& event) { return event.id == id; });
  return it == events.end() ? nullptr : &*it;
}

std::vector<std::string> ids_of(const std::vector<Event>& events) {
  std::vector<std::string> ids;
  ids.reserve(events.size());
  for (const Event& event : events) ids.push_back(event.id);
  return ids;
}

std::string free_id(const std::vector<Event>& events, std::size_t number) {
  std::string id = fmt::format("branch_{}", number);
  while (find_event(events, id) != nullptr) id += "_";
  return id;
}

/// Flown from the start, the event would not have acted before the branch either.
bool acts_later(const Event& event) {
  return event.trigger.kind == TriggerKind::kAtTime || event.trigger.kind == TriggerKind::kAfter;
}

/// Whether an event of the scenario acted before `at`.
bool has_acted(const Recording& recording, const std::string& id, TimeUs at) {
  const Table& events = recording.require("events");
  const RowField* const what = events.layout.find("/events/what");
  const RowField* const which = events.layout.find("/events/detail");
  if (what == nullptr || which == nullptr) return false;
  const std::string name = id.substr(0, which->width);  // as a row holds it
  for (std::size_t i = 0; i < events.size(); ++i) {
    const std::byte* const row = events.row(i).data();
    if (events.time(i) < at && text(*what, row) == "acts" && text(*which, row) == name) return true;
  }
  return false;
}

const std::vector<BlobTrack::Piece>& snapshots_of(const Recording& recording) {
  static const std::vector<BlobTrack::Piece> kNone;
  const auto track = std::find_if(recording.blobs.begin(), recording.blobs.end(),
                                  [](const BlobTrack& blob) { return blob.path == kSnapshots; });
  return track == recording.blobs.end() ? kNone : track->pieces;
}

/// Saves the run at one boundary, once its work is done.
class SnapshotAt final : public Recorder {
 public:
  SnapshotAt(const Run& run, TimeUs at, RowSink& sink) : run_(&run), at_(at), sink_(&sink) {}

  void begin(const Run& /*run*/) override {}
  void boundary(const BoundaryView& view, SignalSet /*written*/) override {
    if (view.due.time == at_ && !view.due.end) sink_->blob(0, at_, save(*run_));
  }
  void end(Digest128 /*flight_digest*/, bool /*complete*/) override {}

 private:
  const Run* run_;
  TimeUs at_;
  RowSink* sink_;
};

bool can_be_copied(const Run& run) {
  return std::all_of(run.sources().begin(), run.sources().end(),
                     [](const auto& source) { return source->clone() != nullptr; });
}

/// Up to the boundary at that instant, which is not worked at yet. False: stopped.
bool fly_to(Run& run, TimeUs at, Observers& observers, const std::function<bool()>& stopped) {
  while (run.now() < at && !run.finished()) {
    if (stopped()) return false;
    proceed(run, observers);
  }
  if (run.now() == at && !run.finished()) return true;
  throw Error(ExitCode::kDifferent,
              fmt::format("t = {} us: flown again, the flight has no boundary at {} us, where the "
                          "recording has one; this program does not reproduce it",
                          run.now().us, at.us));
}

}  // namespace

Branch::Branch(BranchSetup setup)
    : setup_(std::move(setup)),
      at_(boundary_at(*setup_.parent, setup_.at)),
      recorded_(recorded_spec(*setup_.parent)),
      changed_(load_changed()),
      before_(assemble(recorded_.spec, {.external = external_autopilots()})),
      after_(assemble_changed()) {
  require_plant(*setup_.parent);
  refuse_external();
  refuse_end();
  refuse_events();
  refuse_shapes();
  use_snapshot();
  schedule_events();
}

LoadedSpec Branch::load_changed() {
  const RecordingMeta& parent = setup_.parent->meta;
  if (setup_.overrides.empty() && setup_.events.empty()) return recorded_;
  std::string spec = parent.spec + "\n";
  for (std::size_t i = 0; i < setup_.events.size(); ++i) {
    event_lines_.push_back(1 +
                           static_cast<std::size_t>(std::count(spec.begin(), spec.end(), '\n')));
    spec += event_toml(setup_.events[i], free_id(recorded_.spec.events, i + 1), at_);
  }
  LoadedSpec loaded;
  try {
    loaded = load_spec_text(spec, "recording of " + parent.name, setup_.overrides, parent.files);
  } catch (const Error& error) {
    throw Error(error.code(), placed_by_event(error.what()));
  }
  for (const Override& change : setup_.overrides) {
    changes_ += fmt::format("{}={}\n", change.key, change.value);
  }
  for (const Event& event : loaded.spec.events) {
    if (find_event(recorded_.spec.events, event.id) == nullptr) {
      changes_ += fmt::format("{} {}\n", acts_later(event) ? "event" : "condition", event.id);
    }
  }
  if (!changes_.empty()) changes_.pop_back();
  return loaded;
}

Assembly Branch::assemble_changed() const {
  refuse_fixed_keys();
  try {
    return assemble(changed_.spec, {.external = external_autopilots()});
  } catch (const Error& error) {
    throw Error(error.code(), placed_by_event(error.what()));
  }
}

/// A message about a new event names its text in place of a line: it is in no file.
std::string Branch::placed_by_event(std::string_view what) const {
  const std::string file = fmt::format("recording of {}:", setup_.parent->meta.name);
  std::size_t line = 0;
  if (what.starts_with(file)) {
    std::from_chars(what.data() + file.size(), what.data() + what.size(), line);
  }
  const auto after = std::upper_bound(event_lines_.begin(), event_lines_.end(), line);
  const std::size_t reason = what.find(": ", file.size());
  if (after == event_lines_.begin() || reason == std::string_view::npos) return std::string(what);
  const std::string& event =
      setup_.events[static_cast<std::size_t>(after - event_lines_.begin()) - 1];
  return fmt::format("new event \"{}\": {}", shortened(event), what.substr(reason + 2));
}

std::vector<std::string> Branch::warnings() const {
  std::vector<std::string> lines = spec_warnings(changed_);
  for (std::string& line : lines) line = placed_by_event(line);
  return lines;
}

/// An autopilot in another process cannot be brought to where it was.
void Branch::refuse_external() const {
  const bool external =
      setup_.parent->commanded_externally() || recorded_.spec.ground_station.enabled ||
      changed_.spec.ground_station.enabled || is_external_program(recorded_.spec.autopilot) ||
      is_external_program(changed_.spec.autopilot);
  if (!external) return;
  refuse(
      fmt::format("the commands of \"{}\" came from outside the program, and that side cannot "
                  "go on from the middle of a flight; fly it again from the start with the "
                  "changes",
                  setup_.parent->meta.name));
}

void Branch::refuse_fixed_keys() const {
  for (const Override& change : setup_.overrides) {
    const char* const why = changed_.places->why_fixed_in_flight(change.key);
    if (why == nullptr) continue;
    refuse(fmt::format("{}: {}; fly the changed spec from the start", change.key, why));
  }
}

void Branch::refuse_end() const {
  const DurationUs end = changed_.spec.timeline.end;
  if (TimeUs{} + end >= at_) return;
  refuse(fmt::format("time.end_s: the flight would end at {}, before the branch at {}",
                     to_text(end), to_text(at_)));
}

/// New and changed events must lie ahead.
void Branch::refuse_events() const {
  const std::vector<Event> old = scenario_events(recorded_.spec);
  const Table& boundaries = setup_.parent->require("boundary");
  const std::uint64_t number = boundaries.at(at_).value_or(0);
  for (const Event& event : scenario_events(changed_.spec)) {
    const Event* const known = find_event(old, event.id);
    if (known != nullptr && event_digest(*known) == event_digest(event)) continue;
    const Trigger& trigger = event.trigger;
    const bool early = (trigger.kind == TriggerKind::kAtTime && trigger.at < at_) ||
                       (trigger.kind == TriggerKind::kAtStep && trigger.step < number);
    if (early) {
      refuse(
          fmt::format("event \"{}\" lies before the branch at {} (boundary {}); what was flown "
                      "until then stays as it was",
                      event.id, to_text(at_), number));
    }
    const bool too_late = trigger.kind == TriggerKind::kAfter &&
                          trigger.mode != TriggerMode::kRepeat &&
                          has_acted(*setup_.parent, trigger.after, at_);
    if (too_late) {
      refuse(fmt::format("event \"{}\" would follow \"{}\", which acted before {}; give it a time",
                         event.id, trigger.after, to_text(at_)));
    }
  }
}

/// Tries the hand-over at the start, so that what does not fit is known before anything is flown.
void Branch::refuse_shapes() const {
  const Tier tier = setup_.tier.value_or(setup_.parent->meta.tier);
  if (tier >= Tier::kComponents && before_.run.wants_outputs() != after_.run.wants_outputs()) {
    refuse(
        "an event on an output of the plant comes or goes, so its inputs would be recorded for "
        "a part of the flight only; use tier 0");
  }
  if (!can_be_copied(before_.run) || !can_be_copied(after_.run)) return;
  Run trial = after_.run;
  load(trial, save(before_.run), into());
}

/// A spec with the new events flies the branch from its start; so the boundary at T must say, as it
/// does then, that an event was scheduled there.
void Branch::schedule_events() {
  const std::uint64_t period = before_.run.schedule().period(Axis::kAutopilot).us;
  const bool on_tick = period == 0 || at_.us % period == 0;
  for (const Event& event : changed_.spec.events) {
    const bool here = event.trigger.kind == TriggerKind::kAtTime && event.trigger.at == at_ &&
                      (on_tick || !event.trigger.snap_to_autopilot);
    if (here) schedule_instant(before_.run, at_);
  }
}

Into Branch::into() const {
  if (changed_.spec.digest == recorded_.spec.digest) return Into::kSame;
  const bool events_only =
      std::all_of(setup_.overrides.begin(), setup_.overrides.end(), [](const Override& change) {
        const Component owner = owner_of_key(change.key);
        return owner == Component::kScenario || owner == Component::kText;
      });
  return events_only ? Into::kOtherEvents : Into::kChanged;
}

void Branch::use_snapshot() {
  const Recording& parent = *setup_.parent;
  const bool two_specs = !changes_of_spec(parent.meta).empty();
  if (!setup_.quick && !two_specs) return;
  const bool enough = setup_.tier.value_or(parent.meta.tier) <= parent.meta.tier;
  const BlobTrack::Piece* last = nullptr;
  for (const BlobTrack::Piece& piece : snapshots_of(parent)) {
    if (enough && piece.time < at_) last = &piece;
  }
  if (last != nullptr) {
    load(before_.run, last->bytes);
    from_ = before_.run.now();
  } else if (two_specs) {
    refuse_start();
  }
}

void Branch::refuse_start() const {
  const Recording& parent = *setup_.parent;
  const std::string is_branch = fmt::format(
      "\"{}\" is a branch itself, with other parameters before {}, and cannot be "
      "flown again from its start",
      parent.meta.name, to_text(parent.meta.parent->at));
  if (setup_.tier.value_or(parent.meta.tier) > parent.meta.tier) {
    refuse(fmt::format("{}, which a higher tier needs; use tier {}", is_branch,
                       static_cast<int>(parent.meta.tier)));
  }
  const std::vector<BlobTrack::Piece>& snapshots = snapshots_of(parent);
  if (snapshots.empty()) {
    refuse(fmt::format("{}, and it holds no snapshot; branch {} instead", is_branch,
                       parent.meta.parent->name));
  }
  refuse(fmt::format("{}; its first snapshot is at {}, choose an instant after that (or branch {})",
                     is_branch, to_text(snapshots.front().time), parent.meta.parent->name));
}

RecordingMeta Branch::meta() const {
  const Recording& parent = *setup_.parent;
  RecordingMeta meta =
      recording_meta(changed_, setup_.tier.value_or(parent.meta.tier), setup_.build);
  std::string changes = changes_;
  for (const std::string& key : changes_of_spec(parent.meta)) {  // still two specs or more
    if (!changes.empty()) changes += '\n';
    changes += key;
    if (key.find(kSince) == std::string::npos) {
      changes += fmt::format("{}{})", kSince, to_text(parent.meta.parent->at));
    }
  }
  meta.parent = {setup_.parent_name, parent.end.flight_digest, at_, changes};
  return meta;
}

void Branch::fly(Observers observers, RowSink* out, const std::function<bool()>& interrupted) {
  BranchSink sink(*setup_.parent, meta(), from_, at_, out);
  StreamRecorderSetup setup;
  setup.meta = meta();
  setup.meta.event_ids = ids_of(scenario_events(recorded_.spec));
  setup.wind_is_linear = changed_.spec.world.wind.rule == WindRule::kLinear;
  setup.snapshot_period = setup_.snapshots;
  const bool is_due = setup_.snapshots.us != 0 && at_.us % setup_.snapshots.us == 0;
  const bool keeps =
      out != nullptr && !is_due && !changes_of_spec(meta()).empty() && can_be_copied(after_.run);
  if (keeps) setup.meta.blobs = {kSnapshots};
  SnapshotAt snapshot(after_.run, at_, sink);
  StreamRecorder recorder(std::move(setup), sink);
  if (keeps) observers.recorders.push_back(&snapshot);
  observers.recorders.push_back(&recorder);
  const auto stopped = [&interrupted] { return interrupted && interrupted(); };

  Run* flying = &before_.run;
  try {
    open(before_.run, observers);
    const bool there = fly_to(before_.run, at_, observers, stopped);
    if (there) {
      sink.require_all_met();
      hand_over(before_.run, after_.run, into());
      recorder.go_on_with(after_.run, ids_of(scenario_events(changed_.spec)));
      flying = &after_.run;
      branched_ = true;
      while (!after_.run.finished() && !stopped()) proceed(after_.run, observers);
    }
  } catch (...) {
    try {
      close(*flying, observers);
    } catch (...) {  // what stopped the flight matters more than what a file says while closing
    }
    throw;
  }
  close(*flying, observers);
  first_difference_ = sink.first_difference();
}

}  // namespace tactus
