// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The verb `compare`: how well and at what cost integrators fly a recorded flight. docs/compare.md.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/compare/report.h"
#include "cli/compare/work_precision_svg.h"
#include "cli/duration_option.h"
#include "cli/extra/sundials.h"
#include "cli/output_guard.h"
#include "cli/print.h"
#include "cli/read_flight.h"
#include "cli/verbs.h"
#include "tactus/core/error.h"
#include "tactus/core/fp_environment.h"
#include "tactus/core/math.h"
#include "tactus/core/text.h"
#include "tactus/scenario/recording_meta.h"

namespace tactus::cli {
namespace {

constexpr double kReferenceTolerance = 1e-10;
constexpr double kSundialsTolerance = 1e-12;
constexpr double kDiagramTolerances[] = {1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9};

struct CompareOptionsGiven {
  std::string file;
  std::vector<std::string> solvers{"euler", "rk4", "rk23", "rk45"};
  std::vector<std::string> tolerances;
  std::vector<std::string> steps;
  std::string reference = "rk45";
  std::string reference_tolerance;
  std::string csv;
  std::string svg;
  std::string t_end;
  std::string segments;
  bool force = false;
  bool json = false;
};

Method method_of(const std::string& name) {
  std::string known;
  for (int i = 0; i < kMethods; ++i) {
    const auto method = static_cast<Method>(i);
    if (name == to_text(method)) return method;
    known += fmt::format("{}{}", i == 0 ? "" : ", ", to_text(method));
  }
  throw Error(ExitCode::kBadInput,
              fmt::format("--solvers: there is no \"{}\"; there are {}", name, known));
}

double tolerance_of(const std::string& text, const char* option) {
  const double tolerance = parse_double(text, option);
  if (tolerance >= 1e-14 && tolerance <= 1.0) return tolerance;
  throw Error(ExitCode::kBadInput, fmt::format("{}: {} must be from 1e-14 to 1", option, text));
}

std::vector<Method> methods_of(const CompareOptionsGiven& given) {
  std::vector<Method> methods;
  for (const std::string& name : given.solvers) methods.push_back(method_of(name));
  return methods;
}

/// With tolerances, steps or a diagram: curves; otherwise one flight per method.
std::vector<Integration> sweep_of(const CompareOptionsGiven& given, const SolverConfig& recorded,
                                  const Recording& recording) {
  const std::vector<Method> methods = methods_of(given);
  if (given.tolerances.empty() && given.steps.empty() && given.svg.empty()) {
    return default_sweep(recorded, methods);
  }
  std::vector<double> tolerances;
  for (const std::string& text : given.tolerances) {
    tolerances.push_back(tolerance_of(text, "--tolerances"));
  }
  if (tolerances.empty()) {
    tolerances.assign(std::begin(kDiagramTolerances), std::end(kDiagramTolerances));
  }
  DurationRange range;
  range.longest = longest_interval(recording);
  range.why_longest =
      "the longest time between two boundaries of the recording, and no step crosses one";
  std::vector<DurationUs> steps;
  for (const std::string& text : given.steps) {
    steps.push_back(duration_option(text, "--steps", range));
  }
  return precision_sweep(methods, tolerances, steps);
}

Integration reference_of(const CompareOptionsGiven& given, const Spec& spec) {
  const bool sundials = given.reference == "sundials";
  if (sundials && spec.vehicle != VehicleKind::kMultirotor) {
    throw Error(ExitCode::kBadInput,
                "--reference sundials: only multirotors can be integrated by SUNDIALS, this flight "
                "is a rover's; use --reference rk45");
  }
  if (sundials && *sundials_lacking() != '\0') {
    throw Error(ExitCode::kEnvironment,
                fmt::format("--reference sundials: {}; or use --reference rk45, which is built in",
                            sundials_lacking()));
  }
  const double tolerance = !given.reference_tolerance.empty()
                               ? tolerance_of(given.reference_tolerance, "--reference-tolerance")
                           : sundials ? kSundialsTolerance
                                      : kReferenceTolerance;
  return sundials ? sundials_reference(tolerance) : reference_integration(tolerance);
}

/// What flies now, on one line that is wiped at the end.
class Progress {
 public:
  explicit Progress(std::size_t count) : count_(count), shown_(isatty(STDERR_FILENO) == 1) {}
  ~Progress() {
    if (shown_) std::fputs("\r\x1b[2K", stderr);
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void show(const std::string& name) {
    ++done_;
    if (shown_) std::fprintf(stderr, "\r\x1b[2K[%zu/%zu] %s", done_, count_, name.c_str());
  }

 private:
  std::size_t count_;
  std::size_t done_ = 0;
  bool shown_;
};

double clock_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// What is compared of a flight.
struct Span {
  std::optional<TimeUs> end;  ///< none: that of the recording
  DurationUs segment;         ///< 0: the flight is one
};

Span span_of(const CompareOptionsGiven& given, const Recording& recording) {
  Span span;
  DurationRange range;
  range.longest = recording.end.time - TimeUs{};
  range.why_longest = "the recording ends there";
  if (!given.t_end.empty()) {
    range.longest = duration_option(given.t_end, "--t-end", range);
    range.why_longest = "--t-end";
    span.end = TimeUs{} + range.longest;
  }
  if (given.segments.empty()) return span;
  range.shortest = std::min(longest_interval(recording), range.longest);
  range.why_shortest = "segments begin at boundaries of the recording, which are so far apart";
  span.segment = duration_option(given.segments, "--segments", range);
  return span;
}

bool touches_ground(const Recording& recording, TimeUs until) {
  const Table* const events = recording.find("events");
  const RowField* const what = events == nullptr ? nullptr : events->layout.find("/events/what");
  if (what == nullptr) return false;
  for (std::size_t i = 0; i < events->size() && events->time(i) <= until; ++i) {
    const std::string happened = text(*what, events->row(i).data());
    if (happened == "touchdown" || happened == "liftoff") return true;
  }
  return false;
}

/// Options without effect, and what makes a comparison hard to read.
std::vector<std::string> notes_for(const CompareOptionsGiven& given, const Span& span,
                                   const Recording& recording) {
  std::vector<std::string> notes;
  const std::vector<Method> methods = methods_of(given);
  const auto adaptive = std::count_if(methods.begin(), methods.end(), is_adaptive);
  if (!given.tolerances.empty() && adaptive == 0) {
    notes.emplace_back("--tolerances has no effect: none of the solvers is adaptive");
  }
  if (!given.steps.empty() && adaptive == std::ssize(methods)) {
    notes.emplace_back("--steps has no effect: none of the solvers has fixed steps");
  }
  if (touches_ground(recording, span.end.value_or(recording.end.time))) {
    notes.emplace_back(
        span.segment.us != 0
            ? "the vehicle touches the ground in this flight; a bounce magnifies any difference, "
              "so errors of segments with one say little of the integrators (docs/compare.md)"
            : "the vehicle touches the ground in this flight; take-off and landing magnify any "
              "difference, so errors after them say little of the integrators (docs/compare.md)");
  }
  return notes;
}

IntegrationComparison compare(const CompareOptionsGiven& given, const Span& span, const Spec& spec,
                              const std::shared_ptr<const Recording>& recording) {
  const std::vector<Integration> sweep = sweep_of(given, spec.solver, *recording);
  const Integration reference = reference_of(given, spec);
  Progress progress(sweep.size() + 1);
  CompareOptions options;
  options.clock_s = clock_s;
  options.begins = [&](const Integration& integration) { progress.show(integration.name); };
  options.end = span.end;
  options.segment = span.segment;
  return compare_integrations(spec, recording, reference, sweep, options);
}

void write_file(OutputFile& file, const std::string& text) {
  file.append(text);
  file.require_written();
  file.publish();
}

/// First --csv, then --svg.
std::vector<std::unique_ptr<OutputFile>> reserve_outputs(const CompareOptionsGiven& given) {
  if (given.force && given.csv.empty() && given.svg.empty()) {
    throw Error(ExitCode::kBadInput,
                "--force: replaces the files of --csv and --svg, and neither is given");
  }
  const OutputRules rules = rules_with_force(given.force);
  const NamedInput input{"FILE", given.file};
  const NamedOutput outputs[] = {{"--csv", given.csv, rules}, {"--svg", given.svg, rules}};
  return reserve_outputs({&input, 1}, outputs);
}

void compare_verb(const CompareOptionsGiven& given) {
  require_same_bits();
  const auto outputs = reserve_outputs(given);
  const std::shared_ptr<const Recording> recording = read_flight(given.file);
  require_one_spec(*recording);
  require_plant(*recording);
  const Spec spec = recorded_spec(*recording).spec;
  const Span span = span_of(given, *recording);
  const std::vector<std::string> notes = notes_for(given, span, *recording);
  const IntegrationComparison comparison = compare(given, span, spec, recording);
  if (given.json) {
    say("{}\n", comparison_json(given.file, comparison, notes));
  } else {
    say("{}", comparison_text(comparison, notes));
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
  const auto given = std::make_shared<CompareOptionsGiven>();
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
