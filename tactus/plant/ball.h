// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A rigid body that nothing drives: dropped payloads, ballistic checks.
//
// clang-format off
//   ṗ = v,   m v̇ = R(q) F_B + F_c + m g,   q̇ = ½ q ⊗ (0, ω),   I ω̇ = τ + τ_c − ω × (I ω)
//   drag          F_B,i = −½ ρ S C_D,i |u| u_i                                u = R(q)ᵀ(v − w)
//   rate damping  τ_i   = −¼ ρ S l_i² C_q,i |u| ω_i − ½ ρ S l_i³ C_ω,i |ω| ω_i
// clang-format on
// S is the reference area, l_i the reference length of body axis i. C_q is the usual damping
// derivative (C_l_p, C_m_q, C_n_r with the sign turned) by the reduced rate ω l / 2|u|, so it needs
// a flow; C_ω is that of a body that spins in still air. At constant |u| a rate decays as e^(−t/T)
// with the first, T = 4 I / (ρ S l² C_q |u|), and as 1/(1 + k t) with the second,
// k = ρ S l³ C_ω ω₀ / 2 I. Contact force F_c and moment τ_c at points of the body: contact.h.
// Frames: world NED (W), body FRD (B). Units SI. Assumes constant mass and coefficients: no Mach or
// Reynolds number, no lift, no Magnus force. C¹ apart from touch and lift, which are guards.
// Reference: Stevens, Lewis and Johnson, Aircraft Control and Simulation, 3rd ed., chapters 1, 2.

#include <array>
#include <cstdint>
#include <string_view>

#include "tactus/core/assert.h"
#include "tactus/core/bits.h"
#include "tactus/core/fields.h"
#include "tactus/core/hd.h"
#include "tactus/core/packed.h"
#include "tactus/core/quat.h"
#include "tactus/core/status.h"
#include "tactus/plant/contact.h"
#include "tactus/plant/rigid_body_watch.h"
#include "tactus/plant/watch.h"
#include "tactus/solver/system.h"
#include "tactus/world/world.h"

namespace tactus {

/// Points on the three axes at this distance: where a ball of that radius touches.
TACTUS_HD constexpr GearParameters contact_of_sphere(double radius_m) {
  const double r = radius_m;
  const Vec3 points[] = {{r, 0, 0}, {-r, 0, 0}, {0, r, 0}, {0, -r, 0}, {0, 0, r}, {0, 0, -r}};
  TACTUS_ASSERT(radius_m > 0.0, "a ball that has a size");
  GearParameters contact;
  for (const Vec3& point : points) contact.position_B_m[contact.count++] = point;
  return contact;
}

struct BallParameters {
  double mass_kg = 1.0;
  Mat3 inertia_kg_m2 = Mat3::diagonal({0.001, 0.001, 0.001});
  double reference_area_m2 = 0.00785;
  Vec3 reference_length_m{0.1, 0.1, 0.1};
  Vec3 drag_coefficient{0.47, 0.47, 0.47};
  Vec3 rate_damping_coefficient{};
  Vec3 spin_damping_coefficient{};
  GearParameters contact = contact_of_sphere(0.05);

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("mass_kg", "kg", self.mass_kg, "mass");
    visit("inertia_kg_m2", "kg*m^2", self.inertia_kg_m2, "inertia tensor about the centre of mass");
    visit("reference_area_m2", "m^2", self.reference_area_m2, "S of all coefficients");
    visit("reference_length_m", "m", self.reference_length_m, "l of body x, y, z");
    visit("drag_coefficient", "1", self.drag_coefficient, "C_D along body x, y, z");
    visit("rate_damping_coefficient", "1", self.rate_damping_coefficient,
          "C_q about body x, y, z, by the rate l w / 2 u");
    visit("spin_damping_coefficient", "1", self.spin_damping_coefficient,
          "C_w about body x, y, z, in still air");
    visit("contact", "", self.contact, "points that touch the ground");
  }
};
static_assert(lists_every_field<BallParameters>());

/// Throws Error naming `where` when a parameter is out of range.
void validate(const BallParameters& p, std::string_view where);

