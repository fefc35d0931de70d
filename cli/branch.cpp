// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The verb `branch`: flies a recorded flight again from an instant on, with changes.

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/build_identity.h"
#include "cli/duration_option.h"
#include "cli/output_guard.h"
#include "cli/overrides.h"
#include "cli/print.h"
#include "cli/read_flight.h"
#include "cli/run/flight.h"
#include "cli/run/onlookers.h"
#include "cli/run/options.h"
#include "cli/run/report.h"
#include "cli/stop_signal.h"
#include "cli/verbs.h"
#include "tactus/core/error.h"
#include "tactus/core/fp_environment.h"
#include "tactus/core/printable.h"
#include "tactus/core/vec.h"
#include "tactus/record/csv_log.h"
#include "tactus/record/file_sink.h"
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

/// How far the vehicle is from where the parent was, at the last instant of the log that both have.
class ApartFromParent final : public LogSink {
 public:
  explicit ApartFromParent(const Recording& parent) : log_(parent.find("log")) {
    if (log_ != nullptr) field_ = log_->layout.find("/log/truth/position_ned_m");
  }

  void begin(const VehicleCounts& /*counts*/) override {}
  void row(const LogRow& row) override {
    const std::optional<std::size_t> same = field_ == nullptr ? std::nullopt : log_->at(row.time);
    if (!same) return;
    const std::byte* const bytes = log_->row(*same).data();
    const Vec3 there{number(*field_, 0, bytes), number(*field_, 1, bytes),
                     number(*field_, 2, bytes)};
    time_ = row.time;
    apart_m_ = norm(row.bus.truth.position_W_m - there);
  }
  void end(Digest128 /*flight_digest*/, bool /*complete*/) override {}

  [[nodiscard]] TimeUs time() const { return time_; }
  [[nodiscard]] std::optional<double> apart_m() const { return apart_m_; }

 private:
  const Table* log_;
  const RowField* field_ = nullptr;
  TimeUs time_;
  std::optional<double> apart_m_;
};

/// What there is to tell besides the flight.
struct Origin {
  std::string parent;
  TimeUs asked;
  TimeUs at;
  TimeUs from;
  TimeUs end;
  bool branched = false;
  std::string changes;
  RecordingEnd parent_end;
  bool same = false;
  std::optional<TimeUs> first_difference;
  TimeUs apart_at;
  std::optional<double> apart_m;

  /// The file of a program that was killed has none.
  [[nodiscard]] bool knows_digest() const { return parent_end.flight_digest != Digest128{}; }
  /// The last boundary of the parent says that it is the last; here the flight went on.
  [[nodiscard]] bool equal_as_far_as_the_parent() const {
    return !first_difference ||
           (*first_difference == parent_end.time && parent_end.complete && end > parent_end.time);
  }
};

Origin origin_of(const BranchOptions& options, const Recording& parent, const Branch& branch,
                 const ApartFromParent& apart) {
  Origin origin;
  origin.parent = options.parent;
  origin.asked = TimeUs{} + parse_duration(options.at, "--at");
  origin.at = branch.at();
  origin.from = branch.from();
  origin.end = branch.run().now();
  origin.branched = branch.branched();
  origin.changes = branch.changes();
  origin.parent_end = parent.end;
  origin.same = branch.run().digest() == parent.end.flight_digest;
  origin.first_difference = branch.first_difference();
  origin.apart_at = apart.time();
  origin.apart_m = apart.apart_m();
  return origin;
}

/// How it compares with the parent, unless the digest is the same.
std::string comparison_text(const Origin& origin) {
  const RecordingEnd& parent = origin.parent_end;
  std::string text =
      fmt::format("parent: flight digest {}, {} at {}\n",
                  origin.knows_digest() ? to_hex(parent.flight_digest) : "not known",
                  parent.complete ? "ends" : "incomplete, stops", to_text(parent.time));
  if (origin.equal_as_far_as_the_parent()) {
    return text + (origin.end < parent.time ? "equal to the parent as far as this flight goes\n"
                                            : "equal to the parent as far as the parent goes\n");
  }
  text += fmt::format("first difference from the parent at {}", to_text(*origin.first_difference));
  if (origin.apart_m) {
    const bool both_end = origin.apart_at == origin.end && origin.end == parent.time;
    text += fmt::format("; {:.3g} m apart at {}", *origin.apart_m,
                        both_end ? "the end" : to_text(origin.apart_at) + ", the last they share");
  }
  return text + "\n";
}

