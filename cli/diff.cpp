// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The verb `diff`: where two flights part, and why.

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "cli/common/build_identity.h"
#include "cli/common/overrides.h"
#include "cli/common/print.h"
#include "cli/diff/logs.h"
#include "cli/diff/report.h"
#include "cli/verbs.h"
#include "tactus/core/error.h"
#include "tactus/core/math.h"
#include "tactus/core/text.h"
#include "tactus/record/hdf5/flight_file.h"
#include "tactus/replay/diff/diff.h"
#include "tactus/replay/diff/diff_json.h"
#include "tactus/replay/rerun.h"

namespace tactus::cli {
namespace {

struct DiffOptionsGiven {
  std::vector<std::string> files;
  std::string tolerance = "0";
  std::vector<std::string> sets;
  bool rerun = false;
  bool json = false;
};

double tolerance_of(const std::string& text) {
  const double tolerance = parse_double(text, "--tolerance");
  if (math::is_finite(tolerance) && tolerance >= 0.0) return tolerance;
  throw Error(ExitCode::kBadInput,
              fmt::format("--tolerance: {} must be a number from 0 up, e.g. 1e-9", text));
}

void require_usage(const DiffOptionsGiven& given) {
  if (given.rerun && given.files.size() != 1) {
    throw Error(ExitCode::kBadInput, "diff --rerun takes one recording, which is flown again");
  }
  if (!given.rerun && given.files.size() != 2) {
    throw Error(ExitCode::kBadInput,
                "diff takes two recordings, or one with --rerun, which flies it again");
  }
  if (!given.rerun && !given.sets.empty()) {
    throw Error(ExitCode::kBadInput, "--set changes the flight of --rerun, which is not given");
  }
}

ExitCode run_diff(const DiffOptionsGiven& given) {
  require_usage(given);
  DiffedFlights flights;
  flights.tolerance = tolerance_of(given.tolerance);
  if (!given.rerun) {
    const bool exact = flights.tolerance == 0.0;
    const auto code =
        diff_logs(given.files[0], given.files[1], {.exact = exact, .json = given.json});
    if (code) return *code;
  }
  flights.a = given.files[0];
  flights.b = given.rerun ? "flown again" : given.files[1];
  const std::shared_ptr<const Recording> a = read_flight(given.files[0]);
  const RecordedFlight b = given.rerun ? fly_again(*a, overrides_of(given.sets), build_identity())
                                       : RecordedFlight{read_flight(given.files[1]), {}};
  flights.recording_a = a.get();
  flights.recording_b = b.recording.get();
  DiffReport report = diff(*a, *b.recording, {flights.tolerance});
  if (b.stopped) report.notes.push_back(fmt::format("flown again it stops: {}", b.stopped->what()));
  if (given.json) {
    print_format("{}\n", diff_json(flights, report));
  } else {
    print_format("{}", diff_text(flights, report));
  }
  return report.verdict == DiffVerdict::kDifferent ? ExitCode::kDifferent : ExitCode::kOk;
}

}  // namespace

void add_diff_verb(Verb& app, int& exit_code) {
  const auto given = std::make_shared<DiffOptionsGiven>();
  Verb* verb = app.add_subcommand("diff", "find where two flights part, and why");
  verb->add_option("FILE", given->files,
                   "two recordings, ULogs of PX4 or traces of autopilots; or one recording "
                   "with --rerun")
      ->required()
      ->expected(1, 2);
  verb->add_option("--tolerance", given->tolerance,
                   "numbers count as equal within this, absolute up to 1 and relative beyond")
      ->type_name("X")
      ->capture_default_str();
  verb->add_flag("--rerun", given->rerun, "compare with the same spec, flown again now");
  verb->add_option("--set", given->sets,
                   "another value for a key of the flight of --rerun; may be given several times")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  verb->add_flag("--json", given->json, "print everything as JSON");
  verb->callback([given, &exit_code] { exit_code = static_cast<int>(run_diff(*given)); });
}

}  // namespace tactus::cli
