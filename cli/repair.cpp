// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The verb `repair`: makes a recording whose writer was killed readable for every program.

#include <fmt/format.h>

#include <memory>
#include <string>

#include "cli/verbs.h"
#include "tactus/record/repair.h"

namespace tactus::cli {
namespace {

struct RepairOptions {
  std::string file;
  std::string out;
};

void repair(const RepairOptions& options) {
  const RepairResult result = repair_recording(options.file, options.out);
  if (!result.was_left_open) {
    fmt::print("{}: nothing to repair; it was closed properly{}\n", options.file,
               result.end.complete ? " and is complete" : ", though the run was stopped early");
    return;
  }
  fmt::print("{}: repaired; {}, {} of flight\n", options.out.empty() ? options.file : options.out,
             result.end.complete ? "complete" : "incomplete", to_text(result.end.time));
}

}  // namespace

void add_repair_verb(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<RepairOptions>();
  CLI::App* verb = app.add_subcommand("repair", "close a recording whose writer was killed");
  verb->add_option("FILE", options->file, "a recording")->required();
  verb->add_option("--out", options->out, "write a new file and leave this one as it is")
      ->type_name("FILE");
  verb->callback([options, &exit_code] {
    repair(*options);
    exit_code = 0;
  });
}

}  // namespace tactus::cli
