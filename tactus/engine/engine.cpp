// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The loop. `Engine::proceed` is one boundary and the interval after it; everything else here is a
// stage of it, in the order of contract C3.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <exception>
#include <utility>

#include "tactus/core/assert.h"
#include "tactus/core/error.h"
#include "tactus/core/math.h"
#include "tactus/engine/run.h"
#include "tactus/signal/validator.h"

namespace tactus {

class Engine : private RhsTap {
 public:
  /// `checks_caches`: what the plant remembers is compared with a recomputation.
  Engine(Run& run, Observers& observers, bool checks_caches = false)
      : run_(run), bus_(run.bus_), observers_(observers), checks_caches_(checks_caches) {}

  Progress proceed() {
    TACTUS_ASSERT(run_.usable_, "a run that is whole and that no other has taken over");
    if (run_.finished_) return Progress::kFinished;
    TACTUS_ASSERT(run_.stage_ == Stage::kScenario || run_.stage_ == Stage::kAutopilot ||
                      run_.stage_ == Stage::kIntegrate,
                  "a stage at which a run can stand");
    if (run_.stage_ == Stage::kScenario) {
      begin();
      sources(Stage::kScenario);
      sources(Stage::kWind);
      outputs();
      sources(Stage::kSensors);
      show(Stage::kTelemetry);
      run_.stage_ = Stage::kAutopilot;
      run_.needs_command_ =
          run_.command_from_ == CommandFrom::kCaller && due().on(Axis::kAutopilot);
      if (run_.needs_command_) return Progress::kNeedsCommand;
    }
    if (run_.needs_command_) refuse_to_go_on();
    if (run_.stage_ == Stage::kAutopilot) {
      sources(Stage::kAutopilot);
      discontinuities();
      log_row();
      digest();
      run_.stage_ = Stage::kIntegrate;  // a run that is saved by a recorder goes on there
      record();
    }
    TACTUS_ASSERT(run_.stage_ == Stage::kIntegrate && !run_.needs_command_,
                  "the work of the boundary is done");
    run_.finished_ = due().end;
    if (run_.finished_) return Progress::kFinished;
    integrate();
    run_.stage_ = Stage::kScenario;
    return Progress::kBoundary;
  }

  void open() {
    notes_.reserve(kReservedNotes);
    const VehicleCounts counts = run_.counts();
    for (LogSink* sink : observers_.sinks) sink->begin(counts);
    for (Recorder* recorder : observers_.recorders) recorder->begin(run_);
  }

  /// Closes every observer, whatever one of them throws; the first error goes on afterwards.
  void close() {
    std::exception_ptr first;
    const auto attempt = [&first](auto&& action) {
      try {
        action();
      } catch (...) {
        if (!first) first = std::current_exception();
      }
    };
    // In the middle of a boundary: something failed after the sensors.
    if (run_.stage_ == Stage::kAutopilot) attempt([this] { record_final_notes(); });
    const Digest128 digest = run_.digest_.result();
    for (LogSink* sink : observers_.sinks) {
      attempt([&] { sink->end(digest, run_.finished_); });
    }
    for (Recorder* recorder : observers_.recorders) {
      attempt([&] { recorder->end(digest, run_.finished_); });
    }
    if (first) std::rethrow_exception(first);
  }

  /// All that a copy of the run must agree on.
  static Digest128 fingerprint(const Run& run) {
    TACTUS_ASSERT(run.plant_ != nullptr, "a run that has a plant");
    Digest digest;
    digest.add(run.now());
    run.bus_digest_.add(run.bus_, digest);
    run.plant_->add_state(digest);
    return digest.result();
  }

  static void command(Run& run, const Command& command, const AutopilotStatus& status) {
    TACTUS_ASSERT(run.usable_ && run.stage_ == Stage::kAutopilot,
                  "the run does not wait for a command");
    TACTUS_ASSERT(run.command_from_ == CommandFrom::kCaller, "the caller gives the command");
    Bus bus = run.bus_;
    bus.command = command;
    bus.autopilot = status;
    validate_signals(bus, kAutopilotWrites, "the command of the caller");
    run.bus_ = bus;
    run.written_ = run.written_ | kAutopilotWrites;
    run.needs_command_ = false;
  }

