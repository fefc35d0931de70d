// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/plant/propeller.h"

#include <fmt/format.h>

#include "tactus/core/assert.h"
#include "tactus/core/checks.h"

namespace tactus {
namespace {

// From propeller coefficients (n, D) to rotor coefficients: T / (ρ S U²) and P / (ρ S U³).
constexpr double kThrustToRotor = 4.0 / (math::kPi * math::kPi * math::kPi);
constexpr double kPowerToRotor = kThrustToRotor / math::kPi;

void validate_quadratic(const PropellerParameters& p, std::string_view where) {
  require_positive(where, "thrust_constant_m4", p.thrust_constant_m4);
  require_positive(where, "torque_constant_m5", p.torque_constant_m5);
  require_finite(where, "thrust_inflow_factor", p.thrust_inflow_factor);
  require_finite(where, "torque_inflow_factor", p.torque_inflow_factor);
  require_not_negative(where, "in_plane_constant_m3", p.in_plane_constant_m3);
}

void validate_blade_element(const PropellerParameters& p, std::string_view where) {
  require_positive(where, "reference_speed_rad_s", p.reference_speed_rad_s);
  require_positive(where, "static_thrust_coefficient", p.static_thrust_coefficient);
  require_positive(where, "static_power_coefficient", p.static_power_coefficient);
  require_positive(where, "advance_ratio", p.advance_ratio);
  require_positive(where, "advance_thrust_coefficient", p.advance_thrust_coefficient);
  require_positive(where, "advance_power_coefficient", p.advance_power_coefficient);
  require_within(where, "speed_exponent", p.speed_exponent, 0.0, 1.0);
  if (p.advance_thrust_coefficient >= p.static_thrust_coefficient) {
    refuse(where, "advance_thrust_coefficient", p.advance_thrust_coefficient,
           fmt::format(
               "must be less than static_thrust_coefficient = {}: thrust falls with advance ratio",
               p.static_thrust_coefficient));
  }
}

// Four constants from four numbers, in closed form: thrust at both points fixes lift and pitch,
// power fixes the induced-power factor and the profile power. Rotor coefficients, speeds over U.
void identify_blade_element(const PropellerParameters& p, std::string_view where,
                            Propeller& propeller) {
  validate_blade_element(p, where);
  const double thrust0 = kThrustToRotor * p.static_thrust_coefficient;
  const double power0 = kPowerToRotor * p.static_power_coefficient;
  const double thrust1 = kThrustToRotor * p.advance_thrust_coefficient;
  const double power1 = kPowerToRotor * p.advance_power_coefficient;

  const double induced0 = math::sqrt(0.5 * thrust0);
  const double climb1 = p.advance_ratio / math::kPi;
  const double induced1 =
      0.5 * thrust1 / (0.5 * climb1 + math::sqrt(0.25 * climb1 * climb1 + 0.5 * thrust1));

  if (thrust0 * induced0 > power0) {
    refuse(where, "static_power_coefficient", p.static_power_coefficient,
           "is below the ideal power of the static thrust (figure of merit above 1)");
  }
  if (thrust1 * (climb1 + induced1) > power1) {
    refuse(where, "advance_power_coefficient", p.advance_power_coefficient,
           "is below the ideal power of the thrust at this advance ratio");
  }
  const double inflow_change = climb1 + induced1 - induced0;
  const double attached1 = thrust1 / detail::stall_scale(1.0, climb1 * climb1);
  if (inflow_change <= 0.0 || attached1 >= thrust0) {
    refuse(where, "advance_ratio", p.advance_ratio,
           "is too close to the static point to tell lift from pitch; give a higher one");
  }
  propeller.lift_constant = 2.0 * (thrust0 - attached1) / inflow_change;
  TACTUS_ASSERT(!(propeller.lift_constant < 0.0), "thrust falls as more air comes through");
  propeller.pitch_rad = 3.0 * (thrust0 / propeller.lift_constant + 0.5 * induced0);

  const double kappa =
      (power0 - (power1 - thrust1 * climb1)) / (thrust0 * induced0 - thrust1 * induced1);
  const double profile = power0 - kappa * thrust0 * induced0;
  if (kappa < 1.0) {
    refuse(where, "advance_power_coefficient", p.advance_power_coefficient,
           "leaves an induced power below the ideal one (factor below 1); it is too high");
  }
  if (profile <= 0.0) {
    refuse(where, "advance_power_coefficient", p.advance_power_coefficient,
           "leaves no profile power; it is too low");
  }
  TACTUS_ASSERT(!(kappa < 1.0) && !(profile <= 0.0), "two losses to the air, both positive");
  propeller.induced_power_factor = kappa;
  propeller.profile_constant = profile;
  propeller.inverse_reference_speed_squared =
      1.0 / (p.reference_speed_rad_s * p.reference_speed_rad_s);
  propeller.half_speed_exponent = 0.5 * p.speed_exponent;
  TACTUS_ASSERT(!(propeller.pitch_rad < 0.0), "blades that lift at rest");
}

}  // namespace

// Some impossible points show only when the constants are identified, so both are one act.
void validate(const PropellerParameters& p, std::string_view where) { make_propeller(p, where); }

Propeller make_propeller(const PropellerParameters& p, std::string_view where) {
  require_positive(where, "radius_m", p.radius_m);
  Propeller propeller;
  propeller.kind = p.kind;
  propeller.radius_m = p.radius_m;
  propeller.disc_area_m2 = math::kPi * p.radius_m * p.radius_m;
  if (p.kind == PropellerKind::kBladeElement) {
    identify_blade_element(p, where, propeller);
    return propeller;
  }
  validate_quadratic(p, where);
  propeller.thrust_constant_m4 = p.thrust_constant_m4;
  propeller.torque_constant_m5 = p.torque_constant_m5;
  propeller.thrust_inflow_factor = math::max(0.0, p.thrust_inflow_factor);
  propeller.torque_inflow_factor = math::max(0.0, p.torque_inflow_factor);
  propeller.in_plane_constant_m3 = p.in_plane_constant_m3;
  TACTUS_ASSERT(propeller.thrust_inflow_factor >= 0.0 && propeller.torque_inflow_factor >= 0.0,
                "inflow lowers the load");
  return propeller;
}

}  // namespace tactus
