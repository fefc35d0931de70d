// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A flight of the Iris for comparisons: hover trim, and a series of held inputs (commands that
// vary, Dryden wind) recorded from a stabilised flight. Flown again open loop, the series keeps the
// vehicle near hover, so that errors grow slowly instead of tumbling away.

#include <cmath>
#include <cstdint>
#include <vector>

#include "tactus/vehicle/multirotor_flight.h"
#include "tactus/world/wind.h"

namespace tactus::verify {

/// State and command at which nothing accelerates, 100 m above the ground.
struct HoverTrim {
  MultirotorState state;
  double command = 0.0;
};

/// Root of a rising function in an interval.
template <class F>
double bisect(double low, double high, F rising) {
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    (rising(middle) < 0.0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

inline MultirotorInput same_command(double command) {
  MultirotorInput input;
  for (double& c : input.motor_command) c = command;
  return input;
}

inline HoverTrim hover_trim(const Multirotor& vehicle) {
  HoverTrim trim{vehicle.initial, 0.0};
  trim.state.x[vehicle.layout.position + 2] = -100.0;
  double dx[kMultirotorCapacity];
  const auto evaluate_at = [&](double command, double speed) {
    for (int i = 0; i < vehicle.counts.rotors; ++i) {
      trim.state.x[vehicle.layout.rotor_speed + i] = speed;
    }
    evaluate(RunTimeShape{&vehicle}, vehicle, MultirotorModes{}, same_command(command), 0.0,
             trim.state.x, dx, nullptr);
  };
  const double speed = bisect(50.0, 1500.0, [&](double s) {
    evaluate_at(0.5, s);
    return -dx[vehicle.layout.velocity + 2];
  });
  trim.command = bisect(0.05, 1.0, [&](double c) {
    evaluate_at(c, speed);
    return dx[vehicle.layout.rotor_speed];
  });
  return trim;
}

inline constexpr DurationUs kHoldPeriod{20'000};
inline constexpr int kHeldInputs = 500;  // ten seconds

/// Tracks a swaying attitude and a wandering climb rate; good enough to keep it upright.
inline MultirotorInput swaying_command(const Multirotor& vehicle, const HoverTrim& trim, double t_s,
                                       const double* x) {
  const EulerAngles e = to_euler(load_quat(x + vehicle.layout.attitude));
  const Vec3 w = load_vec3(x + vehicle.layout.rate);
  const double climb_m_s = -x[vehicle.layout.velocity + 2];
  const double roll = 0.07 * (0.12 * std::sin(1.3 * t_s) - e.roll_rad) - 0.03 * w.x;
  const double pitch = 0.07 * (0.10 * std::sin(0.9 * t_s + 1.0) - e.pitch_rad) - 0.03 * w.y;
  const double yaw = 0.05 * (0.5 * std::sin(0.5 * t_s) - e.yaw_rad) - 0.08 * w.z;
  const double lift = 0.08 * (0.8 * std::sin(0.7 * t_s) - climb_m_s);
  MultirotorInput input;
  for (int i = 0; i < vehicle.counts.rotors; ++i) {
    const Rotor& rotor = vehicle.rotor[i];
    const double right = std::copysign(1.0, rotor.position_B_m.y);
    const double front = std::copysign(1.0, rotor.position_B_m.x);
    input.motor_command[i] = trim.command + lift - right * roll + front * pitch - rotor.spin * yaw;
  }
  return input;
}

/// What is held on each of the intervals of kHoldPeriod.
inline std::vector<MultirotorInput> swaying_inputs(const Multirotor& vehicle,
                                                   const HoverTrim& trim) {
  WindParameters wind;
  wind.mean_W_m_s = {3.0, -2.0, 0.0};
  wind.turbulence = TurbulenceKind::kDryden;
  const RandomStream stream(1, "verify.wind");
  const WindInput at{100.0, {}};
  MultirotorFlight flight = start_flight(vehicle, same_command(trim.command), trim.state);
  WindState wind_state = start_wind(wind, stream, at, flight.now);
  SolverConfig config;
  config.step_us = 2000;
  std::vector<MultirotorInput> inputs;
  for (int k = 0; k < kHeldInputs; ++k) {
    MultirotorInput input = swaying_command(vehicle, trim, to_seconds(flight.now), flight.state.x);
    input.wind_W_m_s = step_wind(wind, stream, at, flight.now, kHoldPeriod, wind_state).value_W_m_s;
    inputs.push_back(input);
    fly(vehicle, config, input, flight.now + kHoldPeriod, flight);
  }
  return inputs;
}

/// RK45 with every group of the multirotor controlled at one tolerance.
inline SolverConfig tight_config(double tolerance) {
  SolverConfig config = default_config(Method::kRk45);
  config.position = config.velocity = config.rate = {tolerance, tolerance};
  config.attitude_atol_rad = tolerance;
  config.rotor = config.charge = config.polarisation = {tolerance, tolerance};
  return config;
}

}  // namespace tactus::verify
