// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The coupled multirotor: 1 to 12 rotors on any axes, 1 to 4 packs on 1 to 4 buses. This is the
// only place where rotors, motors, packs, airframe and ground meet.
//
// Body and rotors are one mechanical system. Rotor i has axis a_i, spin sign s_i, inertia J_i about
// its axis (already contained in the vehicle's inertia I), speed Ω_i relative to the airframe:
//   L = I ω + Σ J_i s_i Ω_i a_i                      angular momentum in body axes
//   L̇ + ω × L = τ_ext                                thrust arms, drag, gear, air on the rotors
//   J_i (Ω̇_i + s_i a_i·ω̇) = τ_motor,i − Q_i          turning rotors
// Eliminating Ω̇ leaves one 3×3 system for ω̇, in which every turning rotor lowers I by J a aᵀ:
//   (I − Σ_turning J a aᵀ) ω̇ = τ − Σ_turning s τ_motor a − Σ_held s Q a − ω × L
// so spin-up reaction, gyroscopic torque and energy are consistent to rounding. A rotor held by
// static friction or a jam is part of the airframe.
//   m v̇ = R(q) (F_rotors + F_drag) + F_linear + F_contact + m g
// Frames and units: docs/frames_and_units.md. Pure (contract C5); kinks are those of the parts.
// A lost blade (thrust_scale) takes thrust, torque and in-plane force of its rotor alike.

#include <cstdint>
#include <type_traits>

#include "tactus/core/assert.h"
#include "tactus/core/fields.h"
#include "tactus/core/hd.h"
#include "tactus/core/quat.h"
#include "tactus/core/status.h"
#include "tactus/plant/multirotor_input.h"
#include "tactus/plant/multirotor_model.h"
#include "tactus/plant/multirotor_state.h"

namespace tactus {

/// Everything a log, a sensor or an autopilot may want to know at one instant.
struct MultirotorOutputs {
  Vec3 acceleration_W_m_s2;
  Vec3 angular_acceleration_B_rad_s2;
  Vec3 specific_force_B_m_s2;  ///< what an ideal accelerometer at the centre of mass reads
  Vec3 air_velocity_B_m_s;     ///< air relative to the vehicle
  AirState air;
  PowerSolution power;
  double duty[kMaxMotors] = {};
  double motor_current_a[kMaxMotors] = {};
  double thrust_n[kMaxMotors] = {};
  double rotor_torque_nm[kMaxMotors] = {};
  double gear_force_n[kMaxGearPoints] = {};  ///< normal force per point

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("acceleration_ned_m_s2", "m/s^2", self.acceleration_W_m_s2, "of the centre of mass");
    visit("angular_acceleration_body_rad_s2", "rad/s^2", self.angular_acceleration_B_rad_s2,
          "rate of change of the body rates");
    visit("specific_force_body_m_s2", "m/s^2", self.specific_force_B_m_s2,
          "what an ideal accelerometer reads");
    visit("air_velocity_body_m_s", "m/s", self.air_velocity_B_m_s, "air relative to the vehicle");
    visit("air", "", self.air, "air at the vehicle");
    visit("power", "", self.power, "buses and packs");
    visit("duty", "1", self.duty, "of each motor, after clamp and dead zone");
    visit("motor_current_a", "A", self.motor_current_a, "winding current of each motor");
    visit("thrust_n", "N", self.thrust_n, "of each rotor, along its axis");
    visit("rotor_torque_nm", "N*m", self.rotor_torque_nm, "air torque on each rotor");
    visit("gear_force_n", "N", self.gear_force_n, "normal force on each gear point");
  }
};
static_assert(lists_every_field<MultirotorOutputs>());

/// Where power goes at one instant, for checks of the balance. Apart from the outputs, because a
/// flight publishes those at every boundary and these never.
struct MultirotorEnergy {
  double flow_w[kLedgerEntries] = {};  ///< powers, see LedgerEntry
  double storing_w = 0.0;              ///< growth of kinetic and RC energy
};

