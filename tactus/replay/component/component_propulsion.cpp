// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/component/component_laws.h"

namespace tactus {
namespace {

class PropulsionLaws final : public ComponentLaws {
 public:
  /// Where a motor is plugged in is not its own affair.
  void take_parameters(const Multirotor& from, Multirotor& vehicle) const override {
    for (int i = 0; i < vehicle.counts.rotors; ++i) {
      const int bus = vehicle.rotor[i].bus;
      vehicle.rotor[i] = from.rotor[i];
      vehicle.rotor[i].bus = bus;
    }
    vehicle.motor_actuator = from.motor_actuator;
  }

  [[nodiscard]] bool owns_entry(const MultirotorLayout& at, int entry) const override {
    return (entry >= at.rotor_speed && entry < at.charge) ||
           (entry >= at.motor_output && entry < at.servo_output);
  }

  [[nodiscard]] bool owns_output(std::string_view leaf) const override {
    return leaf.starts_with("loads.thrust_n[") || leaf.starts_with("loads.torque_nm[") ||
           (leaf.starts_with("esc[") && leaf.ends_with("].current_a"));
  }

  /// From what the bus says of motion and speeds: the state is already that after this boundary.
  void outputs(const Multirotor& vehicle, const MultirotorFlight& /*flight*/,
               Bus& bus) const override {
    const Truth& truth = bus.truth;
    const GroundFromBody ground =
        ground_from_body(vehicle.world.ground, truth.position_W_m, rotation_matrix(truth.attitude));
    for (int i = 0; i < vehicle.counts.rotors; ++i) {
      const Rotor& rotor = vehicle.rotor[i];
      const double speed = bus.esc[i].speed_rad_s;
      const double whole = bus.faults.thrust_scale[i];
      const PropellerLoad load =
          detail::rotor_air(rotor, rotor.axis_B, -truth.air_velocity_B_m_s, truth.rate_B_rad_s,
                            ground, bus.environment.density_kg_m3, speed)
              .load;
      bus.loads.thrust_n[i] = whole * load.thrust_n;
      bus.loads.torque_nm[i] = whole * load.torque_nm;
      // A controller that is off has duty zero and draws nothing.
      const double bus_v = bus.power.bus_v[rotor.bus];
      LoadCurve curve;
      motor_load_curve(rotor.motor, motor_electrical(rotor.motor, bus.loads.duty[i], speed), curve);
      bus.esc[i].current_a = bus_v == 0.0 ? 0.0 : current_at(curve, bus_v);
    }
  }

  void rates(const MultirotorSystem& system, double t_s, const double* x, const Coupling& coupling,
             double* dx) const override {
    const Multirotor& vehicle = *system.vehicle;
    const MultirotorModes& modes = *system.modes;
    const MultirotorLayout& at = vehicle.layout;
    const detail::Motion m = detail::motion_at(system.shape, vehicle, *system.input, t_s, x);
    for (int i = 0; i < vehicle.counts.rotors; ++i) {
      const Rotor& rotor = vehicle.rotor[i];
      const double speed = x[at.rotor_speed + i];
      const bool is_held = has_bit(detail::held_rotors(modes), i);
      const bool powered = !has_bit(modes.bus_down | modes.bus_escs_off, rotor.bus);
      const MotorElectrical e = motor_electrical(
          rotor.motor, detail::drive_command(system.shape, *system.input, x, i), speed, powered);
      const double current_a = motor_current(rotor.motor, e, coupling.bus_v[rotor.bus]);
      const double air_nm =
          system.input->thrust_scale[i] *
          detail::rotor_air(rotor, rotor.axis_B, m.u_B, m.w_B, m.ground, m.density, speed)
              .load.torque_nm;
      const double shaft_nm = motor_torque(rotor.motor, current_a, speed, is_held) - air_nm;
      const double rate = detail::rotor_acceleration(rotor, rotor.axis_B, shaft_nm,
                                                     coupling.angular_acceleration_B_rad_s2);
      dx[at.rotor_speed + i] = is_held ? 0.0 : rate;
    }
    detail::actuator_rates(vehicle.motor_actuator, vehicle.counts.rotors,
                           system.input->motor_command, x + at.motor_output, x + at.motor_rate,
                           dx + at.motor_output, dx + at.motor_rate);
  }
};

}  // namespace

const ComponentLaws& propulsion_laws() {
  static const PropulsionLaws laws;
  return laws;
}

}  // namespace tactus
