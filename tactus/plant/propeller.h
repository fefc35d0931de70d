// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Steady aerodynamic load of one propeller, two models.
//
// Axes: rotor axis a (unit, body FRD; (0,0,1) lifts). v = velocity of the hub relative to the air.
// Climb speed Vc = −v·a, in-plane velocity v_p = v + Vc a. Force on the hub: −T a − h v_p, with
// h = `in_plane_drag_n_s_m`; torque Q opposes the rotation. Ω ≥ 0, R radius, S = πR², U = ΩR.
//
// Quadratic:  T = kT ρ Ω² f(kiT), Q = kQ ρ Ω² f(kiQ), h = kH ρ Ω,  f(k) = 1 / (1 + k (Vc/U)²).
//
// Blade element with uniform inflow (Leishman, Principles of Helicopter Aerodynamics, ch. 2–3),
// rigid blades averaged over a turn; a = σ·(lift slope)/2, θ effective pitch, w = Vc + vd through
// the disc:
//   T   = ρ S a s c [θ U²/3 + θ |v_p|²/2 − U w/2]
//   Q   = ρ S R ( W a s c [θ U/3 − w/2] + (p/s) [U² + c |v_p|²] ),   W = Vc + κ vd
//   h   = ρ S ( W a s c θ/2 + 2 (p/s) U )
// hence Q Ω = T Vc − h |v_p|² + κ T vd + profile power: what the shaft gives is work on the vehicle
// plus two positive losses to the air. s = ((Ω²/Ωr² + 0.01)/1.01)^(e/2) is the Reynolds effect
// (lift grows, drag falls with speed); c = U²/(U² + (Vc² + |v_p|²)/10) lets stalled blades lose
// their grip. Induced velocity: inflow.h. Ground at hub height z lowers the velocity through the
// disc:
//   vd = vi (1 − G vi²/(vi² + |v_p|²)),  G = 1 − (1 − (R/4z)²)^(3/2),  z ≥ R/2,
// which in hover is Cheeseman and Bennett's thrust ratio 1/(1 − (R/4z)²) at equal induced power.
// At Ω = 0 every load is zero. Valid: U > 3 |v_p|, tip Mach < 0.6. No side force, no hub moments,
// no wake delay, no interference between rotors.
// Kinks (C⁰): hub height z = R/2, below which G stays; quadratic model, U = 1e-3 m/s, below which
// the inflow factor keeps that U.

#include <cstdint>
#include <string_view>

#include "tactus/core/assert.h"
#include "tactus/core/fields.h"
#include "tactus/core/hd.h"
#include "tactus/core/math.h"
#include "tactus/plant/inflow.h"

namespace tactus {

enum class PropellerKind : std::uint8_t { kQuadratic, kBladeElement };

/// What is known about a propeller. The defaults are an APC Slow Flyer 10x4.7, wind-tunnel data of
/// the UIUC Propeller Database, vol. 1: CT = T/(ρ n² D⁴), CP = P/(ρ n³ D⁵), J = V/(n D), n in
/// rev/s.
struct PropellerParameters {
  PropellerKind kind = PropellerKind::kBladeElement;
  double radius_m = 0.127;

  // Quadratic; the defaults are the same propeller at 4650 rpm.
  double thrust_constant_m4 = 1.270e-5;  ///< kT
  double torque_constant_m5 = 2.072e-7;  ///< kQ
  double thrust_inflow_factor = 8.0;     ///< kiT; ≤ 0 means none
  double torque_inflow_factor = 8.0;     ///< kiQ; ≤ 0 means none
  double in_plane_constant_m3 = 0.0;     ///< kH

