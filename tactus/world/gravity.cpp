// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/world/gravity.h"

#include "tactus/core/checks.h"

namespace tactus {

void validate(const GravityParameters& parameters, std::string_view where) {
  require_not_negative(where, "uniform_m_s2", parameters.uniform_m_s2);
  require_positive(where, "mu_m3_s2", parameters.mu_m3_s2);
  require_positive(where, "radius_m", parameters.radius_m);
}

}  // namespace tactus
