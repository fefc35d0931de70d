// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The verb `inspect`: what a recording holds. Reading it verifies every byte of it.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "cli/common/print.h"
#include "cli/verbs.h"
#include "tactus/core/printable.h"
#include "tactus/record/hdf5/flight_file.h"
#include "tactus/record/hdf5/inspected_file.h"
#include "tactus/record/hdf5/recording_file.h"
#include "tactus/replay/diff/diff_program.h"

namespace tactus::cli {
namespace {

constexpr std::size_t kFewEvents = 30;

struct InspectOptions {
  std::string file;
  bool json = false;
  bool all = false;
};

std::string size_text(std::uint64_t bytes) {
  const auto number = static_cast<double>(bytes);
  if (bytes < 10'000) return fmt::format("{} B", bytes);
  return bytes < 10'000'000 ? fmt::format("{:.1f} kB", number * 1e-3)
                            : fmt::format("{:.1f} MB", number * 1e-6);
}

const char* tier_text(Tier tier) {
  constexpr const char* kTexts[] = {"plant inputs and log", "every component",
                                    "every evaluation of the right-hand side"};
  return kTexts[static_cast<std::size_t>(tier)];
}

std::string end_text(const InspectedFile& file) {
  const RecordingEnd& end = file.recording->end;
  if (end.complete) return fmt::format("complete, {} of flight", to_text(end.time));
  if (!has_rows(*file.recording)) {
    return fmt::format("INCOMPLETE: {}{}", kNoRows,
                       file.storage.left_open ? ", or is still at work" : "");
  }
  if (file.repaired()) {
    return fmt::format("INCOMPLETE: readable up to {}; its writer was killed; repaired",
                       to_text(end.time));
  }
  if (!file.storage.left_open) {
    return fmt::format("INCOMPLETE: the run was stopped at {}", to_text(end.time));
  }
  return fmt::format(
      "INCOMPLETE: readable up to {}; its writer was killed, had no room left, or is still at "
      "work; "
      "`tactus repair {}` makes it readable for other programs",
      to_text(end.time), file.path);
}

std::string file_size_text(const InspectedFile& file) {
  std::string size = size_text(file.storage.file);
  const double rate = file.bytes_per_minute();
  if (rate <= 0.0) return size;
  return fmt::format("{}, {} per simulated minute", size,
                     size_text(static_cast<std::uint64_t>(rate)));
}

/// With what a branch changed, a line each.
void print_parent(const ParentRecord& parent) {
  print_format("  {:<14}{} (flight digest {}) at {}{}\n", "branched from", parent.name,
               to_hex(parent.flight_digest), to_text(parent.at),
               parent.changes.empty() ? ", nothing changed" : ", with");
  std::istringstream changes(parent.changes);
  for (std::string change; std::getline(changes, change);) {
    print_format("  {:<14}{}\n", "", change);
  }
}

/// The flight digest, or what is known of it.
std::string digest_text(const Recording& recording) {
  return recording.end.flight_digest == Digest128{} ? "not known"
                                                    : to_hex(recording.end.flight_digest);
}

/// What only the recording of a flight has.
void print_flight(const InspectedFile& file) {
  const RecordingMeta& meta = file.recording->meta;
  print_format("  {:<14}{}\n", "digest chain", counted(file.rows("chain"), "link"));
  print_format("  {:<14}{}, {}\n", "spec digest", to_hex(meta.spec_digest),
               counted(meta.parameters.size(), "key"));
  print_format("  {:<14}{}\n", "seed", meta.seed);
  print_format("  {:<14}{} ({})\n", "tier", static_cast<int>(meta.tier), tier_text(meta.tier));
  print_format("  {:<14}{}\n", "vehicle", to_text(meta.counts));
  for (const ProgramFact& fact : recorded_program(*file.recording)) {
    if (fact.name == kProgramFact) print_format("  {:<14}{}\n", "flown by", printable(fact.value));
  }
}

void print_head(const InspectedFile& file) {
  const RecordingMeta& meta = file.recording->meta;
  const bool fleet = file.recording->of_fleet();
  print_format("{}: recording of {}\"{}\"\n", printable(file.path), fleet ? "the bridge of " : "",
               meta.name);
  print_format("  {:<14}{}\n", "state", end_text(file));
  print_format("  {:<14}{}, commit {}, {}\n", "recorded by", meta.program,
               meta.commit.empty() ? "not known" : meta.commit, meta.compiler);
  print_format("  {:<14}recording {}, bus {}\n", "versions", meta.version, meta.bus_version);
  print_format("  {:<14}{}\n", fleet ? "digest" : "flight digest", digest_text(*file.recording));
  if (!fleet) print_flight(file);
  print_format("  {:<14}{}\n", "size", file_size_text(file));
  if (meta.parent) print_parent(*meta.parent);
}

/// Who flies where.
void print_fleet(const RecordingMeta& meta) {
  for (const ParameterRecord& one : meta.parameters) {
    print_format("  {} = {}\n", one.key, one.value);
  }
}

void print_tables(const InspectedFile& file) {
  const Recording& recording = *file.recording;
  print_format("\n  {:<16} {:>9} {:>10}  {:<16} {:<9} {:>6}  {}\n", "table", "rows", "in file",
               "rule", "period", "fields", "axis");
  for (std::size_t i = 0; i < recording.tables.size(); ++i) {
    const Table& table = recording.tables[i];
    const TableLayout& layout = table.layout;
    print_format("  {:<16} {:>9} {:>10}  {:<16} {:<9} {:>6}  {}\n", layout.name, table.size(),
                 size_text(file.storage.tables[i]), to_text(layout.rule),
                 layout.period.us == 0 ? "-" : to_text(layout.period), layout.fields.size(),
                 layout.fields[0].path);
  }
  for (std::size_t i = 0; i < recording.blobs.size(); ++i) {
    print_format("  {:<16} {:>9} {:>10}  pieces of any length\n", recording.blobs[i].path,
                 recording.blobs[i].pieces.size(), size_text(file.storage.blobs[i]));
  }
}

void print_sources(const RecordingMeta& meta) {
  print_format("\n  {:<16} {:<10} {:<6}  writes\n", "source", "stage", "mode");
  for (const SourceRecord& source : meta.sources) {
    print_format("  {:<16} {:<10} {:<6}  {}\n", source.name, source.stage, source.mode,
                 source.writes);
  }
  for (const AttachedFile& attached : meta.files) {
    print_format("  carries the file {} ({})\n", attached.name, size_text(attached.content.size()));
  }
}

void print_events(const Recording& recording, bool all) {
  const std::vector<RecordedEvent> events = recorded_events(recording);
  if (events.empty()) return;
  const std::size_t shown = all ? events.size() : std::min(kFewEvents, events.size());
  print_format("\n  {:>16}  {:<14} {:>3}  event\n", "at", "who", "no.");
  for (std::size_t i = 0; i < shown; ++i) {
    const RecordedEvent& event = events[i];
    const std::string what = event.detail.empty() ? event.what : event.what + " " + event.detail;
    print_format("  {:>14.6f} s  {:<14} {:>3}  {}\n", to_seconds(event.time), event.who,
                 event.index, what);
  }
  if (shown < events.size())
    print_format("  and {} more; --all shows them\n", events.size() - shown);
}

void inspect(const InspectOptions& options) {
  const InspectedFile file = inspect_file(options.file);
  if (options.json) {
    print_format("{}\n", inspected_json(file));
    return;
  }
  print_head(file);
  if (!file.recording->of_fleet()) {
    print_sources(file.recording->meta);
  } else if (options.all) {
    print_fleet(file.recording->meta);
  }
  print_tables(file);
  print_events(*file.recording, options.all);
}

}  // namespace

void add_inspect_verb(Verb& app, int& exit_code) {
  const auto options = std::make_shared<InspectOptions>();
  Verb* verb = app.add_subcommand("inspect", "verify a recording and show what it holds");
  verb->add_option("FILE", options->file,
                   "a recording, as `run --record` or `bridge --record` writes it")
      ->required();
  verb->add_flag("--json", options->json, "print everything as JSON");
  verb->add_flag("--all", options->all,
                 "list all events, not only the first ones; of a bridge also who flies where");
  verb->callback([options, &exit_code] {
    inspect(*options);
    exit_code = 0;
  });
}

}  // namespace tactus::cli
