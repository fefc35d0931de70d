// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/autopilot/autopilot.h"

#include <fmt/format.h>

#include "tactus/core/error.h"

namespace tactus {

AutopilotInput autopilot_input(const Bus& bus, TimeUs now, bool sees_truth) {
  return {now,
          bus.estimate,
          bus.land,
          bus.high_level,
          bus.parameter,
          bus.battery,
          bus.esc,
          bus.imu,
          bus.magnetometer,
          bus.barometer,
          bus.gps,
          bus.airspeed,
          bus.range_finder,
          sees_truth ? &bus.truth : nullptr};
}
namespace {

[[noreturn]] void refuse(const Autopilot& autopilot) {
  throw Error(ExitCode::kBadInput,
              fmt::format("autopilot \"{}\" cannot be saved", autopilot.name()));
}

}  // namespace

void Autopilot::save(StateWriter& /*to*/) const { refuse(*this); }
void Autopilot::load(StateReader& /*from*/) { refuse(*this); }

}  // namespace tactus
