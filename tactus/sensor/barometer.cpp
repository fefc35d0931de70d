// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sensor/barometer.h"

#include <fmt/format.h>

#include "tactus/core/checks.h"
#include "tactus/core/math.h"
#include "tactus/world/atmosphere.h"

namespace tactus {
namespace {

constexpr std::uint32_t kWhiteChannel = 0;
constexpr std::uint32_t kDriftChannel = 1;
constexpr std::uint32_t kGarbageChannel = 4;

constexpr double kZeroCelsius_k = 273.15;

/// Response of τ x' = u − x to a u that goes linearly from u0 to u1 in one period.
double follow(double x, double u0, double u1, double lag_s, double dt_s) {
  if (lag_s == 0.0) return u1;
  const double behind = lag_s / dt_s * (u1 - u0);  // distance to a ramp, in the end
  return u1 - behind + math::exp(-dt_s / lag_s) * (x - u0 + behind);
}

void step_element(const BarometerParameters& p, double port_pa, DurationUs period,
                  BarometerState& state) {
  state.lagged_pa = state.line.taken == 0 ? port_pa
                                          : follow(state.lagged_pa, state.port_pa, port_pa, p.lag_s,
                                                   to_seconds(period));
  state.port_pa = port_pa;
}

void step_drift(const BarometerParameters& p, const RandomStream& stream, DurationUs period,
                BarometerState& state) {
  if (p.drift_sigma_pa == 0.0) return;
  const double xi = stream.normal(state.line.taken, kDriftChannel);
  const Wander wander = gauss_markov(period, p.drift_time_constant_s);
  state.drift = state.line.taken == 0 ? xi : wander.fade * state.drift + wander.drive * xi;
}

}  // namespace

void validate(const BarometerParameters& p, std::string_view where) {
  require_within(where, "noise_sigma_pa", p.noise_sigma_pa, 0.0, 1e4);
  require_within(where, "drift_sigma_pa", p.drift_sigma_pa, 0.0, 1e4);
  require_positive(where, "drift_time_constant_s", p.drift_time_constant_s);
  require_within(where, "lag_s", p.lag_s, 0.0, 1e3);
  require_within(where, "dynamic_pressure_coefficient", p.dynamic_pressure_coefficient, -2.0, 2.0);
  require_within(where, "temperature_offset_k", p.temperature_offset_k, -100.0, 100.0);
  require_positive(where, "lowest_pa", p.lowest_pa);
  require_finite(where, "highest_pa", p.highest_pa);
  if (p.highest_pa <= p.lowest_pa) {
    refuse(where, "highest_pa", p.highest_pa,
           fmt::format("must be greater than lowest_pa = {}", p.lowest_pa));
  }
  require_within(where, "resolution_pa", p.resolution_pa, 0.0, 1e4);
}

double pressure_altitude_m(double pressure_pa) {
  constexpr double kSeaLevel_pa = 101325.0;
  constexpr double kSeaLevel_k = 288.15;
  constexpr double kLapse_k_m = 0.0065;
  constexpr double kTropopause_m = 11000.0;
  constexpr double kTropopause_k = kSeaLevel_k - kLapse_k_m * kTropopause_m;
  constexpr double kTropopause_pa = 22632.0400950;
  if (pressure_pa > kTropopause_pa) {
    constexpr double kExponent = kLapse_k_m / detail::kHydrostatic_k_m;
    return kSeaLevel_k / kLapse_k_m * (1.0 - math::pow(pressure_pa / kSeaLevel_pa, kExponent));
  }
  return kTropopause_m -
         kTropopause_k / detail::kHydrostatic_k_m * math::log(pressure_pa / kTropopause_pa);
}

BarometerReading step_barometer(const BarometerParameters& p, const RandomStream& stream,
                                DurationUs period, const BarometerInput& input,
                                const InstrumentFault& fault, TimeUs now, BarometerState& state) {
  const double dynamic_pa = 0.5 * input.air.density_kg_m3 * norm_squared(input.air_velocity_B_m_s);
  step_element(p, input.air.pressure_pa + p.dynamic_pressure_coefficient * dynamic_pa, period,
               state);
  step_drift(p, stream, period, state);
  auto& line = state.line;
  const double temperature_c = input.air.temperature_k - kZeroCelsius_k + p.temperature_offset_k;
  const double noise =
      white_noise(stream, line.taken, kWhiteChannel, fault.noise_scale * p.noise_sigma_pa);
  const double measured = state.lagged_pa + p.drift_sigma_pa * state.drift + noise + fault.bias.x;
  const BarometerSample sample{
      quantise(math::clamp(measured, p.lowest_pa, p.highest_pa), p.resolution_pa), temperature_c};
  const auto garbage = [&](std::uint64_t tick) {
    return BarometerSample{uniform_within(stream, tick, kGarbageChannel, p.lowest_pa, p.highest_pa),
                           temperature_c};
  };
  deliver(fault, DurationUs(), period, now, sample, garbage, line);
  BarometerReading reading;
  reading.measured_at = line.measured_at;
  reading.count = line.count;
  if (line.count == 0) return reading;
  reading.pressure_pa = line.reading.pressure_pa;
  reading.altitude_m = pressure_altitude_m(line.reading.pressure_pa);
  reading.temperature_c = line.reading.temperature_c;
  return reading;
}

}  // namespace tactus
