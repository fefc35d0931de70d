// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/plant/rigid_body.h"

#include "tactus/core/assert.h"
#include "tactus/core/checks.h"

namespace tactus {
namespace {

/// Eigenvalues of a symmetric 3×3 matrix, ascending (trigonometric form of the cubic).
Vec3 principal_moments(const Mat3& a) {
  const auto& m = a.m;
  const double off = m[0][1] * m[0][1] + m[0][2] * m[0][2] + m[1][2] * m[1][2];
  const double mean = (m[0][0] + m[1][1] + m[2][2]) / 3.0;
  const double spread = math::square(m[0][0] - mean) + math::square(m[1][1] - mean) +
                        math::square(m[2][2] - mean) + 2.0 * off;
  if (spread == 0.0) return {mean, mean, mean};
  const double p = math::sqrt(spread / 6.0);
  const Mat3 shifted = (1.0 / p) * (a + Mat3::diagonal({-mean, -mean, -mean}));
  const double r = math::clamp(0.5 * determinant(shifted), -1.0, 1.0);
  const double phi = math::acos(r) / 3.0;
  const double largest = mean + 2.0 * p * math::cos(phi);
  const double smallest = mean + 2.0 * p * math::cos(phi + 2.0 * math::kPi / 3.0);
  TACTUS_ASSERT(!(smallest > mean) && !(mean > largest), "principal moments in their order");
  return {smallest, 3.0 * mean - largest - smallest, largest};
}

}  // namespace

void validate(const RigidBodyParameters& body, std::string_view where) {
  require_positive(where, "mass_kg", body.mass_kg);
  const auto& m = body.inertia_kg_m2.m;
  for (const auto& row : m) {
    for (const double value : row) require_finite(where, "inertia_kg_m2", value);
  }
  const double scale = math::max(m[0][0], math::max(m[1][1], m[2][2]));
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < i; ++j) {
      if (math::abs(m[i][j] - m[j][i]) > 1e-12 * scale) {
        refuse(where, "inertia_kg_m2", "off-diagonal", m[i][j],
               "the inertia tensor must be symmetric");
      }
    }
  }
  const Vec3 principal = principal_moments(body.inertia_kg_m2);
  if (!(principal.x > 0.0)) {
    refuse(where, "inertia_kg_m2", "smallest principal moment", principal.x,
           "the inertia tensor must be positive definite");
  }
  if (principal.z > (principal.x + principal.y) * (1.0 + 1e-9)) {
    refuse(where, "inertia_kg_m2", "largest principal moment", principal.z,
           "exceeds the sum of the other two; no body has such an inertia (check units and signs)");
  }
  require_not_negative(where, "linear_drag_n_s_m", body.linear_drag_n_s_m);
  for (const double area : {body.drag_area_m2.x, body.drag_area_m2.y, body.drag_area_m2.z}) {
    require_not_negative(where, "drag_area_m2", area);
  }
  for (const double damping :
       {body.angular_damping_nm_s.x, body.angular_damping_nm_s.y, body.angular_damping_nm_s.z}) {
    require_not_negative(where, "angular_damping_nm_s", damping);
  }
}

}  // namespace tactus
