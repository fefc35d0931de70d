// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/scenario/motor_noise.h"

#include <string>

#include "tactus/core/assert.h"

namespace tactus {

MotorNoise make_motor_noise(std::uint64_t seed, std::string_view event, int rotor,
                            DurationUs correlation, DurationUs period) {
  TACTUS_ASSERT(period.us > 0 && rotor >= 0, "noise of a motor needs ticks and a rotor");
  MotorNoise noise;
  noise.stream = RandomStream(seed, "motor_noise." + std::string(event));
  noise.rotor = static_cast<std::uint32_t>(rotor);
  noise.period = period;
  if (correlation.us > 0) noise.step = gauss_markov(period, to_seconds(correlation));
  return noise;
}

NoiseLevel begin_noise(const MotorNoise& noise, TimeUs now) {
  const std::uint64_t tick = now.us / noise.period.us;
  return {noise.stream.normal(tick, noise.rotor), tick};
}

void advance_noise(const MotorNoise& noise, TimeUs now, NoiseLevel& level) {
  const std::uint64_t tick = now.us / noise.period.us;
  if (tick == level.tick) return;
  level.value =
      noise.step.fade * level.value + noise.step.drive * noise.stream.normal(tick, noise.rotor);
  level.tick = tick;
}

}  // namespace tactus
