// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Analytic cases of plant models: free fall, battery, actuators, hover, rotor spin-up.

#include <algorithm>
#include <cmath>

#include "cli/verify/check.h"
#include "cli/verify/iris_flight.h"
#include "cli/verify/problems.h"
#include "tactus/plant/iris.h"

namespace tactus::verify {
namespace {

constexpr char kTheme[] = "analytic: plant";

/// Distance fallen and its closed form after three seconds.
double fall_error(double linear_drag_n_s_m) {
  MultirotorParameters p = iris_parameters();
  p.ground.present = false;
  p.gear.count = 0;
  p.body.drag_area_m2 = {};
  p.body.linear_drag_n_s_m = linear_drag_n_s_m;
  const Multirotor iris = make_multirotor(p);
  MultirotorFlight flight = start_flight(iris, {}, iris.initial);
  fly(iris, fixed_config(Method::kRk4, 1000), {}, TimeUs(3'000'000), flight);
  const double t = 3.0, g = 9.80665;
  double exact = 0.5 * g * t * t;
  if (linear_drag_n_s_m > 0.0) {
    const double tau = p.body.mass_kg / linear_drag_n_s_m;
    exact = g * tau * (t + tau * std::expm1(-t / tau));
  }
  return std::fabs(flight.state.x[iris.layout.position + 2] - exact);
}

// A parabola is integrated exactly and an exponential of 1.5 s to (h/τ)⁵ per step: rounding of 3000
// steps at 44 m, ulp 7e-15, remains.
Rows free_fall() {
  return {{"whole Iris, rk4 1 ms vs ½ g t², 3 s", fall_error(0.0), 1e-11, "m"},
          {"with linear drag vs its exponential, 3 s", fall_error(1.0), 1e-11, "m"}};
}

/// A pack under constant current.
struct LoadedPack {
  static constexpr int kCapacity = 1 + kMaxRcPairs;
  Pack pack;
  double current_a = 0.0;
  StateGroups state_groups;

