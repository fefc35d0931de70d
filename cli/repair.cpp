// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The verb `repair`: makes a recording whose writer was killed readable for every program.

#include <fmt/format.h>

#include <memory>
#include <string>

#include "cli/common/output_guard.h"
#include "cli/common/print.h"
#include "cli/verbs.h"
#include "tactus/record/hdf5/flight_file.h"
#include "tactus/record/hdf5/repair.h"

namespace tactus::cli {
namespace {

struct RepairOptions {
  std::string file;
  std::string out;
};

void repair(const RepairOptions& options) {
  const NamedInput input{"FILE", options.file};
  const NamedOutput output{"--out", options.out, {}};
  require_outputs({&input, 1}, {&output, 1});
  const RepairResult result = repair_recording(options.file, options.out);
  const std::string& written = options.out.empty() ? options.file : options.out;
  if (!result.was_left_open) {
    const bool repaired = !result.end.complete && result.end.flight_digest == Digest128{};
    print_format("{}: nothing to repair; {}\n", options.file,
                 result.end.complete ? "it was closed properly and is complete"
                 : repaired          ? "its writer was killed, and it was repaired before"
                                     : "it was closed properly, though the run was stopped early");
    if (!options.out.empty()) print_format("{}: a copy, every byte verified\n", written);
  } else if (!result.has_rows) {
    print_format("{}: repaired; {}\n", written, kNoRows);
  } else {
    print_format("{}: repaired; {}, {} of flight\n", written,
                 result.end.complete ? "complete" : "incomplete", to_text(result.end.time));
  }
}

}  // namespace

void add_repair_verb(Verb& app, int& exit_code) {
  const auto options = std::make_shared<RepairOptions>();
  Verb* verb = app.add_subcommand("repair", "close a recording whose writer was killed");
  verb->add_option("FILE", options->file, "a recording")->required();
  verb->add_option(
          "--out", options->out,
          "write a new file, also if there is nothing to repair, and leave this one as it is")
      ->type_name("FILE");
  verb->callback([options, &exit_code] {
    repair(*options);
    exit_code = 0;
  });
}

}  // namespace tactus::cli
