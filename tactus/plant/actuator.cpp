// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/plant/actuator.h"

#include "tactus/core/assert.h"
#include "tactus/core/checks.h"

namespace tactus {

void validate(const ActuatorParameters& p, std::string_view where) {
  if (p.kind == ActuatorKind::kFirstOrder) {
    require_positive(where, "time_constant_s", p.time_constant_s);
  }
  if (p.kind == ActuatorKind::kSecondOrder) {
    require_positive(where, "natural_frequency_rad_s", p.natural_frequency_rad_s);
    require_not_negative(where, "damping_ratio", p.damping_ratio);
  }
  if (math::is_nan(p.rate_limit_per_s) || p.rate_limit_per_s <= 0.0) {
    refuse(where, "rate_limit_per_s", p.rate_limit_per_s,
           "must be greater than zero (inf = no limit)");
  }
}

double fastest_rate_rad_s(const ActuatorParameters& p) {
  switch (p.kind) {
    case ActuatorKind::kDirect: return 0.0;
    case ActuatorKind::kFirstOrder:
      TACTUS_ASSERT(p.time_constant_s > 0.0, "validated parameters");
      return 1.0 / p.time_constant_s;
    case ActuatorKind::kSecondOrder: {
      // Over-damped pairs split into two real poles; the faster one limits the step.
      TACTUS_ASSERT(p.natural_frequency_rad_s > 0.0 && p.damping_ratio >= 0.0,
                    "validated parameters");
      const double zeta = p.damping_ratio;
      const double spread = zeta > 1.0 ? math::sqrt(zeta * zeta - 1.0) : 0.0;
      return p.natural_frequency_rad_s * math::max(1.0, zeta + spread);
    }
  }
  return 0.0;
}

}  // namespace tactus
