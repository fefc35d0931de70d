// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sensor/vibration.h"

#include <cstddef>

#include "tactus/core/assert.h"
#include "tactus/core/math.h"

namespace tactus {
namespace {

constexpr double kGoldenAngle_rad = 2.399963229728653;

double within_a_turn(double angle_rad) {
  return angle_rad - math::kTwoPi * math::floor(angle_rad / math::kTwoPi);
}

/// sin(x) / x
double sine_ratio(double x) { return math::abs(x) < 1e-4 ? 1.0 - x * x / 6.0 : math::sin(x) / x; }

}  // namespace

Vec3 step_vibration(std::span<const EscStatus> rotors, double reference_speed_rad_s, double dt_s,
                    bool mean, RotorAngles& state) {
  TACTUS_ASSERT(rotors.size() <= kMaxMotors, "more rotors than a vehicle can have");
  Vec3 sum;
  for (std::size_t i = 0; i < rotors.size(); ++i) {
    const double speed = rotors[i].speed_rad_s;
    const double mean_speed = 0.5 * (state.speed_rad_s[i] + speed);
    const double turned = mean_speed * dt_s;
    const double mark = state.angle_rad[i] + static_cast<double>(i) * kGoldenAngle_rad;
    const double relative = (mean && dt_s > 0.0 ? mean_speed : speed) / reference_speed_rad_s;
    double amplitude = relative * relative;
    if (mean) amplitude *= sine_ratio(0.5 * turned);
    double sine = 0.0;
    double cosine = 1.0;
    math::sincos(mark + (mean ? 0.5 * turned : turned), &sine, &cosine);
    sum += amplitude * Vec3{cosine, sine, sine};
    state.angle_rad[i] = within_a_turn(state.angle_rad[i] + turned);
    state.speed_rad_s[i] = speed;
  }
  return sum;
}

}  // namespace tactus