 private:
  static constexpr std::size_t kReservedNotes = 64;

  [[nodiscard]] const Due& due() const { return run_.schedule_.current(); }

  [[noreturn]] void refuse_to_go_on() const {
    throw Error(
        ExitCode::kRunStopped,
        fmt::format("t = {} us: the run waits for a command from the caller: give_command() "
                    "comes before the next proceed()",
                    due().time.us));
  }

  void begin() {
    check_caches();  // as the interval left them
    count();
    TACTUS_ASSERT(!run_.needs_command_, "no boundary begins while a command is missing");
    TACTUS_ASSERT(bus_.time <= due().time, "time goes on");
    bus_.time = due().time;
    run_.written_ = {};
    run_.plant_->settle(bus_);  // what was found in the interval that ends here
    run_.plant_->publish_state(bus_);
    // Conditions of a scenario see outputs with the input held until now.
    fresh_outputs_ = run_.early_outputs_;
    if (!fresh_outputs_) return;
    run_.plant_->publish_outputs(bus_);
    for (Recorder* recorder : observers_.recorders) recorder->seen_by_scenario(view(bus_));
  }

  void count() {
    BoundaryCounts& counts = run_.boundaries_;
    ++counts.total;
    for (unsigned left = due().axes; left != 0; left &= left - 1) {
      ++counts.axis[std::countr_zero(left)];
    }
    if (due().instant) ++counts.instants;
    if (run_.found_) ++counts.found;
    if (due().axes == axis_bit(Axis::kLog) && !due().instant && !due().end && !run_.found_)
      ++counts.log_only;
  }

  void sources(Stage stage) {
    const auto s = static_cast<std::size_t>(stage);
    TACTUS_ASSERT(run_.first_source_[s] <= run_.first_source_[s + 1], "sources by stage");
    for (std::size_t i = run_.first_source_[s]; i < run_.first_source_[s + 1]; ++i) {
      const SourceInfo& info = run_.infos_[i];
      if (!due().on(info.axis)) continue;
      Requests requests(run_.schedule_);
      SourceContext context{BusPort(bus_, info.reads, info.writes, info.name), due().time,
                            run_.boundaries_.total - 1, requests};
      TACTUS_ASSERT(info.stage == stage, "a source acts in its stage");
      run_.sources_[i]->update(context);
      TACTUS_ASSERT(bus_.time == due().time, "no source moves the time");
      run_.written_ = run_.written_ | info.writes;
      validate_signals(bus_, context.bus.reached(), info.name);
      if (requests.ends()) run_.schedule_.end_at(due().time);
    }
    show(stage);
  }

  void outputs() {
    const bool changed = run_.plant_->hold(bus_);
    const bool wanted = (due().axes & kAxesThatReadOutputs) != 0 || due().end;
    bool current = fresh_outputs_ && !changed;
    if (wanted && !current) {
      run_.plant_->publish_outputs(bus_);
      fresh_outputs_ = current = true;
    }
    const SignalSet published = fresh_outputs_ ? kPlantSignals : kStateSignals;
    validate_plant_signals(bus_, published);
    run_.written_ = run_.written_ | published;
    show(Stage::kOutputs);
    record_outputs(current);
  }

  /// Recorders see outputs of this instant at every boundary. Where no source reads them they are
  /// evaluated on a copy of the bus, so that recording changes nothing.
  void record_outputs(bool current) {
    if (std::none_of(observers_.recorders.begin(), observers_.recorders.end(),
                     [](const Recorder* recorder) { return recorder->wants_outputs(); })) {
      return;
    }
    if (current) return show_outputs(bus_);
    Bus seen = bus_;
    run_.plant_->publish_outputs(seen);
    show_outputs(seen);
  }

  void show_outputs(const Bus& seen) {
    for (Recorder* recorder : observers_.recorders) {
      if (recorder->wants_outputs()) recorder->outputs(view(seen));
    }
  }

  void discontinuities() {
    run_.plant_->hold(bus_);
    run_.plant_->settle(bus_);
    show(Stage::kDiscontinuities);
  }

