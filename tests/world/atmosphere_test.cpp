// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/world/atmosphere.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tactus/core/error.h"
#include "tactus/core/fields.h"

namespace tactus {
namespace {

Atmosphere standard(AltitudeKind kind) {
  AtmosphereParameters parameters;
  parameters.altitude_kind = kind;
  return make_atmosphere(parameters);
}

TEST(Atmosphere, ReproducesPriorArtDensities) {
  const Atmosphere air = standard(AltitudeKind::kGeopotential);
  const double spots[][2] = {{0.0, 1.2250000},
                             {488.0, 1.1686295},
                             {1488.0, 1.0593295},
                             {3488.0, 0.8643089},
                             {11000.0, 0.3639176}};
  for (const auto& [altitude, density] : spots) {
    EXPECT_NEAR(air_density(air, altitude), density, 0.51e-7) << altitude;
  }
}

TEST(Atmosphere, ReproducesLayerBasesOfTheStandard) {
  // U.S. Standard Atmosphere 1976, pressures at the geopotential layer bases.
  const double bases[][3] = {{0.0, 288.15, 101325.0},     {11000.0, 216.65, 22632.06},
                             {20000.0, 216.65, 5474.889}, {32000.0, 228.65, 868.0187},
                             {47000.0, 270.65, 110.9063}, {51000.0, 270.65, 66.93887},
                             {71000.0, 214.65, 3.956420}, {84852.0, 186.946, 0.3733836}};
  const Atmosphere air = standard(AltitudeKind::kGeopotential);
  for (const auto& [altitude, temperature, pressure] : bases) {
    const AirState state = air_state(air, altitude);
    EXPECT_NEAR(state.temperature_k, temperature, 1e-9) << altitude;
    EXPECT_NEAR(state.pressure_pa / pressure, 1.0, 1e-5) << altitude;
  }
}

TEST(Atmosphere, ReproducesGeometricTableOfTheStandard) {
  // U.S. Standard Atmosphere 1976, table I: altitude, temperature, pressure, density as printed.
  const double table[][4] = {
      {-2000.0, 301.154, 1.2778e5, 1.4782},    {1000.0, 281.651, 8.9876e4, 1.1117},
      {5000.0, 255.676, 5.4048e4, 7.3643e-1},  {10000.0, 223.252, 2.6500e4, 4.1351e-1},
      {20000.0, 216.650, 5.5293e3, 8.8910e-2}, {30000.0, 226.509, 1.1970e3, 1.8410e-2},
      {50000.0, 270.650, 7.9779e1, 1.0269e-3}, {60000.0, 247.021, 2.1958e1, 3.0968e-4},
      {70000.0, 219.585, 5.2209, 8.2829e-5},   {86000.0, 186.946, 3.7338e-1, 6.958e-6}};
  const Atmosphere air = standard(AltitudeKind::kGeometric);
  for (const auto& [altitude, temperature, pressure, density] : table) {
    const AirState state = air_state(air, altitude);
    EXPECT_NEAR(state.temperature_k, temperature, 6e-4) << altitude;
    EXPECT_NEAR(state.pressure_pa / pressure, 1.0, 5e-5) << altitude;
    EXPECT_NEAR(state.density_kg_m3 / density, 1.0, 8e-5) << altitude;
  }
  EXPECT_NEAR(air_state(air, 0.0).speed_of_sound_m_s, 340.294, 5e-4);
  EXPECT_NEAR(air_state(air, 10000.0).speed_of_sound_m_s, 299.532, 5e-4);
}

TEST(Atmosphere, LowestLayerIsThePowerLaw) {
  const double exponent = kStandardGravity_m_s2 / (0.0065 * kAirGasConstant_j_kg_k) - 1.0;
  double worst = 0.0;
  for (double u = 0.69; u <= 1.145; u += 1e-5) {
    const double expected = std::pow(u, exponent);
    worst = std::max(worst, std::abs(detail::troposphere_density_ratio(u) / expected - 1.0));
  }
  EXPECT_LT(worst, 1e-15);
}

class AnyDay : public ::testing::TestWithParam<AtmosphereParameters> {};

TEST_P(AnyDay, IsHydrostaticAndAnIdealGas) {
  const Atmosphere air = make_atmosphere(GetParam());
  for (double h = -4990.0; h < 84800.0; h += 97.0) {
    const double d = 0.5;
    const AirState below = air_state(air, h - d);
    const AirState here = air_state(air, h);
    const AirState above = air_state(air, h + d);
    const double slope = (above.pressure_pa - below.pressure_pa) / (2.0 * d);
    EXPECT_NEAR(slope / (-here.density_kg_m3 * kStandardGravity_m_s2), 1.0, 1e-6) << h;
    EXPECT_NEAR(
        here.pressure_pa / (here.density_kg_m3 * kAirGasConstant_j_kg_k * here.temperature_k), 1.0,
        2e-15);
    EXPECT_EQ(here.density_kg_m3, air_density(air, h));
  }
}

TEST_P(AnyDay, IsContinuousAtLayerBases) {
  const Atmosphere air = make_atmosphere(GetParam());
  for (int i = 1; i < kAtmosphereLayers; ++i) {
    const double base = air.layers[i].base_m;
    const double below = std::nextafter(base, 0.0);
    EXPECT_NEAR(air_density(air, below) / air_density(air, base), 1.0, 1e-14) << base;
    EXPECT_NEAR(air_state(air, below).pressure_pa / air_state(air, base).pressure_pa, 1.0, 1e-14);
  }
}

TEST_P(AnyDay, HasItsSeaLevelState) {
  const AirState state = air_state(make_atmosphere(GetParam()), 0.0);
  EXPECT_DOUBLE_EQ(state.pressure_pa, GetParam().sea_level_pressure_pa);
  EXPECT_DOUBLE_EQ(state.temperature_k, 288.15 + GetParam().temperature_offset_k);
}

INSTANTIATE_TEST_SUITE_P(
    Days, AnyDay,
    ::testing::Values(AtmosphereParameters{AltitudeKind::kGeopotential, 0.0, 101325.0},
                      AtmosphereParameters{AltitudeKind::kGeopotential, 25.0, 98000.0},
                      AtmosphereParameters{AltitudeKind::kGeopotential, 50.0, 110000.0},
                      AtmosphereParameters{AltitudeKind::kGeopotential, -50.0, 104000.0}));

TEST(Atmosphere, ConvertsAltitudes) {
  EXPECT_NEAR(geopotential_altitude(86000.0), 84852.0, 0.05);
  EXPECT_NEAR(geopotential_altitude(20000.0), 19937.3, 0.05);
  for (const double z : {-5000.0, 0.0, 488.0, 12345.0, 86000.0}) {
    const double h = geopotential_altitude(z);
    EXPECT_NEAR(kGeopotentialRadius_m * h / (kGeopotentialRadius_m - h), z, 1e-9);
  }
}

TEST(Atmosphere, IsNotANumberOutsideItsRange) {
  const Atmosphere air = standard(AltitudeKind::kGeometric);
  for (const double altitude : {-5000.0, 0.0, 86000.0}) {
    EXPECT_TRUE(altitude_in_range(air, altitude));
    EXPECT_TRUE(std::isfinite(air_density(air, altitude)));
  }
  for (const double altitude :
       {-5010.0, 86010.0, std::nan(""), 1e300, -1e300, std::numeric_limits<double>::infinity()}) {
    EXPECT_FALSE(altitude_in_range(air, altitude)) << altitude;
    EXPECT_TRUE(std::isnan(air_density(air, altitude))) << altitude;
    EXPECT_TRUE(std::isnan(air_state(air, altitude).pressure_pa)) << altitude;
  }
}

TEST(Atmosphere, RefusesParametersThatAreNotWeather) {
  EXPECT_NO_THROW(validate(AtmosphereParameters{}, "air"));
  EXPECT_THROW(validate({AltitudeKind::kGeometric, 0.0, 1013.25}, "air"), Error);
  EXPECT_THROW(validate({AltitudeKind::kGeometric, 288.15, 101325.0}, "air"), Error);
  EXPECT_THROW(validate({AltitudeKind::kGeometric, std::nan(""), 101325.0}, "air"), Error);
}

}  // namespace
}  // namespace tactus
