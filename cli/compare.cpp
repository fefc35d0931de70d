// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The verb `compare`: how well and at what cost integrators fly a recorded flight. docs/compare.md.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "cli/common/option_error.h"
#include "cli/common/output_guard.h"
#include "cli/common/print.h"
#include "cli/common/status_line.h"
#include "cli/compare/report.h"
#include "cli/compare/request.h"
#include "cli/extra/sundials.h"
#include "cli/verbs.h"
#include "tactus/core/error.h"
#include "tactus/core/fp_environment.h"
#include "tactus/record/hdf5/flight_file.h"
#include "tactus/record/recording_meta.h"
#include "tactus/replay/compare/comparison_csv.h"
#include "tactus/replay/compare/comparison_json.h"
#include "tactus/replay/compare/work_precision_svg.h"
#include "tactus/spec/vehicle/vehicle_type.h"

namespace tactus::cli {
namespace {

double clock_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

IntegrationComparison compare(const CompareRequest& given, const Spec& spec,
                              const std::shared_ptr<const Recording>& recording) {
  CompareOptions options = options_of(given);
  const std::vector<Integration> sweep = sweep_of(given, spec.solver, *recording);
  const Integration reference = reference_of(given, spec);
  StatusLine line;
  std::size_t begun = 0;
  options.clock_s = clock_s;
  options.begins = [&](const Integration& integration) {
    line.show(fmt::format("[{}/{}] {}", ++begun, sweep.size() + 1, integration.name));
  };
  try {
    return compare_integrations(spec, recording, reference, sweep, options);
  } catch (const Error& error) {
    rethrow_as_option(error, "end", "--t-end", given.t_end);
    rethrow_as_option(error, "segment", "--segments", given.segments);
    throw;
  }
}

/// First --csv, then --svg.
std::vector<std::unique_ptr<OutputFile>> reserve_outputs(const CompareRequest& given) {
  if (given.force && given.csv.empty() && given.svg.empty()) {
    throw Error(ExitCode::kBadInput,
                "--force: replaces the files of --csv and --svg, and neither is given");
  }
  const OutputRules rules = rules_with_force(given.force);
  const NamedInput input{"FILE", given.file};
  const NamedOutput outputs[] = {{"--csv", given.csv, rules}, {"--svg", given.svg, rules}};
  return reserve_outputs({&input, 1}, outputs);
}

void compare_verb(const CompareRequest& given) {
  require_same_bits();
  const auto outputs = reserve_outputs(given);
  const std::shared_ptr<const Recording> recording = read_flight(given.file);
  require_one_spec(*recording);
  require_plant(*recording);
  const Spec spec = recorded_spec(*recording).spec;
  const std::vector<std::string> notes = notes_for(given);
  IntegrationComparison comparison = compare(given, spec, recording);
  comparison.notes.insert(comparison.notes.begin(), notes.begin(), notes.end());
  if (given.json) {
    print_format("{}\n", comparison_json(given.file, comparison));
  } else {
    print_format("{}", comparison_text(comparison));
  }
  if (outputs[0]) write_file(*outputs[0], comparison_csv(comparison));
  const bool any = std::any_of(comparison.flights.begin(), comparison.flights.end(),
                               [](const ComparedFlight& line) { return line.errors.rows > 0; });
  if (!any) {
    throw Error(ExitCode::kRunStopped,
                fmt::format("none of the {} flights could start; the first: {}: {}",
                            comparison.flights.size(), comparison.flights.front().flight.name,
                            comparison.flights.front().flight.stopped));
  }
  if (outputs[1]) write_file(*outputs[1], work_precision_svg(spec.name, comparison));
}

}  // namespace

void add_compare_verb(Verb& app, int& exit_code) {
  const auto given = std::make_shared<CompareRequest>();
  Verb* verb =
      app.add_subcommand("compare", "fly a recorded flight's plant with several integrators");
  verb->add_option("FILE", given->file, "recording")->required();
  verb->add_option("--solvers", given->solvers, "of euler, rk4, rk23, rk45, lie_rk4")
      ->delimiter(',')
      ->type_name("NAME,…")
      ->allow_extra_args(false)
      ->default_str("euler,rk4,rk23,rk45");
  verb->add_option("--tolerances", given->tolerances, "of adaptive methods: 1e-4,1e-6,1e-8")
      ->delimiter(',')
      ->type_name("X,…")
      ->allow_extra_args(false);
  verb->add_option("--steps", given->steps, "of fixed methods: 2ms,1ms,500us")
      ->delimiter(',')
      ->type_name("TIME,…")
      ->allow_extra_args(false);
  const bool lacking = *sundials_lacking() != '\0';
  verb->add_option("--reference", given->reference,
                   lacking ? "what the others are compared with (sundials: not in this program)"
                           : "what the others are compared with")
      ->check(CLI::IsMember({"rk45", "sundials"}))
      ->capture_default_str();
  verb->add_option("--reference-tolerance", given->reference_tolerance,
                   "of the reference; default 1e-10, with sundials 1e-12")
      ->type_name("X");
  verb->add_option("--t-end", given->t_end, "compare only up to here, with a unit: 20s")
      ->type_name("TIME");
  verb->add_option("--segments", given->segments,
                   "begin anew from the recorded state every so often, with a unit: 1s")
      ->type_name("TIME");
  verb->add_option("--csv", given->csv, "write the table")->type_name("FILE");
  verb->add_option("--svg", given->svg, "draw the work-precision diagram")->type_name("FILE");
  verb->add_flag("--force", given->force, "replace the files of --csv and --svg if they exist");
  verb->add_flag("--json", given->json, "print everything as JSON");
  verb->callback([given, &exit_code] {
    compare_verb(*given);
    exit_code = static_cast<int>(ExitCode::kOk);
  });
}

}  // namespace tactus::cli
