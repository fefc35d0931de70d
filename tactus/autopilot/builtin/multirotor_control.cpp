// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/autopilot/builtin/multirotor_control.h"

namespace tactus {
namespace {

constexpr double kVoltageFilter_s = 0.3;
constexpr double kDeadVoltage = 0.5;  // of the hover's: below, the bus has no supply
constexpr double kHoverFilter_s = 1.0;
constexpr double kHoverClimb_m_s = 0.5;  // slower is a hover: inflow changes the thrust little
constexpr double kLeastLift = 0.2;       // of the weight, so that the thrust vector has a direction
constexpr double kReducedLift = 0.7;     // of the weight, when better down than away
constexpr double kMostThrust = 0.95;     // of all rotors: what is left tilts

double limit(double x, double size) { return math::clamp(x, -size, size); }

/// Shortens the horizontal part to at most `size`.
Vec3 limit_horizontal(Vec3 v, double size) {
  const double length = math::hypot(v.x, v.y);
  if (!(length > size)) return v;
  const double scale = size / length;
  return {scale * v.x, scale * v.y, v.z};
}

/// Speed at which to approach a point at this distance: proportional near it, and further away what
/// the deceleration can still stop.
double approach_speed(double distance, double gain, double deceleration) {
  const double knee = deceleration / (gain * gain);
  const double size = math::abs(distance);
  if (size <= knee) return gain * distance;
  return math::copysign(math::sqrt(2.0 * deceleration * (size - 0.5 * knee)), distance);
}

/// Attitude whose body down is `down_W` (unit) and whose heading is `yaw`.
Quat attitude_of(Vec3 down_W, double yaw_rad) {
  double s = 0.0, c = 1.0;
  math::sincos(yaw_rad, &s, &c);
  const double ahead = c * down_W.x + s * down_W.y;
  const double right = c * down_W.y - s * down_W.x;
  return from_euler({.roll_rad = math::asin(math::clamp(-right, -1.0, 1.0)),
                     .pitch_rad = math::atan2(ahead, down_W.z),
                     .yaw_rad = yaw_rad});
}

/// What separates two attitudes, body axes: x and y turn body down the short way, z turns the
/// heading after that. Tilt so does not wait for yaw (Brescianini et al., ETH 2013).
Vec3 attitude_error(Quat from, Quat to) {
  Quat e = conjugate(from) * to;
  if (e.w < 0.0) e = -e;
  const double twist_size = math::hypot(e.w, e.z);
  if (!(twist_size > 1e-6)) return {math::kPi, 0.0, 0.0};
  const Quat twist{e.w / twist_size, 0.0, 0.0, e.z / twist_size};
  const Vec3 swing = log_rotation(e * conjugate(twist));
  return {swing.x, swing.y, 2.0 * math::atan2(e.z, e.w)};
}

}  // namespace

MultirotorControl::MultirotorControl(const Multirotor& vehicle, const BuiltinParameters& parameters,
                                     DurationUs period)
    : model_(make_airframe_model(vehicle)),
      parameters_(parameters),
      period_(period),
      allocation_(make_allocation(model_, 0)) {
  gains_ = make_control_gains(model_, allocation_, parameters_, period_);
}

void MultirotorControl::set_parameters(const BuiltinParameters& parameters) {
  parameters_ = parameters;
  gains_ = make_control_gains(model_, make_allocation(model_, 0), parameters_, period_);
}

void MultirotorControl::stop(Command& command) {
  for (int i = 0; i < model_.rotor_count; ++i) command.motor[i] = 0.0;
  if (motor_lost_mask() != 0) allocation_ = make_allocation(model_, 0);
  state_ = {};
}

void MultirotorControl::save(StateWriter& to) const { to.add_fields("control", state_); }

void MultirotorControl::load(StateReader& from) {
  from.get_fields("control", state_);
  allocation_ = make_allocation(model_, state_.monitor.lost_mask);
}

void MultirotorControl::step(const ControlInput& input, const FlightSetpoint& setpoint,
                             Command& command, AutopilotStatus& status) {
  begin(input, command);
  if (setpoint.idle || !(setpoint.thrust_limit_weight > 0.0)) {
    rest(input.estimate, command, status);
    return;
  }
  learn(input.estimate, {.horizontal = setpoint.horizontal && !setpoint.grounded,
                         .vertical = setpoint.vertical && !setpoint.grounded,
                         .rates = !setpoint.grounded});
  if (input.now >= state_.next_position_step) {
    position_step(input.estimate, setpoint, status);
    state_.next_position_step =
        TimeUs{} + (input.now - TimeUs{}) / kPositionPeriod * kPositionPeriod + kPositionPeriod;
  }
  state_.settling = setpoint.settling;
  const bool heading = !math::is_nan(setpoint.yaw_rad);
  inner_step(input, heading, setpoint.yaw_rate_rad_s, command, status);
}

void MultirotorControl::step_attitude(const ControlInput& input, const AttitudeSetpoint& setpoint,
                                      Command& command, AutopilotStatus& status) {
  begin(input, command);
  learn(input.estimate, {.horizontal = true, .vertical = true, .rates = true});
  state_.settling = false;
  state_.attitude_setpoint = setpoint.attitude;
  state_.thrust_n = setpoint.thrust_n;
  inner_step(input, true, setpoint.yaw_rate_rad_s, command, status);
}

/// What the packs report: the voltage of each bus, filtered, and which have none.
void MultirotorControl::read_supply(const BatteryStatus (&battery)[kMaxPacks]) {
  double reported_v[kMaxBuses] = {};
  for (int j = 0; j < model_.pack_count; ++j) {
    if (!battery[j].connected) continue;
    double& bus_v = reported_v[model_.pack_bus[j]];
    bus_v = math::max(bus_v, battery[j].voltage_v);
  }
  const double share = to_seconds(period_) / (to_seconds(period_) + kVoltageFilter_s);
  state_.dead_bus_mask = 0;
  for (int b = 0; b < kMaxBuses; ++b) {
    const double nominal = model_.nominal_bus_v[b];
    if (!state_.running) state_.bus_v[b] = nominal;
    if (reported_v[b] < kDeadVoltage * nominal) {
      state_.dead_bus_mask |= std::uint32_t{1} << b;
      continue;
    }
    // A reading far off is a fault of the reading: do not follow it.
    const double now_v = math::clamp(reported_v[b], 0.6 * nominal, 1.2 * nominal);
    state_.bus_v[b] += (state_.running ? share : 1.0) * (now_v - state_.bus_v[b]);
  }
}

/// Voltages, motor monitor and, after power-up or idle, observers that agree with the estimate.
void MultirotorControl::begin(const ControlInput& input, const Command& command) {
  read_supply(input.battery);
  for (int i = 0; i < model_.rotor_count; ++i) {
    const AirframeRotor& rotor = model_.rotor[i];
    state_.max_thrust_n[i] = thrust_at_voltage_n(rotor.curve, state_.bus_v[rotor.bus]);
  }
  if (parameters_.detect_motor_loss &&
      monitor_motors(model_, input.now, period_, input.esc, command,
                     {state_.bus_v, state_.dead_bus_mask}, state_.monitor)) {
    allocation_ = make_allocation(model_, state_.monitor.lost_mask);
  }
  if (!state_.running) {
    state_.velocity_observed_W_m_s = input.estimate.velocity_W_m_s;
    state_.rate_observed_B_rad_s = input.estimate.rate_B_rad_s;
    state_.attitude_setpoint = input.estimate.attitude;
    state_.running = true;
  }
}

/// Motors idle; what was learned about the rotors' lift stays, what pushed the vehicle does not.
void MultirotorControl::rest(const Estimate& estimate, Command& command, AutopilotStatus& status) {
  for (int i = 0; i < model_.rotor_count; ++i) {
    command.motor[i] = model_.rotor[i].idle_command;
  }
  const double learned = state_.hover_disturbance_m_s2;
  state_.velocity_observed_W_m_s = estimate.velocity_W_m_s;
  state_.rate_observed_B_rad_s = estimate.rate_B_rad_s;
  state_.disturbance_W_m_s2 = {0.0, 0.0, learned};
  state_.disturbance_B_rad_s2 = {};
  state_.attitude_setpoint = attitude_of({0.0, 0.0, 1.0}, yaw_of(estimate.attitude));
  state_.torque_B_nm = {};
  state_.lift_n = 0.0;
  state_.yaw_slow_nm = 0.0;
  state_.yaw_given_nm = 0.0;
  state_.thrust_n = 0.0;
  state_.yaw_rate_rad_s = 0.0;
  report({}, status);
}

/// Luenberger observers, both poles at the observer's rate.
void MultirotorControl::learn(const Estimate& estimate, const Learning& on) {
  const double dt = to_seconds(period_);
  MultirotorControlState& s = state_;

  const double w = gains_.velocity_observer_per_s;
  const Vec3 down_W = rotate(estimate.attitude, {0.0, 0.0, 1.0});
  const Vec3 explained_W =
      Vec3{0.0, 0.0, model_.gravity_m_s2} - (s.lift_n / model_.mass_kg) * down_W;
  const Vec3 miss_W = estimate.velocity_W_m_s - s.velocity_observed_W_m_s;
  const Vec3 before_W = s.disturbance_W_m_s2;
  s.velocity_observed_W_m_s += dt * (explained_W + s.disturbance_W_m_s2 + (2.0 * w) * miss_W);
  s.disturbance_W_m_s2 += (dt * w * w) * miss_W;
  if (!on.horizontal) {
    s.velocity_observed_W_m_s.x = estimate.velocity_W_m_s.x;
    s.velocity_observed_W_m_s.y = estimate.velocity_W_m_s.y;
    s.disturbance_W_m_s2.x = before_W.x;
    s.disturbance_W_m_s2.y = before_W.y;
  }
  if (!on.vertical) {
    s.velocity_observed_W_m_s.z = estimate.velocity_W_m_s.z;
    s.disturbance_W_m_s2.z = s.hover_disturbance_m_s2;
  } else if (math::abs(estimate.velocity_W_m_s.z) < kHoverClimb_m_s) {
    const double share = dt / (dt + kHoverFilter_s);
    s.hover_disturbance_m_s2 += share * (s.disturbance_W_m_s2.z - s.hover_disturbance_m_s2);
  }
  s.disturbance_W_m_s2 =
      limit_horizontal(s.disturbance_W_m_s2, 0.8 * model_.gravity_m_s2 * gains_.max_tilt_tangent);
  s.disturbance_W_m_s2.z = limit(s.disturbance_W_m_s2.z, 0.5 * model_.gravity_m_s2);
  if (on.rates) {
    learn_rates(estimate);
  } else {
    s.rate_observed_B_rad_s = estimate.rate_B_rad_s;
  }
}

void MultirotorControl::learn_rates(const Estimate& estimate) {
  const double dt = to_seconds(period_);
  const double w = gains_.rate_observer_per_s;
  const Vec3 rate = estimate.rate_B_rad_s;
  const Vec3 miss = rate - state_.rate_observed_B_rad_s;
  Vec3 torque = state_.torque_B_nm;
  torque.z = model_.yaw_lead * state_.yaw_given_nm + (1.0 - model_.yaw_lead) * torque.z;
  const Vec3 explained =
      model_.inertia_inverse * (torque - cross(rate, model_.inertia_kg_m2 * rate));
  state_.rate_observed_B_rad_s += dt * (explained + state_.disturbance_B_rad_s2 + (2.0 * w) * miss);
  const Vec3 d = state_.disturbance_B_rad_s2 + (dt * w * w) * miss;
  const Vec3 most = gains_.max_disturbance_B_rad_s2;
  state_.disturbance_B_rad_s2 = {limit(d.x, most.x), limit(d.y, most.y), limit(d.z, most.z)};
}

void MultirotorControl::position_step(const Estimate& estimate, const FlightSetpoint& setpoint,
                                      AutopilotStatus& status) {
  const Vec3 velocity = velocity_setpoint(estimate, setpoint);
  const Vec3 wanted = acceleration_setpoint(estimate, setpoint, velocity);
  const Vec3 force = specific_force(wanted, setpoint.horizontal);
  const double yaw = math::is_nan(setpoint.yaw_rad) ? yaw_of(estimate.attitude) : setpoint.yaw_rad;
  state_.attitude_setpoint = attitude_of((-1.0 / norm(force)) * force, yaw);
  const double upright = rotation_matrix(estimate.attitude).m[2][2];
  state_.thrust_n = math::min(-model_.mass_kg * force.z / math::max(0.5, upright),
                              setpoint.thrust_limit_weight * model_.hover_thrust_n);
  status.velocity_setpoint_W_m_s = velocity;
  status.acceleration_setpoint_W_m_s2 = wanted;
}

/// What the rotors shall give per kilogram. Vertical first, then as much of the horizontal part as
/// tilt and thrust allow.
Vec3 MultirotorControl::specific_force(Vec3 wanted_W_m_s2, bool horizontal) const {
  const double g = model_.gravity_m_s2;
  double most = 0.0;
  for (int i = 0; i < model_.rotor_count; ++i) {
    if (!has_lost(i)) most += model_.rotor[i].lift_per_thrust * state_.max_thrust_n[i];
  }
  most *= kMostThrust / model_.mass_kg;
  const Vec3 push = wanted_W_m_s2 - state_.disturbance_W_m_s2;
  const double up = math::clamp(g - push.z, kLeastLift * g, math::max(kLeastLift * g, most));
  if (!horizontal) return {0.0, 0.0, -up};
  const double by_tilt = up * gains_.max_tilt_tangent;
  const double by_thrust = math::sqrt(math::max(0.0, most * most - up * up));
  return limit_horizontal({push.x, push.y, -up}, math::min(by_tilt, by_thrust));
}

Vec3 MultirotorControl::velocity_setpoint(const Estimate& estimate,
                                          const FlightSetpoint& setpoint) const {
  const Vec3 error = setpoint.position_W_m - estimate.position_W_m;
  const double deceleration = 0.7 * parameters_.max_acceleration_m_s2;
  Vec3 toward;
  if (!math::is_nan(error.x) && !math::is_nan(error.y)) {
    const double distance = math::hypot(error.x, error.y);
    const double speed = math::min(approach_speed(distance, gains_.position_per_s, deceleration),
                                   parameters_.cruise_speed_m_s);
    if (distance > 0.0) toward = {speed / distance * error.x, speed / distance * error.y, 0.0};
  }
  if (!math::is_nan(error.z)) {
    toward.z = math::clamp(approach_speed(error.z, gains_.vertical_position_per_s, deceleration),
                           -parameters_.climb_speed_m_s, parameters_.descend_speed_m_s);
  }
  return setpoint.velocity_W_m_s + toward;
}

Vec3 MultirotorControl::acceleration_setpoint(const Estimate& estimate,
                                              const FlightSetpoint& setpoint,
                                              Vec3 velocity_W_m_s) const {
  const Vec3 error = velocity_W_m_s - estimate.velocity_W_m_s;
  Vec3 wanted = setpoint.acceleration_W_m_s2;
  if (setpoint.horizontal) {
    wanted.x += gains_.velocity_per_s * error.x;
    wanted.y += gains_.velocity_per_s * error.y;
  }
  if (setpoint.vertical) wanted.z += gains_.vertical_velocity_per_s * error.z;
  return wanted;
}

/// The heading error turned into a rate that the motors can start and stop.
double MultirotorControl::yaw_rate_setpoint(double error_rad, bool heading,
                                            double feed_forward_rad_s) {
  const double most = gains_.max_yaw_acceleration_rad_s2;
  double wanted = feed_forward_rad_s;
  if (!allocation_.controls_yaw) {
    wanted = 0.0;
  } else if (heading) {
    wanted += approach_speed(error_rad, gains_.yaw_per_s, 0.7 * most);
  }
  wanted = limit(wanted, parameters_.max_yaw_rate_rad_s);
  state_.yaw_rate_rad_s += limit(wanted - state_.yaw_rate_rad_s, most * to_seconds(period_));
  return state_.yaw_rate_rad_s;
}

void MultirotorControl::inner_step(const ControlInput& input, bool heading,
                                   double yaw_feed_forward_rad_s, Command& command,
                                   AutopilotStatus& status) {
  const Estimate& e = input.estimate;
  const Vec3 error = attitude_error(e.attitude, state_.attitude_setpoint);
  Vec3 rate =
      limit_horizontal({gains_.attitude_per_s * error.x, gains_.attitude_per_s * error.y, 0.0},
                       gains_.max_rate_rad_s);
  rate.z = yaw_rate_setpoint(error.z, heading, yaw_feed_forward_rad_s);

  const Vec3 damping = state_.settling ? Vec3{} : gains_.rate_damping;
  const Vec3 angular = multiply_elements(gains_.rate_per_s, rate - e.rate_B_rad_s) -
                       multiply_elements(damping, e.angular_acceleration_B_rad_s2) -
                       state_.disturbance_B_rad_s2;
  const Vec3 momentum = model_.inertia_kg_m2 * e.rate_B_rad_s;
  Vec3 torque = model_.inertia_kg_m2 * angular + cross(e.rate_B_rad_s, momentum);
  torque.z = without_lead(torque.z);
  drive({torque, state_.thrust_n}, input.esc, command);
  report(rate, status);
}

/// Speeding a rotor up turns the vehicle at once by yaw_lead times the moment that will remain:
///   moment / demand = (lead τ s + 1) / (τ s + 1).
/// The inverse makes the moment follow the demand without lag and without kick.
double MultirotorControl::without_lead(double yaw_nm) {
  const double lead = model_.yaw_lead;
  const double dt = to_seconds(period_);
  const double follow = dt / (dt + lead * model_.rotor_time_constant_s);
  const double most = allocation_.hover_yaw_nm;
  state_.yaw_slow_nm += follow * (limit(yaw_nm, most) - state_.yaw_slow_nm);
  return yaw_nm / lead + (1.0 - 1.0 / lead) * state_.yaw_slow_nm;
}

/// Wrench to thrusts to commands, and what the rotors will have made of it at the next tick.
void MultirotorControl::drive(const Wrench& demand, const EscStatus (&esc)[kMaxMotors],
                              Command& command) {
  double lowest[kMaxMotors] = {};
  double highest[kMaxMotors] = {};
  double thrust[kMaxMotors] = {};
  Wrench left = demand;
  Wrench runaway;  // what lost rotors still give, by their speed
  for (int i = 0; i < model_.rotor_count; ++i) {
    const AirframeRotor& rotor = model_.rotor[i];
    lowest[i] = rotor.idle_thrust_n;
    highest[i] = state_.max_thrust_n[i];
    if (state_.settling || !allocation_.controls_tilt) {
      highest[i] *= math::min(1.0, kReducedLift * model_.hover_thrust_n / model_.max_thrust_n);
    }
    if (!has_lost(i)) continue;
    const double still_n = thrust_at_speed_n(rotor.curve, esc[i].speed_rad_s);
    runaway.torque_B_nm += still_n * rotor.torque_per_thrust_B_m;
    runaway.lift_n += still_n * rotor.lift_per_thrust;
  }
  left.torque_B_nm -= runaway.torque_B_nm;
  left.lift_n -= runaway.lift_n;
  allocate(allocation_, left, lowest, highest, thrust);
  for (int i = 0; i < model_.rotor_count; ++i) {
    const AirframeRotor& rotor = model_.rotor[i];
    const double command_i = drive_voltage_v(rotor.curve, thrust[i]) / state_.bus_v[rotor.bus];
    command.motor[i] = math::clamp(command_i, rotor.idle_command, 1.0);
    const bool starting = state_.monitor.starting_us[i] > 0 && !has_lost(i);
    if (starting) thrust[i] = thrust_at_speed_n(rotor.curve, esc[i].speed_rad_s);
  }
  const Wrench given = wrench_of(allocation_, thrust);
  const double dt = to_seconds(period_);
  const double follow = dt / (dt + model_.rotor_time_constant_s + model_.actuator_time_constant_s);
  state_.torque_B_nm += follow * (given.torque_B_nm + runaway.torque_B_nm - state_.torque_B_nm);
  state_.yaw_given_nm = given.torque_B_nm.z;
  state_.lift_n += follow * (given.lift_n + runaway.lift_n - state_.lift_n);
}

void MultirotorControl::report(Vec3 rate_B_rad_s, AutopilotStatus& status) const {
  status.attitude_setpoint = state_.attitude_setpoint;
  status.rate_setpoint_B_rad_s = rate_B_rad_s;
  status.yaw_rate_setpoint_rad_s = rate_B_rad_s.z;
  status.thrust_setpoint = mean_command(state_.thrust_n);
  status.hover_thrust = hover_thrust();
  status.motor_lost_mask = state_.monitor.lost_mask;
  status.yaw_given_up = !allocation_.controls_yaw;
}

double MultirotorControl::hover_thrust() const {
  return mean_command(model_.mass_kg * (model_.gravity_m_s2 + state_.disturbance_W_m_s2.z));
}

/// Mean motor command of a lift that all rotors share alike.
double MultirotorControl::mean_command(double lift_n) const {
  const double share = math::clamp(lift_n / model_.max_thrust_n, 0.0, 1.0);
  double sum = 0.0;
  for (int i = 0; i < model_.rotor_count; ++i) {
    const AirframeRotor& rotor = model_.rotor[i];
    const double bus_v = state_.running ? state_.bus_v[rotor.bus] : model_.nominal_bus_v[rotor.bus];
    const double drive_v = drive_voltage_v(rotor.curve, share * rotor.curve.max_thrust_n);
    sum += math::clamp(drive_v / bus_v, rotor.idle_command, 1.0);
  }
  return sum / model_.rotor_count;
}

}  // namespace tactus
