// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Analytic cases of rotors: hover, and spinning up.

#include <algorithm>
#include <cmath>

#include "tactus/plant/iris.h"
#include "tactus/verify/check.h"
#include "tactus/verify/iris_flight.h"
#include "tactus/verify/problems.h"
#include "tactus/world/gravity.h"

namespace tactus::verify {
namespace {

// Trim by bisection leaves a few ulp of thrust (2e-15 N) and of shaft torque (7e-18 N·m). Arms
// cancel to 1e-15 of thrust times arm: 3e-14 rad/s². Ten seconds multiply accelerations by 50 s².
Rows hover_balance() {
  MultirotorParameters p = iris_parameters();
  p.power.pack[0].ocv_count = 2;  // constant voltage: nothing drifts
  p.power.pack[0].ocv_soc[1] = 1.0;
  p.power.pack[0].ocv_v[0] = p.power.pack[0].ocv_v[1] = 12.0;
  p.power.pack[0].rc_count = 0;
  const Multirotor iris = make_multirotor(p);
  const HoverTrim trim = hover_trim(iris);
  const MultirotorInput input = same_command(trim.command);
  MultirotorFlight flight = start_flight(iris, input, trim.state);
  const MultirotorOutputs out = outputs(iris, input, flight);
  double lift = 0.0, rotor_torque = 0.0;
  for (int i = 0; i < 4; ++i) {
    lift += out.thrust_n[i];
    const Motor& motor = iris.rotor[i].motor;
    const double drive = motor_torque(motor, out.motor_current_a[i],
                                      trim.state.x[iris.layout.rotor_speed + i], false);
    rotor_torque = std::max(rotor_torque, std::fabs(drive - out.rotor_torque_nm[i]));
  }
  fly(iris, fixed_config(Method::kRk4, 2000), input, TimeUs(10'000'000), flight);
  const Vec3 moved = load_vec3(flight.state.x + iris.layout.position) -
                     load_vec3(trim.state.x + iris.layout.position);
  const double turned = attitude_distance(load_quat(flight.state.x + iris.layout.attitude),
                                          load_quat(trim.state.x + iris.layout.attitude));
  return {
      {"thrust of the trimmed Iris vs weight", std::fabs(lift - 1.5 * kStandardGravity_m_s2), 1e-14,
       "N"},
      {"shaft torque vs propeller torque", rotor_torque, 1e-16, "N m"},
      {"angular acceleration vs zero", norm(out.angular_acceleration_B_rad_s2), 1e-13, "rad/s²"},
      {"hovers: position after 10 s vs start", norm(moved), 1e-12, "m"},
      {"hovers: attitude after 10 s vs start", turned, 1e-11, "rad"}};
}

/// One rotor at a fixed bus voltage in still air.
struct SpinUp {
  static constexpr int kCapacity = 1;
  Motor motor;
  Propeller propeller;
  double duty = 0.5;
  double bus_v = 12.0;
  double density = 1.225;
  StateGroups state_groups;

  [[nodiscard]] int size() const { return 1; }
  [[nodiscard]] const StateGroups& groups() const { return state_groups; }
  [[nodiscard]] bool depends_on_time() const { return false; }
  Status derivative(double, const double* x, double* dx) const {
    const MotorElectrical e = motor_electrical(motor, duty, x[0]);
    const double torque = motor_torque(motor, motor_current(motor, e, bus_v), x[0], false);
    const PropellerFlow air{0.0, 0.0, density, math::infinity()};
    dx[0] = (torque - propeller_load(propeller, x[0], air).torque_nm) * motor.inverse_inertia;
    return Status::kOk;
  }
};

/// Ω' = a − b Ω − c Ω² from rest, by its two roots; c = 0 is the exponential.
double spin_up_exact(double a, double b, double c, double t) {
  if (c == 0.0) return -a / b * std::expm1(-b * t);
  const double d = std::sqrt(b * b + 4.0 * a * c);
  const double high = (d - b) / (2.0 * c), low = -(d + b) / (2.0 * c);
  const double fade = high / low * std::exp(-d * t);
  return (high - low * fade) / (1.0 - fade);
}

double spin_up_error(double torque_constant_m5) {
  MotorParameters m;
  m.phase_current_limit_a = m.bus_current_limit_a = 1000.0;  // the limits would be a kink
  PropellerParameters p;
  p.kind = PropellerKind::kQuadratic;
  SpinUp system{make_motor(m, "motor"), make_propeller(p, "propeller"), 0.5, 12.0, 1.225, {}};
  system.propeller.torque_constant_m5 = torque_constant_m5;
  const double kt = 60.0 / (2.0 * M_PI * m.kv_rpm_per_v), j = m.rotor_inertia_kg_m2;
  const double a = kt * (system.duty * system.bus_v / m.resistance_ohm - m.no_load_current_a) / j;
  const double b = (kt * kt / m.resistance_ohm + m.viscous_friction_nm_s) / j;
  const double c = torque_constant_m5 * system.density / j;
  SmallFlight<SpinUp> flight{system, fixed_config(Method::kRk4, 250), {}};
  double worst = 0.0;
  for (std::uint64_t i = 1; i <= 50; ++i) {
    flight.fly_to(TimeUs(10'000 * i));
    worst =
        std::max(worst, std::fabs(flight.x[0] - spin_up_exact(a, b, c, to_seconds(flight.now))));
  }
  return worst;
}

// Time constants 35 to 70 ms and speeds of 500 rad/s: (h/τ)⁴/120 · 500 = 1e-8 for the loaded rotor,
// whose right-hand side is also curved; ten times less without load.
Rows rotor_spin_up() {
  return {
      {"no load, rk4 0.25 ms vs exponential, 0.5 s", spin_up_error(0.0), 1e-9, "rad/s"},
      {"propeller Q = kQ ρ Ω² vs closed form of Riccati", spin_up_error(2.072e-7), 1e-8, "rad/s"}};
}

}  // namespace

std::vector<Check> rotor_checks() {
  return {{"hover_balance", kPlant, "forces and torques of the trimmed Iris, and it stays",
           hover_balance},
          {"rotor_spin_up", kPlant, "motor from rest vs exponential and Riccati", rotor_spin_up}};
}

}  // namespace tactus::verify
