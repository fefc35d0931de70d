// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Rigid body: mass, full inertia tensor, and the drag of the airframe.
//
//   ṗ = v,   m v̇ = R(q) F_B + F_W + m g,   q̇ = ½ q ⊗ (0, ω),   I ω̇ = τ − ω × (I ω)
//   drag:  F_W = −c (v − w)                          (linear, isotropic; parity with prior art)
//          F_B,i = −½ ρ CdA_i |u_i| u_i              (quadratic per body axis, u = R(q)ᵀ(v − w))
//          τ_B = −d ∘ ω                              (angular damping)
// Frames: world NED (W), body FRD (B), q_WB body→world. Units SI. The inertia tensor is about the
// centre of mass in body axes, off-diagonal entries as they stand in the matrix (I_xy = −∫xy dm).
// Rotor spin is coupled in multirotor.h. Assumes constant mass and a flat, non-rotating earth.
// Valid while that holds: some tens of kilometres around the origin, speeds well below that of
// sound (the drag has no Mach number), any attitude and rate.
// Reference: Stevens, Lewis and Johnson, Aircraft Control and Simulation, 3rd ed., chapter 1.

#include <string_view>

#include "tactus/core/fields.h"
#include "tactus/core/hd.h"
#include "tactus/core/quat.h"

namespace tactus {

struct RigidBodyParameters {
  double mass_kg = 1.5;
  Mat3 inertia_kg_m2 = Mat3::diagonal({0.029125, 0.029125, 0.055225});
  double linear_drag_n_s_m = 0.0;
  Vec3 drag_area_m2{};
  Vec3 angular_damping_nm_s{};

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("mass_kg", "kg", self.mass_kg, "mass of the whole vehicle");
    visit("inertia_kg_m2", "kg*m^2", self.inertia_kg_m2, "inertia tensor, rotors included");
    visit("linear_drag_n_s_m", "N*s/m", self.linear_drag_n_s_m, "isotropic linear drag");
    visit("drag_area_m2", "m^2", self.drag_area_m2, "CdA along body x, y, z");
    visit("angular_damping_nm_s", "N*m*s", self.angular_damping_nm_s, "about body x, y, z");
  }
};
static_assert(lists_every_field<RigidBodyParameters>());

/// Quadratic drag in body axes; |u|u is C¹ through zero.
TACTUS_HD inline Vec3 quadratic_drag_B(const RigidBodyParameters& body, double density, Vec3 u_B) {
  const double s = -0.5 * density;
  return {s * body.drag_area_m2.x * math::abs(u_B.x) * u_B.x,
          s * body.drag_area_m2.y * math::abs(u_B.y) * u_B.y,
          s * body.drag_area_m2.z * math::abs(u_B.z) * u_B.z};
}

/// Throws Error naming `where`: mass, symmetry, positive definiteness, triangle inequality of the
/// principal moments (no mass distribution has one moment larger than the sum of the others).
void validate(const RigidBodyParameters& body, std::string_view where);

}  // namespace tactus
