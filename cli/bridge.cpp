// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The verb `bridge`: flies a fleet, many vehicles in many simulators on one clock, and reports what
// happened. Its parts are in cli/bridge/.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/bridge/fleet_report.h"
#include "cli/common/build_identity.h"
#include "cli/common/output_guard.h"
#include "cli/common/overrides.h"
#include "cli/common/print.h"
#include "cli/common/stop_signal.h"
#include "cli/run/options.h"
#include "cli/verbs.h"
#include "tactus/fleet/fleet_flight.h"
#include "tactus/fleet/fleet_json.h"

namespace tactus::cli {
namespace {

struct BridgeVerbOptions {
  std::string fleet;
  std::vector<std::string> sets;
  std::string speed;
  std::string record;
  int tier = 0;
  int threads = 1;
  bool ground_stations = false;
  bool json = false;
  bool quiet = false;
};

FleetChanges changes_of(const BridgeVerbOptions& options) {
  FleetChanges changes;
  changes.specs = overrides_of(options.sets);
  changes.ground_stations = options.ground_stations;
  return changes;
}

FleetOptions fleet_options(const BridgeVerbOptions& options, const FleetPlan& plan,
                           LiveTable& table) {
  FleetOptions how;
  how.threads = static_cast<std::size_t>(options.threads);
  how.record = options.record;
  how.tier = static_cast<Tier>(options.tier);
  how.build = build_identity();
  how.interrupted = asked_to_stop;
  how.tell = print_error;
  how.after_step = [&table](Bridge& bridge) { table.show(bridge); };
  how.mode = mode_of_speed(options.speed, is_watched(plan), options.quiet);
  return how;
}

/// Before anything is created.
void require_outputs(const BridgeVerbOptions& options, const std::string& file,
                     const FleetPlan& plan) {
  std::error_code none;
  if (!std::filesystem::is_directory(options.record, none)) return;  // nothing can be in its way
  std::vector<NamedInput> inputs{{"FLEET", file}};
  std::vector<NamedOutput> outputs{{"--record", bridge_recording(options.record), {}}};
  for (const VehiclePlan& one : plan.vehicles) {
    for (NamedInput& input : inputs_of(one.loaded)) inputs.push_back(std::move(input));
    outputs.push_back({"--record", vehicle_recording(options.record, one.id), {}});
  }
  require_outputs(inputs, outputs);
}

void bridge_verb(const BridgeVerbOptions& options, int& code) {
  listen_to_stop_signals();
  const std::string file = find_fleet(options.fleet);
  const FleetPlan plan = load_fleet(file, changes_of(options));
  require_outputs(options, file, plan);
  LiveTable table(plan, options.quiet || options.json);
  const auto begin = std::chrono::steady_clock::now();
  FleetFlight fleet(plan, fleet_options(options, plan, table));
  fleet.fly();
  const double wall_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  table.end();
  if (options.json) {
    print_format("{}\n", fleet_json(plan, fleet, wall_s));
  } else if (!options.quiet) {
    print_format("{}", fleet_text(plan, fleet, wall_s));
  }
  const std::vector<FleetMember> members = fleet.members();
  for (const FleetMember& member : members) {
    const bool printed = !options.quiet && !options.json;
    if (!printed && member.verdict != Verdict::kPassed) {
      print_error(fmt::format("vehicle {}: {}", member.id, member.sentence));
    }
    if (member.file_error) throw Error(*member.file_error);
  }
  if (fleet.file_error()) throw Error(*fleet.file_error());
  code = static_cast<int>(exit_code(members));
}

}  // namespace

void add_bridge_verb(Verb& app, int& exit_code) {
  const auto options = std::make_shared<BridgeVerbOptions>();
  Verb* verb = app.add_subcommand("bridge", "fly many vehicles in many simulators on one clock");
  verb->add_option("FLEET", options->fleet, "fleet file, or its name in scenarios/fleets/")
      ->required();
  verb->add_option("--set", options->sets, "KEY=VALUE: change a key of every vehicle; repeatable")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  verb->add_option("--threads", options->threads, "that work on vehicles at the same time")
      ->check(CLI::Range(1, 256));
  verb->add_flag("--gcs", options->ground_stations,
                 "a MAVLink ground station for every built-in autopilot, on port 14550 + id");
  verb->add_option("--speed", options->speed, "max, or times real time: 1 is real time");
  CLI::Option* const record =
      verb->add_option("--record", options->record,
                       "folder for recordings: one per vehicle, one of the bridge")
          ->type_name("FOLDER");
  verb->add_option("--tier", options->tier, "of the recordings, as of `run`")
      ->check(CLI::Range(0, 2))
      ->needs(record);
  verb->add_flag("--json", options->json, "print the outcome as JSON");
  verb->add_flag("--quiet", options->quiet, "print nothing but what went wrong");
  verb->callback([options, &exit_code] { bridge_verb(*options, exit_code); });
}

}  // namespace tactus::cli
