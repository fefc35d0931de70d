// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/autopilot/airframe/rate_gains.h"

#include <fmt/format.h>

#include "tactus/core/checks.h"
#include "tactus/core/math.h"

namespace tactus {

EmissionPlant make_emission_plant(const Multirotor& vehicle) {
  EmissionPlant plant;
  plant.hover = hover_rotors(vehicle);
  plant.model = make_airframe_model(vehicle);
  for (int i = 0; i < vehicle.counts.rotors; ++i) {
    plant.thrust_slope_n[i] = thrust_slope_n(vehicle, plant.hover, i);
  }
  plant.lag_s = plant.model.rotor_time_constant_s + plant.model.actuator_time_constant_s;
  return plant;
}

double demand_gain(const EmissionPlant& plant, const double* command_change, int axis) {
  constexpr const char* kAxes[] = {"roll", "pitch", "yaw"};
  constexpr double kSmallest_rad_s2 = 1e-3;
  constexpr double kLargestLiftShare = 0.2;
  Vec3 torque_B_nm;
  double lift_n = 0.0;
  double moved_n = 0.0;
  for (int i = 0; i < plant.model.rotor_count; ++i) {
    const AirframeRotor& rotor = plant.model.rotor[i];
    const double thrust_n = plant.thrust_slope_n[i] * command_change[i];
    torque_B_nm += thrust_n * rotor.torque_per_thrust_B_m;
    lift_n += thrust_n * rotor.lift_per_thrust;
    moved_n += math::abs(thrust_n);
  }
  const Vec3 turn = plant.model.inertia_inverse * torque_B_nm;
  const double gain = axis == 0 ? turn.x : (axis == 1 ? turn.y : turn.z);
  if (gain > kSmallest_rad_s2 && math::abs(lift_n) < kLargestLiftShare * moved_n) return gain;
  refuse_key("rotor",
             fmt::format("the rotors cannot control {} without lifting the vehicle (a unit of "
                         "demand turns it with {:.3g} rad/s^2); check position_body_m, axis_body "
                         "and reaction_sign of the rotors",
                         kAxes[axis], gain));
}

RateGains tilt_rate_gains(double gain_rad_s2, double lag_s, double i_over_p) {
  const double crossover =
      lag_s * kReferenceCrossover_rad_s > 1.0 ? 1.0 / lag_s : kReferenceCrossover_rad_s;
  const double p = crossover / gain_rad_s2;
  return {.p = p, .i = p * i_over_p * (crossover / kReferenceCrossover_rad_s), .d = p * lag_s};
}

RateGains yaw_rate_gains(double gain_rad_s2, double i_over_p, double highest_p) {
  const double p = math::min(kYawCrossover_rad_s / gain_rad_s2, highest_p);
  return {.p = p, .i = p * i_over_p, .d = 0.0};
}

}  // namespace tactus
