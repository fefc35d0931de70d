// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/run/outputs.h"

#include <fmt/format.h>

#include <utility>

#include "cli/common/output_guard.h"
#include "cli/common/print.h"
#include "tactus/flight/report/junit.h"
#include "tactus/record/csv_log.h"
#include "tactus/record/hdf5/file_sink.h"
#include "tactus/replay/trace/autopilot_trace.h"

namespace tactus::cli {

RunOutputs reserve_outputs(const RunOptions& options, const LoadedSpec& loaded) {
  const NamedOutput outputs[] = {{"--record", options.record, kRecordingRules},
                                 {"--log", options.log, log_rules(options.log_plain)},
                                 {"--junit", options.junit, kJunitRules},
                                 {"--trace-autopilot", options.trace_autopilot, kTraceRules}};
  auto files = reserve_outputs(inputs_of(loaded), outputs);
  return {std::move(files[0]), std::move(files[1]), std::move(files[2]), std::move(files[3])};
}

bool fail_strictly(const RunOptions& options, const std::vector<std::string>& warnings) {
  if (!options.strict || warnings.empty()) return false;
  if (options.json || options.quiet) {
    for (const std::string& warning : warnings) print_error(warning);
  }
  print_error(
      fmt::format("--strict: {} warning{}", warnings.size(), warnings.size() == 1 ? "" : "s"));
  return true;
}

}  // namespace tactus::cli
