// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sensor/magnetometer.h"

#include "tactus/core/checks.h"

namespace tactus {
namespace {

constexpr std::uint32_t kWhiteChannel = 0;
constexpr std::uint32_t kTurnOnChannel = 1;
constexpr std::uint32_t kGarbageChannel = 4;

Vec3 through_soft_iron(const MagnetometerParameters& p, Vec3 field_B) {
  const Vec3 d = p.soft_iron_diagonal;
  const Vec3 o = p.soft_iron_off_diagonal;
  const Mat3 soft{{{d.x, o.x, o.y}, {o.x, d.y, o.z}, {o.y, o.z, d.z}}};
  return soft * field_B;
}

}  // namespace

void validate(const MagnetometerParameters& p, std::string_view where) {
  require_within(where, "noise_sigma_gauss", p.noise_sigma_gauss, 0.0, 10.0);
  require_within(where, "bias_sigma_gauss", p.bias_sigma_gauss, 0.0, 10.0);
  require_each_within(where, "hard_iron_gauss", p.hard_iron_gauss, -10.0, 10.0);
  require_each_within(where, "soft_iron_diagonal", p.soft_iron_diagonal, 0.1, 10.0);
  require_each_within(where, "soft_iron_off_diagonal", p.soft_iron_off_diagonal, -1.0, 1.0);
  require_each_within(where, "current_gain_gauss_a", p.current_gain_gauss_a, -1.0, 1.0);
  require_positive(where, "range_gauss", p.range_gauss);
  require_within(where, "resolution_gauss", p.resolution_gauss, 0.0, p.range_gauss);
}

MagnetometerReading step_magnetometer(const MagnetometerParameters& p, const RandomStream& stream,
                                      DurationUs period, const MagnetometerInput& input,
                                      const InstrumentFault& fault, TimeUs now,
                                      MagnetometerState& state) {
  auto& line = state.line;
  if (line.taken == 0) {
    state.turn_on_bias_gauss = white_noise3(stream, 0, kTurnOnChannel, p.bias_sigma_gauss);
  }
  const Vec3 field_B = through_soft_iron(p, rotate_inverse(input.attitude, input.field_W_gauss)) +
                       p.hard_iron_gauss + state.turn_on_bias_gauss +
                       input.battery_current_a * p.current_gain_gauss_a + fault.bias;
  const Vec3 noise =
      white_noise3(stream, line.taken, kWhiteChannel, fault.noise_scale * p.noise_sigma_gauss);
  const auto garbage = [&](std::uint64_t tick) {
    return uniform_within3(stream, tick, kGarbageChannel, p.range_gauss);
  };
  deliver(fault, DurationUs(), period, now,
          quantise(saturate(field_B + noise, p.range_gauss), p.resolution_gauss), garbage, line);
  return {line.measured_at, line.count, line.reading};
}

MagnetometerInput InstrumentOnBus<MagnetometerParameters>::input(const BusPort& bus) const {
  const Truth& truth = bus.read<Signal::kTruth>();
  double current_a = 0.0;
  for (const BatteryStatus& pack : bus.read<Signal::kBattery>()) current_a += pack.current_a;
  const Vec3 flux_nt = magnetic_flux_nt(world, truth.position_W_m);
  return {truth.attitude, kGaussPerNanotesla * flux_nt, current_a};
}

}  // namespace tactus
