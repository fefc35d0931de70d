// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The verb `params`: what an external autopilot must know about an aircraft.

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/common/overrides.h"
#include "cli/common/print.h"
#include "cli/verbs.h"
#include "tactus/core/error.h"
#include "tactus/files/disk_files.h"
#include "tactus/flight/external/parameter_file.h"
#include "tactus/spec/reader/load_spec.h"

namespace tactus::cli {
namespace {

constexpr std::string_view kPx4 = "px4";
constexpr std::string_view kArdupilot = "ardupilot";

struct ParamsOptions {
  std::string spec;
  std::string autopilot;
  std::string format = "table";
  std::vector<std::string> set;
};

Spec load(const ParamsOptions& options) {
  return load_spec(find_spec(options.spec), overrides_of(options.set)).spec;
}

void print_table(const std::vector<EmittedParameter>& list) {
  std::size_t widest = 0;
  for (const EmittedParameter& parameter : list) {
    widest = std::max(widest, parameter.name.size());
  }
  for (const EmittedParameter& parameter : list) {
    print_format("{:<{}}  {:>12}  {}{}\n", parameter.name, widest, parameter_text(parameter),
                 parameter.why, parameter.sitl_only ? " (process only)" : "");
  }
}

void print_parameters(const ParamsOptions& options) {
  const auto family =
      options.autopilot == kPx4 ? ParameterFamily::kPx4 : ParameterFamily::kArdupilot;
  const Spec spec = load(options);
  const std::vector<EmittedParameter> list = parameters_for(spec, family);
  if (options.format == "table") {
    print_table(list);
  } else {
    print_text(parameter_file(list, family, options.spec));
  }
  // Not among the parameters, which may be on their way into a file.
  for (const std::string& note : parameter_notes(spec, family)) print_error("note: " + note);
}

}  // namespace

void add_params_verb(Verb& app, int& /*exit_code*/) {
  const auto options = std::make_shared<ParamsOptions>();
  Verb* verb =
      app.add_subcommand("params", "print what PX4 or ArduPilot must know about an aircraft");
  verb->add_option("SPEC", options->spec, "a file, or a name in scenarios/ or aircraft/")
      ->required();
  verb->add_option("--for", options->autopilot, "px4 or ardupilot")
      ->required()
      ->check(CLI::IsMember({std::string(kPx4), std::string(kArdupilot)}));
  verb->add_option("--format", options->format, "table, or param-file: .params, .parm")
      ->check(CLI::IsMember({"table", "param-file"}))
      ->capture_default_str();
  verb->add_option("--set", options->set, "another value for a key; may be given several times")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  verb->callback([options] { print_parameters(*options); });
}

}  // namespace tactus::cli
