// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include "tactus/autopilot/autopilot.h"
#include "tactus/signal/bus.h"

namespace tactus::testing {

/// For an autopilot that reads no instruments.
inline AutopilotInput without_instruments(TimeUs now, const Estimate& estimate,
                                          const LandStatus& land,
                                          const HighLevelCommand& high_level,
                                          const ParameterChange& parameter,
                                          const BatteryStatus (&battery)[kMaxPacks],
                                          const EscStatus (&esc)[kMaxMotors]) {
  static const Bus none;
  return {now,
          estimate,
          land,
          high_level,
          parameter,
          battery,
          esc,
          none.imu,
          none.magnetometer,
          none.barometer,
          none.gps,
          none.airspeed,
          none.range_finder,
          none.optical_flow,
          nullptr};
}

}  // namespace tactus::testing
