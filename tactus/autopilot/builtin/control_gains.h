// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Gains of the flight control, derived from the airframe: nothing is tuned per aircraft.
//
// Lags: rotors and command path τ; delay θ = estimate_delay + 1.5 ticks (hold and sampling). The
// rate loop is K / (s (τ s + 1)). Feeding back the measured angular acceleration with Kd shortens τ
// to τ' = τ / (1 + Kd); Kd = min(1, 0.35 τ/θ) keeps that inner loop stable with the delay. Then
//   K = 0.5 / (τ' + θ)      damping 0.7 of the rate loop
//   attitude K/3, velocity 0.5 / (lag of the attitude loop), position velocity/2.5
//   height: velocity 0.35 / (τ + θ), position a third of it; yaw: 0.2 / (θ + command path), a
//   quarter
//   observers: as fast as the velocity loop, half as fast as the attitude loop
// so each outer loop sees the one inside it as a short lag. Limits follow from what the allocation
// leaves free in a hover: tilt rate, yaw acceleration, and the disturbance that is assumed.
// Gyroscopic and aerodynamic couplings are left to the disturbance observers.

#include "tactus/autopilot/airframe/airframe_model.h"
#include "tactus/autopilot/airframe/allocation.h"
#include "tactus/autopilot/parameters/builtin_parameters.h"
#include "tactus/core/time.h"
#include "tactus/core/vec.h"

namespace tactus {

/// Period of the position and velocity loops.
inline constexpr DurationUs kPositionPeriod{20'000};

struct ControlGains {
  double position_per_s = 0.0;
  double velocity_per_s = 0.0;
  double vertical_position_per_s = 0.0;
  double vertical_velocity_per_s = 0.0;
  double attitude_per_s = 0.0;
  double yaw_per_s = 0.0;
  Vec3 rate_per_s;    ///< angular acceleration per rate error
  Vec3 rate_damping;  ///< per measured angular acceleration
  double velocity_observer_per_s = 0.0;
  double rate_observer_per_s = 0.0;
  double max_rate_rad_s = 0.0;
  double max_yaw_acceleration_rad_s2 = 0.0;
  double max_tilt_tangent = 0.0;
  Vec3 max_disturbance_B_rad_s2;  ///< half of the room that a hover leaves
};

/// `whole` is the allocation of the undamaged vehicle, `period` that of the ticks.
ControlGains make_control_gains(const AirframeModel& model, const Allocation& whole,
                                const BuiltinParameters& parameters, DurationUs period);

}  // namespace tactus
