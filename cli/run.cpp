// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The verb `run`: flies a spec and tells what happened; with --seeds, many times. Its parts are in
// cli/run/.

#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/output_guard.h"
#include "cli/print.h"
#include "cli/run/flight.h"
#include "cli/run/junit.h"
#include "cli/run/names.h"
#include "cli/run/onlookers.h"
#include "cli/run/options.h"
#include "cli/run/report.h"
#include "cli/run/seeds.h"
#include "cli/run/suite.h"
#include "cli/stop_signal.h"
#include "cli/verbs.h"
#include "tactus/core/fp_environment.h"
#include "tactus/core/text.h"
#include "tactus/record/csv_log.h"
#include "tactus/scenario/assembly.h"

namespace tactus::cli {
namespace {

/// Warnings fail a strict run that passed otherwise; true: this one.
bool fail_strictly(const RunOptions& options, const std::vector<std::string>& warnings) {
  if (!options.strict || warnings.empty()) return false;
  if (options.json || options.quiet) {
    for (const std::string& warning : warnings) complain(warning);
  }
  complain(fmt::format("--strict: {} warning{}", warnings.size(), warnings.size() == 1 ? "" : "s"));
  return true;
}

void write_single_junit(OutputFile* file, const RunOptions& options, const TestSuite& suite) {
  if (file != nullptr) write_junit(*file, "tactus run " + options.spec, {suite});
}

/// With --strict a warning is a case of its own.
TestSuite suite_of(const RunOptions& options, const Flight& flight, double wall_s) {
  TestSuite suite = suite_of(options.spec, flight, wall_s);
  if (options.strict) suite.cases.push_back(case_of_warnings(flight.warnings));
  return suite;
}

/// Of a flight that did not get to an end.
TestSuite suite_of_error(const RunOptions& options, const LoadedSpec& loaded, const Error& error) {
  const std::string seed = format_integer(loaded.spec.seed);
  return {"tactus run " + options.spec,
          class_name_of(flight_name(loaded.spec)),
          {{"seed", seed}, {"spec_digest", to_hex(loaded.spec.digest)}},
          {{kFlightCase, TestCase::Outcome::kError, "error", error.what(), 0.0}}};
}

struct RunOutputs {
  std::unique_ptr<OutputFile> record;
  std::unique_ptr<OutputFile> log;
  std::unique_ptr<OutputFile> junit;
};

RunOutputs reserve_outputs(const RunOptions& options, const LoadedSpec& loaded) {
  const NamedOutput outputs[] = {{"--record", options.record, kRecordingRules},
                                 {"--log", options.log, log_rules(options.log_plain)},
                                 {"--junit", options.junit, kJunitRules}};
  auto files = reserve_outputs(inputs_of(loaded), outputs);
  return {std::move(files[0]), std::move(files[1]), std::move(files[2])};
}

/// What went wrong, where the summary is not printed.
void complain_about(const Flight& flight) {
  complain(flight.sentence);
  if (flight.verdict != Verdict::kFailed) return;
  for (const std::string& failure : failures(flight)) complain("  " + failure);
  for (const std::string& warning : flight.warnings) complain("  " + warning);
}

/// People and their ground stations live in real time.
std::optional<double> speed_of(const RunOptions& options, const Spec& spec) {
  if (!options.speed.empty()) return parse_speed(options.speed);
  if (!spec.ground_station.enabled) return std::nullopt;
  if (!options.quiet) complain("with a ground station it flies in real time; --speed changes that");
  return 1.0;
}

std::uint64_t steady_ns() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::nanoseconds(now).count());
}

/// A call of the kernel: some ten times as dear.
std::uint64_t thread_cpu_ns() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U +
         static_cast<std::uint64_t>(now.tv_nsec);
}

Flight fly_timed(const RunOptions& options, const LoadedSpec& loaded, RunOutputs& outputs,
                 WallClock& wall) {
  ProgressLine progress(loaded.spec, options.quiet);
  const std::optional<double> speed = speed_of(options, loaded.spec);
  Pacer pacer(speed.value_or(1.0), asked_to_stop);
  FlightOptions how;
  how.log = std::move(outputs.log);
  how.log_plain = options.log_plain;
  how.record = record_options(options, loaded.spec);
  how.record.file = std::move(outputs.record);
  how.validate = options.validate;
  how.interrupted = asked_to_stop;
  how.clocks.cpu_ns = thread_cpu_ns;
  how.clocks.now_ns = speed ? thread_cpu_ns : steady_ns;  // one that paces itself also sleeps
  if (progress.shown()) how.hooks.push_back(&progress);
  if (speed) how.hooks.push_back(&pacer);
  const auto start = std::chrono::steady_clock::now();
  Flight flight = fly_spec(loaded, std::move(how));
  wall.flying_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return flight;
}

