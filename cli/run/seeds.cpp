// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include <fmt/format.h>

#include <chrono>
#include <string>
#include <vector>

#include "cli/common/option_error.h"
#include "cli/common/output_guard.h"
#include "cli/common/print.h"
#include "cli/common/status_line.h"
#include "cli/common/stop_signal.h"
#include "cli/run/modes.h"
#include "cli/run/outputs.h"
#include "cli/run/seeds_report.h"
#include "tactus/sweep/seeds/seeds_report.h"

namespace tactus::cli {
namespace {

/// How far the flights are: a line that changes on a terminal, elsewhere a new one every ten
/// seconds, as a log of many lines is of no use.
class SeedsProgressLine {
 public:
  void show(const SeedsProgress& progress) {
    const std::string text =
        fmt::format("{} of {} flown, {} failed", progress.flown, progress.count, progress.failed);
    if (line_.shown()) return line_.show(text);
    if (std::chrono::steady_clock::now() < next_) return;
    next_ += kPause;
    print_error(text);
  }

 private:
  static constexpr std::chrono::seconds kPause{10};

  StatusLine line_;
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + kPause;
};

SeedsResult fly_shown(const RunOptions& options, const LoadedSpec& loaded, SeedRange range) {
  SeedsOptions how;
  how.jobs = static_cast<std::size_t>(options.jobs);
  how.validate = options.validate;
  how.interrupted = asked_to_stop;
  SeedsProgressLine line;
  if (!options.quiet) {
    how.progress = [&line](const SeedsProgress& progress) { line.show(progress); };
  }
  try {
    return fly_seeds(loaded, range, how);
  } catch (const PlacedError& error) {
    refuse_option(options, error);
  } catch (const Error& error) {
    rethrow_as_option(error, "autopilot.ground_station.enabled", "--gcs", options.gcs);
    rethrow_as_option(error, "autopilot.kind", "--autopilot", options.autopilot);
    throw;
  }
}

void print_outcomes(const RunOptions& options, const SeedsResult& result,
                    const SeedsOrigin& origin) {
  if (options.json) {
    print_format("{}\n", seeds_json(result, origin));
  } else if (!options.quiet) {
    print_format("{}", seeds_text(options, result));
    for (const std::string& warning : seeds_warnings(result.outcomes))
      print_format("  {}\n", warning);
  }
}

}  // namespace

ExitCode run_seeds(const RunOptions& options) {
  const SeedRange range = parse_seeds(options.seeds);
  const LoadedSpec loaded = load(options, range.first);
  const RunOutputs outputs = reserve_outputs(options, loaded);
  const SeedsResult result = fly_shown(options, loaded, range);
  const SeedsOrigin origin{options.spec,
                           [&](std::uint64_t seed) { return command_for_seed(options, seed); }};
  print_outcomes(options, result, origin);
  const ExitCode code = exit_code(result.outcomes);
  const bool printed = !options.json && !options.quiet;
  if (code != ExitCode::kOk && !printed) print_error(seeds_sentence(result.outcomes));
  if (outputs.junit) {
    const std::string title = fmt::format("tactus run {} --seeds {}", options.spec, options.seeds);
    write_file(*outputs.junit, seeds_junit(result, origin, title, options.strict));
  }
  const bool strict =
      code == ExitCode::kOk && fail_strictly(options, seeds_warnings(result.outcomes));
  return strict ? ExitCode::kCheckFailed : code;
}

}  // namespace tactus::cli
