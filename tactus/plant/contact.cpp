// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/plant/contact.h"

#include <fmt/format.h>

#include "tactus/core/assert.h"
#include "tactus/core/checks.h"

namespace tactus {

void validate(const GearParameters& gear, std::string_view where) {
  if (gear.count < 0 || gear.count > kMaxGearPoints) {
    refuse(where, "count", gear.count, fmt::format("0 to {} gear points", kMaxGearPoints));
  }
  for (int i = 0; i < gear.count; ++i) {
    const Vec3 p = gear.position_B_m[i];
    if (!is_finite(p)) refuse(where, fmt::format("position_body_m[{}]", i), p.x, "must be finite");
  }
  require_positive(where, "stiffness_n_m15", gear.stiffness_n_m15);
  require_not_negative(where, "damping_s_m", gear.damping_s_m);
  require_not_negative(where, "friction", gear.friction);
  require_positive(where, "bristle_m", gear.bristle_m);
  require_within(where, "elastic_fraction", gear.elastic_fraction, 0.0, 0.95);
  require_not_negative(where, "bristle_damping_s_m", gear.bristle_damping_s_m);
  require_positive(where, "relaxation_s", gear.relaxation_s);
  require_positive(where, "touch_hysteresis_m", gear.touch_hysteresis_m);
}

ContactRates contact_rates(const GearParameters& gear, double mass_kg, double impact_speed_m_s) {
  TACTUS_ASSERT(gear.count >= 0 && gear.count <= kMaxGearPoints, "validated parameters");
  TACTUS_ASSERT(mass_kg > 0.0 && impact_speed_m_s > 0.0, "a mass that lands");
  if (gear.count == 0) return {};
  // Undamped impact: ½ m v² = (2/5) n k δ^2.5, slope dN/dδ = 1.5 n k √δ, force n k δ^1.5.
  const double k = gear.count * gear.stiffness_n_m15;
  const double depth = math::pow(1.25 * mass_kg * math::square(impact_speed_m_s) / k, 0.4);
  const double normal_n = k * depth * math::sqrt(depth);
  TACTUS_ASSERT(!(depth < 0.0) && !(normal_n < 0.0), "the gear gives way and pushes back");
  return {.normal_rad_s = math::sqrt(1.5 * normal_n / (depth * mass_kg)),
          .friction_per_s = gear.friction * normal_n * gear.bristle_damping_s_m / mass_kg};
}

}  // namespace tactus
