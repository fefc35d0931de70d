// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/autopilot/airframe/airframe_model.h"

#include <fmt/format.h>

#include <cstdint>

#include "tactus/core/checks.h"
#include "tactus/core/error.h"
#include "tactus/core/math.h"
#include "tactus/plant/multirotor.h"

namespace tactus {
namespace {

constexpr int kBisections = 40;
constexpr int kNetworkPasses = 16;

/// √(T / T_max) at which an armed motor idles: a hundredth of its thrust.
constexpr double kIdleRootShare = 0.1;

/// One rotor in still air.
struct StillAir {
  const Rotor* rotor;
  double density_kg_m3;

  [[nodiscard]] PropellerLoad load(double speed_rad_s) const {
    return propeller_load(rotor->propeller, speed_rad_s,
                          {.climb_m_s = 0.0,
                           .in_plane_speed_squared_m2_s2 = 0.0,
                           .density_kg_m3 = density_kg_m3,
                           .ground_height_m = math::infinity()});
  }

  [[nodiscard]] double torque_slope(double speed_rad_s) const {
    const double step = 1e-4 * speed_rad_s;
    return (load(speed_rad_s + step).torque_nm - load(speed_rad_s - step).torque_nm) / (2.0 * step);
  }

  /// Mean motor voltage that holds this speed.
  [[nodiscard]] double drive_v(double speed_rad_s) const {
    const Motor& m = rotor->motor;
    const double friction = m.coulomb_torque_nm + m.viscous_friction_nm_s * speed_rad_s;
    const double current = (friction + load(speed_rad_s).torque_nm) / m.torque_constant_nm_a;
    return m.torque_constant_nm_a * speed_rad_s + m.resistance_ohm * current;
  }

  /// Where motor and propeller balance at full command.
  [[nodiscard]] double full_speed(double bus_v) const {
    const Motor& m = rotor->motor;
    double low = 0.0;
    double high = bus_v / m.torque_constant_nm_a;
    for (int k = 0; k < kBisections; ++k) {
      const double speed = 0.5 * (low + high);
      const double current = motor_current(m, motor_electrical(m, 1.0, speed), bus_v);
      const double surplus = motor_torque(m, current, speed, false) - load(speed).torque_nm;
      (surplus > 0.0 ? low : high) = speed;
    }
    return 0.5 * (low + high);
  }

