// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Air at rest: U.S. Standard Atmosphere, 1976 (NOAA-S/T 76-1562), up to 86 km.
//
//   H = r0 z / (r0 + z)                 geopotential altitude H of the geometric altitude z
//   T = T_b + λ (H − H_b)               seven layers from 0 to 84.852 km
//   p = p_b (T / T_b)^(−g0 / (R λ))     λ ≠ 0;   p = p_b exp(−g0 (H − H_b) / (R T_b))   λ = 0
//   ρ = p / (R T),   a = √(1.4 R T),   R = 287.05287 J/(kg K) as in ISO 2533 (6e-7 below the value
//   of 1976, which changes pressures by less than 1e-5)
// Non-standard days stay hydrostatic: temperature_offset_k shifts T in every layer and
// sea_level_pressure_pa scales p, and the base pressures of the layers follow from both.
// Units SI; altitude above mean sea level, up. Range −5 km to 86 km geometric, the first layer
// extended below sea level; outside (or for NaN) the results are NaN, so that a run stops loudly.
// Above 80 km T is the molecular-scale temperature (kinetic is up to 0.04 % lower); ρ and p are
// exact. Assumes dry air with constant R. Kinks (C⁰): at the layer bases, 11 km and up.

#include <cstdint>
#include <string_view>

#include "tactus/core/assert.h"
#include "tactus/core/fields.h"
#include "tactus/core/hd.h"
#include "tactus/core/math.h"

namespace tactus {

/// What an altitude handed to the atmosphere means.
enum class AltitudeKind : std::uint8_t {
  kGeometric,     ///< height in metres; converted to geopotential altitude
  kGeopotential,  ///< taken as geopotential altitude as it stands
};

struct AtmosphereParameters {
  AltitudeKind altitude_kind = AltitudeKind::kGeometric;
  double temperature_offset_k = 0.0;
  double sea_level_pressure_pa = 101325.0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("altitude_kind", "", self.altitude_kind, "geometric, or taken as geopotential");
    visit("temperature_offset_k", "K", self.temperature_offset_k, "added to the standard profile");
    visit("sea_level_pressure_pa", "Pa", self.sea_level_pressure_pa, "pressure at altitude zero");
  }
};
static_assert(lists_every_field<AtmosphereParameters>());

/// Throws Error naming `where` when a parameter is not finite or outside weather.
void validate(const AtmosphereParameters& parameters, std::string_view where);

struct AirState {
  double density_kg_m3 = 0.0;
  double pressure_pa = 0.0;
  double temperature_k = 0.0;
  double speed_of_sound_m_s = 0.0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("density_kg_m3", "kg/m^3", self.density_kg_m3, "density");
    visit("pressure_pa", "Pa", self.pressure_pa, "static pressure");
    visit("temperature_k", "K", self.temperature_k, "temperature");
    visit("speed_of_sound_m_s", "m/s", self.speed_of_sound_m_s, "speed of sound");
  }
};
static_assert(lists_every_field<AirState>());

inline constexpr double kStandardGravity_m_s2 = 9.80665;
inline constexpr double kAirGasConstant_j_kg_k = 287.05287;  // ISO 2533
inline constexpr double kAirHeatCapacityRatio = 1.4;
inline constexpr double kGeopotentialRadius_m = 6356766.0;
inline constexpr int kAtmosphereLayers = 7;

/// Where the air is known, geometric.
inline constexpr double kLowestAir_m = -5000.0;
inline constexpr double kHighestAir_m = 86000.0;

// Both as geopotential altitudes, rounded outward.
inline constexpr double kMinGeopotentialAltitude_m = -5004.0;
inline constexpr double kMaxGeopotentialAltitude_m = 84852.05;

