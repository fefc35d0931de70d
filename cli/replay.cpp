// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The verb `replay`: flies a recording again and reports whether it comes out the same.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/common/build_identity.h"
#include "cli/common/output_guard.h"
#include "cli/common/overrides.h"
#include "cli/common/print.h"
#include "cli/common/stop_signal.h"
#include "cli/replay/report.h"
#include "cli/verbs.h"
#include "tactus/core/error.h"
#include "tactus/core/fp_environment.h"
#include "tactus/record/hdf5/file_sink.h"
#include "tactus/record/hdf5/flight_file.h"
#include "tactus/replay/playback/override_effect.h"
#include "tactus/replay/replay_json.h"

namespace tactus::cli {
namespace {

struct ReplayOptions {
  std::string file;
  bool plant = false;
  std::vector<std::string> live;
  std::string component;
  std::vector<std::string> sets;
  std::string record;
  bool json = false;
};

std::optional<PlantComponent> plant_component(const std::string& name) {
  for (const PlantComponent part : kPlantComponents) {
    if (name == to_text(part)) return part;
  }
  return std::nullopt;
}

/// What can be live alone.
std::vector<std::string> component_names() {
  std::vector<std::string> names;
  names.reserve(kPlantComponents.size() + kFlightParts.size());
  for (const PlantComponent part : kPlantComponents) names.emplace_back(to_text(part));
  for (const FlightPart part : kFlightParts) names.emplace_back(to_text(part));
  return names;
}

ReplayPlan plan_of(const ReplayOptions& options) {
  ReplayPlan plan;
  plan.overrides = overrides_of(options.sets);
  plan.interrupted = asked_to_stop;
  if (options.plant) plan.mode = ReplayMode::kPlant;
  if (!options.live.empty()) plan.mode = ReplayMode::kLive;
  for (const std::string& part : options.live) plan.live.push_back(flight_part(part));
  if (!options.component.empty()) {
    plan.mode = ReplayMode::kComponent;
    plan.component = flight_part(options.component);
  }
  return plan;
}

std::string name_of(const ReplayOptions& options) {
  if (options.plant) return to_text(ReplayMode::kPlant);
  if (!options.live.empty()) return fmt::format("live {}", fmt::join(options.live, ", "));
  if (!options.component.empty()) return fmt::format("component {}", options.component);
  return to_text(ReplayMode::kFull);
}

template <class Outcome>
void print(const ReplayOptions& options, const Recording& recording, const Outcome& outcome) {
  const Replayed replayed{options.file, &recording, name_of(options), options.record, options.sets};
  if (options.json) {
    print_format("{}\n", replay_json(replayed, outcome));
  } else {
    print_format("{}", replay_text(replayed, outcome));
  }
}

ReplayOutcome fly_again(const ReplayOptions& options,
                        const std::shared_ptr<const Recording>& recording,
                        std::unique_ptr<OutputFile> record) {
  const ReplayPlan plan = plan_of(options);
  listen_to_stop_signals();
  if (!record) return replay(recording, plan);
  FileSink file(std::move(record));
  return replay(recording, plan, {&file, build_identity()});
}

ExitCode run_replay(const ReplayOptions& options) {
  require_same_bits();
  const NamedInput input{"FILE", options.file};
  const NamedOutput output{"--record", options.record, kRecordingRules};
  auto reserved = reserve_outputs({&input, 1}, {&output, 1});
  const std::shared_ptr<const Recording> recording = read_flight(options.file);
  if (const auto component = plant_component(options.component)) {
    const std::vector<Override> overrides = overrides_of(options.sets);
    require_effect(*recording, *component, overrides);
    const ComponentOutcome outcome = replay_component(*recording, *component, overrides);
    print(options, *recording, outcome);
    return outcome.equal() ? ExitCode::kOk : ExitCode::kDifferent;
  }
  const ReplayOutcome outcome = fly_again(options, recording, std::move(reserved[0]));
  print(options, *recording, outcome);
  if (outcome.interrupted) return ExitCode::kInterrupted;
  return outcome.reproduces() ? ExitCode::kOk : ExitCode::kDifferent;
}

ExitCode replay_verb(const ReplayOptions& options) {
  try {
    return run_replay(options);
  } catch (const Error& error) {
    if (!error.subject() || error.subject()->key != kOverridesSubject) throw;
    throw Error(error.code(), fmt::format("--set: {} (--live PART, `tactus branch FILE --at TIME "
                                          "--set KEY=VALUE`, `tactus run`)",
                                          error.what()));
  }
}

}  // namespace

void add_replay_verb(Verb& app, int& exit_code) {
  const auto options = std::make_shared<ReplayOptions>();
  Verb* verb =
      app.add_subcommand("replay", "fly a recording again and compare every stream with it");
  verb->add_option("FILE", options->file, "a recording")->required();
  CLI::Option* plant =
      verb->add_flag("--plant", options->plant,
                     "recorded scenario, wind and commands; plant, estimator and instruments live");
  CLI::Option* live =
      verb->add_option("--live", options->live,
                       "these parts live, the rest from the file: " + flight_part_names())
          ->type_name("PART,PART")
          ->delimiter(',')
          ->allow_extra_args(false);
  CLI::Option* component = verb->add_option("--component", options->component,
                                            "this part alone live, on what it read; tier 1");
  component->check(CLI::IsMember(component_names()));
  plant->excludes(live)->excludes(component);
  live->excludes(component);
  verb->add_option("--set", options->sets,
                   "another value for a key of the recorded spec; may be given several times")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  verb->add_option("--record", options->record, "write a recording of the replay")
      ->type_name("FILE")
      ->excludes(component);
  verb->add_flag("--json", options->json, "print everything as JSON");
  verb->callback([options, &exit_code] { exit_code = static_cast<int>(replay_verb(*options)); });
}

}  // namespace tactus::cli
