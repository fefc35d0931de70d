// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/autopilot/builtin/rover_control.h"

#include "tactus/autopilot/builtin/trajectory.h"

namespace tactus {

namespace {

constexpr double kTurnShare = 0.9;      // of the largest turn rate
constexpr double kLeastTopSpeed = 0.5;  // of the wheels' speed
constexpr double kMostIntegral = 0.3;   // of the wheels' speed

}  // namespace

RoverControl::RoverControl(const RoverParameters& parameters, DurationUs period)
    : parameters_(parameters), dt_s_(to_seconds(period)) {
  gain_per_s_ = 1.0 / (4.0 * (parameters.wheel_time_constant_s + dt_s_));
  const double turning = 0.5 * kTurnShare * parameters.max_turn_rate_rad_s * parameters.track_m;
  top_speed_m_s_ =
      math::max(parameters.max_speed_m_s - turning, kLeastTopSpeed * parameters.max_speed_m_s);
}

void RoverControl::step(const Estimate& estimate, const RoverSetpoint& setpoint,
                        double acceleration_m_s2, Command& command) {
  const double top = parameters_.max_speed_m_s;
  const double heading = yaw_of(estimate.attitude);
  double sine = 0.0, cosine = 1.0;
  math::sincos(heading, &sine, &cosine);
  const double speed = cosine * estimate.velocity_W_m_s.x + sine * estimate.velocity_W_m_s.y;

  const double most_turn = kTurnShare * parameters_.max_turn_rate_rad_s;
  const double error = wrap_angle(setpoint.heading_rad - heading);
  const double turn_rate = math::clamp(gain_per_s_ * error, -most_turn, most_turn);
  const double difference =
      math::clamp(0.5 * turn_rate * parameters_.track_m, -0.5 * top, 0.5 * top);

  const double step = acceleration_m_s2 * dt_s_;
  state_.speed_m_s += math::clamp(setpoint.speed_m_s - state_.speed_m_s, -step, step);
  const double room = top - math::abs(difference);
  const double wanted = state_.speed_m_s + state_.speed_integral_m_s;
  const double given = math::clamp(wanted, -room, room);
  if (given == wanted) {
    const double next =
        state_.speed_integral_m_s + gain_per_s_ * dt_s_ * (state_.speed_m_s - speed);
    state_.speed_integral_m_s = math::clamp(next, -kMostIntegral * top, kMostIntegral * top);
  }
  command.servo[0] = math::clamp((given + difference) / top, -1.0, 1.0);
  command.servo[1] = math::clamp((given - difference) / top, -1.0, 1.0);
}

void RoverControl::stop(Command& command) {
  state_ = {};
  command.servo[0] = 0.0;
  command.servo[1] = 0.0;
}

}  // namespace tactus
