// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/plant/multirotor_model.h"

#include <fmt/format.h>

#include "tactus/core/assert.h"
#include "tactus/core/checks.h"
#include "tactus/core/error.h"

namespace tactus {
namespace {

/// Touchdown speed for which a fixed step must resolve the gear.
constexpr double kDesignImpactSpeed_m_s = 1.0;

void require_count(std::string_view key, int value, int lowest, int highest) {
  require_within("multirotor", key, value, lowest, highest);
}

/// What brakes a rotor at full command on a full pack, in N m per rad/s: the winding, the slope of
/// the propeller's torque at the speed where motor and propeller balance, and friction.
struct RotorBraking {
  double winding_nm_s = 0.0;
  double propeller_nm_s = 0.0;
  double friction_nm_s = 0.0;
};

RotorBraking rotor_braking(const Multirotor& vehicle, const Rotor& rotor) {
  const Motor& m = rotor.motor;
  double volts = 0.0;
  for (int j = 0; j < vehicle.counts.packs; ++j) {
    volts = math::max(volts, open_circuit_voltage_v(vehicle.network.pack[j], 1.0));
  }
  const auto load_nm = [&](double speed) {
    return propeller_load(rotor.propeller, speed,
                          {.climb_m_s = 0.0,
                           .in_plane_speed_squared_m2_s2 = 0.0,
                           .density_kg_m3 = 1.225,
                           .ground_height_m = math::infinity()})
        .torque_nm;
  };
  TACTUS_ASSERT(m.conductance_s > 0.0, "a winding that carries current");
  const double kt = m.torque_constant_nm_a;
  double low = 0.0;
  double high = volts / kt;
  for (int i = 0; i < 60; ++i) {
    const double speed = 0.5 * (low + high);
    const double drive_nm = kt * (volts - kt * speed) * m.conductance_s;
    (drive_nm > load_nm(speed) ? low : high) = speed;
  }
  TACTUS_ASSERT(!(low > high), "motor and propeller balance between the two");
  return {kt * kt * m.conductance_s, 2.0 * load_nm(high) / high, m.viscous_friction_nm_s};
}

/// Pole of a rotor.
double fastest_rotor_rate_per_s(const Multirotor& vehicle, const Rotor& rotor) {
  const RotorBraking b = rotor_braking(vehicle, rotor);
  TACTUS_ASSERT(!(b.winding_nm_s < 0.0) && b.friction_nm_s >= 0.0, "what brakes a rotor");
  return (b.winding_nm_s + b.propeller_nm_s + b.friction_nm_s) * rotor.motor.inverse_inertia;
}

Rotor make_rotor(const RotorParameters& p, int bus, std::string_view where) {
  if (!is_finite(p.position_B_m)) {
    refuse(where, "position_body_m", norm(p.position_B_m), "must be finite");
  }
  const double length = norm(p.axis_B);
  if (!(math::abs(length - 1.0) < 1e-9)) {
    refuse(where, "axis_body", "length", length, "the rotor axis must be a unit vector");
  }
  if (p.reaction_sign != 1 && p.reaction_sign != -1) {
    refuse(where, "reaction_sign", p.reaction_sign, "must be 1 or -1");
  }
  return {.position_B_m = p.position_B_m,
          .axis_B = p.axis_B,
          .spin = -static_cast<double>(p.reaction_sign),
          .bus = bus,
          .motor = make_motor(p.motor, fmt::format("{}.motor", where)),
          .propeller = make_propeller(p.propeller, fmt::format("{}.propeller", where))};
}

MultirotorCounts counts_of(const MultirotorParameters& p, const World& world) {
  int rc_pairs = 0;
  for (int j = 0; j < p.power.pack_count; ++j) {
    rc_pairs = p.power.pack[j].rc_count > rc_pairs ? p.power.pack[j].rc_count : rc_pairs;
  }
  return {.rotors = p.rotor_count,
          .servos = p.servo_count,
          .packs = p.power.pack_count,
          .buses = p.power.bus_count,
          .rc_pairs = rc_pairs,
          .gear_points = world.ground.present ? p.gear.count : 0,
          .motor_actuator_order = actuator_order(p.motor_actuator.kind),
          .servo_actuator_order = actuator_order(p.servo_actuator.kind),
          .ledger = p.ledger};
}

/// I − Σ J a aᵀ must stay an inertia, or the rotors would weigh more than the vehicle they belong
/// to.
Mat3 all_turning_inverse(const Multirotor& vehicle) {
  Mat3 inertia = vehicle.body.inertia_kg_m2;
  for (int i = 0; i < vehicle.counts.rotors; ++i) {
    const Rotor& rotor = vehicle.rotor[i];
    inertia = inertia + (-rotor.motor.rotor_inertia_kg_m2) * outer(rotor.axis_B, rotor.axis_B);
  }
  const auto& m = inertia.m;
  const double minor = m[0][0] * m[1][1] - m[0][1] * m[1][0];
  if (!(m[0][0] > 0.0 && minor > 0.0 && determinant(inertia) > 0.0)) {
    refuse(
        "body", "inertia_kg_m2 (without the rotors' spin inertia)",
        math::min(m[0][0], math::min(m[1][1], m[2][2])),
        "is what is left about one axis, or does not fit the products of inertia; it must include "
        "the rotors: raise it, or lower motor.rotor_inertia_kg_m2");
  }
  return inverse(inertia);
}

double largest_entry(Vec3 v) {
  return math::max(math::abs(v.x), math::max(math::abs(v.y), math::abs(v.z)));
}

/// Decaying modes must lie inside the method's stability interval, with a margin. Oscillating ones
/// need their phase resolved: Euler feeds energy into them at any step.
StepLimit step_limit(const Multirotor& vehicle, Method method) {
  const auto [decay, phase] = resolved_by_step(method);
  StepLimit limit;
  const auto resolve = [&limit](const char* what, double rate_per_s, double largest) {
    if (!(rate_per_s > 0.0)) return;
    bool ok = false;
    const std::int64_t us = math::to_int64(1e6 * largest / rate_per_s, ok);
    if (!ok || static_cast<std::uint64_t>(us) >= limit.step_us) return;
    TACTUS_ASSERT(us >= 0, "a limit of a length of time");
    limit = {static_cast<std::uint64_t>(us), what};
  };
  resolve("the motor actuators", fastest_rate_rad_s(vehicle.motor_actuator), decay);
  resolve("the servo actuators", fastest_rate_rad_s(vehicle.servo_actuator), decay);
  for (int i = 0; i < vehicle.counts.rotors; ++i) {
    resolve("the rotors", fastest_rotor_rate_per_s(vehicle, vehicle.rotor[i]), decay);
  }
  for (int j = 0; j < vehicle.counts.packs; ++j) {
    resolve("the packs' RC pairs", fastest_rate_per_s(vehicle.network.pack[j]), decay);
  }
  const RigidBodyParameters& body = vehicle.body;
  const Vec3 damping = body.angular_damping_nm_s;
  resolve("the drag of the body", body.linear_drag_n_s_m / body.mass_kg, decay);
  resolve("the angular damping of the body",
          largest_entry({damping.x * vehicle.all_turning_inertia_inverse.m[0][0],
                         damping.y * vehicle.all_turning_inertia_inverse.m[1][1],
                         damping.z * vehicle.all_turning_inertia_inverse.m[2][2]}),
          decay);
  if (vehicle.counts.gear_points > 0) {
    const ContactRates rates =
        contact_rates(vehicle.gear, vehicle.body.mass_kg, kDesignImpactSpeed_m_s);
    resolve("the contact stiffness of the landing gear", rates.normal_rad_s, phase);
    resolve("the friction of the landing gear", rates.friction_per_s, decay);
  }
  return limit;
}

/// So that the error of one step is far below any tolerance.
constexpr double kStepsOfFastest = 100.0;

/// An adaptive method takes steps of h_min_us at least. A rotor whose speed settles within a few of
/// them cannot be followed, whatever the tolerance; real ones take milliseconds.
void require_rotor_resolved(const Multirotor& vehicle, int i, const SolverConfig& config) {
  const Motor& motor = vehicle.rotor[i].motor;
  const double settles_us = 1e6 / fastest_rotor_rate_per_s(vehicle, vehicle.rotor[i]);
  const double shortest_us = kStepsOfFastest * static_cast<double>(config.h_min_us);
  if (settles_us >= shortest_us) return;
  const RotorBraking b = rotor_braking(vehicle, vehicle.rotor[i]);
  const std::string where = fmt::format("rotor[{}]", i);
  const std::string what = fmt::format(
      "the rotor's speed would settle within {:.3g} us, too fast for steps of whole microseconds "
      "(at least {:g} us with this h_min_us); its inertia of {:g} kg m^2 is braked by the winding "
      "with {:.3g}, by the propeller with {:.3g}, by friction with {:.3g} N m s",
      settles_us, shortest_us, motor.rotor_inertia_kg_m2, b.winding_nm_s, b.propeller_nm_s,
      b.friction_nm_s);
  // Which number is out of proportion. Motors of drones are braked with 1e-5 to 1e-2 N m s.
  constexpr double kMuch_nm_s = 0.1;
  if (b.friction_nm_s > kMuch_nm_s) {
    refuse(where, "motor.viscous_friction_nm_s", b.friction_nm_s, what);
  } else if (b.winding_nm_s > kMuch_nm_s && motor.torque_constant_nm_a > 0.3) {
    const double kv_rpm_per_v = 60.0 / (math::kTwoPi * motor.torque_constant_nm_a);
    refuse_key(where + ".motor.kv_rpm_per_v", fmt::format("{:.6g}", kv_rpm_per_v), what);
  } else if (b.winding_nm_s > kMuch_nm_s) {
    refuse(where, "motor.resistance_ohm", motor.resistance_ohm, what);
  } else if (b.propeller_nm_s > kMuch_nm_s) {
    refuse(where, "propeller.radius_m", vehicle.rotor[i].propeller.radius_m, what);
  }
  refuse(where, "motor.rotor_inertia_kg_m2", motor.rotor_inertia_kg_m2, what);
}

/// The same for the fastest RC pair of a pack; those of cells take milliseconds to minutes.
void require_pack_resolved(const Multirotor& vehicle, int j, const SolverConfig& config) {
  const Pack& pack = vehicle.network.pack[j];
  const double shortest_us = kStepsOfFastest * static_cast<double>(config.h_min_us);
  for (int k = 0; k < pack.rc_count; ++k) {
    const double time_constant_us = 1e6 / (pack.rc_elastance_per_f[k] * pack.rc_conductance_s[k]);
    if (time_constant_us >= shortest_us) continue;
    refuse_key(
        fmt::format("power.pack[{}].rc[{}].c_farad", j, k),
        fmt::format("{:.6g}", pack.rc_c_farad[k]),
        fmt::format("with its r_ohm this is a time constant of {:.3g} us, too fast for steps "
                    "of whole microseconds (at least {:g} us with this h_min_us)",
                    time_constant_us, shortest_us));
  }
}

/// Where the centre of mass is when the lowest gear point just touches, body level.
double resting_down_m(const Multirotor& vehicle) {
  const GroundParameters& ground = vehicle.world.ground;
  double lowest = 0.0;
  for (int k = 0; k < vehicle.counts.gear_points; ++k) {
    const double along = dot(ground.normal_W, vehicle.gear.position_B_m[k]);
    lowest = k == 0 ? along : math::min(lowest, along);
  }
  return ground.present ? point_above(ground, 0.0, 0.0, -lowest).z : 0.0;
}

MultirotorState initial_state(const MultirotorParameters& p, const Multirotor& vehicle) {
  TACTUS_ASSERT(vehicle.layout.size > 0 && vehicle.layout.size <= kMultirotorCapacity,
                "a layout that was made");
  MultirotorState state;
  state.x[vehicle.layout.position + 2] = resting_down_m(vehicle);
  state.x[vehicle.layout.attitude] = 1.0;
  for (int j = 0; j < vehicle.counts.packs; ++j) {
    const PackState pack = initial_pack_state(p.power.pack[j]);
    state.x[vehicle.layout.charge + j] = pack.soc;
    for (int k = 0; k < vehicle.counts.rc_pairs; ++k) {
      state.x[vehicle.layout.rc_voltage + j * vehicle.counts.rc_pairs + k] = pack.v_rc_v[k];
    }
  }
  return state;
}

}  // namespace

Multirotor make_multirotor(const MultirotorParameters& p, const World& world) {
  require_numbers(p);
  require_count("rotor_count", p.rotor_count, 1, kMaxMotors);
  require_count("servo_count", p.servo_count, 0, kMaxServos);
  if (p.power.motor_count != p.rotor_count) {
    refuse("power", "motor_count", p.power.motor_count,
           fmt::format("must equal rotor_count = {}", p.rotor_count));
  }
  validate(p.body, "body");
  validate(p.motor_actuator, "motor_actuator");
  validate(p.servo_actuator, "servo_actuator");
  validate(p.gear, "gear");

  Multirotor vehicle;
  vehicle.network = make_power_network(p.power, "power");
  vehicle.world = world;
  vehicle.counts = counts_of(p, world);
  vehicle.layout = make_layout(vehicle.counts);
  vehicle.groups = make_groups(vehicle.layout);
  vehicle.body = p.body;
  for (int i = 0; i < p.rotor_count; ++i) {
    vehicle.rotor[i] = make_rotor(p.rotor[i], p.power.motor_bus[i], fmt::format("rotor[{}]", i));
  }
  vehicle.all_turning_inertia_inverse = all_turning_inverse(vehicle);
  vehicle.motor_actuator = p.motor_actuator;
  vehicle.servo_actuator = p.servo_actuator;
  vehicle.gear = p.gear;
  vehicle.euler_step_limit = step_limit(vehicle, Method::kEuler);
  vehicle.rk4_step_limit = step_limit(vehicle, Method::kRk4);
  vehicle.initial = initial_state(p, vehicle);
  TACTUS_ASSERT(vehicle.groups.end() == vehicle.layout.size,
                "every entry of the state is in a group");
  TACTUS_ASSERT(vehicle.network.motor_count == vehicle.counts.rotors &&
                    vehicle.network.pack_count == vehicle.counts.packs &&
                    vehicle.network.bus_count == vehicle.counts.buses,
                "network and vehicle have the same parts");
  TACTUS_ASSERT(vehicle.rk4_step_limit.step_us >= vehicle.euler_step_limit.step_us,
                "the method of higher order allows the longer step");
  return vehicle;
}

void require_step_resolves(const Multirotor& vehicle, const SolverConfig& config,
                           DurationUs longest_interval) {
  if (is_adaptive(config.method)) {
    for (int i = 0; i < vehicle.counts.rotors; ++i) require_rotor_resolved(vehicle, i, config);
    for (int j = 0; j < vehicle.counts.packs; ++j) require_pack_resolved(vehicle, j, config);
    return;
  }
  const StepLimit& limit =
      config.method == Method::kEuler ? vehicle.euler_step_limit : vehicle.rk4_step_limit;
  const std::uint64_t step_us = longest_fixed_step(config, longest_interval).us;
  if (step_us <= limit.step_us) return;
  refuse_key("solver.step_us", fmt::format("{}", step_us),
             fmt::format("too long for {} with {}; use at most {} us, or an adaptive method",
                         limit.what, to_text(config.method), limit.step_us));
}

const char* motor_lag_note(const MultirotorParameters& p) {
  return p.motor_actuator.kind == ActuatorKind::kDirect
             ? ""
             : "motor_actuator adds a lag to the command path; the rotors' inertia already is one, "
               "so "
               "thrust lag is counted twice unless this stands for filtering inside the ESC";
}

}  // namespace tactus
