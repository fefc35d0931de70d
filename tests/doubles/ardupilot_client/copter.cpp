// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tests/doubles/ardupilot_client/copter.h"

#include <algorithm>
#include <cmath>

namespace ardupilot_double {

namespace {

constexpr double kHover = 0.5;
constexpr double kLandingSpeed_m_s = 0.7;
// Front right, rear left, front left, rear right: share of roll, pitch and yaw.
constexpr double kMix[4][3] = {{-1, 1, 1}, {1, -1, 1}, {1, 1, -1}, {-1, -1, -1}};

}  // namespace

void Copter::step(const Motion& motion, double time_s) {
  if (phase_ == Phase::kDisarmed && time_s >= options_.arm_s) phase_ = Phase::kFlies;
  if (phase_ == Phase::kFlies && time_s >= options_.land_s) phase_ = Phase::kLands;
  if (phase_ == Phase::kLands && motion.position[2] > -0.3 && std::abs(motion.velocity[2]) < 0.05) {
    phase_ = Phase::kLanded;
  }
  drive_ = {};
  if (phase_ == Phase::kFlies || phase_ == Phase::kLands) control(motion);
}

void Copter::control(const Motion& m) {
  const double w = m.quaternion[0];
  const double x = m.quaternion[1];
  const double y = m.quaternion[2];
  const double z = m.quaternion[3];
  const double roll = std::atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y));
  const double pitch = std::asin(std::clamp(2.0 * (w * y - z * x), -1.0, 1.0));
  const double climb_m_s = phase_ == Phase::kLands
                               ? -kLandingSpeed_m_s
                               : std::clamp(options_.height_m + m.position[2], -1.0, 2.0);
  const double lift = kHover + 0.1 * (climb_m_s + m.velocity[2]);
  const double pitch_wanted = std::clamp(0.05 * (m.position[0] + 2.0 * m.velocity[0]), -0.2, 0.2);
  const double roll_wanted = std::clamp(-0.05 * (m.position[1] + 2.0 * m.velocity[1]), -0.2, 0.2);
  const double turn[3] = {0.2 * (roll_wanted - roll) - 0.04 * m.gyro[0],
                          0.2 * (pitch_wanted - pitch) - 0.04 * m.gyro[1], -0.1 * m.gyro[2]};
  for (std::size_t k = 0; k < drive_.size(); ++k) {
    const double sum = lift + kMix[k][0] * turn[0] + kMix[k][1] * turn[1] + kMix[k][2] * turn[2];
    drive_[k] = std::clamp(sum, 0.05, 1.0);
  }
}

std::array<std::uint16_t, 32> Copter::pulses(std::uint32_t count) const {
  std::array<std::uint16_t, 32> pulses{};
  if (options_.pattern != 0) {
    for (std::size_t k = 0; k < 12; ++k) pulses[k] = static_cast<std::uint16_t>(1100 + 100 * k);
    if (options_.wild_at >= 0 && count >= options_.wild_at) pulses[0] = 65535;
    return pulses;
  }
  if (count < static_cast<std::uint32_t>(options_.boot_frames)) return pulses;
  for (std::size_t k = 0; k < drive_.size(); ++k) {
    pulses[k] = static_cast<std::uint16_t>(1000 + std::lround(1000.0 * drive_[k]));
  }
  return pulses;
}

}  // namespace ardupilot_double