void print_summary(const RunOptions& options, const Flight& flight, const WallClock& wall) {
  std::vector<std::string> files;
  if (!options.log.empty()) files.push_back(options.log);
  if (!options.record.empty()) files.push_back(options.record);
  if (!options.junit.empty()) files.push_back(options.junit);
  if (options.json) {
    say("{}\n", summary_json_text(flight, wall, files));
  } else if (!options.quiet) {
    say("{}", summary_text(flight, wall, files));
  }
  const bool told = !options.json && !options.quiet;
  if (flight.verdict != Verdict::kPassed && !told) complain_about(flight);
}

void run_single(const RunOptions& options, int& code) {
  const LoadedSpec loaded = load(options);
  RunOutputs outputs = reserve_outputs(options, loaded);
  WallClock wall;
  Flight flight;
  try {
    flight = fly_timed(options, loaded, outputs, wall);
  } catch (const Error& error) {
    try {
      write_single_junit(outputs.junit.get(), options, suite_of_error(options, loaded, error));
    } catch (const Error& of_report) {  // why the flight stopped matters more
      complain(of_report.what());
    }
    if (const auto* placed = dynamic_cast<const PlacedError*>(&error)) {
      refuse_option(options, *placed);
    }
    throw;
  }
  // What has been flown is told first: files may still fail.
  print_summary(options, flight, wall);
  try {
    write_single_junit(outputs.junit.get(), options, suite_of(options, flight, wall.flying_s));
  } catch (const Error&) {
    if (flight.file_error) complain(flight.file_error->what());
    throw;
  }
  if (flight.file_error) throw Error(*flight.file_error);
  const bool strict = flight.verdict == Verdict::kPassed && fail_strictly(options, flight.warnings);
  code = static_cast<int>(strict ? ExitCode::kCheckFailed : exit_code(flight.verdict));
}

void run_seeds(const RunOptions& options, int& code) {
  const SeedRange range = parse_seeds(options.seeds);
  // A wrong spec is one error, not one per seed.
  const LoadedSpec loaded = load(options, range.first);
  const Spec& spec = loaded.spec;
  if (spec.ground_station.enabled) {
    throw Error(ExitCode::kBadInput,
                "--seeds flies many at once, and a ground station steers one; leave --gcs away, or "
                "set autopilot.ground_station.enabled=false");
  }
  if (is_program_outside(spec.autopilot)) {
    throw Error(
        ExitCode::kBadInput,
        "--seeds flies in this process and many at once, which an autopilot outside cannot; "
        "use px4-lib or builtin, or one `tactus run --seed N` after the other");
  }
  try {
    assemble(loaded);
  } catch (const PlacedError& error) {
    refuse_option(options, error);
  }
  const RunOutputs outputs = reserve_outputs(options, loaded);
  const std::vector<SeedOutcome> outcomes = fly_seeds(options, range, stop_flag());
  const std::vector<std::string> warnings = seeds_warnings(outcomes);
  const std::string name = flight_name(spec);
  if (options.json) {
    say("{}", seeds_json(options, name, outcomes));
  } else if (!options.quiet) {
    say("{}", seeds_text(options, name, outcomes));
    for (const std::string& warning : warnings) say("  {}\n", warning);
  }
  ExitCode worst = exit_code(outcomes);
  const bool told = !options.json && !options.quiet;
  if (worst != ExitCode::kOk && !told) complain(seeds_sentence(outcomes));
  if (outputs.junit) write_seeds_junit(*outputs.junit, options, name, outcomes);
  if (worst == ExitCode::kOk && fail_strictly(options, warnings)) worst = ExitCode::kCheckFailed;
  code = static_cast<int>(worst);
}

void run_verb(const RunOptions& options, int& code) {
  require_same_bits();
  listen_to_stop_signals();
  if (options.seeds.empty()) {
    run_single(options, code);
  } else {
    run_seeds(options, code);
  }
}

