// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Trim of a multirotor by bisection on its own right-hand side.

#include "tactus/vehicle/multirotor_flight.h"
#include "tests/support/plant.h"

namespace tactus::testing {

/// Root of a rising function in an interval.
template <class F>
double bisect(double low, double high, F rising) {
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    (rising(middle) < 0.0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

/// Level, at rest, every rotor at the same command and speed.
struct OperatingPoint {
  double command = 0.0;
  double speed_rad_s = 0.0;
  MultirotorState state;
  MultirotorOutputs out;
  double rotor_rate = 0.0;
  double acceleration_down = 0.0;
};

inline OperatingPoint operating_point(const Multirotor& vehicle, double height_m, double command,
                                      double speed_rad_s) {
  OperatingPoint point;
  point.command = command;
  point.speed_rad_s = speed_rad_s;
  point.state = vehicle.initial;
  point.state.x[vehicle.layout.position + 2] = -height_m;
  for (int i = 0; i < vehicle.counts.rotors; ++i) {
    point.state.x[vehicle.layout.rotor_speed + i] = speed_rad_s;
  }
  double dx[kMultirotorCapacity];
  evaluate(RunTimeShape{&vehicle}, vehicle, MultirotorModes{}, command_all(command), 0.0,
           point.state.x, dx, &point.out);
  point.rotor_rate = dx[vehicle.layout.rotor_speed];
  point.acceleration_down = dx[vehicle.layout.velocity + 2];
  return point;
}

/// The speed at which the rotors carry the weight, then the command that holds it.
inline OperatingPoint hover_point(const Multirotor& vehicle, double height_m) {
  const double speed = bisect(10.0, 1500.0, [&](double s) {
    return -operating_point(vehicle, height_m, 0.5, s).acceleration_down;
  });
  const double command = bisect(
      0.05, 1.0, [&](double c) { return operating_point(vehicle, height_m, c, speed).rotor_rate; });
  return operating_point(vehicle, height_m, command, speed);
}

/// The speed that full command holds, the vehicle held in place.
inline OperatingPoint full_command_point(const Multirotor& vehicle, double height_m) {
  const double speed = bisect(10.0, 2500.0, [&](double s) {
    return -operating_point(vehicle, height_m, 1.0, s).rotor_rate;
  });
  return operating_point(vehicle, height_m, 1.0, speed);
}

}  // namespace tactus::testing