namespace detail {

/// Where the vehicle is and how the air meets it.
struct Motion {
  Vec3 p_W, v_W, w_B;
  Quat q_WB;
  Mat3 r_WB;
  Vec3 air_relative_W;  ///< vehicle velocity minus wind
  Vec3 v_B, u_B;        ///< velocity, and velocity relative to the air, in body axes
  GroundFromBody ground;
  double density;
};

/// Motors and packs; only the entries of those that exist are filled.
struct Electrical {
  MotorElectrical motor[kMaxMotors];
  LoadCurve curve[kMaxMotors];
  PackSource source[kMaxPacks];
  double avionics_w[kMaxBuses];
  BusSolution solution;
};

/// What acts on the body, and the power that comes with it.
struct Loads {
  Vec3 force_B, force_W, torque_B;
  Vec3 angular_momentum_B;
  double shaft_torque[kMaxMotors];  ///< motor minus propeller, turning rotors
  double motor_current_a[kMaxMotors];
  double rotor_air_w = 0.0;
  double drag_air_w = 0.0;
  double contact_w = 0.0;
};

TACTUS_HD inline std::uint32_t held_rotors(const MultirotorModes& modes) {
  return modes.rotor_stopped | modes.rotor_jammed;
}

template <class Shape>
TACTUS_HD inline Motion motion_at(const Shape& shape, const Multirotor& vehicle,
                                  const MultirotorInput& input, double t_s, const double* x) {
  const MultirotorLayout& at = shape.layout();
  const Vec3 p_W = load_vec3(x + at.position);
  const Vec3 v_W = load_vec3(x + at.velocity);
  const Quat q_WB = load_quat(x + at.attitude);
  const Mat3 r_WB = rotation_matrix(q_WB);
  const Vec3 air_relative_W = v_W - (input.wind_W_m_s + t_s * input.wind_slope_W_m_s2);
  return {.p_W = p_W,
          .v_W = v_W,
          .w_B = load_vec3(x + at.rate),
          .q_WB = q_WB,
          .r_WB = r_WB,
          .air_relative_W = air_relative_W,
          .v_B = transpose_times(r_WB, v_W),
          .u_B = transpose_times(r_WB, air_relative_W),
          .ground = ground_from_body(vehicle.world.ground, p_W, r_WB),
          .density = air_density_at(vehicle.world, p_W)};
}

template <class Shape>
TACTUS_HD inline double drive_command(const Shape& shape, const MultirotorInput& input,
                                      const double* x, int rotor) {
  if (has_bit(input.motor_off_mask, rotor)) return 0.0;
  return shape.counts().motor_actuator_order == 0 ? input.motor_command[rotor]
                                                  : x[shape.layout().motor_output + rotor];
}

template <class Shape>
TACTUS_HD inline PackState pack_state(const Shape& shape, const double* x, int pack) {
  const int pairs = shape.counts().rc_pairs;
  PackState state;
  state.soc = x[shape.layout().charge + pack];
  for (int k = 0; k < pairs; ++k) {
    state.v_rc_v[k] = x[shape.layout().rc_voltage + pack * pairs + k];
  }
  return state;
}

template <class Shape>
TACTUS_HD inline void solve_electrical(const Shape& shape, const Multirotor& vehicle,
                                       const MultirotorModes& modes, const MultirotorInput& input,
                                       const double* x, Electrical& e) {
  const MultirotorCounts& n = shape.counts();
  for (int i = 0; i < n.rotors; ++i) {
    const auto& rotor = shape.rotor(i);
    const Motor& motor = rotor.motor;
    const double command = drive_command(shape, input, x, i);
    const bool powered = !has_bit(modes.bus_down | modes.bus_escs_off, vehicle.rotor[i].bus);
    e.motor[i] = motor_electrical(motor, command, x[shape.layout().rotor_speed + i], powered);
    motor_load_curve(motor, e.motor[i], e.curve[i]);
  }
  for (int j = 0; j < n.packs; ++j) {
    PackFault fault = input.pack[j];
    fault.connected = fault.connected && !has_bit(modes.pack_empty, j);
    e.source[j] = pack_source(vehicle.network.pack[j], pack_state(shape, x, j), fault);
  }
  for (int b = 0; b < n.buses; ++b) {
    e.avionics_w[b] =
        has_bit(modes.bus_down, b) ? 0.0 : vehicle.network.bus[b].parameters.avionics_power_w;
  }
  solve_power_network(shape.network(), e.source, e.curve, e.avionics_w, e.solution);
}

/// How the air meets one rotor, and what that does.
template <class InPlane>
struct RotorAir {
  Vec3 spin_velocity_B;  ///< of the hub, from the vehicle's rotation
  InPlane in_plane_B;    ///< velocity of the hub relative to the air, in the rotor's plane
  PropellerLoad load;
};

/// `u_B`: velocity of the centre of mass relative to the air. `axis_B`: that of the rotor.
template <class Axis>
TACTUS_HD inline auto rotor_air(const Rotor& rotor, Axis axis_B, Vec3 u_B, Vec3 w_B,
                                const GroundFromBody& ground, double density, double speed_rad_s) {
  const Vec3 spin_velocity_B = cross(w_B, rotor.position_B_m);
  const Vec3 u_hub_B = u_B + spin_velocity_B;
  const double along_axis = dot(u_hub_B, axis_B);
  const auto in_plane_B = across(u_hub_B, along_axis, axis_B);
  // The load is made in its place: a copy would go through memory, and everything wait for it.
  return RotorAir<std::remove_const_t<decltype(in_plane_B)>>{
      spin_velocity_B, in_plane_B,
      propeller_load(rotor.propeller, math::max(0.0, speed_rad_s),
                     {.climb_m_s = -along_axis,
                      .in_plane_speed_squared_m2_s2 = norm_squared(in_plane_B),
                      .density_kg_m3 = density,
                      .ground_height_m = height_of(ground, rotor.position_B_m)})};
}

/// Acceleration of a turning rotor relative to the airframe.
template <class Axis>
TACTUS_HD inline double rotor_acceleration(const Rotor& rotor, Axis axis_B, double shaft_torque_nm,
                                           Vec3 angular_B) {
  return shaft_torque_nm * rotor.motor.inverse_inertia - rotor.spin * dot(angular_B, axis_B);
}

/// Sums are kept in locals, which the compiler can hold in registers across the rotors.
template <class Shape>
TACTUS_HD inline void add_rotors(const Shape& shape, const Multirotor& vehicle, std::uint32_t held,
                                 const Motion& m, const Electrical& e, const MultirotorInput& input,
                                 const double* x, bool with_power, Loads& loads,
                                 MultirotorOutputs* out) {
  Vec3 sum_force_B;
  Vec3 sum_torque_B;
  Vec3 momentum_B = vehicle.body.inertia_kg_m2 * m.w_B;
  TACTUS_UNROLL
  for (int i = 0; i < shape.counts().rotors; ++i) {
    const auto& rotor = shape.rotor(i);
    const double speed = x[shape.layout().rotor_speed + i];
    const bool is_held = has_bit(held, i);
    const auto axis_B = shape.axis_B(i);
    const auto air = rotor_air(rotor, axis_B, m.u_B, m.w_B, m.ground, m.density, speed);
    const PropellerLoad& load = air.load;
    const double whole = input.thrust_scale[i];
    const double torque = whole * load.torque_nm;
    const Vec3 force_B =
        (-whole * load.thrust_n) * axis_B - (whole * load.in_plane_drag_n_s_m) * air.in_plane_B;

    const int bus = shape.counts().buses == 1 ? 0 : rotor.bus;
    const double current = motor_current(rotor.motor, e.motor[i], e.solution.bus_v[bus]);
    const double motor_nm = motor_torque(rotor.motor, current, speed, is_held);
    const double on_body_nm = is_held ? torque : motor_nm;
    loads.motor_current_a[i] = current;
    loads.shaft_torque[i] = motor_nm - torque;
    sum_force_B += force_B;
    sum_torque_B += cross(rotor.position_B_m, force_B) - (rotor.spin * on_body_nm) * axis_B;
    momentum_B += (rotor.motor.rotor_inertia_kg_m2 * rotor.spin * speed) * axis_B;
    if (with_power) {
      loads.rotor_air_w += dot(force_B, m.v_B + air.spin_velocity_B) -
                           torque * (speed + rotor.spin * dot(m.w_B, axis_B));
    }
    if (out != nullptr) {
      out->duty[i] = e.motor[i].duty;
      out->motor_current_a[i] = current;
      out->thrust_n[i] = whole * load.thrust_n;
      out->rotor_torque_nm[i] = torque;
    }
  }
  loads.force_B += sum_force_B;
  loads.torque_B += sum_torque_B;
  loads.angular_momentum_B = momentum_B;
}

TACTUS_HD inline void add_drag(const RigidBodyParameters& body, const Motion& m, Loads& loads) {
  const Vec3 quadratic_B = quadratic_drag_B(body, m.density, m.u_B);
  const Vec3 linear_W = -body.linear_drag_n_s_m * m.air_relative_W;
  const Vec3 damping_B = -multiply_elements(body.angular_damping_nm_s, m.w_B);
  loads.force_B += quadratic_B;
  loads.force_W += linear_W;
  loads.torque_B += damping_B;
  loads.drag_air_w = dot(quadratic_B, m.v_B) + dot(linear_W, m.v_W) + dot(damping_B, m.w_B);
}

template <class Shape>
TACTUS_HD inline void add_gear(const Shape& shape, const Multirotor& vehicle, const Motion& m,
                               std::uint32_t touching, const double* z, double* z_rate,
                               Loads& loads, MultirotorOutputs* out) {
  TACTUS_UNROLL
  for (int k = 0; k < shape.counts().gear_points; ++k) {
    const Vec3 r_B = vehicle.gear.position_B_m[k];
    const double height_m = height_of(m.ground, r_B);
    const Bristle bristle{z[2 * k], z[2 * k + 1]};
    Bristle rate = relaxing_bristle(vehicle.gear, bristle);
    double normal_n = 0.0;
    // By the mode and not by the height: the bristle's law must not change within a step.
    if (has_bit(touching, k)) {
      const Vec3 velocity_W = m.v_W + m.r_WB * cross(m.w_B, r_B);
      const ContactForce contact =
          contact_force(vehicle.gear, vehicle.world.ground, vehicle.world.ground_axes, height_m,
                        velocity_W, bristle);
      rate = contact.rate;
      loads.force_W += contact.force_W;
      loads.torque_B += cross(r_B, transpose_times(m.r_WB, contact.force_W));
      loads.contact_w += dot(contact.force_W, velocity_W);
      normal_n = contact.normal_n;
    }
    if (out != nullptr) out->gear_force_n[k] = normal_n;
    z_rate[2 * k] = rate.z1;
    z_rate[2 * k + 1] = rate.z2;
  }
}

/// Inverse of I − Σ_turning J a aᵀ; only a held rotor makes it differ from the prepared one.
template <class Shape>
TACTUS_HD inline Mat3 turning_inertia_inverse(const Shape& shape, const Multirotor& vehicle,
                                              std::uint32_t held) {
  if (held == 0) return vehicle.all_turning_inertia_inverse;
  Mat3 inertia = vehicle.body.inertia_kg_m2;
  for (int i = 0; i < shape.counts().rotors; ++i) {
    const Rotor& rotor = vehicle.rotor[i];
    if (has_bit(held, i)) continue;
    inertia = inertia + (-rotor.motor.rotor_inertia_kg_m2) * outer(rotor.axis_B, rotor.axis_B);
  }
  return inverse(inertia);
}

TACTUS_HD inline void actuator_rates(const ActuatorParameters& p, int count, const double* command,
                                     const double* y, const double* v, double* y_rate,
                                     double* v_rate) {
  if (p.kind == ActuatorKind::kFirstOrder) {
    for (int i = 0; i < count; ++i) y_rate[i] = first_order_rate(p, command[i], y[i]);
  } else if (p.kind == ActuatorKind::kSecondOrder) {
    for (int i = 0; i < count; ++i) {
      const SecondOrderRates rates = second_order_rates(p, command[i], y[i], v[i]);
      y_rate[i] = rates.output_rate;
      v_rate[i] = rates.rate_rate;
    }
  }
}

/// Every entry of the energy ledger from its own law.
template <class Shape>
TACTUS_HD inline void energy_flows(const Shape& shape, const Multirotor& vehicle, const Motion& m,
                                   const MultirotorModes& modes, const MultirotorInput& input,
                                   const Electrical& e, const PowerSolution& power,
                                   const Loads& loads, const double* x, double* flow_w) {
  TACTUS_ASSERT(flow_w != nullptr, "a ledger to write to");
  const auto entry = [flow_w](LedgerEntry which) -> double& {
    return flow_w[static_cast<int>(which)];
  };
  for (int k = 0; k < kLedgerEntries; ++k) flow_w[k] = 0.0;
  for (int b = 0; b < shape.counts().buses; ++b) {
    const PowerBus& bus = vehicle.network.bus[b];
    const double bus_v = power.bus_v[b];
    for (int n = 0; n < bus.pack_count; ++n) {
      const int j = bus.pack[n];
      const PackPower p = pack_power(vehicle.network.pack[j], pack_state(shape, x, j),
                                     input.pack[j], bus_v, power.pack_current_a[j]);
      entry(LedgerEntry::kChemical) += p.chemical_w;
      entry(LedgerEntry::kPackLoss) += p.series_loss_w + p.fault_loss_w + p.rc_loss_w;
    }
    entry(LedgerEntry::kAvionics) += bus_v * power.avionics_current_a[b];
  }
  for (int i = 0; i < shape.counts().rotors; ++i) {
    const Rotor& rotor = vehicle.rotor[i];
    const double speed = x[shape.layout().rotor_speed + i];
    const MotorPower p = motor_power(rotor.motor, e.motor[i], power.bus_v[rotor.bus],
                                     loads.motor_current_a[i], speed);
    entry(LedgerEntry::kEscLoss) += p.conversion_loss_w + p.limiter_loss_w;
    entry(LedgerEntry::kCopperLoss) += p.copper_loss_w;
    if (!has_bit(held_rotors(modes), i)) entry(LedgerEntry::kFrictionLoss) += p.friction_loss_w;
  }
  TACTUS_ASSERT(!(entry(LedgerEntry::kCopperLoss) < 0.0), "resistances take power");
  entry(LedgerEntry::kRotorAir) = loads.rotor_air_w;
  entry(LedgerEntry::kDragAir) = loads.drag_air_w;
  entry(LedgerEntry::kContact) = loads.contact_w;
  entry(LedgerEntry::kGravity) =
      dot(vehicle.body.mass_kg * gravity_at(vehicle.world, m.p_W), m.v_W);
}

/// Growth of kinetic energy and of the energy in the RC pairs, from the derivative.
template <class Shape>
TACTUS_HD inline double storing_power(const Shape& shape, const Multirotor& vehicle,
                                      const Motion& m, const double* x, const double* dx) {
  const MultirotorCounts& n = shape.counts();
  const MultirotorLayout& at = shape.layout();
  const Vec3 angular_B = load_vec3(dx + at.rate);
  double power = vehicle.body.mass_kg * dot(m.v_W, load_vec3(dx + at.velocity)) +
                 dot(m.w_B, vehicle.body.inertia_kg_m2 * angular_B);
  for (int i = 0; i < n.rotors; ++i) {
    const Rotor& rotor = vehicle.rotor[i];
    const double speed = x[at.rotor_speed + i];
    const double speed_rate = dx[at.rotor_speed + i];
    const double inertia = rotor.motor.rotor_inertia_kg_m2;
    power += inertia * rotor.spin * speed_rate * dot(rotor.axis_B, m.w_B) +
             inertia * speed * (speed_rate + rotor.spin * dot(rotor.axis_B, angular_B));
  }
  for (int j = 0; j < n.packs; ++j) {
    for (int k = 0; k < n.rc_pairs; ++k) {
      const int entry = at.rc_voltage + j * n.rc_pairs + k;
      power += vehicle.network.pack[j].rc_c_farad[k] * x[entry] * dx[entry];
    }
  }
  return power;
}

}  // namespace detail