  /// The row is a copy with outputs as they are after this boundary, so that logging changes
  /// nothing.
  void log_row() {
    const bool writes = row_due() && has_loggers();
    if (writes || has_hooks_for(Stage::kLog)) {
      Bus row = bus_;
      run_.plant_->publish_state(row);
      run_.plant_->publish_outputs(row);
      if (writes) write_row(due().time, row);
      show(Stage::kLog, row);
    }
  }

  [[nodiscard]] bool has_loggers() const {
    return !observers_.sinks.empty() ||
           std::any_of(observers_.recorders.begin(), observers_.recorders.end(),
                       [](const Recorder* recorder) { return recorder->wants_rows(); });
  }

  [[nodiscard]] bool row_due() const {
    if (run_.log_period_.us == 0) return false;
    if (due().end) return true;
    return run_.log_interpolates_ ? due().time.us % run_.log_period_.us == 0 : due().on(Axis::kLog);
  }

  void digest() {
    if (!due().on(Axis::kAutopilot) && !due().end) return;
    run_.bus_digest_.add(bus_, run_.digest_);
    run_.plant_->add_state(run_.digest_);
  }

  void record() {
    notes_.clear();
    run_.plant_->take_notes(notes_);
    for (const std::unique_ptr<Source>& source : run_.sources_) source->take_notes(notes_);
    pass_on_notes();
    record_external_bytes();
    for (Recorder* recorder : observers_.recorders) recorder->boundary(view(bus_), run_.written_);
  }

  /// What an autopilot reported in a step that failed: why it did is in there. The rest of such a
  /// boundary is not recorded, because it was not completed.
  void record_final_notes() {
    notes_.clear();
    for (std::size_t i = 0; i < run_.sources_.size(); ++i) {
      if (run_.infos_[i].stage == Stage::kAutopilot) run_.sources_[i]->take_notes(notes_);
    }
    pass_on_notes();
    record_external_bytes();
  }

  void pass_on_notes() {
    for (const Note& note : notes_) {
      for (StageHook* hook : observers_.hooks) hook->note(note);
      for (Recorder* recorder : observers_.recorders) recorder->note(note);
    }
  }

  /// Peers are numbered through all sources.
  void record_external_bytes() {
    std::size_t first_peer = 0;
    for (const std::unique_ptr<Source>& source : run_.sources_) {
      const std::size_t peers = source->external_peers().size();
      if (peers == 0) continue;
      external_bytes_.clear();
      source->take_external_bytes(external_bytes_);
      for (const ExternalBytes& piece : external_bytes_) {
        for (Recorder* recorder : observers_.recorders) {
          recorder->external_bytes(first_peer + piece.peer, due().time, piece.bytes);
        }
      }
      first_peer += peers;
    }
  }

  void check_caches() const {
    if (checks_caches_) run_.plant_->check_caches(due().time);
  }

  void integrate() {
    check_caches();  // as the boundary left them
    IntervalObserver observer;
    if (std::any_of(observers_.recorders.begin(), observers_.recorders.end(),
                    [](Recorder* recorder) { return recorder->tap() != nullptr; })) {
      observer.tap = this;
    }
    if (run_.log_interpolates_ && has_loggers()) {
      observer.period = run_.log_period_;
      observer.sample = [this](TimeUs time, const Bus& seen) { write_row(time, seen); };
    }
    const TimeUs end = run_.schedule_.next();
    TACTUS_ASSERT(end > bus_.time, "an interval that has a length");
    const TimeUs reached = run_.plant_->advance(end, watches(), bus_, &observer);
    TACTUS_ASSERT(reached > bus_.time && reached <= end, "the end, or an event before it");
    run_.found_ = reached < end;
    run_.schedule_.advance_to(reached);
  }

  /// Those of all sources. Mostly a single one has some.
  [[nodiscard]] WatchList watches() {
    WatchList all;
    for (const std::unique_ptr<Source>& source : run_.sources_) {
      const WatchList wanted = source->watches();
      if (wanted.count == 0) continue;
      TACTUS_ASSERT(all.count + wanted.count <= kMaxWatches, "too many watches");
      all = all.count == 0 ? wanted : joined(all, wanted);
    }
    return all;
  }

