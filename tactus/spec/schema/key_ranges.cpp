// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/spec/schema/key_ranges.h"

#include <fmt/format.h>

#include "tactus/core/math.h"
#include "tactus/world/wind.h"

namespace tactus {
namespace {

struct NamedRange {
  std::string_view name;
  KeyRange range;
};

/// By the end of the key without ids of entries.
constexpr NamedRange kKeys[] = {
    {"body.inertia_diagonal_kg_m2", {1e-10, 1e7, true}},
    {"body.linear_drag_n_s_m", {1e-12, 1e3}},
    {"propeller.radius_m", {1e-3, 50.0}},
    {"propeller.in_plane_constant_m3", {1e-15, 1.0}},
    {"rotor.position_body_m", {0.0, 100.0}},
    // Harder or finer gear and a touch of some metres per second need steps below a microsecond.
    {"gear.positions_body_m", {0.0, 100.0}},
    {"gear.stiffness_n_m15", {1e-3, 1e8}},
    {"gear.damping_s_m", {1e-6, 100.0}},
    {"gear.friction", {1e-6, 10.0}},
    {"gear.bristle_m", {1e-5, 1.0}},
    {"gear.bristle_damping_s_m", {1e-6, 30.0}},
    {"actuator.damping_ratio", {1e-3, 100.0}},
    {"rover.wheel_time_constant_s", {1e-3, 1e4}},
    {"world.gravity.radius_m", {1e3, 1e9}},
    {"world.gravity.uniform_m_s2", {1e-3, 1e3}},
    {"world.ground.down_m", {0.0, 1e5}},
    {"initial.position_ned_m", {0.0, 1e6}},
    {"initial.velocity_ned_m_s", {0.0, 1e3}},
    {"initial.rate_body_rad_s", {0.0, 1e3}},
    {"autopilot.mission_shift_ned_m", {0.0, 1e5}},
    {"wind.mean_ned_m_s", {0.0, kStrongestWind_m_s}},
    {"wind.gust.velocity_ned_m_s", {0.0, kStrongestWind_m_s}},
    {"wind.ou_sigma_ned_m_s", {0.0, kStrongestWind_m_s}},
    {"wind.turbulence_w20_m_s", {1e-9, kStrongestWind_m_s}},
    // A step that cannot be made shorter fails at the first touch of the ground.
    {"solver.h_min_us", {1.0, 10.0}},
    {"solver.max_attempts", {100.0, 1e12}},
    // Fractions and angles, as the models check them.
    {"motor.efficiency", {0.0, 1.0}},
    {"motor.dead_zone", {0.0, 1.0}},
    {"propeller.speed_exponent", {0.0, 1.0}},
    {"gear.elastic_fraction", {0.0, 0.95}},
    {"wind.shear_exponent", {0.0, 1.0}},
    {"land_detector.thrust_min", {0.0, 1.0}},
    {"range_finder.noise_relative", {0.0, 1.0}},
    {"soc0", {0.0, 1.0}},
    {"_soc", {0.0, 1.0}},
    {"_gain_scale", {0.1, 5.0}},
    {"_scale_error", {0.0, 0.5}},
    {"_misalignment_rad", {0.0, 0.2}},
    {"autopilot.max_tilt_rad", {5.0 * math::kDegToRad, 80.0 * math::kDegToRad}},
    {"estimator.attitude_sigma_rad", {0.0, 0.5}},
    {"estimator.attitude_bias_sigma_rad", {0.0, 0.5}},
    {"world.latitude_deg", {0.0, 90.0}},
    {"world.longitude_deg", {0.0, 180.0}},
    // Less than that is lost in rounding, or in the steps of a microsecond across a kink.
    {".rtol", {1e-14, 1.0}},
    {".atol", {1e-12, 1e9}},
    {"attitude_atol_rad", {1e-12, 1e3}},
    {"event.every_s", {1e-3, 1e8}},
    {"event.on_s", {1e-3, 3600.0}},
    {"event.off_s", {1e-3, 3600.0}},
    {"event.value", {0.0, 1e15}},
    {"event.vector", {0.0, 1e6}},
    {"event.hysteresis", {0.0, 1e15}},
    {"expect.limit", {0.0, 1e15}},
    {"expect.value", {0.0, 1e15}},
    {"expect.tolerance", {0.0, 1e15}},
    {"expect.radius_m", {0.0, 1e9}},
    {"expect.low_m", {0.0, 1e9}},
    {"expect.high_m", {0.0, 1e9}},
};

constexpr NamedRange kUnits[] = {
    {"1", {1e-12, 1e6}},
    {"m", {1e-9, 1e5}},
    {"m^2", {1e-9, 1e4}},
    {"m^3", {1e-15, 1e6}},
    {"m^4", {1e-15, 1e6}},
    {"m^5", {1e-18, 1e7}},
    {"m/s", {1e-9, 1e4}},
    {"m/s^2", {1e-9, 1e4}},
    {"m/s^3", {1e-6, 1e6}},
    {"m^3/s^2", {1e3, 1e22}},
    {"m/s^2/sqrt(Hz)", {1e-12, 1e3}},
    {"m/s^2/sqrt(s)", {1e-12, 1e3}},
    {"s", {1e-6, 1e8}},
    {"us", {0.0, 1e12}},
    {"1/s", {1e-6, 1e9}},
    {"Hz", {1e-3, 1e6}},
    {"rad", {1e-12, 1e3}},
    {"deg", {1e-12, 1e4}},
    {"rad/s", {1e-9, 1e5}},
    {"rad/s/sqrt(Hz)", {1e-12, 1e3}},
    {"rad/s/sqrt(s)", {1e-12, 1e3}},
    {"kg", {1e-3, 1e5}},
    {"kg*m^2", {1e-10, 1e7}},
    {"N*m*s", {1e-15, 1e4}},
    {"N*s/m", {1e-12, 1e5}},
    {"N/m^1.5", {1e-3, 1e12}},
    {"s/m", {1e-6, 1e4}},
    {"ohm", {1e-7, 1e4}},
    {"F", {1e-3, 1e9}},
    {"A*h", {1e-6, 1e6}},
    {"V", {1e-9, 1e5}},
    {"A", {1e-6, 1e6}},
    {"W", {1e-6, 1e7}},
    {"rpm/V", {1e-2, 1e6}},
    {"K", {1e-9, 1e3}},
    {"degC", {1e-9, 1e3}},
    {"Pa", {1e-9, 1e7}},
    {"gauss", {1e-12, 1e3}},
    {"gauss/A", {1e-15, 1e3}},
    {"SI", {1e-24, 1e9}},
};

KeyRange range_of(std::string_view key, std::string_view unit) {
  for (const NamedRange& own : kKeys) {
    if (key.ends_with(own.name)) return own.range;
  }
  return range_of_unit(unit);
}

void set_ranges_below(SchemaTable& table, const std::string& path) {
  for (SchemaKey& key : table.keys) key.range = range_of(join_key(path, key.name), key.unit);
  for (SchemaTable& inner : table.tables) set_ranges_below(inner, join_key(path, inner.name));
  for (SchemaList& list : table.lists) {
    for (SchemaTable& entry : list.entries) set_ranges_below(entry, join_key(path, list.name));
  }
}

}  // namespace

KeyRange range_of_unit(std::string_view unit) {
  for (const NamedRange& shared : kUnits) {
    if (unit == shared.name) return shared.range;
  }
  return {};
}

void set_ranges(SchemaTable& schema) { set_ranges_below(schema, ""); }

std::string range_text(const KeyRange& range) {
  if (!math::is_finite(range.largest)) return {};
  return fmt::format("{:g} to {:g}", range.smallest, range.largest);
}

}  // namespace tactus
