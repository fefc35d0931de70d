// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/record/stream_recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "tactus/core/error.h"
#include "tactus/engine/run.h"
#include "tactus/engine/run_state.h"
#include "tactus/signal/validator.h"

namespace tactus {
namespace {

/// Where a signal ticks; kEveryBoundary: it changes when it changes.
Axis axis_of(const SignalFacts& facts, const Schedule& schedule) {
  if (facts.recorded_on_change || facts.axis == Axis::kEveryBoundary) return Axis::kEveryBoundary;
  return schedule.period(facts.axis).us != 0 ? facts.axis : Axis::kEveryBoundary;
}

std::vector<BusLeaf> solver_leaves() {
  const SolverTotals totals;
  std::vector<BusLeaf> leaves;
  for_each_leaf(totals, [&](const LeafPath& path, const auto& value) {
    const auto offset =
        reinterpret_cast<const std::byte*>(&value) - reinterpret_cast<const std::byte*>(&totals);
    leaves.push_back({"solver." + path.text(), "", "since the start",
                      static_cast<std::size_t>(offset), BusLeaf::Kind::kU64});
  });
  return leaves;
}

/// How names of the continuous state begin.
constexpr std::string_view kState = "state.";

/// Before the first number of a signal: time and number of the boundary.
constexpr std::size_t kHeadOfRow = 2 * sizeof(std::uint64_t);

std::vector<SourceRecord> source_records(const Run& run) {
  std::vector<SourceRecord> records;
  for (const std::unique_ptr<Source>& source : run.sources()) {
    const SourceInfo info = source->info();
    records.push_back({info.name, to_text(info.stage),
                       info.mode == SourceMode::kReplay ? "replay" : "live", to_text(info.reads),
                       to_text(info.writes)});
  }
  return records;
}

SignalSet written_by(const Run& run) {
  SignalSet written;
  for (const std::unique_ptr<Source>& source : run.sources()) {
    written = written | source->info().writes;
  }
  if (run.command_from() == CommandFrom::kCaller) {
    written = written | kAutopilotWrites;
  }
  return written;
}

/// The whole bus, unless the plant knows only a part of what plants know: then what is written.
SignalSet logged_of(const Run& run) {
  const SignalSet published = run.plant().publishes();
  return published == kPlantSignals ? SignalSet::all() : published | written_by(run);
}

}  // namespace

StreamRecorder::StreamRecorder(StreamRecorderSetup setup, RowSink& sink)
    : setup_(std::move(setup)), sink_(&sink) {}

void StreamRecorder::begin(const Run& run) {
  *this = StreamRecorder(std::move(setup_), *sink_);
  setup_.meta.counts = run.counts();
  setup_.meta.sources = source_records(run);
  setup_.meta.log_interpolates = run.log_interpolates();
  scratch_.resize(kHeadOfRow + sizeof(Bus));
  plan_boundaries(run, run.wants_outputs());
  plan_signals(run);
  if (run.log_period().us != 0) plan_log(run);
  plan_chain(run);
  plan_events();
  status_events_ = StatusEvents(run.bus());
  if (setup_.meta.tier >= Tier::kEvaluations) plan_rhs_trace(run);
  if (setup_.snapshot_period.us != 0) plan_snapshots(run);
  plan_external(run);
  if (run.boundaries().total > 0) take_up(run);
  sink_->begin(setup_.meta, layouts_);
  begun_ = true;
}

void StreamRecorder::plan_snapshots(const Run& run) {
  run_ = &run;
  std::vector<std::string>& blobs = setup_.meta.blobs;
  const auto known = std::find(blobs.begin(), blobs.end(), kSnapshots);
  snapshots_ = static_cast<std::size_t>(known - blobs.begin());
  if (known == blobs.end()) blobs.emplace_back(kSnapshots);
  save(run, snapshot_);  // a source that cannot be saved is found now and not in flight
}

void StreamRecorder::plan_external(const Run& run) {
  std::vector<std::string>& blobs = setup_.meta.blobs;
  first_external_ = blobs.size();
  for (const std::unique_ptr<Source>& source : run.sources()) {
    for (const std::string& peer : source->external_peers()) blobs.push_back("/external/" + peer);
  }
}

void StreamRecorder::take_up(const Run& run) {
  start_.used = false;
  for (Track& track : tracks_) {
    track.part.gather(&run.bus(), track.into.row.data());
    track.any = true;
  }
}

void StreamRecorder::go_on_with(const Run& run, std::vector<std::string> event_ids) {
  if (run_ != nullptr) run_ = &run;
  setup_.meta.event_ids = std::move(event_ids);
}

StreamRecorder::Filling StreamRecorder::open_table(TableLayout layout) {
  Filling filling;
  filling.table = layouts_.size();
  filling.used = true;
  filling.row.resize(layout.row_size);
  layouts_.push_back(std::move(layout));
  return filling;
}

void StreamRecorder::plan_boundaries(const Run& run, bool scenario_sees_outputs) {
  const std::vector<BusLeaf> leaves = bus_leaves(setup_.meta.counts);
  const std::vector<BusLeaf> plant_leaves = leaves_of(run.plant().publishes(), leaves);
  const std::vector<BusLeaf> state_leaves = run.plant().state_leaves();
  TableLayout boundary = make_table("boundary", Rule::kSampled);
  add_field(boundary,
            make_field("/time/boundary_axes", FieldKind::kU32, "bit per axis that ticks"));
  add_field(boundary, make_field("/time/boundary_found", FieldKind::kBool, "an event found"));
  add_field(boundary,
            make_field("/time/boundary_instant", FieldKind::kBool, "scheduled by a source"));
  add_field(boundary, make_field("/time/boundary_end", FieldKind::kBool, "the last one"));
  if (setup_.meta.tier >= Tier::kComponents) {
    boundary_signals_ = add_fields(boundary, kOutputsGroup, plant_leaves);
    boundary_state_ = add_fields(boundary, "/plant", state_leaves);
  }
  boundary_ = open_table(std::move(boundary));
  TableLayout start = make_table("start", Rule::kSampled);
  start_state_ = add_fields(start, "/start", state_leaves);
  start_ = open_table(std::move(start));
  if (setup_.meta.tier < Tier::kComponents || !scenario_sees_outputs) return;
  TableLayout seen = make_table("scenario_inputs", Rule::kSampled);
  seen_signals_ = add_fields(seen, "/scenario_inputs", plant_leaves);
  seen_ = open_table(std::move(seen));
}

void StreamRecorder::plan_signals(const Run& run) {
  const std::vector<BusLeaf> leaves = bus_leaves(setup_.meta.counts);
  const Schedule& schedule = run.schedule();
  const SignalSet written = written_by(run);
  for (const SignalFacts& facts : kSignalFacts) {
    const Signal signal = facts.signal;
    const bool wanted = written.has(signal) && facts.tier <= setup_.meta.tier;
    if (!wanted || kPlantSignals.has(signal)) continue;
    Track track;
    track.signal = signal;
    track.axis = axis_of(facts, schedule);
    const bool ticks = track.axis != Axis::kEveryBoundary;
    const Rule rule = signal == Signal::kWind && setup_.wind_is_linear ? Rule::kLinear
                      : ticks                                          ? Rule::kSampleAndHold
                                                                       : Rule::kZeroOrderHold;
    TableLayout table =
        make_table(to_text(signal), rule, ticks ? schedule.period(track.axis) : DurationUs{});
    if (!ticks) {
      add_field(table, make_field(fmt::format("/time/{}_boundary", to_text(signal)),
                                  FieldKind::kU64, "number of the boundary at which it changed"));
    }
    track.first = table.row_size;
    track.part = add_fields(table, kSignalsGroup, leaves_of(signal, leaves));
    track.size = table.row_size - track.first;
    track.into = open_table(std::move(table));
    tracks_.push_back(std::move(track));
  }
}

void StreamRecorder::plan_log(const Run& run) {
  const std::vector<BusLeaf> leaves = leaves_of(logged_of(run), bus_leaves(setup_.meta.counts));
  TableLayout log = make_table("log", Rule::kSampled, run.log_period());
  log_signals_ = add_fields(log, "/log", leaves);
  log_solver_ = add_fields(log, "/log", solver_leaves());
  log_ = open_table(std::move(log));
}

void StreamRecorder::plan_chain(const Run& run) {
  autopilot_period_ = run.schedule().period(Axis::kAutopilot);
  signal_digests_ = SignalDigests(setup_.meta.counts);
  const bool even = autopilot_period_.us != 0 && kChainPeriod.us % autopilot_period_.us == 0;
  TableLayout chain = make_table("chain", Rule::kSampled, even ? kChainPeriod : DurationUs{});
  RowField flight = make_field("/chain/flight_digest", FieldKind::kU64, "of the flight so far", 2);
  flight.labels = "high,low";
  add_field(chain, std::move(flight));
  for (std::size_t i = 0; i < kSignals; ++i) {
    add_field(chain, make_field(fmt::format("/chain/{}", to_text(static_cast<Signal>(i))),
                                FieldKind::kU64, "of the signal at this instant"));
  }
  add_field(chain,
            make_field("/chain/plant_state", FieldKind::kU64, "of the plant at this instant"));
  chain_ = open_table(std::move(chain));
}

void StreamRecorder::plan_events() {
  TableLayout events = make_table("events", Rule::kSampled);
  add_field(events, make_field("/events/who", FieldKind::kText,
                               "plant, scenario, autopilot or land_detector", 16));
  add_field(events, make_field("/events/what", FieldKind::kText, "what happened", 32));
  add_field(events,
            make_field("/events/detail", FieldKind::kText, "which event or mode, or why", 48));
  add_field(events, make_field("/events/index", FieldKind::kI32,
                               "gear point, rotor, bus, pack, event, item, mode ..."));
  events_ = open_table(std::move(events));
}

void StreamRecorder::plan_rhs_trace(const Run& run) {
  std::vector<std::string> entries;
  for (const BusLeaf& leaf : run.plant().state_leaves()) {
    if (leaf.name.starts_with(kState)) entries.push_back(leaf.name.substr(kState.size()));
  }
  std::vector<std::string> buses;
  buses.reserve(static_cast<std::size_t>(setup_.meta.counts.buses));
  for (int b = 0; b < setup_.meta.counts.buses; ++b) buses.push_back(std::to_string(b));
  TableLayout trace = make_table("rhs_trace", Rule::kSampled);
  const auto add = [&](const char* name, const char* unit, const char* meaning,
                       const std::vector<std::string>& columns) {
    RowField out = make_field(fmt::format("/rhs_trace/{}", name), FieldKind::kReal, meaning);
    out.unit = unit;
    if (!columns.empty()) {
      out.labels = fmt::format("{}", fmt::join(columns, ","));
      out.width = columns.size();
    }
    add_field(trace, std::move(out));
  };
  add("t_s", "s", "since the start of the interval", {});
  add("state", "SI", "where the right-hand side was evaluated; entries and units of /plant/state",
      entries);
  add("derivative", "SI/s", "what it answered; NaN in all entries if it could not", entries);
  if (!buses.empty()) {
    add("bus_v", "V", "solution of each bus", buses);
    add("bus_residual_a", "A", "what Kirchhoff's law is off by on each bus", buses);
  }
  rhs_trace_ = open_table(std::move(trace));
}

void StreamRecorder::give(Filling& filling, TimeUs time) {
  std::memcpy(filling.row.data(), &time.us, sizeof time.us);
  sink_->row(filling.table, filling.row.data());
}

void StreamRecorder::seen_by_scenario(const BoundaryView& view) {
  if (!seen_.used) return;
  seen_signals_.gather(&view.bus, seen_.row.data());
  give(seen_, view.due.time);
}

bool StreamRecorder::wants_outputs() const { return setup_.meta.tier >= Tier::kComponents; }

void StreamRecorder::outputs(const BoundaryView& view) {
  boundary_signals_.gather(&view.bus, boundary_.row.data());
}

void StreamRecorder::boundary(const BoundaryView& view, SignalSet written) {
  record_boundary(view);
  for (Track& track : tracks_) {
    if (written.has(track.signal)) record_signal(track, view);
  }
  if (has_link(view.due, autopilot_period_)) record_link(view);
  for (const StatusEvent& event : status_events_.see(view.bus)) {
    record_event(view.due.time, event);
  }
  if (run_ != nullptr) record_snapshot(view.due);
  reached_ = view.due.time;
  sink_->reached(reached_);
}

void StreamRecorder::record_snapshot(const Due& due) {
  const bool wanted = due.time.us != 0 && due.time.us % setup_.snapshot_period.us == 0;
  if (!wanted || due.end) return;
  save(*run_, snapshot_);
  sink_->blob(snapshots_, due.time, snapshot_.bytes());
}

void StreamRecorder::record_boundary(const BoundaryView& view) {
  std::byte* const row = boundary_.row.data();
  const std::vector<RowField>& fields = layouts_[boundary_.table].fields;
  put(fields[1], 0, std::uint32_t{view.due.axes}, row);
  put(fields[2], 0, view.found, row);
  put(fields[3], 0, view.due.instant, row);
  put(fields[4], 0, view.due.end, row);
  boundary_state_.gather(view.plant.state_block(), row);
  give(boundary_, view.due.time);
  if (!start_.used) return;
  start_state_.gather(view.plant.state_block(), start_.row.data());
  give(start_, view.due.time);
  start_.used = false;
}

void StreamRecorder::record_signal(Track& track, const BoundaryView& view) {
  track.part.gather(&view.bus, scratch_.data());
  const std::byte* const fresh = scratch_.data() + track.first;
  std::byte* const last = track.into.row.data() + track.first;
  const bool ticks = track.axis != Axis::kEveryBoundary;
  const bool due = ticks && view.due.on(track.axis);
  if (!due && track.any && std::memcmp(last, fresh, track.size) == 0) return;
  if (ticks && !due) {
    throw Error(ExitCode::kRunStopped,
                fmt::format("t = {} us: {} changed off the {} axis, so the recording could not be "
                            "replayed; let its source write on its axis only",
                            view.due.time.us, to_text(track.signal), to_text(track.axis)));
  }
  std::memcpy(last, fresh, track.size);
  if (!ticks) {
    const std::uint64_t number = view.boundary;
    std::memcpy(track.into.row.data() + sizeof number, &number, sizeof number);
  }
  track.any = true;
  give(track.into, view.due.time);
}

void StreamRecorder::record_link(const BoundaryView& view) {
  std::byte* const row = chain_.row.data();
  const std::vector<RowField>& fields = layouts_[chain_.table].fields;
  const Digest128 flight = view.flight.result();
  put(fields[1], 0, flight.high, row);
  put(fields[1], 1, flight.low, row);
  for (std::size_t i = 0; i < kSignals; ++i) {
    put(fields[2 + i], 0, signal_digests_.of(static_cast<Signal>(i), view.bus), row);
  }
  Digest state;
  view.plant.add_state(state);
  put(fields[2 + kSignals], 0, state.result().low, row);
  give(chain_, view.due.time);
}

void StreamRecorder::row(const LogRow& row) {
  if (!log_.used) return;
  log_signals_.gather(&row.bus, log_.row.data());
  log_solver_.gather(&row.solver, log_.row.data());
  give(log_, row.time);
}

void StreamRecorder::note(const Note& note) {
  const std::vector<std::string>& ids = setup_.meta.event_ids;
  const auto index = static_cast<std::size_t>(note.index);
  const bool of_scenario = note.from == NoteFrom::kScenario;
  const char* const id = of_scenario && index < ids.size() ? ids[index].c_str() : "";
  const char* who = "plant";
  if (of_scenario) who = "scenario";
  if (note.from == NoteFrom::kAutopilot) who = "autopilot";
  record_event(note.time, {who, note.what, id, note.index});
}

void StreamRecorder::external_bytes(std::size_t peer, TimeUs time,
                                    std::span<const std::byte> bytes) {
  sink_->blob(first_external_ + peer, time, bytes);
}

void StreamRecorder::record_event(TimeUs time, const StatusEvent& event) {
  std::byte* const row = events_.row.data();
  const std::vector<RowField>& fields = layouts_[events_.table].fields;
  put_text(fields[1], event.who, row);
  put_text(fields[2], event.what, row);
  put_text(fields[3], event.detail, row);
  put(fields[4], 0, static_cast<std::int32_t>(event.index), row);
  give(events_, time);
}

RhsTap* StreamRecorder::tap() {
  return setup_.meta.tier >= Tier::kEvaluations ? static_cast<RhsTap*>(this) : nullptr;
}

void StreamRecorder::evaluated(const RhsEvaluation& evaluation) {
  std::byte* const row = rhs_trace_.row.data();
  const std::vector<RowField>& fields = layouts_[rhs_trace_.table].fields;
  const auto copy = [&](std::size_t which, std::span<const double> values) {
    TACTUS_ASSERT(values.size() == fields[which].width, "as many numbers as the field has");
    for (std::size_t i = 0; i < values.size(); ++i) {
      put(fields[which], i, canonical_bits(values[i]), row);
    }
  };
  put(fields[1], 0, evaluation.t_s, row);
  copy(2, evaluation.state);
  copy(3, evaluation.derivative);
  if (fields.size() > 4) {
    copy(4, evaluation.bus_v);
    copy(5, evaluation.bus_residual_a);
  }
  give(rhs_trace_, evaluation.from);
}

void StreamRecorder::end(Digest128 flight_digest, bool complete) {
  if (!begun_) return;
  begun_ = false;
  sink_->end({reached_, flight_digest, complete});
}

}  // namespace tactus
