// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The verb `export`: tables of a recording as CSV. The log comes out byte for byte as `run --log`
// writes it; any other table with one column per number.

#include <fmt/format.h>

#include <memory>
#include <string>

#include "cli/common/output_guard.h"
#include "cli/common/print.h"
#include "cli/verbs.h"
#include "tactus/core/error.h"
#include "tactus/record/hdf5/flight_file.h"
#include "tactus/record/hdf5/recording_file.h"
#include "tactus/record/table_csv.h"

namespace tactus::cli {
namespace {

struct ExportOptions {
  std::string file;
  std::string csv;
  std::string table = "log";
  bool plain = false;  ///< without comment lines
  bool force = false;
};

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
    write_log_csv(*recording, table, std::make_unique<OutputFile>(options.csv, rules),
                  options.plain);
  } else {
    OutputFile file(options.csv, rules);
    write_table_csv(*recording, table, file, options.plain);
  }
  if (options.csv.starts_with("/dev/")) return;  // perhaps among the rows
  print_format("{}: {} of {}\n", options.csv, counted(table.size(), "row"), table.layout.name);
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
