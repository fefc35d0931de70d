// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A multirotor flown by the built-in flight control on the true state: plant and controller,
// without the engine. And airframes of all sizes, made up for tests: the shipped ones are flown
// elsewhere.

#include <functional>

#include "tactus/autopilot/builtin/multirotor_control.h"
#include "tactus/plant/iris.h"
#include "tactus/vehicle/multirotor_flight.h"

namespace tactus::testing {

/// n rotors on a circle, first at `first_rad` from ahead, clockwise, turning in turn.
inline void place_rotors(MultirotorParameters& p, int count, double arm_m, double first_rad) {
  const RotorParameters pattern = p.rotor[0];
  p.rotor_count = count;
  p.power.motor_count = count;
  for (int i = 0; i < count; ++i) {
    const double angle = first_rad + math::kTwoPi * i / count;
    p.rotor[i] = pattern;
    p.rotor[i].position_B_m = {arm_m * math::cos(angle), arm_m * math::sin(angle), -0.02};
    p.rotor[i].reaction_sign = i % 2 == 0 ? 1 : -1;
  }
}

inline void scale_pack(PackParameters& pack, double cells, double capacity_ah, double r0_ohm) {
  for (double& v : pack.ocv_v) v *= cells / 3.0;
  pack.cell_count = static_cast<int>(cells);
  pack.capacity_ah = capacity_ah;
  pack.r0_ohm = r0_ohm;
}

/// 0.6 kg, 5-inch propellers on 4S, thrust five times the weight.
inline MultirotorParameters racer_like() {
  MultirotorParameters p = iris_parameters();
  p.body.mass_kg = 0.6;
  p.body.inertia_kg_m2 = Mat3::diagonal({0.0025, 0.0025, 0.0045});
  MotorParameters& motor = p.rotor[0].motor;
  motor.kv_rpm_per_v = 2450.0;
  motor.resistance_ohm = 0.06;
  motor.no_load_current_a = 1.0;
  motor.rotor_inertia_kg_m2 = 5e-6;
  motor.phase_current_limit_a = 60.0;
  motor.bus_current_limit_a = 40.0;
  motor.mode = MotorMode::kDamped;
  PropellerParameters& propeller = p.rotor[0].propeller;
  propeller.kind = PropellerKind::kQuadratic;
  propeller.radius_m = 0.0635;
  propeller.thrust_constant_m4 = 1.15e-6;
  propeller.torque_constant_m5 = 1.5e-8;
  place_rotors(p, 4, 0.11, math::kPi / 4.0);
  for (Vec3& foot : p.gear.position_B_m) foot = 0.4 * foot;
  scale_pack(p.power.pack[0], 4.0, 1.5, 0.020);
  return p;
}

inline MultirotorParameters hexa_like() {
  MultirotorParameters p = iris_parameters();
  p.body.mass_kg = 2.0;
  p.body.inertia_kg_m2 = Mat3::diagonal({0.045, 0.045, 0.08});
  place_rotors(p, 6, 0.275, math::kPi / 6.0);
  scale_pack(p.power.pack[0], 3.0, 8.0, 0.02);
  return p;
}

inline MultirotorParameters octa_like() {
  MultirotorParameters p = iris_parameters();
  p.body.mass_kg = 2.4;
  p.body.inertia_kg_m2 = Mat3::diagonal({0.07, 0.07, 0.13});
  place_rotors(p, 8, 0.35, math::kPi / 8.0);
  scale_pack(p.power.pack[0], 3.0, 10.0, 0.015);
  return p;
}

/// 25 kg, eight 22-inch propellers on 12S, two buses.
inline MultirotorParameters heavy_like() {
  MultirotorParameters p = iris_parameters();
  p.body.mass_kg = 25.0;
  p.body.inertia_kg_m2 = Mat3::diagonal({1.6, 1.6, 2.9});
  MotorParameters& motor = p.rotor[0].motor;
  motor.kv_rpm_per_v = 170.0;
  motor.resistance_ohm = 0.06;
  motor.no_load_current_a = 1.0;
  motor.rotor_inertia_kg_m2 = 1.6e-3;
  motor.phase_current_limit_a = 80.0;
  motor.bus_current_limit_a = 60.0;
  PropellerParameters& propeller = p.rotor[0].propeller;
  propeller.kind = PropellerKind::kQuadratic;
  propeller.radius_m = 0.279;
  propeller.thrust_constant_m4 = 2.4e-4;
  propeller.torque_constant_m5 = 8.0e-6;
  place_rotors(p, 8, 0.75, math::kPi / 8.0);
  for (Vec3& foot : p.gear.position_B_m) foot = 3.0 * foot;
  scale_pack(p.power.pack[0], 12.0, 16.0, 0.03);
  p.power.pack[1] = p.power.pack[0];
  p.power.bus[1] = p.power.bus[0];
  p.power.bus_count = 2;
  p.power.pack_count = 2;
  p.power.pack_bus[1] = 1;
  for (int i = 0; i < 8; ++i) p.power.motor_bus[i] = i % 4 < 2 ? 0 : 1;
  return p;
}

class ControlledFlight {
 public:
  /// In the air with turning rotors, or at rest on its gear if the height is 0.
  explicit ControlledFlight(const MultirotorParameters& parameters, double height_m = 20.0,
                            DurationUs tick_period = DurationUs{4'000})
      : vehicle(make_multirotor(parameters)),
        period(tick_period),
        control(vehicle, BuiltinParameters{}, tick_period) {
    MultirotorState state = vehicle.initial;
    if (height_m > 0.0) {
      state.x[vehicle.layout.position + 2] = -height_m;
      for (int i = 0; i < vehicle.counts.rotors; ++i) {
        state.x[vehicle.layout.rotor_speed + i] = control.model().hover_speed_rad_s;
      }
    }
    flight = start_flight(vehicle, input, state);
    solver.method = Method::kRk4;
    solver.step_us = 1000;
    sense();
  }

  /// One tick with `step(ControlInput)`, then the plant with the command as `spoil` leaves it.
  template <class Step>
  void tick(Step&& step, const std::function<void()>& spoil = {}) {
    sense();
    step(ControlInput{flight.now, estimate, battery, esc});
    for (int i = 0; i < vehicle.counts.rotors; ++i) input.motor_command[i] = command.motor[i];
    if (spoil) spoil();
    fly(vehicle, solver, input, flight.now + period, flight);
  }

  void follow(const FlightSetpoint& setpoint, double seconds,
              const std::function<void()>& look = {}) {
    const TimeUs end = flight.now + duration_from_seconds(seconds, "seconds");
    while (flight.now < end) {
      tick([&](const ControlInput& in) { control.step(in, setpoint, command, status); });
      if (look) look();
    }
  }

  void hold(const AttitudeSetpoint& setpoint, double seconds, const std::function<void()>& look) {
    const TimeUs end = flight.now + duration_from_seconds(seconds, "seconds");
    while (flight.now < end) {
      tick([&](const ControlInput& in) { control.step_attitude(in, setpoint, command, status); });
      look();
    }
  }

  [[nodiscard]] Vec3 position() const {
    return load_vec3(flight.state.x + vehicle.layout.position);
  }
  [[nodiscard]] Vec3 velocity() const {
    return load_vec3(flight.state.x + vehicle.layout.velocity);
  }
  [[nodiscard]] Quat attitude() const {
    return load_quat(flight.state.x + vehicle.layout.attitude);
  }

  Multirotor vehicle;
  DurationUs period;
  MultirotorControl control;
  MultirotorInput input;
  MultirotorFlight flight;
  SolverConfig solver;
  Estimate estimate;
  BatteryStatus battery[kMaxPacks];
  EscStatus esc[kMaxMotors];
  Command command;
  AutopilotStatus status;

 private:
  void sense() {
    const MultirotorOutputs out = outputs(vehicle, input, flight);
    const double* x = flight.state.x;
    estimate.position_W_m = position();
    estimate.velocity_W_m_s = velocity();
    estimate.attitude = attitude();
    estimate.rate_B_rad_s = load_vec3(x + vehicle.layout.rate);
    estimate.acceleration_W_m_s2 = out.acceleration_W_m_s2;
    estimate.angular_acceleration_B_rad_s2 = out.angular_acceleration_B_rad_s2;
    estimate.measured_at = flight.now;
    for (int b = 0; b < vehicle.counts.buses; ++b) {
      const PowerBus& bus = vehicle.network.bus[b];
      for (int n = 0; n < bus.pack_count; ++n) battery[bus.pack[n]].voltage_v = out.power.bus_v[b];
    }
    for (int i = 0; i < vehicle.counts.rotors; ++i) {
      esc[i] = {x[vehicle.layout.rotor_speed + i], out.power.motor_current_a[i]};
    }
  }
};

}  // namespace tactus::testing
