// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The verb `export`: tables of a recording as CSV. The log comes out byte for byte as `run --log`
// writes it; any other table with one column per number.

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/output_guard.h"
#include "cli/print.h"
#include "cli/verbs.h"
#include "tactus/core/error.h"
#include "tactus/core/printable.h"
#include "tactus/core/version.h"
#include "tactus/record/csv_log.h"
#include "tactus/record/flight_file.h"
#include "tactus/record/recording_file.h"

namespace tactus::cli {
namespace {

constexpr std::size_t kWrittenAtOnce = std::size_t{1} << 16U;

struct ExportOptions {
  std::string file;
  std::string csv;
  std::string table = "log";
  bool plain = false;  ///< without comment lines
  bool force = false;
};

/// Where the solver's totals stand, in the order of their list.
std::vector<const RowField*> solver_fields(const TableLayout& log) {
  std::vector<const RowField*> fields;
  const SolverTotals totals;
  for_each_leaf(totals, [&](const LeafPath& name, const auto&) {
    const std::string path = "/log/solver/" + name.text();
    fields.push_back(log.find(path));
    if (fields.back() == nullptr || fields.back()->kind != FieldKind::kU64) {
      throw Error(ExitCode::kBadInput,
                  fmt::format("the recording does not fit this program: {} is missing", path));
    }
  });
  return fields;
}

/// The log as the run would have written it; one of an external simulator does not have all of it.
void export_log(const Recording& recording, const Table& log, std::unique_ptr<OutputFile> file,
                bool plain) {
  std::vector<BusLeaf> leaves = bus_leaves(recording.meta.counts);
  std::erase_if(leaves, [](const BusLeaf& leaf) { return leaf.name == "time_us"; });
  const RowPart bus_part = find_fields(log.layout, "/log", leaves);
  const std::vector<const RowField*> solver = solver_fields(log.layout);
  const RecordingMeta& meta = recording.meta;
  std::optional<LogProvenance> provenance;
  if (!plain) provenance = {meta.name, meta.spec_digest, meta.seed};
  CsvLog csv(std::move(file), std::move(provenance));
  csv.begin(recording.meta.counts);
  Bus bus;
  SolverTotals totals;
  for (std::size_t i = 0; i < log.size(); ++i) {
    bus_part.scatter(log.row(i).data(), &bus);
    std::size_t next = 0;
    for_each_value(totals, [&](std::uint64_t& total) {
      total = whole_number(*solver[next++], 0, log.row(i).data());
    });
    csv.row({log.time(i), 0, bus, totals});
  }
  csv.end(recording.end.flight_digest, recording.end.complete);
}

/// A text as a field of a CSV file.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

std::string comment_line(const Recording& recording, const Table& table) {
  const RecordingMeta& meta = recording.meta;
  return fmt::format("# tactus {} table={} rule={} bus={} spec={} seed={} digest={}\n", kVersion,
                     table.layout.name, to_text(table.layout.rule), meta.bus_version,
                     to_hex(meta.spec_digest), meta.seed,
                     recording.end.complete ? to_hex(recording.end.flight_digest) : "incomplete");
}

std::string head_of(const Table& table) {
  std::string head = "time_us";
  for (std::size_t i = 1; i < table.layout.fields.size(); ++i) {
    const RowField& field = table.layout.fields[i];
    const std::size_t columns = field.kind == FieldKind::kText ? 1 : field.width;
    for (std::size_t column = 0; column < columns; ++column) head += "," + leaf_name(field, column);
  }
  return head + '\n';
}

std::string line_of(const Table& table, std::size_t i) {
  const std::byte* const row = table.row(i).data();
  std::string line = std::to_string(table.time(i).us);
  for (std::size_t k = 1; k < table.layout.fields.size(); ++k) {
    const RowField& field = table.layout.fields[k];
    if (field.kind == FieldKind::kText) {
      line += "," + quoted(printable(text(field, row)));
      continue;
    }
    for (std::size_t column = 0; column < field.width; ++column) {
      line += "," + value_text(field, column, row);
    }
  }
  return line + '\n';
}

void export_table(const Recording& recording, const Table& table, OutputFile& file, bool plain) {
  std::string text = (plain ? "" : comment_line(recording, table)) + head_of(table);
  for (std::size_t i = 0; i < table.size(); ++i) {
    text += line_of(table, i);
    if (text.size() < kWrittenAtOnce) continue;
    file.append(text);
    file.require_written();
    text.clear();
  }
  file.append(text);
  file.require_written();
  file.publish();
}

const Table& find_table(const Recording& recording, const std::string& name) {
  if (const Table* const table = recording.find(name)) return *table;
  std::string names;
  for (const Table& table : recording.tables) {
    names += (names.empty() ? "" : ", ") + table.layout.name;
  }
  throw Error(ExitCode::kBadInput,
              fmt::format("--table {}: the recording has no such table; it has {}", name, names));
}

void export_csv(const ExportOptions& options) {
  OutputRules rules = rules_with_force(options.force);
  const NamedInput input{"FILE", options.file};
  const NamedOutput output{"--csv", options.csv, rules};
  require_outputs({&input, 1}, {&output, 1});
  const std::shared_ptr<const Recording> recording = read_recording(options.file);
  const bool is_log = options.table == "log";
  const Table& table = is_log ? recording->require("log") : find_table(*recording, options.table);
  if (!has_rows(*recording)) {
    throw Error(ExitCode::kBadInput, fmt::format("{}: {}", options.file, kNoRows));
  }
  if (is_log && !recording->flown_externally()) {
    rules.rewinds = !options.plain;
    export_log(*recording, table, std::make_unique<OutputFile>(options.csv, rules), options.plain);
  } else {
    OutputFile file(options.csv, rules);
    export_table(*recording, table, file, options.plain);
  }
  if (options.csv.starts_with("/dev/")) return;  // perhaps among the rows
  print_format("{}: {} {} of {}\n", options.csv, table.size(), table.size() == 1 ? "row" : "rows",
               table.layout.name);
}

}  // namespace

void add_export_verb(Verb& app, int& exit_code) {
  const auto options = std::make_shared<ExportOptions>();
  Verb* verb = app.add_subcommand("export", "write a table of a recording as CSV");
  verb->add_option("FILE", options->file, "a recording, as `run --record` writes it")->required();
  verb->add_option("--csv", options->csv, "the file to write")->type_name("OUT")->required();
  verb->add_option("--table", options->table, "which table; `tactus inspect` lists them")
      ->capture_default_str();
  verb->add_flag("--plain", options->plain, "leave the comment lines out");
  verb->add_flag("--force", options->force, "replace the file if it exists");
  verb->callback([options, &exit_code] {
    export_csv(*options);
    exit_code = 0;
  });
}

}  // namespace tactus::cli
