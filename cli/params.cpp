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
#include "tactus/autopilot/parameters/emitted_parameters.h"
#include "tactus/core/error.h"
#include "tactus/files/disk_files.h"
#include "tactus/flight/external_autopilots.h"
#include "tactus/link/ardupilot/ardupilot_parameters.h"
#include "tactus/link/px4/px4_parameters.h"
#include "tactus/spec/model/external_spec.h"
#include "tactus/spec/reader/load_spec.h"
#include "tactus/spec/vehicle/battery_levels.h"
#include "tactus/spec/vehicle/multirotor.h"

namespace tactus::cli {
namespace {

constexpr std::string_view kPx4 = "px4";
constexpr std::string_view kArdupilot = "ardupilot";

// Steps of the exchange where the spec does not fly this autopilot and so says nothing about it.
constexpr DurationUs kPx4Period{4000};
constexpr DurationUs kArdupilotPeriod{1000};

struct ParamsOptions {
  std::string spec;
  std::string autopilot;
  std::string format = "table";
  std::vector<std::string> set;
};

Spec load(const ParamsOptions& options) {
  Spec spec = load_spec(find_spec(options.spec), overrides_of(options.set)).spec;
  if (std::holds_alternative<MultirotorParameters>(spec.vehicle)) return spec;
  throw Error(ExitCode::kBadInput, fmt::format("{} is a {}; parameters are derived for multirotors",
                                               options.spec, vehicle_type(spec).name()));
}

bool flies_it(const Spec& spec, bool px4) {
  return px4 ? spec.autopilot == AutopilotKind::kPx4Sitl ||
                   spec.autopilot == AutopilotKind::kPx4Library
             : spec.autopilot == AutopilotKind::kArdupilot;
}

/// Those of the aircraft, and those that the spec adds or replaces.
std::vector<EmittedParameter> parameters_of(const Spec& spec, bool px4) {
  const bool flown = flies_it(spec, px4);
  const DurationUs usual = px4 ? kPx4Period : kArdupilotPeriod;
  const EmittedFor flight = emitted_for(spec, flown ? spec.timeline.autopilot : usual);
  const Multirotor vehicle = make_multirotor(spec);
  std::vector<EmittedParameter> list =
      px4 ? px4_parameters(vehicle, flight) : ardupilot_parameters(vehicle, flight);
  return flown ? with_given(std::move(list), spec) : list;
}

std::string value_text(const EmittedParameter& parameter) {
  return parameter.integer ? fmt::format("{:.0f}", parameter.value)
                           : fmt::format("{:.7g}", parameter.value);
}

void print_table(const std::vector<EmittedParameter>& list) {
  std::size_t widest = 0;
  for (const EmittedParameter& parameter : list) {
    widest = std::max(widest, parameter.name.size());
  }
  for (const EmittedParameter& parameter : list) {
    print_format("{:<{}}  {:>12}  {}{}\n", parameter.name, widest, value_text(parameter),
                 parameter.why, parameter.sitl_only ? " (process only)" : "");
  }
}

/// As QGroundControl saves and loads them: vehicle, component, name, value, MAV_PARAM_TYPE.
void print_px4_file(const std::vector<EmittedParameter>& list, const std::string& spec) {
  constexpr int kInt32 = 6;
  constexpr int kReal32 = 9;
  print_format("# {}: parameters for PX4, made by tactus params\n", spec);
  print_format("# Vehicle-Id Component-Id Name Value Type\n");
  for (const EmittedParameter& parameter : list) {
    print_format("1\t1\t{}\t{}\t{}\n", parameter.name, value_text(parameter),
                 parameter.integer ? kInt32 : kReal32);
  }
}

/// As ArduPilot's --defaults and the ground stations read them.
void print_ardupilot_file(const std::vector<EmittedParameter>& list, const std::string& spec) {
  print_format("# {}: parameters for ArduCopter, made by tactus params\n", spec);
  for (const EmittedParameter& parameter : list) {
    print_format("{} {}\n", parameter.name, value_text(parameter));
  }
}

void print_parameters(const ParamsOptions& options) {
  const bool px4 = options.autopilot == kPx4;
  const Spec spec = load(options);
  const std::vector<EmittedParameter> list = parameters_of(spec, px4);
  if (options.format == "table") {
    print_table(list);
  } else if (px4) {
    print_px4_file(list, options.spec);
  } else {
    print_ardupilot_file(list, options.spec);
  }
  // Not among the parameters, which may be on their way into a file.
  const AutopilotKind usual = px4 ? AutopilotKind::kPx4Sitl : AutopilotKind::kArdupilot;
  const AutopilotKind autopilot = flies_it(spec, px4) ? spec.autopilot : usual;
  for (const std::string& note : battery_level_notes(spec, autopilot)) {
    print_error("note: " + note);
  }
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
