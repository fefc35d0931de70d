// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Conversion of an aircraft file of the earlier Julia simulator (its TOML schema 1) into a spec.
//
// Its thrust constants follow from a calibration: at full duty on V_nom, ρ_nom each rotor gives
// thrust_calibration_mult times the hover thrust, torque is km_m times thrust, and
//   kQ ρ Ω² + (b + Kt²/R) Ω = Kt V / R
// gives the speed (no-load current, controller and limits ignored). Thrust is bounded by about
// Kt V / (R km): a target beyond it is an error here, where the original gave nonsense.

#include <string>

#include "tactus/core/files.h"
#include "tactus/plant/motor.h"

namespace tactus {

struct ThrustCalibration {
  double thrust_constant_m4 = 0.0;
  double full_duty_speed_rad_s = 0.0;
};

struct CalibrationTarget {
  double thrust_n = 0.0;         ///< per rotor at full duty
  double torque_ratio_m = 0.05;  ///< kQ / kT
  double supply_v = 12.0;
  double density_kg_m3 = 1.225;
};

/// Throws Error(kBadInput) if no thrust constant reaches the target.
ThrustCalibration calibrate_thrust(const CalibrationTarget& target, const MotorParameters& motor);

/// The spec as TOML. What has no counterpart is named in comments at its end; what the format does
/// not know is an error.
/// Throws Error: kEnvironment if a file cannot be read, kBadInput "file:line:column: …".
std::string import_spec(const Files& files, const std::string& path);

}  // namespace tactus