void add_autopilot_options(Verb& verb, RunOptions& options) {
  verb.add_option("--autopilot", options.autopilot,
                  "builtin, none, px4-lib, px4-sitl or ardupilot (docs/autopilots.md)")
      ->check(CLI::IsMember({"builtin", "none", "px4-lib", "px4-sitl", "ardupilot"}));
  verb.add_option("--px4-lib", options.px4_lib, "libpx4_lockstep.so for px4-lib")
      ->type_name("FILE");
  verb.add_option("--px4-bin", options.px4_bin, "program px4 for px4-sitl")->type_name("FILE");
  verb.add_option("--px4-romfs", options.px4_romfs, "its start-up scripts, if not beside it")
      ->type_name("FOLDER");
  verb.add_option("--ardupilot-bin", options.ardupilot_bin, "program arducopter for ardupilot")
      ->type_name("FILE");
  verb.add_option("--gcs", options.gcs,
                  "talk to a MAVLink ground station: 14550 (docs/ground_station.md)")
      ->type_name("[HOST:]PORT");
  verb.add_flag("--wait", options.wait, "wait for an autopilot that you start");
  verb.add_flag("--repeatable", options.repeatable,
                "run an autopilot outside so that its flight can be repeated bit by bit");
}

std::string require_file(const std::string& text) {
  return text == "-" ? "must be the name of a file; \"-\" is none" : "";
}

}  // namespace

void add_run_verb(Verb& app, int& exit_code) {
  const auto options = std::make_shared<RunOptions>();
  Verb* verb = app.add_subcommand("run", "fly a spec and tell what happened");
  verb->add_option("SPEC", options->spec, "file, or name in scenarios/ or aircraft/")
      ->default_str(kDefaultSpec);
  verb->add_option("--set", options->sets, "KEY=VALUE: change a key of the spec; repeatable")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  CLI::Option* seed = verb->add_option("--seed", options->seed, "seed of all random numbers");
  verb->add_option("--t-end", options->t_end, "length of the run, with a unit: 60s, 1.5min")
      ->type_name("TIME");
  verb->add_option("--mission", options->mission, "mission file, or name in missions/")
      ->type_name("FILE");
  add_autopilot_options(*verb, *options);
  CLI::Option* speed =
      verb->add_option("--speed", options->speed, "max, or times real time: 1 is real time");
  CLI::Option* log =
      verb->add_option("--log", options->log, "write the log as CSV")->type_name("FILE");
  log->check(require_file, "");
  verb->add_flag("--log-plain", options->log_plain, "leave the comment lines of the log out")
      ->needs(log);
  CLI::Option* record =
      verb->add_option("--record", options->record, "write a recording (HDF5) that can be replayed")
          ->type_name("FILE");
  record->check(require_file, "");
  verb->add_option("--tier", options->tier,
                   "of the recording: 0 replays the plant, 1 every component, 2 every evaluation")
      ->check(CLI::Range(0, 2))
      ->needs(record);
  verb->add_option("--snapshots", options->snapshots,
                   "time between states in the recording, so that branching is instant: 5s")
      ->type_name("TIME")
      ->needs(record);
  verb->add_option("--log-period", options->log_period, "time between rows, with a unit: 20ms")
      ->type_name("TIME");
  verb->add_option("--junit", options->junit, "write the outcome as JUnit XML")
      ->type_name("FILE")
      ->check(require_file, "");
  verb->add_flag("--json", options->json, "print the summary as JSON");
  verb->add_flag("--quiet", options->quiet, "print nothing but what went wrong");
  verb->add_flag("--strict", options->strict,
                 "warnings fail the run: events that never happen, implausible vehicles");
  verb->add_flag("--validate", options->validate,
                 "check at every boundary that a saved copy continues with the same bits");
  CLI::Option* seeds =
      verb->add_option("--seeds", options->seeds, "fly every seed of a range: 0..999")
          ->type_name("A..B");
  seeds->excludes(seed)->excludes(speed)->excludes(log)->excludes(record);
  verb->add_option("--jobs", options->jobs, "flights at the same time; default: one per processor")
      ->check(CLI::Range(1, 1024))
      ->needs(seeds);
  verb->callback([options, &exit_code] { run_verb(*options, exit_code); });
}

}  // namespace tactus::cli
