// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>

#include "tactus/core/error.h"
#include "tactus/engine/sources.h"
#include "tactus/record/replay_plant.h"
#include "tactus/record/status_events.h"
#include "tactus/record/stream_recorder.h"
#include "tactus/replay/compare/compare.h"
#include "tactus/replay/diff/diff_program.h"
#include "tactus/replay/playback/held_ticks.h"
#include "tactus/replay/playback/override_effect.h"
#include "tactus/replay/rerun.h"
#include "tactus/scenario/assembly.h"

namespace tactus {
namespace {

bool is_live(const ReplayPlan& plan, FlightPart part) {
  switch (plan.mode) {
    case ReplayMode::kFull: return false;
    case ReplayMode::kPlant:
      return part == FlightPart::kEstimator || part == FlightPart::kInstruments;
    case ReplayMode::kLive:
      return std::find(plan.live.begin(), plan.live.end(), part) != plan.live.end();
    case ReplayMode::kComponent: return part == plan.component;
  }
  return false;
}

const Override* find_change(const std::vector<Override>& overrides, std::string_view key) {
  const auto last = std::find_if(overrides.rbegin(), overrides.rend(),
                                 [key](const Override& change) { return change.key == key; });
  return last == overrides.rend() ? nullptr : &*last;
}

/// The fixed method that is asked for, quoted or not; none: an adaptive one, or no method.
std::optional<Method> fixed_method(std::string_view text) {
  for (const Method method : {Method::kEuler, Method::kRk4, Method::kLieRk4}) {
    if (text == to_text(method) || text == fmt::format("\"{}\"", to_text(method))) return method;
  }
  return std::nullopt;
}

/// A recording by an adaptive method has no step that would do for a fixed one.
std::vector<Override> with_usable_step(const Recording& recording, std::vector<Override> overrides,
                                       std::vector<std::string>& notes) {
  const Override* const change = find_change(overrides, "solver.method");
  if (change == nullptr || find_change(overrides, "solver.step_us") != nullptr) return overrides;
  const std::optional<Method> method = fixed_method(change->value);
  if (!method) return overrides;
  const SolverConfig recorded = recorded_spec(recording).spec.solver;
  if (*method == recorded.method || recorded.step_us != 0) return overrides;
  const std::uint64_t step_us = usual_step(*method).us;
  notes.push_back(fmt::format("the recording has no step for {}: it takes solver.step_us = {}",
                              to_text(*method), step_us));
  overrides.push_back({"solver.step_us", std::to_string(step_us)});
  return overrides;
}

bool has_part(const Spec& spec, FlightPart part) {
  switch (part) {
    case FlightPart::kScenario: return true;
    case FlightPart::kWind: return spec.timeline.wind.us != 0;
    case FlightPart::kEstimator:
    case FlightPart::kLand: return spec.timeline.sensors.us != 0;
    case FlightPart::kInstruments: return instrument_counts(spec.sensors).any();
    case FlightPart::kAutopilot: return spec.autopilot != AutopilotKind::kNone;
  }
  return false;
}

/// Whether conditions of the scenario are searched within intervals of the plant.
bool watches_plant(const Spec& spec) {
  AssembleOptions options;
  options.command_from = CommandFrom::kCaller;
  const Assembly flight = assemble(spec, options);
  const Plant& plant = flight.run.plant();
  const std::vector<BusLeaf> leaves = bus_leaves(flight.run.counts());
  return std::any_of(spec.events.begin(), spec.events.end(), [&](const Event& event) {
    if (event.trigger.kind != TriggerKind::kWhen) return false;
    return plant.watch_for(find_leaf(leaves, event.trigger.signal, event.id)).has_value();
  });
}

/// A flight that is put together from a recording.
class Replay {
 public:
  Replay(std::shared_ptr<const Recording> recording, const ReplayPlan& plan)
      : recording_(std::move(recording)),
        plan_(&plan),
        spec_(recorded_spec(*recording_,
                            with_usable_step(*recording_, plan.overrides, outcome_.notes))),
        changed_(spec_.spec.digest != recording_->meta.spec_digest) {
    require_one_spec(*recording_);
    lacks_report_ = !is_live(plan, FlightPart::kAutopilot) &&
                    recording_->signal(Signal::kCommand) != nullptr &&
                    recording_->signal(Signal::kAutopilot) == nullptr;
    require_possible();
    require_effect(plan.overrides, spec_.spec, *recording_, acting());
    lacks_watches_ = !is_live(plan, FlightPart::kScenario) && watches_plant(spec_.spec);
    // In another flight the plant finds its own events, at instants of their own.
    if (lacks_watches_ && !changed_) bring_back_ = BringBack::kAll;
    const Table& boundaries = recording_->require("boundary");
    if (boundaries.size() > 0) last_ = boundaries.time(boundaries.size() - 1);
  }

