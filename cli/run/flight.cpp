// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/run/flight.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <string_view>

#include "cli/run/names.h"
#include "cli/run/report.h"
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

/// The message without its first word, which the verdict says already.
std::string crash_text(const FlightOutcome& outcome) {
  constexpr std::string_view kFirstWord = "crashed ";
  const std::string& message = outcome.crash_message;
  return message.starts_with(kFirstWord) ? message.substr(kFirstWord.size()) : message;
}

bool is_fault(ActionKind kind) {
  return lasts(kind) || kind == ActionKind::kDisarm || kind == ActionKind::kParameter;
}

/// ", after motor_off front_right at 20.000 s": the last thing that the scenario did to it.
std::string fault_text(const Flight& flight) {
  const TimeUs crash = flight.outcome.crash_time;
  std::optional<TimeUs> last;
  std::string name;
  for (std::size_t i = 0; i < flight.records.size(); ++i) {
    const EventRecord& record = flight.records[i];
    if (!is_fault(flight.events[i].action.kind) || record.count == 0 || record.first > crash) {
      continue;
    }
    const TimeUs acted = record.last <= crash ? record.last : record.first;
    if (last && acted < *last) continue;
    last = acted;
    name = action_name(flight.events[i]);
  }
  return last ? fmt::format(", after {} at {}", name, seconds(*last)) : "";
}

/// ", failsafe motor_lost at 20.220 s": the last one before the crash.
std::string failsafe_text(const Flight& flight) {
  std::string text;
  for (const auto& failsafe : flight.facts.failsafes) {
    if (failsafe.value == Failsafe::kNone || failsafe.time > flight.outcome.crash_time) continue;
    text = fmt::format(", failsafe {} at {}", to_text(failsafe.value), seconds(failsafe.time));
  }
  return text;
}

std::string failed_text(const FlightOutcome& outcome) {
  constexpr std::size_t kMostNamed = 3;
  std::vector<std::string> ids;
  for (const ExpectationResult& result : outcome.results) {
    if (!result.passed) ids.push_back(result.id);
  }
  const std::size_t failed = ids.size();
  if (failed > kMostNamed) ids.resize(kMostNamed);
  return fmt::format("{} of {} expectations not met: {}{}", failed, outcome.results.size(),
                     fmt::join(ids, ", "), failed > kMostNamed ? ", ..." : "");
}

/// "passed: …", or "flown: …" if nothing was expected.
std::string passed_text(const Flight& flight) {
  const FlightOutcome& outcome = flight.outcome;
  std::string text = outcome.results.empty() ? "flown: " : "passed: ";
  if (flight.facts.mission_finished) text += "mission complete, ";
  text += to_text(outcome.end);
  if (flight.facts.begin.us > 0) return text + " at the end";
  const bool rests = outcome.end == FlightEnd::kLanded || flight.facts.landed;
  return text +
         (rests ? fmt::format(" {:.2f} m from home", flight.facts.home_distance_m) : " at the end");
}

std::string sentence_of(const Flight& flight) {
  const std::string name = flight.spec.name.empty() ? "flight" : flight.spec.name;
  switch (flight.verdict) {
    case Verdict::kPassed: return fmt::format("{}: {}", name, passed_text(flight));
    case Verdict::kFailed: return fmt::format("{}: FAILED: {}", name, failed_text(flight.outcome));
    case Verdict::kCrashed:
      return fmt::format("{}: CRASHED {}{}{}", name, crash_text(flight.outcome), fault_text(flight),
                         failsafe_text(flight));
    case Verdict::kInterrupted:
      return fmt::format("{}: interrupted at {}", name, seconds(flight.facts.end));
  }
  return {};
}

/// A log whose last bytes cannot be written does not take the outcome of a complete flight away.
class LogToTheEnd final : public LogSink {
 public:
  explicit LogToTheEnd(LogSink& log) : log_(&log) {}

  void begin(const VehicleCounts& counts) override { log_->begin(counts); }
  void row(const LogRow& row) override { log_->row(row); }
  void end(Digest128 flight_digest, bool complete) override {
    try {
      log_->end(flight_digest, complete);
    } catch (const Error& error) {
      error_ = error;
    }
  }
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  LogSink* log_;
  std::optional<Error> error_;
};

/// What an autopilot outside has to say about its flight.
std::vector<std::string> autopilot_warnings(const Run& run) {
  for (const std::unique_ptr<Source>& source : run.sources()) {
    const auto* const autopilot = dynamic_cast<const AutopilotSource*>(source.get());
    if (autopilot != nullptr) return autopilot->autopilot().warnings();
  }
  return {};
}

std::vector<std::string> warnings_of(const LoadedSpec& loaded, const Flight& flight) {
  std::vector<std::string> warnings = spec_warnings(loaded);
  if (flight.verdict == Verdict::kInterrupted) return warnings;
  for (std::string& line : warning_lines(
           loaded, idle_warnings_of_flight(flight.spec, flight.records, flight.outcome))) {
    warnings.push_back(std::move(line));
  }
  return warnings;
}

}  // namespace

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

Flight fly_spec(const LoadedSpec& loaded, const FlightOptions& options) {
  require_same_bits();
  const Spec& spec = loaded.spec;
  AssembleOptions how;
  how.help.interrupted = options.interrupted;
  how.help.clocks = options.clocks;
  Assembly assembly = assemble(loaded, how);
  FlightSummary summary(assembly.run.counts());
  CsvLog csv(options.log, {spec.name, spec.digest, spec.seed});
  LogToTheEnd log(csv);
  DigestChain chain;
  std::optional<FlightRecording> recording;
  if (!options.record.path.empty()) recording.emplace(loaded, options.record);

  Observers observers;
  observers.hooks = options.hooks;
  observers.hooks.push_back(&summary);
  observers.hooks.push_back(assembly.monitor.get());
  if (!options.log.empty()) observers.sinks.push_back(&log);
  observers.recorders.push_back(&chain);
  if (recording) observers.recorders.push_back(&recording->recorder());
  (options.validate ? fly_validated : fly)(assembly.run, observers, options.interrupted);

  Flight flight = flight_of(spec, assembly.run, summary, *assembly.monitor);
  flight.chain = chain.links();
  flight.notes = assembly.notes;
  flight.warnings = warnings_of(loaded, flight);
  for (std::string& warning : autopilot_warnings(assembly.run)) {
    flight.notes.push_back(std::move(warning));
  }
  flight.file_error = log.error();
  if (recording) {
    flight.recording = recording->file();
    if (recording->error()) flight.file_error = recording->error();
  }
  return flight;
}

}  // namespace tactus::cli
