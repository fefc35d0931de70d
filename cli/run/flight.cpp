// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/run/flight.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "cli/run/sentence.h"
#include "tactus/core/fp_environment.h"
#include "tactus/engine/sources.h"
#include "tactus/record/csv_log.h"
#include "tactus/scenario/assembly.h"
#include "tactus/scenario/warnings.h"

namespace tactus::cli {
namespace {

Verdict verdict_of(bool finished, const FlightOutcome& outcome) {
  if (!finished) return Verdict::kInterrupted;
  if (outcome.crashed()) return Verdict::kCrashed;
  return outcome.passed() ? Verdict::kPassed : Verdict::kFailed;
}

/// What an autopilot outside has to say about its flight.
std::vector<std::string> autopilot_warnings(const Run& run) {
  for (const std::unique_ptr<Source>& source : run.sources()) {
    const auto* const autopilot = dynamic_cast<const AutopilotSource*>(source.get());
    if (autopilot != nullptr) return autopilot->autopilot().warnings();
  }
  return {};
}

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
    if (!result.passed) list.push_back(fmt::format("{}: {}", result.id, result.message));
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

Flight fly_spec(const LoadedSpec& loaded, FlightOptions options) {
  require_same_bits();
  const Spec& spec = loaded.spec;
  AssembleOptions how;
  how.help.interrupted = options.interrupted;
  how.help.clocks = options.clocks;
  Assembly assembly = assemble(loaded, how);
  std::vector<std::string> warnings = spec_warnings(loaded);
  FlightSummary summary(assembly.run.counts());
  std::optional<LogProvenance> provenance;
  if (!options.log_plain) provenance = {spec.name, spec.digest, spec.seed};
  std::optional<LogToTheEnd> log;
  if (options.log) log.emplace(std::move(options.log), std::move(provenance));
  DigestChain chain;
  std::optional<FlightRecording> recording;
  if (options.record.file) recording.emplace(loaded, std::move(options.record));

  Observers observers;
  observers.hooks = options.hooks;
  observers.hooks.push_back(&summary);
  observers.hooks.push_back(assembly.monitor.get());
  if (log) observers.sinks.push_back(&*log);
  observers.recorders.push_back(&chain);
  if (recording) observers.recorders.push_back(&recording->recorder());
  (options.validate ? fly_validated : fly)(assembly.run, observers, options.interrupted);

  Flight flight = flight_of(spec, assembly.run, summary, *assembly.monitor);
  flight.chain = chain.links();
  flight.notes = assembly.notes;
  flight.warnings = std::move(warnings);
  add_warnings_of_flight(loaded, flight);
  for (std::string& warning : autopilot_warnings(assembly.run)) {
    flight.notes.push_back(std::move(warning));
  }
  if (log) flight.file_error = log->error;
  if (recording) {
    flight.recording = recording->file();
    if (recording->error() && flight.file_error) {
      flight.file_error =
          Error(ExitCode::kEnvironment,
                fmt::format("{}; and {}", recording->error()->what(), flight.file_error->what()));
    } else if (recording->error()) {
      flight.file_error = recording->error();
    }
  }
  return flight;
}

}  // namespace tactus::cli
