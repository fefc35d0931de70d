// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The verb `branch`: flies a recorded flight again from an instant on, with changes.

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/branch/report.h"
#include "cli/common/build_identity.h"
#include "cli/common/duration_option.h"
#include "cli/common/output_guard.h"
#include "cli/common/overrides.h"
#include "cli/common/print.h"
#include "cli/common/stop_signal.h"
#include "cli/run/observers.h"
#include "cli/run/options.h"
#include "cli/run/report.h"
#include "cli/verbs.h"
#include "tactus/core/error.h"
#include "tactus/core/fp_environment.h"
#include "tactus/core/printable.h"
#include "tactus/record/csv_log.h"
#include "tactus/record/hdf5/file_sink.h"
#include "tactus/record/hdf5/flight_file.h"
#include "tactus/replay/branch/branch_flight.h"

namespace tactus::cli {
namespace {

struct BranchOptions {
  std::string parent;
  std::string at;
  std::vector<std::string> sets;
  std::vector<std::string> events;
  std::string record;
  int tier = -1;  ///< −1: as the parent
  std::string snapshots;
  std::string log;
  bool quick = false;
  bool json = false;
};

BranchSetup setup_of(const BranchOptions& options) {
  BranchSetup setup;
  setup.parent = read_flight(options.parent);
  setup.parent_name = valid_utf8(std::filesystem::path(options.parent).filename().string());
  setup.at = TimeUs{} + parse_duration(options.at, "--at");
  setup.overrides = overrides_of(options.sets);
  setup.events = options.events;
  if (options.tier >= 0) setup.tier = static_cast<Tier>(options.tier);
  if (!options.snapshots.empty()) {
    setup.snapshots = duration_option(options.snapshots, "--snapshots");
  }
  setup.quick = options.quick;
  setup.build = build_identity();
  return setup;
}

/// A log is of the whole flight.
void refuse_log(const BranchOptions& options, const Branch& branch) {
  if (options.log.empty() || branch.from().us == 0) return;
  throw Error(
      ExitCode::kBadInput,
      fmt::format("--log: {} is a branch itself and is flown on from its snapshot at {}, so "
                  "there would be no log before; use --record and `tactus export`",
                  options.parent, to_text(branch.from())));
}

std::vector<std::string> files_of(const BranchOptions& options) {
  std::vector<std::string> files;
  if (!options.log.empty()) files.push_back(options.log);
  if (!options.record.empty()) files.push_back(options.record);
  return files;
}

void branch_verb(const BranchOptions& options, int& code) {
  require_same_bits();
  listen_to_stop_signals();
  const NamedInput parent{"RECORDING", options.parent};
  const NamedOutput outputs[] = {{"--record", options.record, kRecordingRules},
                                 {"--log", options.log, kLogRules}};
  auto reserved = reserve_outputs({&parent, 1}, outputs);
  const BranchSetup setup = setup_of(options);
  Branch branch(setup);
  refuse_log(options, branch);
  const Spec& spec = branch.changed().spec;
  // How long it flies is known now.
  if (!options.snapshots.empty()) parse_snapshots(options.snapshots, spec.timeline.end);
  ProgressLine progress(spec, options.json);
  BranchFlightOptions how;
  how.parent = options.parent;
  how.record = std::move(reserved[0]);
  how.log = std::move(reserved[1]);
  if (progress.shown()) how.hooks.push_back(&progress);
  how.interrupted = asked_to_stop;
  const BranchFlight flown = fly_branch(setup, branch, std::move(how));
  if (options.json) {
    print_format("{}\n", branch_json(flown, files_of(options)));
  } else {
    print_format("{}{}", summary_text(flown.flight, files_of(options)), origin_text(flown.origin));
  }
  // What has been flown is reported first.
  if (flown.flight.file_error) throw Error(*flown.flight.file_error);
  code = static_cast<int>(exit_code(flown.flight.verdict));
}

}  // namespace

void add_branch_verb(Verb& app, int& exit_code) {
  const auto options = std::make_shared<BranchOptions>();
  Verb* verb =
      app.add_subcommand("branch", "fly a recording again from an instant on, with changes");
  verb->add_option("RECORDING", options->parent, "the flight to branch from")->required();
  verb->add_option("--at", options->at, "where, with a unit: 12.3s; the next boundary counts")
      ->type_name("TIME")
      ->required();
  verb->add_option("--set", options->sets, "KEY=VALUE: change a key of the spec; repeatable")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  verb->add_option("--event", options->events,
                   "another event, e.g. \"at=15s do=motor_off rotor=front_left\"; repeatable")
      ->type_name("EVENT")
      ->allow_extra_args(false);
  CLI::Option* record =
      verb->add_option("--record", options->record, "write the new flight")->type_name("FILE");
  verb->add_option("--tier", options->tier, "how much is recorded; default: as the parent")
      ->check(CLI::Range(0, 2))
      ->needs(record);
  verb->add_option("--snapshots", options->snapshots, "save the run every TIME, to branch again")
      ->type_name("TIME")
      ->needs(record);
  CLI::Option* log =
      verb->add_option("--log", options->log, "write the log as CSV")->type_name("FILE");
  verb->add_flag("--quick", options->quick,
                 "begin at the last snapshot before; expectations are not judged then")
      ->excludes(log);
  verb->add_flag("--json", options->json, "print the summary as JSON");
  verb->callback([options, &exit_code] { branch_verb(*options, exit_code); });
}

}  // namespace tactus::cli
