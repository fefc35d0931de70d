// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/flight/flight.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <utility>

#include "tactus/core/fp_environment.h"
#include "tactus/engine/sources.h"
#include "tactus/flight/external/external_autopilots.h"
#include "tactus/flight/pace/pacer.h"
#include "tactus/flight/sentence.h"
#include "tactus/record/csv_log.h"
#include "tactus/scenario/warnings.h"

namespace tactus {
namespace {

Verdict verdict_of(bool finished, const FlightOutcome& outcome) {
  if (!finished) return Verdict::kInterrupted;
  if (outcome.crashed()) return Verdict::kCrashed;
  return outcome.passed() ? Verdict::kPassed : Verdict::kFailed;
}

/// What an external autopilot has to say about its flight.
std::vector<std::string> autopilot_warnings(const Run& run) {
  for (const std::unique_ptr<Source>& source : run.sources()) {
    const auto* const autopilot = dynamic_cast<const AutopilotSource*>(source.get());
    if (autopilot != nullptr) return autopilot->autopilot().warnings();
  }
  return {};
}

/// A file that would stay empty was not meant.
void require_rows(const Spec& spec, const FlightOptions& options) {
  if (options.log && spec.log.period.us == 0) {
    throw Error(ExitCode::kBadInput,
                fmt::format("{}: no rows are written because log.period_s = 0 in the spec",
                            options.log->path()));
  }
  require_snapshots(options.record.snapshots, spec);
}

/// The files of one flight, as far as they are wanted.
struct FlightFiles {
  FlightFiles(const LoadedSpec& loaded, FlightOptions& options) {
    const Spec& spec = loaded.spec;
    std::optional<LogProvenance> provenance;
    if (!options.log_plain) provenance = {spec.name, spec.digest, spec.seed};
    if (options.log) log.emplace(std::move(options.log), std::move(provenance));
    if (options.record.file) recording.emplace(loaded, std::move(options.record));
  }

  void add_to(Observers& observers) {
    if (log) observers.sinks.push_back(&*log);
    if (recording) observers.recorders.push_back(&recording->recorder());
  }

  /// What went wrong when they were closed.
  [[nodiscard]] std::optional<Error> error() const {
    const std::optional<Error> of_log = log ? log->error : std::nullopt;
    const std::optional<Error> of_recording = recording ? recording->error() : std::nullopt;
    if (!of_log || !of_recording) return of_log ? of_log : of_recording;
    return Error(ExitCode::kEnvironment,
                 fmt::format("{}; and {}", of_recording->what(), of_log->what()));
  }

  std::optional<LogToTheEnd> log;
  std::optional<FlightRecording> recording;
};

}  // namespace

void add_warnings_of_flight(const LoadedSpec& loaded, Flight& flight) {
  const bool from_start = flight.facts.begin.us == 0;
  if (flight.verdict == Verdict::kInterrupted || !from_start) return;
  for (std::string& line : warning_lines(
           loaded, idle_warnings_of_flight(flight.spec, flight.records, flight.outcome))) {
    flight.warnings.push_back(std::move(line));
  }
}

std::vector<std::string> failures(const Flight& flight) {
  std::vector<std::string> list;
  for (const ExpectationResult& result : flight.outcome.results) {
    if (result.failed()) list.push_back(fmt::format("{}: {}", result.id, result.message));
  }
  return list;
}

const char* to_text(Verdict verdict) {
  constexpr const char* kTexts[] = {"passed", "failed", "crashed", "interrupted"};
  return kTexts[static_cast<std::size_t>(verdict)];
}

ExitCode exit_code(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPassed: return ExitCode::kOk;
    case Verdict::kInterrupted: return ExitCode::kInterrupted;
    case Verdict::kFailed:
    case Verdict::kCrashed: return ExitCode::kCheckFailed;
  }
  return ExitCode::kCheckFailed;
}

Flight flight_of(const Spec& spec, const Run& run, const FlightSummary& summary,
                 const ExpectationMonitor& monitor) {
  Flight flight;
  flight.spec = spec;
  flight.events = scenario_events(spec);
  flight.records = event_records(run);
  flight.facts = summary.facts();
  flight.outcome = monitor.outcome();
  if (flight.facts.begin.us > 0) {
    flight.judged = flight.outcome.results.empty();
    flight.outcome.results.clear();
  }
  flight.boundaries = run.boundaries();
  flight.solver = run.plant().totals();
  flight.digest = run.digest();
  flight.verdict = verdict_of(run.finished(), flight.outcome);
  flight.sentence = sentence_of(flight);
  return flight;
}

Flight fly(const LoadedSpec& loaded, FlightOptions options) {
  require_same_bits();
  require_rows(loaded.spec, options);
  const auto start = std::chrono::steady_clock::now();
  AssembleOptions how;
  how.external = external_autopilots(
      {.interrupted = options.interrupted, .clocks = options.clocks, .tell = options.tell});
  Assembly assembly = assemble(loaded, how);
  std::vector<std::string> warnings = spec_warnings(loaded);
  FlightSummary summary(vehicle_type(loaded.spec), assembly.run.counts());
  FlightFiles files(loaded, options);
  DigestChain chain;
  Pacer pacer(options.mode.value_or(usual_mode(takes_visitors(loaded.spec))), options.interrupted);

  Observers observers;
  observers.hooks = options.hooks;
  if (pacer.holds_back()) observers.hooks.push_back(&pacer);
  observers.hooks.push_back(&summary);
  observers.hooks.push_back(assembly.monitor.get());
  observers.recorders.push_back(&chain);
  files.add_to(observers);
  if (options.validate) {
    fly_validated(assembly.run, observers, options.interrupted);
  } else {
    fly(assembly.run, observers, options.interrupted);
  }

  Flight flight = flight_of(loaded.spec, assembly.run, summary, *assembly.monitor);
  flight.chain = chain.links();
  flight.notes = assembly.notes;
  flight.warnings = std::move(warnings);
  add_warnings_of_flight(loaded, flight);
  for (std::string& warning : autopilot_warnings(assembly.run)) {
    flight.notes.push_back(std::move(warning));
  }
  if (files.recording) flight.recording = files.recording->file();
  flight.file_error = files.error();
  flight.flying_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return flight;
}

}  // namespace tactus
