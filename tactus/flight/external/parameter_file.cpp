// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/flight/external/parameter_file.h"

#include <fmt/format.h>

#include <utility>

#include "tactus/core/assert.h"
#include "tactus/flight/external/external_autopilots.h"
#include "tactus/link/ardupilot/ardupilot_parameters.h"
#include "tactus/link/px4/px4_parameters.h"
#include "tactus/spec/vehicle/battery_levels.h"
#include "tactus/spec/vehicle/multirotor.h"

namespace tactus {
namespace {

// Steps of the exchange where the spec does not fly this autopilot and so says nothing about it.
constexpr DurationUs kPx4Period{4000};
constexpr DurationUs kArdupilotPeriod{1000};

bool flies_it(const Spec& spec, ParameterFamily family) {
  return family == ParameterFamily::kPx4 ? spec.autopilot == AutopilotKind::kPx4Sitl ||
                                               spec.autopilot == AutopilotKind::kPx4Library
                                         : spec.autopilot == AutopilotKind::kArdupilot;
}

/// Vehicle, component, name, value, MAV_PARAM_TYPE.
std::string px4_file(const std::vector<EmittedParameter>& list, const std::string& made_from) {
  constexpr int kInt32 = 6;
  constexpr int kReal32 = 9;
  std::string text = fmt::format("# {}: parameters for PX4, made by tactus params\n", made_from);
  text += "# Vehicle-Id Component-Id Name Value Type\n";
  for (const EmittedParameter& parameter : list) {
    text += fmt::format("1\t1\t{}\t{}\t{}\n", parameter.name, parameter_text(parameter),
                        parameter.integer ? kInt32 : kReal32);
  }
  return text;
}

std::string ardupilot_file(const std::vector<EmittedParameter>& list,
                           const std::string& made_from) {
  std::string text =
      fmt::format("# {}: parameters for ArduCopter, made by tactus params\n", made_from);
  for (const EmittedParameter& parameter : list) {
    text += fmt::format("{} {}\n", parameter.name, parameter_text(parameter));
  }
  return text;
}

}  // namespace

std::vector<EmittedParameter> parameters_for(const Spec& spec, ParameterFamily family) {
  require_multirotor(spec, "parameters are derived for multirotors");
  const bool px4 = family == ParameterFamily::kPx4;
  const bool flown = flies_it(spec, family);
  const DurationUs usual = px4 ? kPx4Period : kArdupilotPeriod;
  const EmittedFor flight = emitted_for(spec, flown ? spec.timeline.autopilot : usual);
  const Multirotor vehicle = make_multirotor(spec);
  std::vector<EmittedParameter> list =
      px4 ? px4_parameters(vehicle, flight) : ardupilot_parameters(vehicle, flight);
  return flown ? with_given(std::move(list), spec) : list;
}

std::string parameter_text(const EmittedParameter& parameter) {
  return parameter.integer ? fmt::format("{:.0f}", parameter.value)
                           : fmt::format("{:.7g}", parameter.value);
}

std::string parameter_file(const std::vector<EmittedParameter>& list, ParameterFamily family,
                           const std::string& made_from) {
  return family == ParameterFamily::kPx4 ? px4_file(list, made_from)
                                         : ardupilot_file(list, made_from);
}

std::vector<std::string> parameter_notes(const Spec& spec, ParameterFamily family) {
  const AutopilotKind usual =
      family == ParameterFamily::kPx4 ? AutopilotKind::kPx4Sitl : AutopilotKind::kArdupilot;
  return battery_level_notes(spec, flies_it(spec, family) ? spec.autopilot : usual);
}

}  // namespace tactus
