// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/compare/request.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/common/duration_option.h"
#include "cli/extra/sundials.h"
#include "tactus/core/error.h"
#include "tactus/core/text.h"
#include "tactus/spec/vehicle/multirotor.h"

namespace tactus::cli {
namespace {

constexpr double kReferenceTolerance = 1e-10;
constexpr double kSundialsTolerance = 1e-12;

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

std::vector<Method> methods_of(const CompareRequest& given) {
  std::vector<Method> methods;
  for (const std::string& name : given.solvers) methods.push_back(method_of(name));
  return methods;
}

}  // namespace

std::vector<Integration> sweep_of(const CompareRequest& given, const SolverConfig& recorded,
                                  const Recording& recording) {
  const std::vector<Method> methods = methods_of(given);
  if (given.tolerances.empty() && given.steps.empty() && given.svg.empty()) {
    return default_sweep(recorded, methods);
  }
  std::vector<double> tolerances;
  for (const std::string& text : given.tolerances) {
    tolerances.push_back(tolerance_of(text, "--tolerances"));
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

Integration reference_of(const CompareRequest& given, const Spec& spec) {
  const bool sundials = given.reference == "sundials";
  if (sundials) {
    require_multirotor(spec, "only multirotors can be integrated by SUNDIALS; use rk45");
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

CompareOptions options_of(const CompareRequest& given) {
  CompareOptions options;
  if (!given.t_end.empty()) options.end = TimeUs{} + duration_option(given.t_end, "--t-end");
  if (!given.segments.empty()) options.segment = duration_option(given.segments, "--segments");
  return options;
}

std::vector<std::string> notes_for(const CompareRequest& given) {
  std::vector<std::string> notes;
  const std::vector<Method> methods = methods_of(given);
  const auto adaptive = std::count_if(methods.begin(), methods.end(), is_adaptive);
  if (!given.tolerances.empty() && adaptive == 0) {
    notes.emplace_back("--tolerances has no effect: none of the solvers is adaptive");
  }
  if (!given.steps.empty() && adaptive == std::ssize(methods)) {
    notes.emplace_back("--steps has no effect: none of the solvers has fixed steps");
  }
  return notes;
}

}  // namespace tactus::cli