  WatchList joined(WatchList first, WatchList second) {
    TACTUS_ASSERT(first.count > 0 && second.count > 0, "two lists to join");
    if (first.watch != watches_) std::copy_n(first.watch, first.count, watches_);
    std::copy_n(second.watch, second.count, watches_ + first.count);
    return {watches_, first.count + second.count};
  }

  void evaluated(const RhsEvaluation& evaluation) override {
    for (Recorder* recorder : observers_.recorders) {
      if (recorder->tap() != nullptr) recorder->tap()->evaluated(evaluation);
    }
  }

  void write_row(TimeUs time, const Bus& row) {
    TACTUS_ASSERT(run_.boundaries_.total > 0, "rows come after a boundary has begun");
    TACTUS_ASSERT(row.time == time, "a row of this instant");
    const LogRow out{time, run_.boundaries_.total - 1, row, run_.plant_->totals()};
    for (LogSink* sink : observers_.sinks) sink->row(out);
    for (Recorder* recorder : observers_.recorders) recorder->row(out);
  }

  [[nodiscard]] BoundaryView view(const Bus& seen) const {
    return {due(),       run_.boundaries_.total - 1, run_.found_,
            seen,        run_.plant_->totals(),      *run_.plant_,
            run_.digest_};
  }

  [[nodiscard]] bool has_hooks_for(Stage stage) const {
    return std::any_of(observers_.hooks.begin(), observers_.hooks.end(),
                       [stage](const StageHook* hook) { return hook->wants(stage); });
  }

  void show(Stage stage) { show(stage, bus_); }
  void show(Stage stage, const Bus& seen) {
    for (StageHook* hook : observers_.hooks) {
      if (hook->wants(stage)) hook->after(stage, view(seen));
    }
  }

  Run& run_;
  Bus& bus_;
  Observers& observers_;
  bool checks_caches_;
  bool fresh_outputs_ = false;
  std::vector<Note> notes_;
  std::vector<ExternalBytes> external_bytes_;
  Watch watches_[kMaxWatches];
};

namespace {

using Step = void (*)(Run& run, Engine& engine);

void fly_with(Run& run, Observers& observers, const std::function<bool()>& interrupted, Step step,
              bool checks_caches) {
  TACTUS_ASSERT(step != nullptr, "a way to go on");
  Engine engine(run, observers, checks_caches);
  try {
    engine.open();
    while (!run.finished() && !(interrupted && interrupted())) step(run, engine);
  } catch (...) {
    try {
      engine.close();
    } catch (...) {  // what stopped the run matters more than what a file says while closing
    }
    throw;
  }
  engine.close();
}

void plain_step(Run& run, Engine& engine) {
  if (engine.proceed() != Progress::kNeedsCommand) return;
  throw Error(
      ExitCode::kRunStopped,
      fmt::format("t = {} us: the run waits for a command from the caller; fly() cannot give "
                  "one, use proceed() and give_command()",
                  run.now().us));
}

void validated_step(Run& run, Engine& engine) {
  Run saved = run;
  plain_step(run, engine);
  Observers none;
  Engine again(saved, none);
  plain_step(saved, again);
  if (Engine::fingerprint(run) == Engine::fingerprint(saved)) {
    run = std::move(saved);  // so that what a copy lacks shows, if not now, then later
    return;
  }
  const std::optional<Difference> difference = first_difference(run.bus(), saved.bus());
  throw Error(ExitCode::kRunStopped,
              fmt::format("t = {} us: a saved copy of the run continued differently{}; some source "
                          "keeps state outside of itself",
                          run.now().us, difference ? ": " + difference->text() : ""));
}

}  // namespace

Progress proceed(Run& run, Observers& observers) { return Engine(run, observers).proceed(); }

void give_command(Run& run, const Command& command, const AutopilotStatus& status) {
  Engine::command(run, command, status);
}

void open(Run& run, Observers& observers) { Engine(run, observers).open(); }

void close(Run& run, Observers& observers) { Engine(run, observers).close(); }

void fly(Run& run, Observers& observers, const std::function<bool()>& interrupted) {
  fly_with(run, observers, interrupted, plain_step, false);
}

void fly_validated(Run& run, Observers& observers, const std::function<bool()>& interrupted) {
  fly_with(run, observers, interrupted, validated_step, true);
}

}  // namespace tactus
