// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Gains of an external rate controller, from the plant.
//
// Near hover a demand d of the rate controller turns the body with
//   ω̇ = G d / (1 + τ s),    G angular acceleration per unit of demand, τ lag of the rotors.
// With d = P e + I ∫e − D ω̇ the loop crosses unity at P G. D = τ P lets the lead cancel the lag:
// the rate then answers as two real poles, whatever G and τ are. Chosen:
//   roll, pitch:  P G = min(30, 1/τ) rad/s;   yaw: P G = 5 rad/s, D = 0.
// 30 rad/s is where the autopilots' own defaults put it on the aircraft they are shipped for:
// PX4's 0.15 on the Iris and x500 of its simulators (G = 190 and 250 rad/s², τ = 20 ms, and its
// D / P = 0.003 / 0.15 is that τ), ArduCopter's 0.135 on its internal quadrotor (G = 200 rad/s²).
// 1/τ keeps slow rotors from being driven far beyond their own bandwidth. Their yaw defaults give
// 2 to 8 rad/s there. The I / P of each autopilot is kept in proportion to the crossover.

#include "tactus/autopilot/airframe/airframe_model.h"
#include "tactus/autopilot/airframe/thrust_curve.h"
#include "tactus/core/vec.h"

namespace tactus {

inline constexpr double kReferenceCrossover_rad_s = 30.0;
inline constexpr double kYawCrossover_rad_s = 5.0;

/// What the gains depend on.
struct EmissionPlant {
  AirframeModel model;
  SteadyRotors hover;
  double thrust_slope_n[kMaxMotors] = {};  ///< per unit of command, at hover
  double lag_s = 0.0;                      ///< rotors and command path
};

/// Throws Error(kBadInput) if the vehicle cannot hover.
EmissionPlant make_emission_plant(const Multirotor& vehicle);

/// G: angular acceleration about `axis` (0 roll, 1 pitch, 2 yaw), rad/s², when a unit of demand
/// moves the commands away from hover like this and the rotors have followed. Throws
/// Error(kBadInput) if it does not turn the body its way, or only by lifting it: a geometry that an
/// autopilot cannot fly.
double demand_gain(const EmissionPlant& plant, const double* command_change, int axis);

struct RateGains {
  double p = 0.0;
  double i = 0.0;
  double d = 0.0;
};

/// `gain_rad_s2`: G. `i_over_p`: the autopilot's default ratio, 1/s.
RateGains tilt_rate_gains(double gain_rad_s2, double lag_s, double i_over_p);

/// `highest_p`: end of the range that the autopilot declares for P.
RateGains yaw_rate_gains(double gain_rad_s2, double i_over_p, double highest_p);

}  // namespace tactus
