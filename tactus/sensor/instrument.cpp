// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sensor/instrument.h"

#include <fmt/format.h>

#include "tactus/core/checks.h"
#include "tactus/core/error.h"

namespace tactus {
namespace {

std::uint64_t ticks_in(std::uint64_t delay_us, DurationUs period) {
  return delay_us / period.us + (delay_us % period.us != 0 ? 1 : 0);
}

}  // namespace

std::uint64_t delay_in_ticks(DurationUs own_delay, const InstrumentFault& fault, DurationUs period,
                             std::uint64_t line_samples) {
  if (own_delay.us == 0 && fault.delay_us == 0) return 0;
  const std::uint64_t ticks = ticks_in(own_delay.us, period) + ticks_in(fault.delay_us, period);
  if (ticks >= line_samples) {
    throw Error(
        ExitCode::kBadInput,
        fmt::format("instrument: a delay of {} with a fault's {} us does not fit into {} readings "
                    "of {}; the longest delay of a fault is {}",
                    to_text(own_delay), fault.delay_us, line_samples, to_text(period),
                    to_text(longest_delay(line_samples, own_delay, period))));
  }
  return ticks;
}

DurationUs longest_delay(std::uint64_t line_samples, DurationUs own_delay, DurationUs period) {
  const std::uint64_t own = ticks_in(own_delay.us, period);
  return own < line_samples ? (line_samples - 1 - own) * period : DurationUs();
}

Vec3 white_noise3(const RandomStream& stream, std::uint64_t tick, std::uint32_t channel,
                  Vec3 sigma) {
  if (sigma == Vec3{}) return {};
  return multiply_elements(sigma, stream.normal3(tick, channel));
}

Vec3 white_noise3(const RandomStream& stream, std::uint64_t tick, std::uint32_t channel,
                  double sigma) {
  return white_noise3(stream, tick, channel, Vec3{sigma, sigma, sigma});
}

double white_noise(const RandomStream& stream, std::uint64_t tick, std::uint32_t channel,
                   double sigma) {
  return sigma == 0.0 ? 0.0 : sigma * stream.normal(tick, channel);
}

Wander gauss_markov(DurationUs period, double time_constant_s) {
  const double ratio = to_seconds(period) / time_constant_s;
  return {math::exp(-ratio), math::sqrt(-math::expm1(-2.0 * ratio))};
}

Wander random_walk(DurationUs period, double walk, double time_constant_s) {
  if (time_constant_s == 0.0) return {1.0, walk * math::sqrt(to_seconds(period))};
  const Wander unit = gauss_markov(period, time_constant_s);
  return {unit.fade, walk * math::sqrt(0.5 * time_constant_s) * unit.drive};
}

double uniform_within(const RandomStream& stream, std::uint64_t tick, std::uint32_t channel,
                      double lowest, double highest) {
  return lowest + (highest - lowest) * stream.uniform(tick, channel);
}

Vec3 uniform_within3(const RandomStream& stream, std::uint64_t tick, std::uint32_t channel,
                     double range) {
  return {uniform_within(stream, tick, channel, -range, range),
          uniform_within(stream, tick, channel + 1, -range, range),
          uniform_within(stream, tick, channel + 2, -range, range)};
}

double quantise(double value, double step) {
  return step > 0.0 ? step * math::rint(value / step) : value;
}

Vec3 quantise(Vec3 value, double step) {
  return {quantise(value.x, step), quantise(value.y, step), quantise(value.z, step)};
}

double saturate(double value, double range) { return math::clamp(value, -range, range); }

Vec3 saturate(Vec3 value, double range) {
  return {saturate(value.x, range), saturate(value.y, range), saturate(value.z, range)};
}

void require_each_within(std::string_view where, std::string_view key, Vec3 value, double lowest,
                         double highest) {
  for (const double component : {value.x, value.y, value.z}) {
    require_within(where, key, component, lowest, highest);
  }
}

}  // namespace tactus
