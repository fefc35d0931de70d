// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/autopilot/thrust_curve.h"

#include <fmt/format.h>

#include "tactus/core/error.h"
#include "tactus/core/math.h"
#include "tactus/plant/multirotor.h"

namespace tactus {
namespace {

constexpr int kBisections = 34;
constexpr int kCommandBisections = 26;  // 1.5e-8
constexpr int kVoltageBisections = 26;  // 50 V to 1e-6 V
constexpr int kFitPoints = 20;

PropellerLoad still_air_load(const Multirotor& vehicle, int rotor, double speed_rad_s) {
  return propeller_load(
      vehicle.rotor[rotor].propeller, speed_rad_s,
      {.climb_m_s = 0.0,
       .in_plane_speed_squared_m2_s2 = 0.0,
       .density_kg_m3 = air_density(vehicle.atmosphere, vehicle.origin_altitude_m),
       .ground_height_m = math::infinity()});
}

/// Where motor and propeller balance.
double steady_speed(const Multirotor& vehicle, int rotor, double command, double bus_v) {
  const Motor& motor = vehicle.rotor[rotor].motor;
  double low = 0.0;
  double high = bus_v / motor.torque_constant_nm_a;
  for (int k = 0; k < kBisections; ++k) {
    const double speed = 0.5 * (low + high);
    const double current = motor_current(motor, motor_electrical(motor, command, speed), bus_v);
    const double surplus = motor_torque(motor, current, speed, false) -
                           still_air_load(vehicle, rotor, speed).torque_nm;
    (surplus > 0.0 ? low : high) = speed;
  }
  return low;
}

/// Bus voltages of the initial packs with the rotors at these speeds.
void solve_buses(const Multirotor& vehicle, const SteadyRotors& at, double* bus_v) {
  MultirotorState state = vehicle.initial;
  MultirotorInput input;
  for (int i = 0; i < vehicle.counts.rotors; ++i) {
    input.motor_command[i] = at.command;
    state.x[vehicle.layout.rotor_speed + i] = at.speed_rad_s[i];
    if (vehicle.counts.motor_actuator_order > 0) {
      state.x[vehicle.layout.motor_output + i] = at.command;
    }
  }
  detail::Electrical electrical;
  detail::solve_electrical(RunTimeShape{&vehicle}, vehicle, {}, input, state.x, electrical);
  for (int b = 0; b < vehicle.counts.buses; ++b) bus_v[b] = electrical.solution.bus_v[b];
}

}  // namespace

SteadyRotors steady_rotors(const Multirotor& vehicle, double command) {
  SteadyRotors at;
  double low_v[kMaxBuses] = {};
  double high_v[kMaxBuses] = {};
  solve_buses(vehicle, at, high_v);  // motors off
  at.command = command;
  // Each pack hangs on one bus, so the buses are searched side by side.
  for (int pass = 0; pass < kVoltageBisections; ++pass) {
    double solved_v[kMaxBuses] = {};
    for (int b = 0; b < vehicle.counts.buses; ++b) at.bus_v[b] = 0.5 * (low_v[b] + high_v[b]);
    for (int i = 0; i < vehicle.counts.rotors; ++i) {
      at.speed_rad_s[i] = steady_speed(vehicle, i, command, at.bus_v[vehicle.rotor[i].bus]);
    }
    solve_buses(vehicle, at, solved_v);
    for (int b = 0; b < vehicle.counts.buses; ++b) {
      (solved_v[b] > at.bus_v[b] ? low_v[b] : high_v[b]) = at.bus_v[b];
    }
  }
  for (int i = 0; i < vehicle.counts.rotors; ++i) {
    const PropellerLoad load = still_air_load(vehicle, i, at.speed_rad_s[i]);
    at.thrust_n[i] = load.thrust_n;
    at.torque_nm[i] = load.torque_nm;
    at.lift_n += vehicle.rotor[i].axis_B.z * load.thrust_n;
  }
  return at;
}

SteadyRotors hover_rotors(const Multirotor& vehicle) {
  const double weight_n =
      vehicle.body.mass_kg * gravity_down(vehicle.gravity, vehicle.origin_altitude_m);
  const double most_n = steady_rotors(vehicle, 1.0).lift_n;
  if (!(most_n > weight_n)) {
    throw Error(ExitCode::kBadInput,
                fmt::format("body.mass_kg = {}: the rotors lift {:.1f} N at full command and the "
                            "weight is {:.1f} N, so no autopilot can be told how to hover",
                            vehicle.body.mass_kg, most_n, weight_n));
  }
  double low = 0.0;
  double high = 1.0;
  for (int k = 0; k < kCommandBisections; ++k) {
    const double command = 0.5 * (low + high);
    (steady_rotors(vehicle, command).lift_n < weight_n ? low : high) = command;
  }
  return steady_rotors(vehicle, high);
}

double thrust_slope_n(const Multirotor& vehicle, const SteadyRotors& at, int rotor) {
  constexpr double kStep = 1e-3;
  const auto thrust_n = [&](double command) {
    const double bus_v = at.bus_v[vehicle.rotor[rotor].bus];
    return still_air_load(vehicle, rotor, steady_speed(vehicle, rotor, command, bus_v)).thrust_n;
  };
  return (thrust_n(at.command + kStep) - thrust_n(at.command - kStep)) / (2.0 * kStep);
}

double fit_curvature(const Multirotor& vehicle, CommandRange range) {
  const double most_n = steady_rotors(vehicle, range.highest).lift_n;
  double product = 0.0;
  double square = 0.0;
  for (int k = 1; k < kFitPoints; ++k) {
    const double c = static_cast<double>(k) / kFitPoints;
    const double command = range.lowest + c * (range.highest - range.lowest);
    const double t = steady_rotors(vehicle, command).lift_n / most_n;
    const double bend = c * c - c;  // t − c = k · bend
    product += (t - c) * bend;
    square += bend * bend;
  }
  return math::clamp(product / square, 0.0, 1.0);
}

}  // namespace tactus
