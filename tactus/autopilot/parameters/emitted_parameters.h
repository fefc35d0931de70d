// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What an external autopilot must know about the aircraft, derived from the aircraft file: the one
// truth. `tactus params` prints it, and it is sent when a flight starts.

#include <string>

#include "tactus/core/time.h"
#include "tactus/plant/multirotor_model.h"

namespace tactus {

struct EmittedParameter {
  std::string name;
  double value = 0.0;
  bool integer = false;
  std::string why;         ///< one short line for people
  bool sitl_only = false;  ///< PX4: of a module that the library does not have (outputs, sensors)
};

/// What a flight decides besides the aircraft.
struct EmittedFor {
  DurationUs autopilot_period;  ///< also that of the IMU
  DurationUs gps_delay;
};

/// Whole mAh that all packs hold at this state of charge, as ArduPilot receives it.
inline double ardupilot_charge_mah(const PowerNetwork& network, double soc) {
  double capacity_mah = 0.0;
  for (int j = 0; j < network.pack_count; ++j) capacity_mah += network.pack[j].charge_c / 3.6;
  return math::rint(capacity_mah * soc);
}

}  // namespace tactus