  ReplayOutcome fly(const ReplayRecording& record) {
    Assembly flight = assembled();
    require_live_parts(flight.run);
    describe(flight.run);
    RowComparison comparison(*recording_, rules(), record.sink);
    StreamRecorderSetup setup;
    setup.meta = recording_meta(spec_, recording_->meta.tier, record.build);
    setup.wind_is_linear = spec_.spec.world.wind.rule == WindRule::kLinear;
    StreamRecorder recorder(std::move(setup), comparison);
    Observers observers{{}, {}, {&recorder}};
    fly_to_the_end(flight.run, observers);
    note_program(flight.run);
    outcome_.tables = comparison.verdicts();
    outcome_.end = std::min(flight.run.now(), last_);
    outcome_.recorded_digest = recording_->end.flight_digest;
    const bool comparable = !is_component() && !lacks_report_ && recording_->end.complete &&
                            outcome_.stopped.empty() && !outcome_.interrupted;
    if (comparable) outcome_.digest = flight.run.digest();
    return std::move(outcome_);
  }

 private:
  [[nodiscard]] bool is_component() const { return plan_->mode == ReplayMode::kComponent; }
  [[nodiscard]] bool is_complete() const { return recording_->end.complete; }

  /// A part that the recording does not hold is live in any case, if there is one.
  [[nodiscard]] bool acts(FlightPart part) const {
    if (is_live(*plan_, part)) return true;
    if (recorded_signals(*recording_, part).bits != 0) return false;
    return has_part(spec_.spec, part);
  }

  [[nodiscard]] ActingOwners acting() const {
    std::bitset<kFlightParts.size()> live;
    for (const FlightPart part : kFlightParts) live.set(static_cast<std::size_t>(part), acts(part));
    return acting_owners(live, !is_component());
  }

  /// A flight need not have every part: no instruments, no wind.
  void require_live_parts(const Run& run) const {
    for (const FlightPart part : plan_->live) {
      const bool there =
          std::any_of(run.sources().begin(), run.sources().end(), [part](const auto& source) {
            return (source->info().writes & signals_of(part)).bits != 0;
          });
      if (there) continue;
      throw Error(ExitCode::kBadInput,
                  fmt::format("the flight of \"{}\" has no {}, so there is none to run live",
                              recording_->meta.name, to_text(part)));
    }
  }

