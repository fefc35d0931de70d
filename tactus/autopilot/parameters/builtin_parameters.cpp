// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/autopilot/parameters/builtin_parameters.h"

#include "tactus/core/checks.h"

namespace tactus {

void validate(const BuiltinParameters& p, std::string_view where) {
  require_within(where, "cruise_speed_m_s", p.cruise_speed_m_s, 0.1, 50.0);
  require_within(where, "climb_speed_m_s", p.climb_speed_m_s, 0.1, 30.0);
  require_within(where, "takeoff_speed_m_s", p.takeoff_speed_m_s, 0.1, 30.0);
  require_within(where, "descend_speed_m_s", p.descend_speed_m_s, 0.1, 30.0);
  // Faster than 2 m/s is not a landing.
  require_within(where, "land_speed_m_s", p.land_speed_m_s, 0.1, 2.0);
  require_within(where, "max_acceleration_m_s2", p.max_acceleration_m_s2, 0.1, 50.0);
  require_within(where, "max_jerk_m_s3", p.max_jerk_m_s3, 0.1, 500.0);
  require_within(where, "max_tilt_rad", p.max_tilt_rad, 5.0 * math::kDegToRad,
                 80.0 * math::kDegToRad);
  require_within(where, "max_yaw_rate_rad_s", p.max_yaw_rate_rad_s, 1.0 * math::kDegToRad, 20.0);
  require_within(where, "takeoff_height_m", p.takeoff_height_m, 0.5, 1000.0);
  require_within(where, "return_height_m", p.return_height_m, 0.0, 1000.0);
  require_within(where, "acceptance_radius_m", p.acceptance_radius_m, 0.05, 1000.0);
  require_within(where, "estimator_loss_descent_m_s", p.estimator_loss_descent_m_s, 0.1, 2.0);
  require_within(where, "rate_gain_scale", p.rate_gain_scale, 0.1, 5.0);
  require_within(where, "attitude_gain_scale", p.attitude_gain_scale, 0.1, 5.0);
  require_within(where, "velocity_gain_scale", p.velocity_gain_scale, 0.1, 5.0);
  require_within(where, "position_gain_scale", p.position_gain_scale, 0.1, 5.0);
  require_within(where, "estimate_delay_s", to_seconds(p.estimate_delay), 0.0, 0.5);
  require_within(where, "disarm_delay_s", to_seconds(p.disarm_delay), 0.0, 60.0);
}

}  // namespace tactus