/// Kinetic energy that a rotor's spin adds to that of the vehicle as one body.
TACTUS_HD inline double spin_energy_j(const Rotor& rotor, Vec3 w_B, double speed_rad_s) {
  return rotor.motor.rotor_inertia_kg_m2 * speed_rad_s *
         (0.5 * speed_rad_s + rotor.spin * dot(rotor.axis_B, w_B));
}

/// Right-hand side dx = f(t, x), and the outputs and powers if asked for: those of all parts that
/// exist. `t_s` counts from the start of the held interval and matters only to a wind that ramps.
/// `e`: the electrical solution, which it gets unless it is `solved` already.
template <class Shape>
TACTUS_HD inline Status evaluate(const Shape& shape, const Multirotor& vehicle,
                                 const MultirotorModes& modes, const MultirotorInput& input,
                                 double t_s, const double* x, double* dx, detail::Electrical& e,
                                 bool solved, MultirotorOutputs* out = nullptr,
                                 MultirotorEnergy* energy = nullptr) {
  const MultirotorCounts& n = shape.counts();
  const MultirotorLayout& at = shape.layout();
  const std::uint32_t held = detail::held_rotors(modes);
  const bool with_power = n.ledger || energy != nullptr;
  const detail::Motion m = detail::motion_at(shape, vehicle, input, t_s, x);
  if (math::is_nan(m.density) && math::is_finite(m.p_W.z)) return Status::kOutsideAtmosphere;
  if (!solved) detail::solve_electrical(shape, vehicle, modes, input, x, e);
  PowerSolution power;
  if (with_power || out != nullptr) {
    power = power_solution(shape.network(), e.solution);
    add_load_currents(vehicle.network, e.curve, e.avionics_w, power);
  }

  detail::Loads loads;
  detail::add_rotors(shape, vehicle, held, m, e, input, x, with_power, loads, out);
  detail::add_drag(vehicle.body, m, loads);
  detail::add_gear(shape, vehicle, m, modes.gear_touching, x + at.bristle, dx + at.bristle, loads,
                   out);

  const Vec3 gravity_W = gravity_at(vehicle.world, m.p_W);
  const Vec3 specific_W = (1.0 / vehicle.body.mass_kg) * (m.r_WB * loads.force_B + loads.force_W);
  const Vec3 angular_B = detail::turning_inertia_inverse(shape, vehicle, held) *
                         (loads.torque_B - cross(m.w_B, loads.angular_momentum_B));
  store(dx + at.position, m.v_W);
  store(dx + at.velocity, specific_W + gravity_W);
  store(dx + at.attitude, quaternion_rate(m.q_WB, m.w_B));
  store(dx + at.rate, angular_B);
  for (int i = 0; i < n.rotors; ++i) {
    const auto& rotor = shape.rotor(i);
    const double rate =
        detail::rotor_acceleration(rotor, shape.axis_B(i), loads.shaft_torque[i], angular_B);
    dx[at.rotor_speed + i] = has_bit(held, i) ? 0.0 : rate;
  }
  for (int j = 0; j < n.packs; ++j) {
    const PackRates rates = pack_rates(vehicle.network.pack[j], detail::pack_state(shape, x, j),
                                       e.solution.pack_current_a[j]);
    dx[at.charge + j] = rates.soc_per_s;
    for (int k = 0; k < n.rc_pairs; ++k) {
      dx[at.rc_voltage + j * n.rc_pairs + k] = rates.v_rc_v_s[k];
    }
  }
  if (n.motor_actuator_order > 0) {
    detail::actuator_rates(vehicle.motor_actuator, n.rotors, input.motor_command,
                           x + at.motor_output, x + at.motor_rate, dx + at.motor_output,
                           dx + at.motor_rate);
  }
  if (n.servo_actuator_order > 0) {
    detail::actuator_rates(vehicle.servo_actuator, n.servos, input.servo_command,
                           x + at.servo_output, x + at.servo_rate, dx + at.servo_output,
                           dx + at.servo_rate);
  }
  if (n.ledger) {
    detail::energy_flows(shape, vehicle, m, modes, input, e, power, loads, x, dx + at.ledger);
  }
  if (out != nullptr) {
    out->acceleration_W_m_s2 = specific_W + gravity_W;
    out->angular_acceleration_B_rad_s2 = angular_B;
    out->specific_force_B_m_s2 = transpose_times(m.r_WB, specific_W);
    out->air_velocity_B_m_s = -m.u_B;
    out->air = air_at(vehicle.world, m.p_W);
    out->power = power;
  }
  if (energy != nullptr) {
    detail::energy_flows(shape, vehicle, m, modes, input, e, power, loads, x, energy->flow_w);
    energy->storing_w = detail::storing_power(shape, vehicle, m, x, dx);
  }
  for (int b = 0; b < n.buses; ++b) {
    if (e.solution.condition[b] == BusCondition::kNoSink) return Status::kNoPowerSink;
  }
  return Status::kOk;
}

/// Without the electrical solution.
template <class Shape>
TACTUS_HD inline Status evaluate(const Shape& shape, const Multirotor& vehicle,
                                 const MultirotorModes& modes, const MultirotorInput& input,
                                 double t_s, const double* x, double* dx,
                                 MultirotorOutputs* out = nullptr,
                                 MultirotorEnergy* energy = nullptr) {
  detail::Electrical e;
  return evaluate(shape, vehicle, modes, input, t_s, x, dx, e, false, out, energy);
}

}  // namespace tactus
