// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The probe's pilot and weather: just enough to fly the Iris for a minute from the ground and back.
// Cascaded proportional control, position to velocity to tilt to rate, with an integral on height.
// Runs at every boundary, 4 ms apart. Not an autopilot to copy.

#include <cstdint>

#include "tactus/core/hd.h"
#include "tactus/core/math.h"
#include "tactus/core/quat.h"
#include "tactus/core/random.h"
#include "tactus/core/time.h"
#include "tactus/plant/multirotor_input.h"
#include "tactus/plant/multirotor_model.h"
#include "tactus/world/wind.h"

namespace tactus::same_bits {

inline constexpr std::uint64_t kPeriod_us = 4'000;
inline constexpr std::uint64_t kFlight_us = 60'000'000;
inline constexpr std::uint64_t kWindPeriod_us = 20'000;

/// What the pilot is asked for.
struct Setpoint {
  Vec3 position_W_m;
  bool motors_on = true;
  double idle = 0.0;  ///< command while the motors are not used to fly
};

/// On the ground, up, a square with a fast leg, down, motors off, and a last turn of the rotors.
TACTUS_HD inline Setpoint setpoint_from_ground(double t_s) {
  Setpoint setpoint;
  setpoint.position_W_m = {0.0, 0.0, -10.0};
  if (t_s < 1.0) return {{}, false, 0.0};
  if (t_s < 2.0) return {{}, false, 0.08};
  if (t_s > 57.0) return {{}, false, t_s < 58.0 ? 0.1 : 0.0};
  if (t_s > 50.0) return {{}, false, 0.0};
  if (t_s > 12.0) setpoint.position_W_m.x = 8.0;
  if (t_s > 20.0) setpoint.position_W_m.y = -5.0;
  if (t_s > 28.0) setpoint.position_W_m.x = 0.0;
  if (t_s > 33.0) setpoint.position_W_m.z = -10.0 + 0.8 * (t_s - 33.0);
  return setpoint;
}

/// The same square, in the air all the time.
TACTUS_HD inline Setpoint setpoint_in_air(double t_s) {
  Setpoint setpoint;
  setpoint.position_W_m = {t_s > 5.0 ? 8.0 : 0.0, t_s > 20.0 ? -5.0 : 0.0,
                           t_s > 35.0 ? -30.0 : -20.0};
  return setpoint;
}

TACTUS_HD inline double limited(double value, double limit) {
  return math::clamp(value, -limit, limit);
}
TACTUS_HD inline Vec3 limited(Vec3 v, double limit) {
  return {limited(v.x, limit), limited(v.y, limit), limited(v.z, limit)};
}

/// Copyable; the integral is all it remembers.
struct Pilot {
  double height_integral = 0.0;

  TACTUS_HD void command(const Multirotor& vehicle, const Setpoint& setpoint, const double* x,
                         MultirotorInput& input) {
    if (!setpoint.motors_on) {
      for (int i = 0; i < vehicle.counts.rotors; ++i) input.motor_command[i] = setpoint.idle;
      return;
    }
    const MultirotorLayout& at = vehicle.layout;
    const Quat q = load_quat(x + at.attitude);
    const Vec3 position_error = setpoint.position_W_m - load_vec3(x + at.position);
    const Vec3 wanted_velocity = limited(0.8 * position_error, 2.5);
    const Vec3 wanted_acceleration =
        limited(1.5 * (wanted_velocity - load_vec3(x + at.velocity)), 3.0);
    height_integral = limited(height_integral - 2e-5 * position_error.z, 0.1);

    // Thrust along -f: the wanted body z axis, and the turn that leads there.
    const Vec3 down = Vec3{0.0, 0.0, 9.8} - wanted_acceleration;
    const Vec3 down_B = rotate_inverse(q, down / norm(down));
    const Vec3 wanted_rate{-5.0 * down_B.y, 5.0 * down_B.x, -2.0 * q.w * q.z};
    const Vec3 rate_error = wanted_rate - load_vec3(x + at.rate);
    const double lift = 0.55 + height_integral - wanted_acceleration.z / 36.0;
    const double roll = 0.03 * rate_error.x;
    const double pitch = 0.03 * rate_error.y;
    const double yaw = limited(0.1 * rate_error.z, 0.08);
    for (int i = 0; i < vehicle.counts.rotors; ++i) {
      const Rotor& rotor = vehicle.rotor[i];
      const double right = math::copysign(1.0, rotor.position_B_m.y);
      const double front = math::copysign(1.0, rotor.position_B_m.x);
      const double mixed = lift - right * roll + front * pitch - rotor.spin * yaw;
      input.motor_command[i] = math::clamp(mixed, 0.05, 1.0);
    }
  }
};

/// Dryden turbulence held, plus an Ornstein–Uhlenbeck process that ramps between its ticks.
struct Weather {
  RandomStream dryden_stream;
  RandomStream ou_stream;
  WindParameters dryden;
  WindParameters ou;
  WindState dryden_state;
  WindState ou_state;
  WindSample ou_sample;
  Vec3 dryden_W;

  TACTUS_HD Weather() {
    // Names are hashed at compile time: a device has no strlen.
    constexpr RandomStream kDryden{7, "probe dryden"};
    constexpr RandomStream kOu{7, "probe ou"};
    dryden_stream = kDryden;
    ou_stream = kOu;
    dryden.turbulence = TurbulenceKind::kDryden;
    dryden.mean_W_m_s = {3.0, -1.0, 0.0};
    ou.turbulence = TurbulenceKind::kOrnsteinUhlenbeck;
    ou.rule = WindRule::kLinear;
    ou.ou_sigma_W_m_s = {0.5, 0.5, 0.2};
    dryden_state = start_wind(dryden, dryden_stream, {}, TimeUs(0));
    ou_state = start_wind(ou, ou_stream, {}, TimeUs(0));
  }

  /// To be called at every boundary.
  TACTUS_HD void blow(TimeUs now, const double* x, const MultirotorLayout& at,
                      MultirotorInput& input) {
    const std::uint64_t since_tick_us = now.us % kWindPeriod_us;
    if (since_tick_us == 0) {
      const WindInput vehicle{-x[at.position + 2], load_vec3(x + at.velocity)};
      const DurationUs period(kWindPeriod_us);
      dryden_W = step_wind(dryden, dryden_stream, vehicle, now, period, dryden_state).value_W_m_s;
      ou_sample = step_wind(ou, ou_stream, vehicle, now, period, ou_state);
    }
    const double since_tick_s = to_seconds(DurationUs(since_tick_us));
    input.wind_W_m_s = dryden_W + (ou_sample.value_W_m_s + since_tick_s * ou_sample.slope_W_m_s2);
    input.wind_slope_W_m_s2 = ou_sample.slope_W_m_s2;
  }
};

}  // namespace tactus::same_bits
