// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The Iris and octa of the earlier Julia simulator, parameter by parameter, with its thrust
// calibration: regression anchors for the parity tests. Not aircraft to copy: the torque ratio of
// 0.05 m makes their rotors slow and thirsty.

#include <cmath>
#include <string>

#include "tactus/core/error.h"
#include "tactus/plant/multirotor_model.h"

namespace tactus::testing {

struct ThrustCalibration {
  double kt = 0.0;
  double full_duty_speed_rad_s = 0.0;
};

/// Speed at which a motor on `volts` balances kq ρ Ω² + b Ω; no-load current, ESC and limits
/// ignored.
inline double calibration_speed(double kq_rho, const MotorParameters& m, double volts) {
  const double ke = 60.0 / (2.0 * M_PI * m.kv_rpm_per_v);
  const double b = m.viscous_friction_nm_s + ke * ke / m.resistance_ohm;
  const double c = ke * volts / m.resistance_ohm;
  return kq_rho < 1e-12 ? c / b : (-b + std::sqrt(b * b + 4.0 * kq_rho * c)) / (2.0 * kq_rho);
}

/// Bisection for the thrust constant that gives twice the hover thrust at full duty, 12 V, 1.225
/// kg/m³. The upper end is doubled until it brackets the target; thrust is bounded, so it may not.
inline ThrustCalibration calibrate(double mass_kg, int rotors, const MotorParameters& motor) {
  constexpr double kTorqueRatio_m = 0.05;
  constexpr double kDensity = 1.225;
  const double target = 2.0 * mass_kg * 9.80665 / rotors;
  const auto speed = [&](double kt) {
    return calibration_speed(kTorqueRatio_m * kt * kDensity, motor, 12.0);
  };
  const auto thrust = [&](double kt) { return kt * kDensity * speed(kt) * speed(kt); };
  double low = 1e-8, high = 1e-4;
  for (int i = 0; i < 20 && thrust(high) < target; ++i) high *= 2.0;
  if (thrust(high) < target) {
    throw Error(ExitCode::kBadInput, "thrust calibration: no thrust constant reaches " +
                                         std::to_string(target) + " N per rotor, at most " +
                                         std::to_string(thrust(high)) +
                                         " N; a lighter vehicle or a stronger motor is needed");
  }
  for (int i = 0; i < 80; ++i) {
    const double middle = 0.5 * (low + high);
    (thrust(middle) < target ? low : high) = middle;
  }
  const double kt = 0.5 * (low + high);
  return {kt, speed(kt)};
}

/// The world of the prior art takes geometric altitudes for geopotential ones.
inline WorldParameters prior_art_world() {
  return {.atmosphere = {.altitude_kind = AltitudeKind::kGeopotential}};
}

inline MultirotorParameters prior_art_base(int rotors, double mass_kg) {
  MultirotorParameters p;
  p.rotor_count = rotors;
  p.power.motor_count = rotors;
  p.body.mass_kg = mass_kg;
  p.body.linear_drag_n_s_m = 0.05;
  p.body.angular_damping_nm_s = {0.02, 0.02, 0.01};
  MotorParameters motor;
  motor.kv_rpm_per_v = 920.0;
  motor.resistance_ohm = 0.25;
  motor.no_load_current_a = 0.6;
  motor.viscous_friction_nm_s = 2e-6;
  motor.rotor_inertia_kg_m2 = 1.2e-5;
  motor.phase_current_limit_a = 60.0;
  motor.bus_current_limit_a = 60.0;
  motor.efficiency = 0.98;
  motor.dead_zone = 0.02;
  const ThrustCalibration calibration = calibrate(mass_kg, rotors, motor);
  for (int i = 0; i < rotors; ++i) {
    p.rotor[i].motor = motor;
    p.rotor[i].propeller.kind = PropellerKind::kQuadratic;
    p.rotor[i].propeller.radius_m = 0.127;
    p.rotor[i].propeller.thrust_constant_m4 = calibration.kt;
    p.rotor[i].propeller.torque_constant_m5 = 0.05 * calibration.kt;
    p.rotor[i].propeller.thrust_inflow_factor = 8.0;
    p.rotor[i].propeller.torque_inflow_factor = 8.0;
  }
  return p;
}

inline MultirotorParameters prior_art_iris() {
  MultirotorParameters p = prior_art_base(4, 1.5);
  p.body.inertia_kg_m2 = Mat3::diagonal({0.029125, 0.029125, 0.055225});
  const Vec3 positions[4] = {
      {0.1515, 0.2450, 0}, {-0.1515, -0.1875, 0}, {0.1515, -0.2450, 0}, {-0.1515, 0.1875, 0}};
  const int signs[4] = {1, 1, -1, -1};
  for (int i = 0; i < 4; ++i) {
    p.rotor[i].position_B_m = positions[i];
    p.rotor[i].reaction_sign = signs[i];
  }
  return p;
}

inline MultirotorParameters prior_art_octa() {
  MultirotorParameters p = prior_art_base(8, 2.0);
  p.body.inertia_kg_m2 = Mat3::diagonal({0.05, 0.05, 0.10});
  const Vec3 positions[8] = {{.25, 0, 0},  {.18, .18, 0},   {0, .25, 0},  {-.18, .18, 0},
                             {-.25, 0, 0}, {-.18, -.18, 0}, {0, -.25, 0}, {.18, -.18, 0}};
  for (int i = 0; i < 8; ++i) {
    p.rotor[i].position_B_m = positions[i];
    p.rotor[i].reaction_sign = i % 2 == 0 ? 1 : -1;
  }
  p.power.pack[0].capacity_ah = 7.0;
  p.power.bus[0].avionics_power_w = 15.0;
  return p;
}

}  // namespace tactus::testing
