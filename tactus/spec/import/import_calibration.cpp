// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include <fmt/format.h>

#include "tactus/core/error.h"
#include "tactus/core/math.h"
#include "tactus/spec/import/import_spec.h"

namespace tactus {

ThrustCalibration calibrate_thrust(const CalibrationTarget& target, const MotorParameters& motor) {
  const double kt = 60.0 / (math::kTwoPi * motor.kv_rpm_per_v);
  const double b = motor.viscous_friction_nm_s + kt * kt / motor.resistance_ohm;
  const double c = kt * target.supply_v / motor.resistance_ohm;
  const auto speed = [&](double constant) {
    const double a = target.torque_ratio_m * constant * target.density_kg_m3;
    return a < 1e-12 ? c / b : (-b + math::sqrt(b * b + 4.0 * a * c)) / (2.0 * a);
  };
  const auto thrust = [&](double constant) {
    return constant * target.density_kg_m3 * speed(constant) * speed(constant);
  };
  double low = 1e-8;
  double high = 1e-4;
  for (int i = 0; i < 20 && thrust(high) < target.thrust_n; ++i) high *= 2.0;
  if (!(thrust(high) >= target.thrust_n)) {
    throw Error(ExitCode::kBadInput,
                fmt::format("no thrust constant gives {} N per rotor, at most {} N is possible; "
                            "a lighter vehicle, a stronger motor or a higher V_nom is needed",
                            target.thrust_n, c / target.torque_ratio_m));
  }
  for (int i = 0; i < 80; ++i) {
    const double middle = 0.5 * (low + high);
    (thrust(middle) < target.thrust_n ? low : high) = middle;
  }
  const double constant = 0.5 * (low + high);
  return {constant, speed(constant)};
}

}  // namespace tactus
