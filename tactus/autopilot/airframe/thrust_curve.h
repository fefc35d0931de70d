// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What a thrust stand would show: all rotors at one command, steady, in still air at the origin's
// density, on the packs as the flight begins, so that the voltage sags with the load. Autopilots
// model this curve by one number k,
//   t = (1 − k) c + k c²,    t thrust over the largest, c command over its range.

#include "tactus/plant/multirotor_model.h"
#include "tactus/signal/limits.h"

namespace tactus {

struct SteadyRotors {
  double command = 0.0;
  double lift_n = 0.0;  ///< upward force of all rotors, body axes
  double bus_v[kMaxBuses] = {};
  double speed_rad_s[kMaxMotors] = {};
  double thrust_n[kMaxMotors] = {};
  double torque_nm[kMaxMotors] = {};  ///< of the air
};

SteadyRotors steady_rotors(const Multirotor& vehicle, double command);

/// Where the lift is the weight. Throws Error(kBadInput) if that needs more than full command.
SteadyRotors hover_rotors(const Multirotor& vehicle);

/// Thrust gained per unit of command by one rotor alone: the bus keeps its voltage.
double thrust_slope_n(const Multirotor& vehicle, const SteadyRotors& at, int rotor);

/// Commands between which an autopilot works.
struct CommandRange {
  double lowest = 0.0;
  double highest = 1.0;
};

/// k by least squares, within [0, 1].
double fit_curvature(const Multirotor& vehicle, CommandRange range);

/// t of the model, and dt/dc.
constexpr double model_thrust(double curvature, double c) {
  return ((1.0 - curvature) + curvature * c) * c;
}
constexpr double model_slope(double curvature, double c) {
  return (1.0 - curvature) + 2.0 * curvature * c;
}

}  // namespace tactus
