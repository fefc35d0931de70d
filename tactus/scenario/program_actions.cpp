// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/scenario/program_actions.h"

#include <fmt/format.h>

#include <array>

#include "tactus/core/error.h"
#include "tactus/spec/model/action_table.h"
#include "tactus/spec/schema/actions.h"
#include "tactus/spec/schema/schema_enums.h"

namespace tactus {
namespace {

constexpr const char* kOfGyroscope =
    "do = \"sensor_dropout\" or \"sensor_stuck\" with instrument = \"gyroscope0\"";
constexpr const char* kOfAccelerometer =
    "do = \"sensor_dropout\" or \"sensor_stuck\" with instrument = \"accelerometer0\"";

/// In the order of SensorBit.
struct Substitutes {
  const char* px4;
  const char* ardupilot;
};
constexpr std::array<Substitutes, static_cast<std::size_t>(SensorBit::kCount)> kSubstitutes{{
    {kOfGyroscope, kOfGyroscope},
    {kOfAccelerometer, kOfAccelerometer},
    {"do = \"sensor_dropout\" or \"sensor_stuck\" with instrument = \"magnetometer0\"",
     "its own do = \"parameter\" with parameter = \"SIM_MAG1_FAIL\" and value = 1"},
    {"do = \"sensor_dropout\" or \"sensor_stuck\" with instrument = \"barometer0\"",
     "its own do = \"parameter\" with parameter = \"SIM_BARO_DISABLE\" and value = 1"},
    {"do = \"gps_no_fix\" or \"sensor_dropout\" with instrument = \"gps0\"",
     "its own do = \"parameter\" with parameter = \"SIM_GPS1_ENABLE\" and value = 0"},
    {"do = \"sensor_stuck\" of the instruments", kOfGyroscope},
    {"do = \"sensor_dropout\" of the instruments", kOfGyroscope},
}};

const char* of_sensor(const std::string& name, bool px4) {
  for (std::size_t i = 0; i < kSubstitutes.size(); ++i) {
    if (name != kNames<SensorBit>[i]) continue;
    return px4 ? kSubstitutes[i].px4 : kSubstitutes[i].ardupilot;
  }
  return "a fault of an instrument";
}

}  // namespace

bool acts_on_estimate_only(ActionKind kind) {
  const ActionTarget target = row_of(kind).target;
  return target == ActionTarget::kSensor || target == ActionTarget::kQuantity ||
         kind == ActionKind::kEstimatorDelay;
}

std::string instead_of(const Action& action, AutopilotKind program) {
  const bool px4 = program == AutopilotKind::kPx4Sitl;
  const char* const of_ardupilot = "of \"gyroscope0\" or \"accelerometer0\"";
  switch (action.kind) {
    case ActionKind::kSensorFail: return of_sensor(action.target, px4);
    case ActionKind::kSensorRestore: return "do = \"instrument_restore\"";
    case ActionKind::kEstimatorBias:
      return fmt::format("do = \"sensor_bias\" {}",
                         px4 ? "of the instrument that measures it (\"gps0\", \"barometer0\", "
                               "\"magnetometer0\", \"gyroscope0\", \"accelerometer0\")"
                             : of_ardupilot);
    default:
      return fmt::format(
          "do = \"sensor_delay\" {}",
          px4 ? "of an instrument (\"gps0\", \"barometer0\", \"magnetometer0\")" : of_ardupilot);
  }
}

void require_reachable(const Spec& spec) {
  if (!is_external_program(spec.autopilot)) return;
  for (const Event& event : spec.events) {
    if (!acts_on_estimate_only(event.action.kind)) continue;
    throw about(
        Error(ExitCode::kBadInput,
              fmt::format("{}: \"{}\" acts on the estimate of Tactus, which \"{}\" does not read; "
                          "use {} (docs/faults.md)",
                          place_of(event), name_of(event.action.kind), name_of(spec.autopilot),
                          instead_of(event.action, spec.autopilot))),
        "event." + event.id);
  }
}

}  // namespace tactus