struct BallLayout {
  static constexpr int kPosition = 0;
  static constexpr int kVelocity = 3;
  static constexpr int kAttitude = 6;
  static constexpr int kRate = 10;
  static constexpr int kBristle = 13;  ///< two per point of contact
  static constexpr int kCapacity = kBristle + 2 * kMaxGearPoints;
};

/// Prepared for flight in a world.
struct Ball {
  BallParameters parameters;
  World world;
  Mat3 inertia_inverse;
  int points = 0;  ///< of contact; 0 without ground
  StateGroups groups;
};

/// Validates and prepares.
Ball make_ball(const BallParameters& parameters, const World& world);

struct BallOutputs {
  Vec3 acceleration_W_m_s2;
  Vec3 specific_force_B_m_s2;
  Vec3 air_velocity_B_m_s;
  double contact_force_n[kMaxGearPoints] = {};  ///< normal force per point
};

/// Discrete states, which guards flip.
struct BallModes {
  std::uint32_t touching = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("touching", "", self.touching, "bit i: point i touches the ground");
  }
};
static_assert(lists_every_field<BallModes>());

/// The ball with the wind and the contacts held, as a solver sees it. The caller invalidates the
/// remembered derivative when it changes them between two intervals.
struct BallSystem {
  static constexpr int kCapacity = BallLayout::kCapacity;
  static constexpr int kGuardCapacity = kMaxGearPoints + kMaxWatches;
  const Ball* ball = nullptr;
  BallModes modes{};
  Vec3 wind_W_m_s{};
  Vec3 wind_slope_W_m_s2{};
  WatchList watches{};

  TACTUS_HD int size() const { return BallLayout::kBristle + 2 * ball->points; }
  TACTUS_HD const StateGroups& groups() const { return ball->groups; }
  std::array<StatePart, 5> parts() const {
    return {{{"position_ned_m", "m", BallLayout::kPosition, 3},
             {"velocity_ned_m_s", "m/s", BallLayout::kVelocity, 3},
             {"attitude_wxyz", "1", BallLayout::kAttitude, 4},
             {"rate_body_rad_s", "rad/s", BallLayout::kRate, 3},
             {"bristle", "1", BallLayout::kBristle, 2 * ball->points}}};
  }
  TACTUS_HD bool depends_on_time() const { return !(wind_slope_W_m_s2 == Vec3{}); }
  TACTUS_HD Status derivative(double t_s, const double* x, double* dx) const {
    return evaluate(t_s, x, dx, nullptr);
  }
  TACTUS_HD Status evaluate(double t_s, const double* x, double* dx, BallOutputs* out) const;

  /// Bristles have a hard bound, never reached by a resolved step.
  TACTUS_HD int project(double* x) const {
    TACTUS_ASSERT(ball != nullptr, "a ball that flies");
    int changed = 0;
    for (int k = 0; k < ball->points; ++k) {
      changed += bound_bristle(x + BallLayout::kBristle + 2 * k) ? 1 : 0;
    }
    return changed;
  }

  TACTUS_HD int guard_count() const {
    TACTUS_ASSERT(watches.count >= 0 && watches.count <= kMaxWatches, "watches that have room");
    return ball->points + watches.count;
  }
  TACTUS_HD void guards(double /*t_s*/, const double* x, double* g) const {
    const GroundFromBody ground =
        ground_from_body(ball->world.ground, load_vec3(x + BallLayout::kPosition),
                         rotation_matrix(load_quat(x + BallLayout::kAttitude)));
    const GearParameters& contact = ball->parameters.contact;
    for (int k = 0; k < ball->points; ++k) {
      *g++ = contact_guard(contact, height_of(ground, contact.position_B_m[k]),
                           has_bit(modes.touching, k));
    }
    for (int w = 0; w < watches.count; ++w) {
      const Watch& asked = watches.watch[w];
      const double value =
          rigid_body_value(ball->world, x + BallLayout::kPosition, x + BallLayout::kVelocity,
                           x + BallLayout::kAttitude, x + BallLayout::kRate, asked);
      *g++ = asked.sign * (value - asked.threshold);
    }
  }
};

