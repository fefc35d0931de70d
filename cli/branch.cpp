// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The verb `branch`: flies a recorded flight again from an instant on, with changes.

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/build_identity.h"
#include "cli/run/flight.h"
#include "cli/run/onlookers.h"
#include "cli/run/report.h"
#include "cli/stop_signal.h"
#include "cli/verbs.h"
#include "tactus/core/error.h"
#include "tactus/core/fp_environment.h"
#include "tactus/core/vec.h"
#include "tactus/record/csv_log.h"
#include "tactus/record/file_sink.h"
#include "tactus/record/recording_file.h"
#include "tactus/replay/branch.h"

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
  bool from_start = false;
  bool json = false;
};

BranchSetup setup_of(const BranchOptions& options) {
  BranchSetup setup;
  setup.parent = read_recording(options.parent);
  setup.parent_name = std::filesystem::path(options.parent).filename().string();
  setup.at = TimeUs{} + parse_duration(options.at, "--at");
  for (const std::string& set : options.sets) setup.overrides.push_back(parse_override(set));
  setup.events = options.events;
  if (options.tier >= 0) setup.tier = static_cast<Tier>(options.tier);
  if (!options.snapshots.empty()) {
    setup.snapshots = parse_duration(options.snapshots, "--snapshots");
  }
  // Those who look on see nothing before a snapshot, and a log is of the whole flight.
  setup.from_start = options.from_start || !options.log.empty();
  setup.build = build_identity();
  return setup;
}

/// Where the vehicle was in the last log row at or before an instant.
std::optional<Vec3> logged_position(const Recording& recording, TimeUs time) {
  const Table* const log = recording.find("log");
  const std::optional<std::size_t> row = log == nullptr ? std::nullopt : log->last_at(time);
  const RowField* const field = row ? log->layout.find("/log/truth/position_ned_m") : nullptr;
  if (field == nullptr) return std::nullopt;
  const std::byte* const bytes = log->row(*row).data();
  return Vec3{number(*field, 0, bytes), number(*field, 1, bytes), number(*field, 2, bytes)};
}

/// What there is to tell besides the flight.
struct Origin {
  std::string parent;
  TimeUs asked;
  TimeUs at;
  TimeUs from;
  std::string changes;
  Digest128 parent_digest;
  TimeUs parent_end;
  bool same = false;
  std::optional<double> apart_m;  ///< from where the parent was at that instant, or at its end
};

Origin origin_of(const BranchOptions& options, const Recording& parent, const Branch& branch) {
  Origin origin;
  origin.parent = options.parent;
  origin.asked = TimeUs{} + parse_duration(options.at, "--at");
  origin.at = branch.at();
  origin.from = branch.from();
  origin.changes = branch.changes();
  origin.parent_digest = parent.end.flight_digest;
  origin.parent_end = parent.end.time;
  origin.same = branch.run().digest() == parent.end.flight_digest;
  const Run& run = branch.run();
  if (const std::optional<Vec3> there = logged_position(parent, run.now())) {
    origin.apart_m = norm(run.bus().truth.position_W_m - *there);
  }
  return origin;
}

std::string origin_text(const Origin& origin) {
  std::string text = fmt::format("\nbranched from {} at {}", origin.parent, to_text(origin.at));
  if (origin.at != origin.asked) {
    text += fmt::format(" (the first boundary at or after {})", to_text(origin.asked));
  }
  std::string lines = "\n" + origin.changes;
  for (std::size_t i = lines.find('\n'); i != std::string::npos; i = lines.find('\n', i + 3)) {
    lines.insert(i + 1, "  ");
  }
  text += origin.changes.empty() ? ", nothing changed\n" : ", with" + lines + "\n";
  text += fmt::format("before that, every recorded number is as in the parent{}\n",
                      origin.from.us == 0 ? ""
                                          : fmt::format(" (checked from the snapshot at {} on, "
                                                        "where this summary begins)",
                                                        to_text(origin.from)));
  if (origin.same) return text + "the flight digest is that of the parent\n";
  text += fmt::format("parent: flight digest {}, ends at {}", to_hex(origin.parent_digest),
                      to_text(origin.parent_end));
  if (origin.apart_m) text += fmt::format("; {:.3g} m apart at the end", *origin.apart_m);
  return text + "\n";
}

nlohmann::ordered_json origin_json(const Origin& origin) {
  nlohmann::ordered_json json = {{"parent", origin.parent},
                                 {"at_us", origin.at.us},
                                 {"flown_from_us", origin.from.us},
                                 {"changes", origin.changes},
                                 {"parent_flight_digest", to_hex(origin.parent_digest)},
                                 {"same_flight", origin.same}};
  if (origin.apart_m) json["apart_m"] = *origin.apart_m;
  return json;
}

std::vector<std::string> files_of(const BranchOptions& options) {
  std::vector<std::string> files;
  if (!options.log.empty()) files.push_back(options.log);
  if (!options.record.empty()) files.push_back(options.record);
  return files;
}

void branch_verb(const BranchOptions& options, int& code) {
  require_same_bits();
  listen_to_ctrl_c();
  const BranchSetup setup = setup_of(options);
  Branch branch(setup);
  const Spec& spec = branch.changed().spec;
  FlightSummary summary(branch.run().plant().counts());
  ProgressLine progress(spec, options.json);
  CsvLog csv(options.log, {spec.name, spec.digest, spec.seed});
  FileSink file(options.record);
  Observers observers;
  observers.hooks = {&summary, &branch.monitor()};
  if (progress.shown()) observers.hooks.push_back(&progress);
  if (!options.log.empty()) observers.sinks.push_back(&csv);
  DigestChain chain;
  observers.recorders.push_back(&chain);

  WallClock wall;
  const auto start = std::chrono::steady_clock::now();
  branch.fly(observers, options.record.empty() ? nullptr : &file, asked_to_stop);
  wall.flying_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  Flight flight = flight_of(spec, branch.run(), summary, branch.monitor());
  flight.notes = branch.notes();
  flight.chain = chain.links();
  if (!options.record.empty()) {
    const Tier tier = setup.tier.value_or(setup.parent->meta.tier);
    flight.recording =
        RecordedFile{options.record, tier, std::filesystem::file_size(options.record)};
  }
  const Origin origin = origin_of(options, *setup.parent, branch);
  if (options.json) {
    nlohmann::ordered_json json = summary_json(flight, wall, files_of(options));
    json["branch"] = origin_json(origin);
    fmt::print("{}\n", json.dump(2));
  } else {
    fmt::print("{}{}", summary_text(flight, wall, files_of(options)), origin_text(origin));
  }
  code = static_cast<int>(exit_code(flight.verdict));
}

}  // namespace

void add_branch_verb(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<BranchOptions>();
  CLI::App* verb =
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
  verb->add_option("--log", options->log, "write the log as CSV")->type_name("FILE");
  verb->add_flag("--from-start", options->from_start, "fly all of it, even if there are snapshots");
  verb->add_flag("--json", options->json, "print the summary as JSON");
  verb->callback([options, &exit_code] { branch_verb(*options, exit_code); });
}

}  // namespace tactus::cli