  // Blade element: two measured points at one speed, and how thrust changes with speed.
  double reference_speed_rad_s = 683.0;  ///< 6520 rpm
  double static_thrust_coefficient = 0.1299;
  double static_power_coefficient = 0.0531;
  double advance_ratio = 0.445;
  double advance_thrust_coefficient = 0.0562;
  double advance_power_coefficient = 0.0381;
  double speed_exponent = 0.3;  ///< e: static CT 0.106 at 2400 rpm, 0.130 at 6500 rpm

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("kind", "", self.kind, "quadratic or blade_element");
    visit("radius_m", "m", self.radius_m, "tip radius");
    visit("thrust_constant_m4", "m^4", self.thrust_constant_m4, "quadratic: T / (rho Omega^2)");
    visit("torque_constant_m5", "m^5", self.torque_constant_m5, "quadratic: Q / (rho Omega^2)");
    visit("thrust_inflow_factor", "1", self.thrust_inflow_factor, "quadratic: inflow on thrust");
    visit("torque_inflow_factor", "1", self.torque_inflow_factor, "quadratic: inflow on torque");
    visit("in_plane_constant_m3", "m^3", self.in_plane_constant_m3,
          "quadratic: in-plane force / (rho Omega v)");
    visit("reference_speed_rad_s", "rad/s", self.reference_speed_rad_s,
          "blade element: speed of the measured points");
    visit("static_thrust_coefficient", "1", self.static_thrust_coefficient, "CT at J = 0");
    visit("static_power_coefficient", "1", self.static_power_coefficient, "CP at J = 0");
    visit("advance_ratio", "1", self.advance_ratio, "J of the second point");
    visit("advance_thrust_coefficient", "1", self.advance_thrust_coefficient, "CT at that J");
    visit("advance_power_coefficient", "1", self.advance_power_coefficient, "CP at that J");
    visit("speed_exponent", "1", self.speed_exponent, "blade element: lift ~ speed^exponent");
  }
};
static_assert(lists_every_field<PropellerParameters>());

/// A propeller ready for hot code; `make_propeller` fills it.
struct Propeller {
  PropellerKind kind = PropellerKind::kQuadratic;
  double radius_m = 0.0;
  double disc_area_m2 = 0.0;
  double thrust_constant_m4 = 0.0;
  double torque_constant_m5 = 0.0;
  double thrust_inflow_factor = 0.0;
  double torque_inflow_factor = 0.0;
  double in_plane_constant_m3 = 0.0;
  double lift_constant = 0.0;         ///< a: half of solidity times lift slope
  double pitch_rad = 0.0;             ///< θ
  double induced_power_factor = 1.0;  ///< κ
  double profile_constant = 0.0;      ///< p: solidity times drag coefficient over eight
  double inverse_reference_speed_squared = 0.0;
  double half_speed_exponent = 0.0;
};

/// Throws `Error` that names the field, its value and the reason when a parameter is impossible:
/// for example measured points that need less power than momentum theory allows.
void validate(const PropellerParameters& parameters, std::string_view where);

/// Validates and identifies the blade-element constants.
Propeller make_propeller(const PropellerParameters& parameters, std::string_view where);

/// Air at the hub.
struct PropellerFlow {
  double climb_m_s = 0.0;                     ///< Vc; positive: air comes from the lifting side
  double in_plane_speed_squared_m2_s2 = 0.0;  ///< |v_p|²
  double density_kg_m3 = 0.0;
  double ground_height_m = 0.0;  ///< z: hub above ground along its normal; infinity: no ground
};

struct PropellerLoad {
  double thrust_n = 0.0;
  double torque_nm = 0.0;
  double in_plane_drag_n_s_m = 0.0;   ///< h; the force is −h v_p, smooth through v_p = 0
  double induced_velocity_m_s = 0.0;  ///< vd through the disc; zero in the quadratic model
};

