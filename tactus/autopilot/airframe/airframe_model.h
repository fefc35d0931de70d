// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What the built-in autopilot knows about its airframe, derived once from the plant's parameters by
// the plant's own functions. Gains follow from it; nothing is tuned per aircraft.
//
// Rotor in still air at the origin's density: thrust T(Ω) and torque Q(Ω) from the propeller. A
// steady speed needs the mean motor voltage
//   U(Ω) = Ke Ω + R (I0 + (b Ω + Q(Ω)) / Kt),
// so the command for a thrust is U(Ω(T)) / V at bus voltage V: sag is compensated by the voltage
// that the battery monitor reports. Tables over √(T / T_max), in which Ω and U are almost straight.
// T_max is what the rotor gives at full command on its full pack, all rotors at full command, or at
// its current limit. Near hover a rotor follows its command with
//   τ = J / (Kt Ke / R + b + dQ/dΩ),
// and its motor torque, hence the yaw torque, leads the thrust by the factor (1/τ) J / (dQ/dΩ).

#include "tactus/core/vec.h"
#include "tactus/plant/motor.h"
#include "tactus/plant/multirotor_model.h"
#include "tactus/signal/limits.h"

namespace tactus {

/// Static curve of one rotor.
struct ThrustCurve {
  static constexpr int kIntervals = 16;

  double max_thrust_n = 0.0;
  double speed_rad_s[kIntervals + 1] = {};  ///< at √(T / T_max) = k / kIntervals
  double drive_v[kIntervals + 1] = {};      ///< mean motor voltage that holds this speed
};

/// Drive voltage for a thrust, 0 ≤ T ≤ T_max.
double drive_voltage_v(const ThrustCurve& curve, double thrust_n);

/// Thrust at a drive voltage, 0 … T_max.
double thrust_at_voltage_n(const ThrustCurve& curve, double drive_v);

/// Thrust at a rotor speed, 0 … T_max.
double thrust_at_speed_n(const ThrustCurve& curve, double speed_rad_s);

struct AirframeRotor {
  Vec3 torque_per_thrust_B_m;    ///< moment on the body per newton, reaction included
  double lift_per_thrust = 1.0;  ///< upward force in body axes per newton
  double torque_constant = 0.0;  ///< Q / Ω² at hover
  double idle_command = 0.0;     ///< keeps the motor turning
  double idle_thrust_n = 0.0;    ///< of that command in a hover
  double hover_current_a = 0.0;  ///< drawn from the bus in a hover
  int bus = 0;
  ThrustCurve curve;
  Motor motor;
};

struct AirframeModel {
  int rotor_count = 0;
  AirframeRotor rotor[kMaxMotors];
  double mass_kg = 0.0;
  Mat3 inertia_kg_m2;
  Mat3 inertia_inverse;
  double gravity_m_s2 = 0.0;
  double rotor_time_constant_s = 0.0;     ///< slowest rotor at hover
  double actuator_time_constant_s = 0.0;  ///< lag of the command path besides
  double yaw_lead = 1.0;                  ///< instant over steady yaw torque
  double max_thrust_n = 0.0;              ///< all rotors, upward
  double hover_thrust_n = 0.0;            ///< weight
  double hover_speed_rad_s = 0.0;         ///< mean of the rotors
  int pack_count = 0;
  int pack_bus[kMaxPacks] = {};
  double nominal_bus_v[kMaxBuses] = {};  ///< full packs, hovering
};

/// Throws Error if the vehicle cannot hover: too heavy for its rotors.
AirframeModel make_airframe_model(const Multirotor& vehicle);

}  // namespace tactus
