// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Contact of gear points with a plane ground.
//
// clang-format off
// Normal force (Hunt and Crossley 1975), δ = penetration along the ground normal:
//   N = k δ^1.5 p(1 + d δ̇),     p(y) = y above ½, 0 below −½, (y + ½)²/2 between
// Continuous at touch, dissipative in both directions, never pulls.
//
// Friction: a bristle per point, deflected by z·b in the ground plane, sliding speed v_t:
//   b ż = v_t − α(|z|) o²/(o + 1 mm/s) ẑ,     o = max(0, v_t·ẑ)
//         α = ((|z| − z_e)/(1.25 − z_e))² above z_e, else 0
//   F_t = −µN s(|w|) ŵ,                       w = z + c v_t (1 − (|z|/1.25)²)²
//         s(r) = r below ¾, 1 above 1¼, r − (r − ¾)² between
// Below z_e the bristle is purely elastic, so a vehicle parked on a slope settles once and does not
// creep, whatever vibrates (the elasto-plastic idea of Dupont et al. 2002; the load-proportional
// bristle is ours: decision 0007). Out of contact it relaxes with time constant τ_r.
// clang-format on
//
// Units SI; the ground normal points up; velocities are those of the point relative to the ground.
// Valid for δ of millimetres to a few centimetres. C¹ apart from touch and lift, where N ~ δ^1.5
// and the bristle's rate jumps: both are guards.

#include <cstdint>
#include <string_view>

#include "tactus/core/assert.h"
#include "tactus/core/fields.h"
#include "tactus/core/hd.h"
#include "tactus/core/vec.h"
#include "tactus/signal/limits.h"
#include "tactus/world/ground.h"

namespace tactus {

struct GearParameters {
  int count = 0;
  Vec3 position_B_m[kMaxGearPoints];
  double stiffness_n_m15 = 9.0e5;
  double damping_s_m = 2.0;
  double friction = 0.8;
  double bristle_m = 0.002;
  double elastic_fraction = 0.6;
  double bristle_damping_s_m = 3.0;
  double relaxation_s = 0.02;
  double touch_hysteresis_m = 1.0e-6;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("count", "", self.count, "number of gear points");
    visit("position_body_m", "m", self.position_B_m, "points in body axes from the centre of mass");
    visit("stiffness_n_m15", "N/m^1.5", self.stiffness_n_m15, "Hunt-Crossley stiffness per point");
    visit("damping_s_m", "s/m", self.damping_s_m, "Hunt-Crossley damping factor");
    visit("friction", "1", self.friction, "Coulomb friction coefficient");
    visit("bristle_m", "m", self.bristle_m, "tangential deflection at which the bristle yields");
    visit("elastic_fraction", "1", self.elastic_fraction, "part of bristle_m that is elastic");
    visit("bristle_damping_s_m", "s/m", self.bristle_damping_s_m, "damping of the stuck bristle");
    visit("relaxation_s", "s", self.relaxation_s, "bristle decay out of contact");
    visit("touch_hysteresis_m", "m", self.touch_hysteresis_m, "lift is reported this far above");
  }
};
static_assert(lists_every_field<GearParameters>());

struct Bristle {
  double z1 = 0.0;
  double z2 = 0.0;
};

struct ContactForce {
  Vec3 force_W;
  double normal_n = 0.0;
  Bristle rate;
};

inline constexpr double kBristleYield = 1.25;    ///< |z| at which fast slip is fully plastic
inline constexpr double kBristleLargest = 4.0;   ///< hard bound, never reached by a resolved step
inline constexpr double kSlowSlip_m_s = 1.0e-3;  ///< below this slip flows less than it moves

namespace detail {

/// p(y): the positive part, C¹.
TACTUS_HD constexpr double smooth_positive(double y) {
  if (y >= 0.5) return y;
  return y <= -0.5 ? 0.0 : 0.5 * (y + 0.5) * (y + 0.5);
}

/// s(r)/r: friction per bristle deflection.
TACTUS_HD constexpr double yield_ratio(double r) {
  if (r <= 0.75) return 1.0;
  return r >= 1.25 ? 1.0 / r : (r - (r - 0.75) * (r - 0.75)) / r;
}

}  // namespace detail

/// A bristle in the air.
TACTUS_HD inline Bristle relaxing_bristle(const GearParameters& gear, Bristle z) {
  const double rate_per_s = -1.0 / gear.relaxation_s;
  return {rate_per_s * z.z1, rate_per_s * z.z2};
}

/// Force on a gear point that touches and moves with `v_W`, and the rate of its bristle. Above the
/// ground, where it still counts as touching for a moment, there is no force.
TACTUS_HD inline ContactForce contact_force(const GearParameters& gear,
                                            const GroundParameters& ground,
                                            const GroundBasis& basis, double height_m, Vec3 v_W,
                                            Bristle z) {
  const double penetration = math::max(0.0, -height_m);
  const double closing_speed = -dot(ground.normal_W, v_W);
  const double normal = gear.stiffness_n_m15 * penetration * math::sqrt(penetration) *
                        detail::smooth_positive(1.0 + gear.damping_s_m * closing_speed);

  const double v1 = dot(basis.e1_W, v_W);
  const double v2 = dot(basis.e2_W, v_W);
  const double z_norm = math::sqrt(z.z1 * z.z1 + z.z2 * z.z2);
  double plastic = 0.0;  // outward slip that does not bend the bristle, per unit of z
  if (z_norm > gear.elastic_fraction) {
    const double outward = math::max(0.0, (v1 * z.z1 + v2 * z.z2) / z_norm);
    const double t = (z_norm - gear.elastic_fraction) / (kBristleYield - gear.elastic_fraction);
    plastic = t * t * outward * outward / ((outward + kSlowSlip_m_s) * z_norm);
  }
  const double unyielded = math::max(0.0, 1.0 - math::square(z_norm / kBristleYield));
  const double damping = gear.bristle_damping_s_m * unyielded * unyielded;
  const double w1 = z.z1 + damping * v1;
  const double w2 = z.z2 + damping * v2;
  const double scale = -gear.friction * normal * detail::yield_ratio(math::sqrt(w1 * w1 + w2 * w2));
  return {normal * ground.normal_W + (scale * w1) * basis.e1_W + (scale * w2) * basis.e2_W,
          normal,
          {(v1 - plastic * z.z1) / gear.bristle_m, (v2 - plastic * z.z2) / gear.bristle_m}};
}

/// Fires when a point touches, or when one that touches lifts.
TACTUS_HD inline double contact_guard(const GearParameters& gear, double height_m, bool touches) {
  return touches ? height_m - gear.touch_hysteresis_m : -height_m;
}

/// The hard bound of a bristle after a step; whether it changed.
TACTUS_HD inline bool bound_bristle(double* z) {
  TACTUS_ASSERT(z != nullptr, "a bristle of the state");
  const double length = math::sqrt(z[0] * z[0] + z[1] * z[1]);
  if (!(length > kBristleLargest)) return false;
  z[0] *= kBristleLargest / length;
  z[1] *= kBristleLargest / length;
  return true;
}

/// Throws Error naming `where` when a parameter is out of range.
void validate(const GearParameters& gear, std::string_view where);

/// Fastest rates of an impact at a design speed, all points together, for a fixed step to resolve.
struct ContactRates {
  double normal_rad_s = 0.0;    ///< oscillation on the gear
  double friction_per_s = 0.0;  ///< decay of slip by the bristles' damping
};
ContactRates contact_rates(const GearParameters& gear, double mass_kg, double impact_speed_m_s);

}  // namespace tactus