std::string origin_text(const Origin& origin) {
  if (!origin.branched) {
    return fmt::format("\ninterrupted before the branch: {} was to be branched at {}\n",
                       origin.parent, to_text(origin.at));
  }
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
                                          : fmt::format(" (checked from the snapshot at {} on; "
                                                        "this summary begins after it)",
                                                        to_text(origin.from)));
  return text +
         (origin.same ? "the flight digest is that of the parent\n" : comparison_text(origin));
}

nlohmann::ordered_json origin_json(const Origin& origin) {
  nlohmann::ordered_json json = {{"parent", origin.parent},
                                 {"at_us", origin.at.us},
                                 {"branched", origin.branched},
                                 {"flown_from_us", origin.from.us},
                                 {"changes", origin.changes},
                                 {"parent_flight_digest", nullptr},
                                 {"parent_end_us", origin.parent_end.time.us},
                                 {"parent_complete", origin.parent_end.complete}};
  if (origin.knows_digest()) {
    json["parent_flight_digest"] = to_hex(origin.parent_end.flight_digest);
  }
  if (!origin.branched) return json;
  json["same_flight"] = origin.same;
  json["equal_as_far_as_the_parent"] = origin.equal_as_far_as_the_parent();
  if (origin.first_difference) json["first_difference_us"] = origin.first_difference->us;
  if (origin.apart_m) {
    json["apart_m"] = *origin.apart_m;
    json["apart_at_us"] = origin.apart_at.us;
  }
  return json;
}

/// The part of the chain that was not flown again.
std::vector<DigestChain::Link> links_up_to(const Recording& parent, TimeUs from) {
  std::vector<DigestChain::Link> links;
  const Table& chain = parent.require("chain");
  const RowField* const digest = chain.layout.find("/chain/flight_digest");
  for (std::size_t i = 0; digest != nullptr && i < chain.size() && chain.time(i) <= from; ++i) {
    const std::byte* const row = chain.row(i).data();
    links.push_back(
        {chain.time(i), {whole_number(*digest, 0, row), whole_number(*digest, 1, row)}});
  }
  return links;
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
  std::vector<std::string> warnings = branch.warnings();
  FlightSummary summary(branch.run().counts());
  ProgressLine progress(spec, options.json);
  std::optional<RecordingToTheEnd> file;
  if (reserved[0]) file.emplace(std::move(reserved[0]));
  std::optional<LogToTheEnd> csv;
  if (reserved[1]) {
    csv.emplace(std::move(reserved[1]), LogProvenance{spec.name, spec.digest, spec.seed});
  }
  Observers observers;
  observers.hooks = {&summary, &branch.monitor()};
  if (progress.shown()) observers.hooks.push_back(&progress);
  if (csv) observers.sinks.push_back(&*csv);
  ApartFromParent apart(*setup.parent);
  observers.sinks.push_back(&apart);
  DigestChain chain;
  observers.recorders.push_back(&chain);

  WallClock wall;
  const auto start = std::chrono::steady_clock::now();
  branch.fly(observers, file ? &*file : nullptr, asked_to_stop);
  wall.flying_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  Flight flight = flight_of(branch.flown().spec, branch.run(), summary, branch.monitor());
  flight.notes = branch.notes();
  if (options.quick && branch.from().us == 0) {
    flight.notes.push_back(fmt::format(
        "--quick has no effect: the recording holds no snapshot before {}; record it with "
        "--snapshots",
        to_text(branch.at())));
  }
  flight.warnings = std::move(warnings);
  add_warnings_of_flight(branch.flown(), flight);
  if (branch.from().us > 0) flight.chain = links_up_to(*setup.parent, branch.from());
  flight.chain.insert(flight.chain.end(), chain.links().begin(), chain.links().end());
  if (!options.record.empty()) {
    const Tier tier = setup.tier.value_or(setup.parent->meta.tier);
    std::error_code gone;
    const std::uintmax_t bytes = std::filesystem::file_size(options.record, gone);
    flight.recording = RecordedFile{options.record, tier, gone ? 0 : bytes};
  }
  const Origin origin = origin_of(options, *setup.parent, branch, apart);
  if (options.json) {
    nlohmann::ordered_json json = summary_json(flight, wall, files_of(options));
    json["branch"] = origin_json(origin);
    print_json(json);
  } else {
    say("{}{}", summary_text(flight, wall, files_of(options)), origin_text(origin));
  }
  // What has been flown is told first.
  if (csv && csv->error) throw Error(*csv->error);
  if (file && file->error) throw Error(*file->error);
  code = static_cast<int>(exit_code(flight.verdict));
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
