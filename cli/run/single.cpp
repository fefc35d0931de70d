// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include <chrono>
#include <ctime>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/common/build_identity.h"
#include "cli/common/output_guard.h"
#include "cli/common/print.h"
#include "cli/common/stop_signal.h"
#include "cli/run/modes.h"
#include "cli/run/observers.h"
#include "cli/run/outputs.h"
#include "cli/run/report.h"
#include "tactus/flight/flight.h"
#include "tactus/flight/report/flight_json.h"
#include "tactus/flight/report/flight_suite.h"
#include "tactus/replay/trace/autopilot_trace.h"

namespace tactus::cli {
namespace {

/// What went wrong, where the summary is not printed.
void print_failure(const Flight& flight) {
  print_error(flight.sentence);
  if (flight.verdict != Verdict::kFailed) return;
  for (const std::string& failure : failures(flight)) print_error("  " + failure);
  for (const std::string& warning : flight.warnings) print_error("  " + warning);
}

std::uint64_t steady_ns() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::nanoseconds(now).count());
}

/// A call of the kernel: about ten times slower.
std::uint64_t thread_cpu_ns() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U +
         static_cast<std::uint64_t>(now.tv_nsec);
}

Flight fly_shown(const RunOptions& options, const LoadedSpec& loaded, RunOutputs& outputs) {
  ProgressLine progress(loaded.spec, options.quiet);
  const bool watched = takes_visitors(loaded.spec);
  FlightOptions how;
  how.mode = mode_of_speed(options.speed, watched, options.quiet).value_or(usual_mode(watched));
  how.log = std::move(outputs.log);
  how.log_plain = options.log_plain;
  how.record = record_options(options, loaded.spec);
  how.record.build = build_identity();
  how.record.file = std::move(outputs.record);
  how.validate = options.validate;
  how.interrupted = asked_to_stop;
  how.tell = print_error;
  how.clocks.cpu_ns = thread_cpu_ns;
  const bool paced = how.mode->kind != TimeMode::Kind::kLockstep;
  how.clocks.now_ns = paced ? thread_cpu_ns : steady_ns;  // one that paces itself also sleeps
  if (outputs.trace) {
    outputs.trace->append(kTraceHead);
    outputs.trace->begin();
    how.autopilot_trace = outputs.trace->path();
  }
  if (progress.shown()) how.hooks.push_back(&progress);
  return fly(loaded, std::move(how));
}

void print_summary(const RunOptions& options, const Flight& flight) {
  std::vector<std::string> files;
  if (!options.log.empty()) files.push_back(options.log);
  if (!options.record.empty()) files.push_back(options.record);
  if (!options.junit.empty()) files.push_back(options.junit);
  if (!options.trace_autopilot.empty()) files.push_back(options.trace_autopilot);
  if (options.json) {
    print_format("{}\n", flight_json(flight, files));
  } else if (!options.quiet) {
    print_format("{}", summary_text(flight, files));
  }
  const bool printed = !options.json && !options.quiet;
  if (flight.verdict != Verdict::kPassed && !printed) print_failure(flight);
}

}  // namespace

ExitCode run_single(const RunOptions& options) {
  const LoadedSpec loaded = load(options);
  RunOutputs outputs = reserve_outputs(options, loaded);
  Flight flight;
  try {
    flight = fly_shown(options, loaded, outputs);
  } catch (const Error& error) {
    try {
      if (outputs.junit) write_file(*outputs.junit, error_junit(options.spec, loaded, error));
    } catch (const Error& of_report) {  // why the flight stopped matters more
      print_error(of_report.what());
    }
    if (const auto* placed = dynamic_cast<const PlacedError*>(&error)) {
      refuse_option(options, *placed);
    }
    throw;
  }
  // What has been flown is reported first: files may still fail.
  print_summary(options, flight);
  try {
    if (outputs.junit) {
      write_file(*outputs.junit, flight_junit(options.spec, flight, options.strict));
    }
  } catch (const Error&) {
    if (flight.file_error) print_error(flight.file_error->what());
    throw;
  }
  if (flight.file_error) throw Error(*flight.file_error);
  if (outputs.trace) outputs.trace->publish();
  const bool strict = flight.verdict == Verdict::kPassed && fail_strictly(options, flight.warnings);
  return strict ? ExitCode::kCheckFailed : exit_code(flight.verdict);
}

}  // namespace tactus::cli
