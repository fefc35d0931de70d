// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/world/geodesy.h"

#include "tactus/core/checks.h"
#include "tactus/world/atmosphere.h"

namespace tactus {

void validate(const WorldOrigin& origin, std::string_view where) {
  require_within(where, "lat_deg", origin.lat_deg, -90.0, 90.0);
  require_within(where, "lon_deg", origin.lon_deg, -180.0, 180.0);
  require_within(where, "alt_msl_m", origin.alt_msl_m, kLowestAir_m, kHighestAir_m);
}

}  // namespace tactus