namespace detail {

TACTUS_HD inline PropellerLoad quadratic_load(const Propeller& propeller, double speed_rad_s,
                                              const PropellerFlow& flow) {
  // Both inflow factors over one common denominator: one division per rotor.
  const double tip_m_s = math::max(1.0e-3, speed_rad_s * propeller.radius_m);
  const double tip2 = tip_m_s * tip_m_s;
  const double climb2 = flow.climb_m_s * flow.climb_m_s;
  const double thrust_part = tip2 + propeller.thrust_inflow_factor * climb2;
  const double torque_part = tip2 + propeller.torque_inflow_factor * climb2;
  const double pressure = flow.density_kg_m3 * speed_rad_s * speed_rad_s;
  const double scale = pressure * tip2 / (thrust_part * torque_part);
  return {.thrust_n = propeller.thrust_constant_m4 * scale * torque_part,
          .torque_nm = propeller.torque_constant_m5 * scale * thrust_part,
          .in_plane_drag_n_s_m = propeller.in_plane_constant_m3 * flow.density_kg_m3 * speed_rad_s,
          .induced_velocity_m_s = 0.0};
}

/// s: how lift grows with speed. Flat towards zero speed, so that it never reaches zero.
TACTUS_HD inline double reynolds_scale(const Propeller& propeller, double speed_rad_s) {
  if (propeller.half_speed_exponent == 0.0) return 1.0;
  const double ratio2 = speed_rad_s * speed_rad_s * propeller.inverse_reference_speed_squared;
  return math::pow((ratio2 + 0.01) * (1.0 / 1.01), propeller.half_speed_exponent);
}

/// c: how much of the lift stalled blades keep; 1 in normal flight, 0 at rest.
TACTUS_HD inline double stall_scale(double tip2, double air_speed2) {
  return tip2 / (tip2 + 0.1 * air_speed2);
}

/// G: share of the induced velocity that the ground takes away in hover.
TACTUS_HD inline double ground_share(double radius_m, double ground_height_m) {
  const double image = 0.25 * radius_m / math::max(ground_height_m, 0.5 * radius_m);
  const double kept = 1.0 - image * image;
  return 1.0 - kept * math::sqrt(kept);
}

TACTUS_HD inline PropellerLoad blade_element_load(const Propeller& propeller, double speed_rad_s,
                                                  const PropellerFlow& flow) {
  const double tip = speed_rad_s * propeller.radius_m;
  const double tip2 = tip * tip;
  if (!(tip2 > 0.0)) return {};
  const double climb = flow.climb_m_s;
  const double in_plane2 = flow.in_plane_speed_squared_m2_s2;
  const double reynolds = reynolds_scale(propeller, speed_rad_s);
  const double stall = stall_scale(tip2, climb * climb + in_plane2);
  const double lift = propeller.lift_constant * reynolds * stall;
  const double profile = propeller.profile_constant / reynolds;
  const double pitch3 = propeller.pitch_rad * (1.0 / 3.0);
  const double pitch2 = propeller.pitch_rad * 0.5;

  // T / (2 ρ S) = c0 − c1 vd meets momentum theory.
  const double c0 = 0.5 * lift * (pitch3 * tip2 + pitch2 * in_plane2 - 0.5 * tip * climb);
  const double c1 = 0.25 * lift * tip;
  const double ground = ground_share(propeller.radius_m, flow.ground_height_m);
  const double induced = disc_induced_velocity(c0, c1, climb, in_plane2, ground);

  const double air = flow.density_kg_m3 * propeller.disc_area_m2;
  const double through = climb + induced;
  const double power_velocity = climb + propeller.induced_power_factor * induced;
  const double lift_torque = power_velocity * lift * (pitch3 * tip - 0.5 * through);
  const double profile_torque = profile * (tip2 + stall * in_plane2);
  return {.thrust_n = 2.0 * air * (c0 - c1 * induced),
          .torque_nm = air * propeller.radius_m * (lift_torque + profile_torque),
          .in_plane_drag_n_s_m = air * (power_velocity * lift * pitch2 + 2.0 * profile * tip),
          .induced_velocity_m_s = induced};
}

}  // namespace detail

/// Load at rotor speed Ω ≥ 0. Pure; costs the same number of iterations always.
TACTUS_HD inline PropellerLoad propeller_load(const Propeller& propeller, double speed_rad_s,
                                              const PropellerFlow& flow) {
  TACTUS_ASSERT(!(speed_rad_s < 0.0), "a rotor that turns forwards or stands");
  return propeller.kind == PropellerKind::kQuadratic
             ? detail::quadratic_load(propeller, speed_rad_s, flow)
             : detail::blade_element_load(propeller, speed_rad_s, flow);
}

}  // namespace tactus