struct AtmosphereLayer {
  double base_m = 0.0;
  double temperature_k = 0.0;  ///< at the base, like the next two
  double pressure_pa = 0.0;
  double density_kg_m3 = 0.0;
  double relative_lapse_per_m = 0.0;  ///< λ / T_b
  double exponent = 0.0;              ///< −g0 / (R λ) − 1
};

/// The layers of one day; built once, read in every right-hand side.
struct Atmosphere {
  AltitudeKind altitude_kind = AltitudeKind::kGeometric;
  AtmosphereLayer layers[kAtmosphereLayers];
};

TACTUS_HD constexpr double geopotential_altitude(double geometric_m) {
  return kGeopotentialRadius_m * geometric_m / (kGeopotentialRadius_m + geometric_m);
}

namespace detail {

TACTUS_HD constexpr double to_geopotential(const Atmosphere& atmosphere, double altitude_m) {
  return atmosphere.altitude_kind == AltitudeKind::kGeometric ? geopotential_altitude(altitude_m)
                                                              : altitude_m;
}

TACTUS_HD constexpr bool in_atmosphere(double geopotential_m) {
  return geopotential_m >= kMinGeopotentialAltitude_m &&
         geopotential_m <= kMaxGeopotentialAltitude_m;
}

TACTUS_HD constexpr const AtmosphereLayer& layer_at(const Atmosphere& atmosphere,
                                                    double geopotential_m) {
  int i = 0;
  while (i + 1 < kAtmosphereLayers && geopotential_m >= atmosphere.layers[i + 1].base_m) ++i;
  return atmosphere.layers[i];
}

inline constexpr double kHydrostatic_k_m = kStandardGravity_m_s2 / kAirGasConstant_j_kg_k;

/// u^(−g0/(Rλ) − 1) of the lowest layer, u = T/T_b in [0.69, 1.145]: nearly every flight is here,
/// in every right-hand side, and a general power costs five times as much. Chebyshev interpolant of
/// degree 13, relative error below 4e-17 plus rounding; Estrin's scheme for short dependency
/// chains.
TACTUS_HD constexpr double troposphere_density_ratio(double u) {
  const double t = (u - 0.9175) * (1.0 / 0.2275);
  const double t2 = t * t;
  const double t4 = t2 * t2;
  const double c01 = 0x1.62ea904b56abcp-1 + 0x1.76888eadbc55cp-1 * t;
  const double c23 = 0x1.2e5dee89e0044p-2 + 0x1.c304b84da74a6p-5 * t;
  const double c45 = 0x1.18e5bb25c94ebp-8 + 0x1.c83ef630b61c7p-15 * t;
  const double c67 = -0x1.c0f802229c450p-20 + 0x1.bbcd7313b0564p-24 * t;
  const double c89 = -0x1.2dfa81eaa5154p-27 + 0x1.f26907ec559b3p-31 * t;
  const double cab = -0x1.d4035fa6708e9p-34 + 0x1.e44d481636372p-37 * t;
  const double ccd = -0x1.25ce91abd49f7p-39 + 0x1.5ffe5773d48b2p-42 * t;
  const double low = (c01 + c23 * t2) + (c45 + c67 * t2) * t4;
  const double high = (c89 + cab * t2) + ccd * t4;
  return low + high * (t4 * t4);
}

/// Temperature and density relative to the base of the layer. Pressure is their product.
struct LayerRatios {
  double temperature = 1.0;
  double density = 1.0;
};

TACTUS_HD inline LayerRatios ratios_at(const AtmosphereLayer& layer, double geopotential_m) {
  const double above_m = geopotential_m - layer.base_m;
  if (layer.relative_lapse_per_m == 0.0) {
    return {1.0, math::exp(-kHydrostatic_k_m / layer.temperature_k * above_m)};
  }
  const double u = 1.0 + layer.relative_lapse_per_m * above_m;
  return {u, layer.base_m == 0.0 ? troposphere_density_ratio(u) : math::pow(u, layer.exponent)};
}

}  // namespace detail

