// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/world/wind.h"

#include <string>

#include "tactus/core/checks.h"

namespace tactus {
namespace {

void require_velocity(std::string_view where, std::string_view key, Vec3 v) {
  for (const double component : {v.x, v.y, v.z}) {
    require_within(where, key, component, -kStrongestWind_m_s, kStrongestWind_m_s);
  }
}

void validate(const Gust& gust, const std::string& where) {
  require_velocity(where, "velocity_ned_m_s", gust.velocity_W_m_s);
  if (gust.off <= gust.on) {
    refuse(where, "off_us", static_cast<double>(gust.off.us), "must be later than on_us");
  }
}

}  // namespace

void validate(const WindParameters& p, std::string_view where) {
  require_velocity(where, "mean_ned_m_s", p.mean_W_m_s);
  require_within(where, "shear_exponent", p.shear_exponent, 0.0, 1.0);
  require_positive(where, "shear_reference_height_m", p.shear_reference_height_m);
  for (const double sigma : {p.ou_sigma_W_m_s.x, p.ou_sigma_W_m_s.y, p.ou_sigma_W_m_s.z}) {
    require_within(where, "ou_sigma_ned_m_s", sigma, 0.0, kStrongestWind_m_s);
  }
  for (const double tau :
       {p.ou_time_constant_s.x, p.ou_time_constant_s.y, p.ou_time_constant_s.z}) {
    require_positive(where, "ou_time_constant_s", tau);
  }
  require_within(where, "turbulence_w20_m_s", p.turbulence_w20_m_s, 0.0, kStrongestWind_m_s);
  require_positive(where, "turbulence_speed_floor_m_s", p.turbulence_speed_floor_m_s);
  require_within(where, "gust_count", p.gust_count, 0.0, kMaxGusts);
  for (int i = 0; i < p.gust_count; ++i) {
    validate(p.gusts[i], std::string(where) + ".gusts[" + std::to_string(i) + "]");
  }
}

}  // namespace tactus
