// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Errors that instruments have in common: noise, slow drift, and a converter's rounding and limits.
// Random numbers are pure functions of (stream, tick, channel), and a deviation of zero draws none.

#include <cstdint>

#include "tactus/core/hd.h"
#include "tactus/core/math.h"
#include "tactus/core/random.h"
#include "tactus/core/time.h"
#include "tactus/core/vec.h"

namespace tactus {

// ---- noise

/// Independent normal values with deviation `sigma`.
TACTUS_HD inline Vec3 white_noise3(const RandomStream& stream, std::uint64_t tick,
                                   std::uint32_t channel, Vec3 sigma) {
  if (sigma == Vec3{}) return {};
  return multiply_elements(sigma, stream.normal3(tick, channel));
}

TACTUS_HD inline Vec3 white_noise3(const RandomStream& stream, std::uint64_t tick,
                                   std::uint32_t channel, double sigma) {
  return white_noise3(stream, tick, channel, Vec3{sigma, sigma, sigma});
}

TACTUS_HD inline double white_noise(const RandomStream& stream, std::uint64_t tick,
                                    std::uint32_t channel, double sigma) {
  return sigma == 0.0 ? 0.0 : sigma * stream.normal(tick, channel);
}

/// b ← fade · b + drive · ξ over one period.
struct Wander {
  double fade = 1.0;
  double drive = 0.0;
};

/// First-order Gauss–Markov process with deviation 1: fade = e^(−T/τ), drive = √(1 − e^(−2T/τ)).
TACTUS_HD inline Wander gauss_markov(DurationUs period, double time_constant_s) {
  const double ratio = to_seconds(period) / time_constant_s;
  return {math::exp(-ratio), math::sqrt(-math::expm1(-2.0 * ratio))};
}

/// Random walk that grows by `walk` √t (τ = 0), or pulled back to zero with time constant τ:
/// drive = walk √(τ/2 · (1 − e^(−2T/τ))). Both are exact, so the period does not matter.
TACTUS_HD inline Wander random_walk(DurationUs period, double walk, double time_constant_s) {
  if (time_constant_s == 0.0) return {1.0, walk * math::sqrt(to_seconds(period))};
  const Wander unit = gauss_markov(period, time_constant_s);
  return {unit.fade, walk * math::sqrt(0.5 * time_constant_s) * unit.drive};
}

/// For garbage.
TACTUS_HD inline double uniform_within(const RandomStream& stream, std::uint64_t tick,
                                       std::uint32_t channel, double lowest, double highest) {
  return lowest + (highest - lowest) * stream.uniform(tick, channel);
}

/// In ±range.
TACTUS_HD inline Vec3 uniform_within3(const RandomStream& stream, std::uint64_t tick,
                                      std::uint32_t channel, double range) {
  return {uniform_within(stream, tick, channel, -range, range),
          uniform_within(stream, tick, channel + 1, -range, range),
          uniform_within(stream, tick, channel + 2, -range, range)};
}

// ---- converter

/// The nearest multiple of `step`; 0: as it is.
TACTUS_HD inline double quantise(double value, double step) {
  return step > 0.0 ? step * math::rint(value / step) : value;
}

TACTUS_HD inline Vec3 quantise(Vec3 value, double step) {
  return {quantise(value.x, step), quantise(value.y, step), quantise(value.z, step)};
}

/// Within ±range.
TACTUS_HD inline double saturate(double value, double range) {
  return math::clamp(value, -range, range);
}

TACTUS_HD inline Vec3 saturate(Vec3 value, double range) {
  return {saturate(value.x, range), saturate(value.y, range), saturate(value.z, range)};
}

}  // namespace tactus