  [[nodiscard]] int size() const { return 1 + pack.rc_count; }
  [[nodiscard]] const StateGroups& groups() const { return state_groups; }
  [[nodiscard]] bool depends_on_time() const { return false; }
  Status derivative(double, const double* x, double* dx) const {
    PackState state;
    state.soc = x[0];
    for (int k = 0; k < pack.rc_count; ++k) state.v_rc_v[k] = x[1 + k];
    const PackRates rates = pack_rates(pack, state, current_a);
    dx[0] = rates.soc_per_s;
    for (int k = 0; k < pack.rc_count; ++k) dx[1 + k] = rates.v_rc_v_s[k];
    return Status::kOk;
  }
};

// RK4 errs by (h/τ)⁵/120 per step; with h = 10 ms and the faster pair at 0.4 s that is 8e-11 of
// the step of 0.2 V per step, of which one time constant (40 steps) counts. Charge falls by equal
// amounts: 6000 roundings of half an ulp, 1.1e-16, are 7e-13.
Rows battery_step() {
  PackParameters p;
  p.capacity_ah = 5.0;
  p.rc_count = 2;
  p.rc[0] = {0.015, 2000.0};
  p.rc[1] = {0.010, 40.0};
  const double current = 20.0;
  SmallFlight<LoadedPack> flight{
      {make_pack(p, "pack"), current, {}}, fixed_config(Method::kRk4, 10'000), {1.0, 0.0, 0.0}};
  double voltage_error = 0.0, charge_error = 0.0;
  for (std::uint64_t i = 1; i <= 120; ++i) {
    flight.fly_to(TimeUs(500'000 * i));
    const double t = to_seconds(flight.now);
    charge_error =
        std::max(charge_error, std::fabs(flight.x[0] - (1.0 - current * t / (3600.0 * 5.0))));
    for (std::size_t k = 0; k < 2; ++k) {
      const double r = p.rc[k].r_ohm, c = p.rc[k].c_farad;
      const double exact = -current * r * std::expm1(-t / (r * c));
      voltage_error = std::max(voltage_error, std::fabs(flight.x[1 + k] - exact));
    }
  }
  return {{"RC voltages, rk4 10 ms vs exponentials, 20 A for 60 s", voltage_error, 1e-9, "V"},
          {"charge vs I t / Q", charge_error, 7e-13, "1"}};
}

struct Actuator {
  static constexpr int kCapacity = 2;
  ActuatorParameters p;
  StateGroups state_groups;

  [[nodiscard]] int size() const { return actuator_order(p.kind); }
  [[nodiscard]] const StateGroups& groups() const { return state_groups; }
  [[nodiscard]] bool depends_on_time() const { return false; }
  Status derivative(double, const double* x, double* dx) const {
    if (p.kind == ActuatorKind::kFirstOrder) {
      dx[0] = first_order_rate(p, 1.0, x[0]);
    } else {
      const SecondOrderRates rates = second_order_rates(p, 1.0, x[0], x[1]);
      dx[0] = rates.output_rate;
      dx[1] = rates.rate_rate;
    }
    return Status::kOk;
  }
};

template <class Exact>
double actuator_error(const ActuatorParameters& p, Exact exact) {
  SmallFlight<Actuator> flight{{p, {}}, fixed_config(Method::kRk4, 250), {}};
  double worst = 0.0;
  for (std::uint64_t i = 1; i <= 50; ++i) {
    flight.fly_to(TimeUs(10'000 * i));
    worst = std::max(worst, std::fabs(flight.x[0] - exact(to_seconds(flight.now))));
  }
  return worst;
}

// (h/τ)⁵/120 per step and one time constant of steps: (0.005)⁴/120 = 5e-12.
Rows actuator_step() {
  ActuatorParameters first;
  first.kind = ActuatorKind::kFirstOrder;
  ActuatorParameters limited = first;
  limited.time_constant_s = 0.1;
  limited.rate_limit_per_s = 2.0;
  ActuatorParameters second;
  second.kind = ActuatorKind::kSecondOrder;
  const double wn = second.natural_frequency_rad_s, zeta = second.damping_ratio;
  const double wd = wn * std::sqrt(1.0 - zeta * zeta);
  return {{"first order, rk4 0.25 ms vs exponential",
           actuator_error(first, [&](double t) { return -std::expm1(-t / 0.05); }), 1e-11, "1"},
          // The ramp ends at 0.4 s, a step end to within rounding of y: 1e-14 times the slope.
          {"first order, rate limit vs ramp and exponential",
           actuator_error(
               limited,
               [](double t) { return t < 0.4 ? 2.0 * t : 1.0 - 0.2 * std::exp(-(t - 0.4) / 0.1); }),
           1e-11, "1"},
          {"second order, rk4 0.25 ms vs damped oscillation",
           actuator_error(second,
                          [&](double t) {
                            return 1.0 - std::exp(-zeta * wn * t) *
                                             (std::cos(wd * t) + zeta * wn / wd * std::sin(wd * t));
                          }),
           1e-11, "1"}};
}

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
      {"thrust of the trimmed Iris vs weight", std::fabs(lift - 1.5 * 9.80665), 1e-14, "N"},
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

std::vector<Check> plant_checks() {
  return {{"free_fall", kTheme, "falling Iris vs Galileo, and with linear drag", free_fall},
          {"battery_step", kTheme, "pack under a step of current vs exponentials", battery_step},
          {"actuator_step", kTheme, "first and second order steps vs closed forms", actuator_step},
          {"hover_balance", kTheme, "forces and torques of the trimmed Iris, and it stays",
           hover_balance},
          {"rotor_spin_up", kTheme, "motor from rest vs exponential and Riccati", rotor_spin_up}};
}

}  // namespace tactus::verify
