// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/autopilot/builtin/control_gains.h"

#include "tactus/core/math.h"

namespace tactus {

ControlGains make_control_gains(const AirframeModel& model, const Allocation& whole,
                                const BuiltinParameters& p, DurationUs period) {
  const double delay = to_seconds(p.estimate_delay) + 1.5 * to_seconds(period);
  const double lag = model.rotor_time_constant_s + model.actuator_time_constant_s;
  const auto& i = model.inertia_kg_m2.m;
  const Vec3 inertia{i[0][0], i[1][1], i[2][2]};
  ControlGains g;
  const double damping = math::min(1.0, 0.35 * lag / delay);
  const double tilt_rate = p.rate_gain_scale * 0.5 / (lag / (1.0 + damping) + delay);
  // Without the rotors' lag: the controller cancels it.
  const double yaw_rate = p.rate_gain_scale * 0.2 / (0.4 * model.actuator_time_constant_s + delay);
  g.rate_per_s = {(1.0 + damping) * tilt_rate, (1.0 + damping) * tilt_rate, yaw_rate};
  g.rate_damping = {damping, damping, 0.0};
  g.attitude_per_s = p.attitude_gain_scale * tilt_rate / 3.0;
  g.yaw_per_s = p.attitude_gain_scale * math::min(yaw_rate / 4.0, g.attitude_per_s);
  g.rate_observer_per_s = 0.5 * g.attitude_per_s;

  const double tilt_lag = 1.0 / g.attitude_per_s + 1.0 / tilt_rate + delay;
  g.velocity_per_s = p.velocity_gain_scale * math::min(0.5 / tilt_lag, 3.0);
  g.position_per_s = p.position_gain_scale * g.velocity_per_s / 2.5;
  const double lift_lag = lag + delay + 0.5 * to_seconds(kPositionPeriod);
  g.vertical_velocity_per_s = p.velocity_gain_scale * math::min(0.35 / lift_lag, 5.0);
  g.vertical_position_per_s = p.position_gain_scale * g.vertical_velocity_per_s / 3.0;
  g.velocity_observer_per_s = g.velocity_per_s;

  const double tilt_room =
      math::min(whole.hover_tilt_nm.x / inertia.x, whole.hover_tilt_nm.y / inertia.y);
  g.max_rate_rad_s = math::min(6.0, 0.5 * tilt_room / tilt_rate);
  g.max_yaw_acceleration_rad_s2 = 0.5 * whole.hover_yaw_nm / inertia.z;
  g.max_disturbance_B_rad_s2 = {0.5 * whole.hover_tilt_nm.x / inertia.x,
                                0.5 * whole.hover_tilt_nm.y / inertia.y,
                                g.max_yaw_acceleration_rad_s2};
  g.max_tilt_tangent = math::tan(p.max_tilt_rad);
  return g;
}

}  // namespace tactus
