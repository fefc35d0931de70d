// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The verb `run`: flies a spec and reports what happened; with --seeds, many times. Its parts are
// in cli/run/.

#include <memory>
#include <string>
#include <vector>

#include "cli/common/stop_signal.h"
#include "cli/run/modes.h"
#include "cli/run/options.h"
#include "cli/verbs.h"
#include "tactus/core/fp_environment.h"
#include "tactus/spec/schema/schema_enums.h"

namespace tactus::cli {
namespace {

void run_verb(const RunOptions& options, int& code) {
  require_same_bits();
  listen_to_stop_signals();
  code = static_cast<int>(options.seeds.empty() ? run_single(options) : run_seeds(options));
}

void add_autopilot_options(Verb& verb, RunOptions& options) {
  verb.add_option("--autopilot", options.autopilot, "what flies it (docs/autopilots.md)")
      ->check(CLI::IsMember(
          std::vector<std::string>(kNames<AutopilotKind>.begin(), kNames<AutopilotKind>.end())));
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
  verb.add_flag("--attach", options.attach,
                "ground stations and scripts may talk to PX4 or ArduPilot at its own ports; "
                "recorded (docs/conductor.md)");
  verb.add_flag("--free", options.free,
                "an external autopilot not under the conductor: no two flights are alike");
}

std::string require_file(const std::string& text) {
  return text == "-" ? "must be the name of a file; \"-\" is none" : "";
}

}  // namespace

void add_run_verb(Verb& app, int& exit_code) {
  const auto options = std::make_shared<RunOptions>();
  Verb* verb = app.add_subcommand("run", "fly a spec and report what happened");
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
  CLI::Option* trace =
      verb->add_option("--trace-autopilot", options->trace_autopilot,
                       "write what px4-sitl or ardupilot does (docs/autopilot_trace.md)")
          ->type_name("FILE");
  trace->check(require_file, "");
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
                 "check at every boundary that a saved copy continues with the same bits, and what "
                 "the vehicle's model remembers against a recomputation");
  CLI::Option* seeds =
      verb->add_option("--seeds", options->seeds, "fly every seed of a range: 0..999")
          ->type_name("A..B");
  seeds->excludes(seed)->excludes(speed)->excludes(log)->excludes(record)->excludes(trace);
  verb->add_option("--jobs", options->jobs, "flights at the same time; default: one per processor")
      ->check(CLI::Range(1, 1024))
      ->needs(seeds);
  verb->callback([options, &exit_code] { run_verb(*options, exit_code); });
}

}  // namespace tactus::cli