  /// The speed below `highest` that gives a thrust.
  [[nodiscard]] double speed_for(double thrust_n, double highest) const {
    double low = 0.0;
    double high = highest;
    for (int k = 0; k < kBisections; ++k) {
      const double speed = 0.5 * (low + high);
      (load(speed).thrust_n < thrust_n ? low : high) = speed;
    }
    return 0.5 * (low + high);
  }
};

/// Bus voltages with the initial packs at these commands and speeds.
void solve_buses(const Multirotor& vehicle, const double* command, const double* speed_rad_s,
                 double* bus_v) {
  MultirotorState state = vehicle.initial;
  MultirotorInput input;
  for (int i = 0; i < vehicle.counts.rotors; ++i) {
    input.motor_command[i] = command[i];
    state.x[vehicle.layout.rotor_speed + i] = speed_rad_s[i];
    if (vehicle.counts.motor_actuator_order > 0) {
      state.x[vehicle.layout.motor_output + i] = command[i];
    }
  }
  detail::Electrical electrical;
  detail::solve_electrical(RunTimeShape{&vehicle}, vehicle, {}, input, state.x, electrical);
  for (int b = 0; b < vehicle.counts.buses; ++b) bus_v[b] = electrical.solution.bus_v[b];
}

StillAir still_air(const Multirotor& vehicle, int rotor) {
  return {&vehicle.rotor[rotor], air_density_at(vehicle.world, Vec3{})};
}

/// Rotor speeds with every rotor at full command: voltage and speeds in turn, halfway each time.
void full_speeds(const Multirotor& vehicle, double* speed_rad_s) {
  double command[kMaxMotors] = {};
  double bus_v[kMaxBuses] = {};
  solve_buses(vehicle, command, speed_rad_s, bus_v);
  for (int i = 0; i < vehicle.counts.rotors; ++i) command[i] = 1.0;
  for (int pass = 0; pass < kNetworkPasses; ++pass) {
    for (int i = 0; i < vehicle.counts.rotors; ++i) {
      speed_rad_s[i] = still_air(vehicle, i).full_speed(bus_v[vehicle.rotor[i].bus]);
    }
    double solved_v[kMaxBuses] = {};
    solve_buses(vehicle, command, speed_rad_s, solved_v);
    for (int b = 0; b < vehicle.counts.buses; ++b) bus_v[b] = 0.5 * (bus_v[b] + solved_v[b]);
  }
}

ThrustCurve make_curve(const StillAir& air, double full_speed_rad_s) {
  ThrustCurve curve;
  curve.max_thrust_n = air.load(full_speed_rad_s).thrust_n;
  for (int k = 0; k <= ThrustCurve::kIntervals; ++k) {
    const double root = static_cast<double>(k) / ThrustCurve::kIntervals;
    curve.speed_rad_s[k] =
        k == 0 ? 0.0 : air.speed_for(root * root * curve.max_thrust_n, full_speed_rad_s);
    curve.drive_v[k] = air.drive_v(curve.speed_rad_s[k]);
  }
  return curve;
}

/// Value of a table over √(T / T_max) at root · kIntervals.
double interpolate(const double* table, double position) {
  const double limited = math::clamp(position, 0.0, ThrustCurve::kIntervals);
  bool ok = false;
  std::int64_t k = math::to_int64(limited, ok);
  if (k >= ThrustCurve::kIntervals) k = ThrustCurve::kIntervals - 1;
  const double share = limited - static_cast<double>(k);
  return table[k] + share * (table[k + 1] - table[k]);
}

/// Thrust at which a rising table has a value.
double thrust_where(const double* table, double max_thrust_n, double value) {
  if (value >= table[ThrustCurve::kIntervals]) return max_thrust_n;
  if (!(value > table[0])) return 0.0;
  int k = ThrustCurve::kIntervals - 1;
  while (table[k] > value) --k;
  const double share = (value - table[k]) / (table[k + 1] - table[k]);
  const double root = (static_cast<double>(k) + share) / ThrustCurve::kIntervals;
  return root * root * max_thrust_n;
}

double command_path_lag_s(const ActuatorParameters& actuator) {
  if (actuator.kind == ActuatorKind::kFirstOrder) return actuator.time_constant_s;
  if (actuator.kind == ActuatorKind::kSecondOrder) {
    return 2.0 * actuator.damping_ratio / actuator.natural_frequency_rad_s;
  }
  return 0.0;
}

/// Thrust per rotor when all carry the same share of their maximum.
double hover_share(const AirframeModel& model) { return model.hover_thrust_n / model.max_thrust_n; }

/// Adds what holds near hover: reaction, lag, lead.
void linearise(const Multirotor& vehicle, AirframeModel& model) {
  double speed_sum = 0.0;
  for (int i = 0; i < model.rotor_count; ++i) {
    AirframeRotor& rotor = model.rotor[i];
    const Rotor& plant = vehicle.rotor[i];
    const StillAir air = still_air(vehicle, i);
    const double thrust = hover_share(model) * rotor.curve.max_thrust_n;
    const double speed = air.speed_for(thrust, rotor.curve.speed_rad_s[ThrustCurve::kIntervals]);
    const double torque = air.load(speed).torque_nm;
    const double torque_slope = air.torque_slope(speed);
    const Motor& m = plant.motor;
    const double damping = m.torque_constant_nm_a * m.torque_constant_nm_a * m.conductance_s +
                           m.viscous_friction_nm_s + torque_slope;
    rotor.torque_per_thrust_B_m =
        cross(plant.position_B_m, -plant.axis_B) - (plant.spin * torque / thrust) * plant.axis_B;
    rotor.torque_constant = torque / (speed * speed);
    model.rotor_time_constant_s =
        math::max(model.rotor_time_constant_s, m.rotor_inertia_kg_m2 / damping);
    model.yaw_lead = math::max(model.yaw_lead, damping / torque_slope);
    speed_sum += speed;
  }
  model.hover_speed_rad_s = speed_sum / model.rotor_count;
}

/// Bus voltages of a hover, and the idle commands, which need them.
void find_hover_voltage(const Multirotor& vehicle, AirframeModel& model) {
  double command[kMaxMotors] = {};
  double speed[kMaxMotors] = {};
  solve_buses(vehicle, command, speed, model.nominal_bus_v);
  for (int pass = 0; pass < kNetworkPasses; ++pass) {
    for (int i = 0; i < model.rotor_count; ++i) {
      const ThrustCurve& curve = model.rotor[i].curve;
      const double root = math::sqrt(hover_share(model)) * ThrustCurve::kIntervals;
      speed[i] = interpolate(curve.speed_rad_s, root);
      command[i] = interpolate(curve.drive_v, root) / model.nominal_bus_v[model.rotor[i].bus];
    }
    solve_buses(vehicle, command, speed, model.nominal_bus_v);
  }
  for (int i = 0; i < model.rotor_count; ++i) {
    AirframeRotor& rotor = model.rotor[i];
    const double idle_v =
        interpolate(rotor.curve.drive_v, kIdleRootShare * ThrustCurve::kIntervals);
    const double bus_v = model.nominal_bus_v[rotor.bus];
    const MotorElectrical hover = motor_electrical(rotor.motor, command[i], speed[i]);
    rotor.hover_current_a =
        bus_current(rotor.motor, hover, motor_current(rotor.motor, hover, bus_v));
    rotor.idle_command = math::max(1.5 * rotor.motor.dead_zone, idle_v / bus_v);
    if (!(rotor.idle_command < 1.0)) {
      throw Error(
          ExitCode::kBadInput,
          fmt::format("rotor[{}].motor: does not turn at full command, by its dead zone of "
                      "{} or its resistance of {} ohm; the built-in autopilot cannot fly it",
                      i, rotor.motor.dead_zone, rotor.motor.resistance_ohm));
    }
    rotor.idle_thrust_n = thrust_at_voltage_n(rotor.curve, rotor.idle_command * bus_v);
  }
}

void require_can_hover(const AirframeModel& model) {
  if (!(model.hover_thrust_n > 0.0)) {
    refuse_key(
        "world.gravity.uniform_m_s2",
        "without weight the built-in autopilot cannot hold a height; use autopilot.kind none");
  }
  if (model.hover_thrust_n < 0.95 * model.max_thrust_n) return;
  refuse_key("body.mass_kg", fmt::format("{}", model.mass_kg),
             fmt::format("the rotors lift {:.1f} N at full command and the weight is {:.1f} N; the "
                         "built-in autopilot needs 5 % more to fly",
                         model.max_thrust_n, model.hover_thrust_n));
}

}  // namespace

double drive_voltage_v(const ThrustCurve& curve, double thrust_n) {
  const double root = math::sqrt(math::max(0.0, thrust_n / curve.max_thrust_n));
  return interpolate(curve.drive_v, root * ThrustCurve::kIntervals);
}

double thrust_at_voltage_n(const ThrustCurve& curve, double drive_v) {
  return thrust_where(curve.drive_v, curve.max_thrust_n, drive_v);
}

double thrust_at_speed_n(const ThrustCurve& curve, double speed_rad_s) {
  return thrust_where(curve.speed_rad_s, curve.max_thrust_n, speed_rad_s);
}

AirframeModel make_airframe_model(const Multirotor& vehicle) {
  AirframeModel model;
  model.rotor_count = vehicle.counts.rotors;
  model.mass_kg = vehicle.body.mass_kg;
  model.inertia_kg_m2 = vehicle.body.inertia_kg_m2;
  model.inertia_inverse = inverse(model.inertia_kg_m2);
  model.gravity_m_s2 = gravity_strength_m_s2(vehicle.world, Vec3{});
  model.actuator_time_constant_s = command_path_lag_s(vehicle.motor_actuator);
  model.hover_thrust_n = weight_n(vehicle.world, model.mass_kg, Vec3{});
  double full_speed[kMaxMotors] = {};
  full_speeds(vehicle, full_speed);
  for (int i = 0; i < model.rotor_count; ++i) {
    AirframeRotor& rotor = model.rotor[i];
    rotor.bus = vehicle.rotor[i].bus;
    rotor.motor = vehicle.rotor[i].motor;
    rotor.lift_per_thrust = vehicle.rotor[i].axis_B.z;
    rotor.curve = make_curve(still_air(vehicle, i), full_speed[i]);
    model.max_thrust_n += rotor.lift_per_thrust * rotor.curve.max_thrust_n;
  }
  require_can_hover(model);
  model.pack_count = vehicle.counts.packs;
  for (int b = 0; b < vehicle.counts.buses; ++b) {
    const PowerBus& bus = vehicle.network.bus[b];
    for (int n = 0; n < bus.pack_count; ++n) model.pack_bus[bus.pack[n]] = b;
  }
  linearise(vehicle, model);
  find_hover_voltage(vehicle, model);
  return model;
}

}  // namespace tactus