TACTUS_HD inline bool altitude_in_range(const Atmosphere& atmosphere, double altitude_m) {
  return detail::in_atmosphere(detail::to_geopotential(atmosphere, altitude_m));
}

/// Density alone: for right-hand sides.
TACTUS_HD inline double air_density(const Atmosphere& atmosphere, double altitude_m) {
  const double h = detail::to_geopotential(atmosphere, altitude_m);
  if (!detail::in_atmosphere(h)) return math::canonical_nan();
  const AtmosphereLayer& layer = detail::layer_at(atmosphere, h);
  return layer.density_kg_m3 * detail::ratios_at(layer, h).density;
}

TACTUS_HD inline AirState air_state(const Atmosphere& atmosphere, double altitude_m) {
  const double h = detail::to_geopotential(atmosphere, altitude_m);
  if (!detail::in_atmosphere(h)) {
    const double nan = math::canonical_nan();
    return {nan, nan, nan, nan};
  }
  const AtmosphereLayer& layer = detail::layer_at(atmosphere, h);
  const detail::LayerRatios ratios = detail::ratios_at(layer, h);
  AirState air;
  air.density_kg_m3 = layer.density_kg_m3 * ratios.density;
  air.pressure_pa = layer.pressure_pa * (ratios.density * ratios.temperature);
  air.temperature_k = layer.temperature_k * ratios.temperature;
  air.speed_of_sound_m_s =
      math::sqrt(kAirHeatCapacityRatio * kAirGasConstant_j_kg_k * air.temperature_k);
  return air;
}

/// Stacks the layers from sea level up. Runs on a device too, so it does not validate: whoever owns
/// the parameters does (make_multirotor).
TACTUS_HD inline Atmosphere make_atmosphere(const AtmosphereParameters& parameters) {
  TACTUS_ASSERT(parameters.sea_level_pressure_pa > 0.0, "validated parameters");
  constexpr double kBase_m[kAtmosphereLayers] = {0.0,     11000.0, 20000.0, 32000.0,
                                                 47000.0, 51000.0, 71000.0};
  constexpr double kLapse_k_m[kAtmosphereLayers] = {-0.0065, 0.0,     0.001, 0.0028,
                                                    0.0,     -0.0028, -0.002};
  constexpr double kTemperature_k[kAtmosphereLayers] = {288.15, 216.65, 216.65, 228.65,
                                                        270.65, 270.65, 214.65};
  Atmosphere atmosphere;
  atmosphere.altitude_kind = parameters.altitude_kind;
  double pressure_pa = parameters.sea_level_pressure_pa;
  for (int i = 0; i < kAtmosphereLayers; ++i) {
    if (i > 0) {
      const detail::LayerRatios top = detail::ratios_at(atmosphere.layers[i - 1], kBase_m[i]);
      pressure_pa *= top.density * top.temperature;
    }
    AtmosphereLayer& layer = atmosphere.layers[i];
    layer.base_m = kBase_m[i];
    layer.temperature_k = kTemperature_k[i] + parameters.temperature_offset_k;
    TACTUS_ASSERT(layer.temperature_k > 0.0, "validated parameters");
    TACTUS_ASSERT(i == 0 || layer.base_m > atmosphere.layers[i - 1].base_m, "layers from below");
    layer.pressure_pa = pressure_pa;
    TACTUS_ASSERT(i == 0 || pressure_pa < atmosphere.layers[i - 1].pressure_pa,
                  "pressure falls with altitude");
    layer.density_kg_m3 = pressure_pa / (kAirGasConstant_j_kg_k * layer.temperature_k);
    layer.relative_lapse_per_m = kLapse_k_m[i] / layer.temperature_k;
    if (kLapse_k_m[i] != 0.0) layer.exponent = -detail::kHydrostatic_k_m / kLapse_k_m[i] - 1.0;
  }
  return atmosphere;
}

}  // namespace tactus
