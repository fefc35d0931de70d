// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sensor/airspeed.h"

#include "tactus/core/checks.h"
#include "tactus/core/math.h"

namespace tactus {
namespace {

constexpr std::uint32_t kWhiteChannel = 0;
constexpr std::uint32_t kTurnOnChannel = 1;
constexpr std::uint32_t kGarbageChannel = 4;

constexpr double kZeroCelsius_k = 273.15;

}  // namespace

void validate(const AirspeedParameters& p, std::string_view where) {
  require_within(where, "gain", p.gain, 0.0, 10.0);
  require_within(where, "noise_sigma_pa", p.noise_sigma_pa, 0.0, 1e4);
  require_within(where, "offset_sigma_pa", p.offset_sigma_pa, 0.0, 1e4);
  require_positive(where, "range_pa", p.range_pa);
  require_within(where, "resolution_pa", p.resolution_pa, 0.0, p.range_pa);
}

AirspeedReading step_airspeed(const AirspeedParameters& p, const RandomStream& stream,
                              DurationUs period, const AirspeedInput& input,
                              const InstrumentFault& fault, TimeUs now, AirspeedState& state) {
  auto& line = state.line;
  if (line.taken == 0) state.offset_pa = white_noise(stream, 0, kTurnOnChannel, p.offset_sigma_pa);
  const double u = -input.air_velocity_B_m_s.x;
  const double dynamic_pa = 0.5 * input.air.density_kg_m3 * u * math::abs(u);
  const double noise =
      white_noise(stream, line.taken, kWhiteChannel, fault.noise_scale * p.noise_sigma_pa);
  const double measured = p.gain * dynamic_pa + state.offset_pa + noise + fault.bias.x;
  const double temperature_c = input.air.temperature_k - kZeroCelsius_k;
  const AirspeedSample sample{quantise(saturate(measured, p.range_pa), p.resolution_pa),
                              temperature_c};
  const auto garbage = [&](std::uint64_t tick) {
    return AirspeedSample{uniform_within(stream, tick, kGarbageChannel, -p.range_pa, p.range_pa),
                          temperature_c};
  };
  deliver(fault, DurationUs(), period, now, sample, garbage, line);
  return {line.measured_at, line.count, line.reading.differential_pressure_pa,
          line.reading.temperature_c};
}

}  // namespace tactus
