// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The noise of a motor that runs unevenly: a worn bearing, a loose or cracked blade, a speed
// controller that loses step. Thrust and air torque of the rotor are multiplied by
//   1 + value · x,   held from one tick of the autopilot to the next (contract C5),
// x a first-order Gauss-Markov process of mean 0 and variance 1, in equilibrium from its start:
//   x_k = fade · x_k−1 + drive · n_k,   fade = exp(−period / correlation), drive² = 1 − fade²;
// without a correlation time x_k = n_k: white up to half the autopilot's rate. n_k is drawn by
// (seed, id of the event, rotor, tick), so no other noise, event or rotor shifts it.
// Valid for deviations within 0 … twice the thrust: beyond, the factor is cut off (at value = 0.5
// 5 % of the ticks, at 0.3 0.1 %). Thrust goes with the square of the speed: a speed ripple of δ is
// a value of 2 δ. What the rotor's inertia would smooth is part of the value.

#include <cstdint>
#include <string_view>

#include "tactus/core/random.h"
#include "tactus/core/time.h"
#include "tactus/sensor/instrument.h"

namespace tactus {

struct MotorNoise {
  RandomStream stream;
  std::uint32_t rotor = 0;
  DurationUs period;
  Wander step{.fade = 0.0, .drive = 1.0};
};

struct NoiseLevel {
  double value = 0.0;      ///< x_k
  std::uint64_t tick = 0;  ///< k
};

/// `correlation` 0: white.
MotorNoise make_motor_noise(std::uint64_t seed, std::string_view event, int rotor,
                            DurationUs correlation, DurationUs period);

NoiseLevel begin_noise(const MotorNoise& noise, TimeUs now);

/// To the newest tick that is not later than `now`: nothing, if that is where it stands.
void advance_noise(const MotorNoise& noise, TimeUs now, NoiseLevel& level);

}  // namespace tactus
