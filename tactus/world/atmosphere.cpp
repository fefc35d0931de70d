// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/world/atmosphere.h"

#include "tactus/core/checks.h"

namespace tactus {

void validate(const AtmosphereParameters& parameters, std::string_view where) {
  // Beyond this is not weather but a wrong unit (and outside the interpolant of the lowest layer).
  require_within(where, "temperature_offset_k", parameters.temperature_offset_k, -50.0, 50.0);
  require_within(where, "sea_level_pressure_pa", parameters.sea_level_pressure_pa, 80000.0,
                 120000.0);
}

}  // namespace tactus