  void require_possible() const {
    const RecordingMeta& meta = recording_->meta;
    if (!is_component() || plan_->component != FlightPart::kAutopilot) require_plant(*recording_);
    if (is_component() && meta.tier < Tier::kComponents) {
      throw Error(ExitCode::kBadInput,
                  fmt::format("a replay of the {} alone needs what it read and wrote, but the "
                              "recording of \"{}\" is of tier 0; record it at tier 1",
                              to_text(plan_->component), meta.name));
    }
    const bool of_instruments = is_component() && plan_->component == FlightPart::kInstruments;
    if (of_instruments && !meta.counts.instruments.any()) {
      throw Error(ExitCode::kBadInput,
                  fmt::format("the vehicle of \"{}\" carries no instruments (sensors.fitted = "
                              "false), so there is nothing to replay",
                              meta.name));
    }
    if (lacks_report_ && is_live(*plan_, FlightPart::kLand)) {
      throw Error(ExitCode::kBadInput,
                  fmt::format("the land detector reads the autopilot's report, which the recording "
                              "of \"{}\" does not hold; let the autopilot be live too, or record "
                              "it at tier 1",
                              meta.name));
    }
    if (!is_live(*plan_, FlightPart::kAutopilot)) return;
    if (spec_.spec.autopilot == AutopilotKind::kNone) {
      throw Error(
          ExitCode::kBadInput,
          fmt::format("\"{}\" has no autopilot (autopilot.kind = \"none\"), so there is none "
                      "to run live",
                      meta.name));
    }
    if (recording_->commanded_externally()) {
      throw Error(
          ExitCode::kBadInput,
          fmt::format("the commands of \"{}\" came from outside, so its autopilot cannot run "
                      "live; its commands can be replayed",
                      meta.name));
    }
    const ExternalSpec& external = spec_.spec.external;
    if (is_external_program(spec_.spec.autopilot) && (external.free || external.wait)) {
      const char* const why =
          external.free ? "flew free, which no flight repeats" : "was started by you";
      throw Error(
          ExitCode::kBadInput,
          fmt::format("the autopilot of \"{}\" was a program that {}, so it cannot run live; "
                      "its commands can be replayed",
                      meta.name, why));
    }
  }

  [[nodiscard]] Assembly assembled() const {
    std::vector<std::unique_ptr<Source>> sources;
    for (const FlightPart part : kFlightParts) {
      if (is_live(*plan_, part)) continue;
      if (auto source = played_part(recording_, part, bring_back_)) {
        sources.push_back(std::move(source));
      }
    }
    AssembleOptions options;
    options.external = external_autopilots({.interrupted = plan_->interrupted,
                                            .from_ground_station = from_ground_station(*recording_),
                                            .outside = recorded_outside(*recording_)});
    if (is_live(*plan_, FlightPart::kAutopilot)) {
      std::vector<TimeUs> ticks = held_ticks(*recording_);
      if (!ticks.empty()) {
        sources.push_back(
            autopilot_with_gaps(spec_.spec, options.external.get(), std::move(ticks)));
      }
    }
    for (const std::unique_ptr<Source>& source : sources) options.instead.push_back(source.get());
    std::unique_ptr<Plant> plant;
    if (is_component()) plant = make_replay_plant(recording_);
    options.plant_instead = plant.get();
    return assemble(spec_.spec, options);
  }

  void describe(const Run& run) {
    (is_component() ? outcome_.played : outcome_.live).emplace_back("plant");
    for (const std::unique_ptr<Source>& source : run.sources()) {
      const SourceInfo info = source->info();
      const bool played = info.mode == SourceMode::kReplay;
      (played ? outcome_.played : outcome_.live)
          .push_back(played ? to_text(info.writes) : info.name);
    }
    if (!is_complete()) {
      outcome_.notes.push_back(fmt::format(
          "the recording is not complete: it is replayed up to t = {}", to_text(last_)));
    }
    if (is_component()) return;
    if (lacks_report_) {
      outcome_.notes.emplace_back(
          "the recording does not hold the autopilot's report: its part of log, chain and events "
          "is not compared, nor is the flight digest; one of tier 1 holds it");
    }
    if (lacks_watches_) {
      outcome_.notes.emplace_back(
          "the scenario has conditions that were found in flight; their instants come back as "
          "scheduled ones, so the solver's work is not compared");
    }
  }

  [[nodiscard]] ComparisonRules rules() const {
    ComparisonRules rules;
    rules.table = [this](const TableLayout& table) { return counts(table); };
    rules.field = [this](const TableLayout&, const RowField& field) { return counts(field); };
    rules.row = [this](const TableLayout& table, const std::byte* row) {
      return counts(table, row);
    };
    return rules;
  }

