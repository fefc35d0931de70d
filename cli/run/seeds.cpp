// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "cli/common/output_guard.h"
#include "cli/common/print.h"
#include "cli/common/stop_signal.h"
#include "cli/run/modes.h"
#include "cli/run/outputs.h"
#include "cli/run/seeds_report.h"
#include "tactus/flight/external_autopilots.h"
#include "tactus/flight/seeds_report.h"
#include "tactus/scenario/assembly.h"

namespace tactus::cli {
namespace {

/// How far the flights are: a line that changes on a terminal, elsewhere a new one every ten
/// seconds, as a log of many lines is of no use.
class SeedsProgressLine {
 public:
  SeedsProgressLine() : next_(std::chrono::steady_clock::now() + pause()) {}
  ~SeedsProgressLine() {
    if (on_terminal_) std::fputs("\r\x1b[2K", stderr);
  }
  SeedsProgressLine(const SeedsProgressLine&) = delete;
  SeedsProgressLine& operator=(const SeedsProgressLine&) = delete;

  void show(const SeedsProgress& progress) {
    if (std::chrono::steady_clock::now() < next_) return;
    next_ += pause();
    // What cannot be shown is lost: fmt::print would throw.
    std::fprintf(stderr, "%s%zu of %zu flown, %zu failed%s",
                 on_terminal_ ? "\r\x1b[2K" : "tactus: ", progress.flown, progress.count,
                 progress.failed, on_terminal_ ? "" : "\n");
  }

 private:
  [[nodiscard]] std::chrono::seconds pause() const {
    return std::chrono::seconds(on_terminal_ ? 0 : 10);
  }

  bool on_terminal_ = isatty(STDERR_FILENO) == 1;
  std::chrono::steady_clock::time_point next_;
};

SeedsResult fly_shown(const RunOptions& options, const LoadedSpec& loaded, SeedRange range) {
  SeedsOptions how;
  how.jobs = static_cast<std::size_t>(options.jobs);
  how.validate = options.validate;
  how.interrupted = asked_to_stop;
  if (options.quiet) return fly_seeds(loaded, range, how);
  SeedsProgressLine line;
  how.progress = [&line](const SeedsProgress& progress) { line.show(progress); };
  return fly_seeds(loaded, range, how);
}

/// Reads the spec, and refuses what every single flight would refuse: a wrong spec is one error,
/// not one per seed.
LoadedSpec load_for_many(const RunOptions& options, SeedRange range) {
  LoadedSpec loaded = load(options, range.first);
  require_many_flights(loaded.spec);
  try {
    assemble(loaded, {.external = external_autopilots()});
  } catch (const PlacedError& error) {
    refuse_option(options, error);
  }
  return loaded;
}

void print_outcomes(const RunOptions& options, const SeedsResult& result,
                    const SeedsOrigin& origin) {
  if (options.json) {
    say("{}\n", seeds_json(result, origin));
  } else if (!options.quiet) {
    say("{}", seeds_text(options, result));
    for (const std::string& warning : seeds_warnings(result.outcomes)) say("  {}\n", warning);
  }
}

}  // namespace

ExitCode run_seeds(const RunOptions& options) {
  const SeedRange range = parse_seeds(options.seeds);
  const LoadedSpec loaded = load_for_many(options, range);
  const RunOutputs outputs = reserve_outputs(options, loaded);
  const SeedsResult result = fly_shown(options, loaded, range);
  const SeedsOrigin origin{options.spec,
                           [&](std::uint64_t seed) { return command_for_seed(options, seed); }};
  print_outcomes(options, result, origin);
  const ExitCode code = exit_code(result.outcomes);
  const bool told = !options.json && !options.quiet;
  if (code != ExitCode::kOk && !told) complain(seeds_sentence(result.outcomes));
  if (outputs.junit) {
    const std::string title = fmt::format("tactus run {} --seeds {}", options.spec, options.seeds);
    write_file(*outputs.junit, seeds_junit(result, origin, title, options.strict));
  }
  const bool strict =
      code == ExitCode::kOk && fail_strictly(options, seeds_warnings(result.outcomes));
  return strict ? ExitCode::kCheckFailed : code;
}

}  // namespace tactus::cli