/// Drag and rate damping of the air in body axes.
struct BallAirLoads {
  Vec3 force_B;
  Vec3 torque_B;
};
TACTUS_HD inline BallAirLoads ball_air_loads(const BallParameters& p, double density, Vec3 u_B,
                                             Vec3 w_B) {
  const double area = density * p.reference_area_m2;
  const double flow = 0.25 * norm(u_B);
  const double spin = 0.5 * norm(w_B);
  const auto damping = [&](double l, double c_flow, double c_spin, double w) {
    return -area * l * l * (c_flow * flow + c_spin * spin * l) * w;
  };
  const Vec3 l = p.reference_length_m;
  const Vec3 q = p.rate_damping_coefficient;
  const Vec3 s = p.spin_damping_coefficient;
  return {(-0.5 * area * norm(u_B)) * multiply_elements(p.drag_coefficient, u_B),
          {damping(l.x, q.x, s.x, w_B.x), damping(l.y, q.y, s.y, w_B.y),
           damping(l.z, q.z, s.z, w_B.z)}};
}

TACTUS_HD inline Status BallSystem::evaluate(double t_s, const double* x, double* dx,
                                             BallOutputs* out) const {
  const BallParameters& p = ball->parameters;
  const Vec3 p_W = load_vec3(x + BallLayout::kPosition);
  const Vec3 v_W = load_vec3(x + BallLayout::kVelocity);
  const Quat q_WB = load_quat(x + BallLayout::kAttitude);
  const Vec3 w_B = load_vec3(x + BallLayout::kRate);
  const Mat3 r_WB = rotation_matrix(q_WB);
  const double density = air_density_at(ball->world, p_W);
  if (math::is_nan(density) && math::is_finite(p_W.z)) return Status::kOutsideAtmosphere;
  const Vec3 u_B = transpose_times(r_WB, v_W - (wind_W_m_s + t_s * wind_slope_W_m_s2));
  const BallAirLoads air = ball_air_loads(p, density, u_B, w_B);
  Vec3 force_W = r_WB * air.force_B;
  Vec3 torque_B = air.torque_B;
  const GroundFromBody ground = ground_from_body(ball->world.ground, p_W, r_WB);
  for (int k = 0; k < ball->points; ++k) {
    const Vec3 r_B = p.contact.position_B_m[k];
    const double* const z = x + BallLayout::kBristle + 2 * k;
    ContactForce contact{{}, 0.0, relaxing_bristle(p.contact, {z[0], z[1]})};
    if (has_bit(modes.touching, k)) {
      contact = contact_force(p.contact, ball->world.ground, ball->world.ground_axes,
                              height_of(ground, r_B), v_W + r_WB * cross(w_B, r_B), {z[0], z[1]});
    }
    force_W += contact.force_W;
    torque_B += cross(r_B, transpose_times(r_WB, contact.force_W));
    dx[BallLayout::kBristle + 2 * k] = contact.rate.z1;
    dx[BallLayout::kBristle + 2 * k + 1] = contact.rate.z2;
    if (out != nullptr) out->contact_force_n[k] = contact.normal_n;
  }
  const Vec3 specific_W = (1.0 / p.mass_kg) * force_W;
  const Vec3 acceleration_W = specific_W + gravity_at(ball->world, p_W);
  store(dx + BallLayout::kPosition, v_W);
  store(dx + BallLayout::kVelocity, acceleration_W);
  store(dx + BallLayout::kAttitude, quaternion_rate(q_WB, w_B));
  store(dx + BallLayout::kRate,
        ball->inertia_inverse * (torque_B - cross(w_B, p.inertia_kg_m2 * w_B)));
  if (out != nullptr) {
    out->acceleration_W_m_s2 = acceleration_W;
    out->specific_force_B_m_s2 = transpose_times(r_WB, specific_W);
    out->air_velocity_B_m_s = -u_B;
  }
  return Status::kOk;
}

}  // namespace tactus
