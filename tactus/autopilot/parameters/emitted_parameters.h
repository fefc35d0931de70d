// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What an autopilot outside must know about the aircraft, derived from the aircraft file: the one
// truth. `tactus params` prints it, and it is sent when a flight starts.

#include <string>
#include <vector>

#include "tactus/core/time.h"
#include "tactus/plant/multirotor_model.h"
#include "tactus/sensor/sensors_spec.h"

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
  SensorsSpec sensors{};
};

/// PX4: geometry, thrust curve, hover, rate gains. Throws Error(kBadInput) if the aircraft has more
/// rotors than PX4 knows or cannot hover.
std::vector<EmittedParameter> px4_parameters(const Multirotor& vehicle, const EmittedFor& flight);

/// What PX4's output stage makes of a motor's control, 0 to 1, with THR_MDL_FAC. PX4 as a process
/// does this itself; the PX4 library ends before that stage, so whoever reads its motors must.
double px4_motor_signal(double control, double thrust_model_factor);

/// ArduCopter: frame, thrust curve, hover, rate gains. Throws Error(kBadInput) if the rotors do not
/// form a frame that ArduPilot knows.
std::vector<EmittedParameter> ardupilot_parameters(const Multirotor& vehicle,
                                                   const EmittedFor& flight);

/// Whole mAh that all packs hold at this state of charge, as ArduPilot is told it.
inline double ardupilot_charge_mah(const PowerNetwork& network, double soc) {
  double capacity_mah = 0.0;
  for (int j = 0; j < network.pack_count; ++j) capacity_mah += network.pack[j].charge_c / 3.6;
  return math::rint(capacity_mah * soc);
}

/// Our rotor (from 0) for each motor of the ArduPilot frame: element k belongs to its motor k + 1,
/// which listens to servo channel k + 1. Throws Error(kBadInput) as above.
std::vector<int> ardupilot_motor_order(const Multirotor& vehicle);

}  // namespace tactus