  [[nodiscard]] bool counts(const TableLayout& table) const {
    if (!is_component()) return table.name != "rhs_trace" || !lacks_watches_;
    const SignalSet outputs = signals_of(plan_->component);
    for (std::size_t i = 0; i < kSignals; ++i) {
      const auto signal = static_cast<Signal>(i);
      if (outputs.has(signal) && table.name == to_text(signal)) return true;
    }
    return false;
  }

  /// What is played asks for its boundaries, so which were asked for is another matter.
  [[nodiscard]] bool counts(const RowField& field) const {
    const std::string& path = field.path;
    if (path == "/time/boundary_instant") return false;
    // In another flight boundaries are found elsewhere, so the same instants have other numbers.
    if (changed_ && path.starts_with("/time/") && path.ends_with("_boundary")) return false;
    if (lacks_watches_) {
      if (path == "/time/boundary_found" || path.starts_with("/log/solver/")) return false;
    }
    if (!lacks_report_) return true;
    return !path.starts_with("/log/autopilot/") && path != "/chain/autopilot" &&
           path != "/chain/flight_digest";
  }

  /// Without its report there are no events of the autopilot but its own notes.
  [[nodiscard]] bool counts(const TableLayout& table, const std::byte* row) const {
    if (!lacks_report_ || table.name != "events") return true;
    const RowField* const who = table.find("/events/who");
    const RowField* const what = table.find("/events/what");
    return who == nullptr || what == nullptr ||
           text(*who, row) != to_text(FlightPart::kAutopilot) || !is_status_event(text(*what, row));
  }

  /// What an external autopilot that ran again depends on may be another thing by now.
  void note_program(const Run& run) {
    for (const std::unique_ptr<Source>& source : run.sources()) {
      const auto* const autopilot = dynamic_cast<const AutopilotSource*>(source.get());
      if (autopilot == nullptr) continue;
      for (std::string& sentence : program_sentences(recorded_program(*recording_),
                                                     autopilot->autopilot().program_facts())) {
        outcome_.notes.push_back(std::move(sentence));
      }
    }
  }

  void fly_to_the_end(Run& run, Observers& observers) {
    try {
      tactus::fly(run, observers, [&] {
        outcome_.interrupted = plan_->interrupted && plan_->interrupted();
        return outcome_.interrupted || (!is_complete() && run.now() > last_);
      });
    } catch (const Error& error) {
      const bool as_recorded = !is_complete() && run.now() >= last_;
      if (error.code() != ExitCode::kDifferent && !as_recorded) throw;
      (as_recorded ? outcome_.notes.emplace_back() : outcome_.stopped) = error.what();
    }
  }

  std::shared_ptr<const Recording> recording_;
  const ReplayPlan* plan_;
  ReplayOutcome outcome_;
  LoadedSpec spec_;
  bool changed_;  ///< another spec than the recorded one
  BringBack bring_back_ = BringBack::kScheduled;
  bool lacks_watches_ = false;  ///< conditions are not searched, their instants are scheduled
  bool lacks_report_ = false;   ///< the command is played, what the autopilot reported is not there
  TimeUs last_;                 ///< last boundary of the recording
};

}  // namespace

const char* to_text(ReplayMode mode) {
  switch (mode) {
    case ReplayMode::kFull: return "full";
    case ReplayMode::kPlant: return "plant";
    case ReplayMode::kLive: return "live";
    case ReplayMode::kComponent: return "component";
  }
  return "unknown";
}

bool ReplayOutcome::reproduces() const {
  const bool same = std::all_of(tables.begin(), tables.end(),
                                [](const TableVerdict& table) { return table.equal(); });
  return same && stopped.empty() && !interrupted && (!digest || *digest == recorded_digest);
}

ReplayOutcome replay(const std::shared_ptr<const Recording>& recording, const ReplayPlan& plan,
                     const ReplayRecording& record) {
  return Replay(recording, plan).fly(record);
}

}  // namespace tactus
