// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Holds the vehicle level and at 2.5 m over its start: attitude from the gyroscope alone, height
// from the barometer. Good for a minute in calm air; rotors as PX4's Iris has them.

#include <algorithm>
#include <cstdint>

#include "tactus/core/quat.h"
#include "tactus/core/vec.h"

namespace tactus {

class Controller {
 public:
  void take_height(double height_m) {
    if (!has_ground_) ground_m_ = height_m;
    has_ground_ = true;
    constexpr double kPeriod_s = 0.02;  // of the barometer
    const double climb = (height_m - ground_m_ - height_m_) / kPeriod_s;
    climb_m_s_ += 0.2 * (climb - climb_m_s_);
    height_m_ = height_m - ground_m_;
  }

  void take_rates(Vec3 rate_rad_s, std::uint64_t time_us) {
    const double dt_s = time_us_ == 0 ? 0.0 : static_cast<double>(time_us - time_us_) * 1e-6;
    time_us_ = time_us;
    rate_ = rate_rad_s;
    attitude_ = normalized(attitude_ * exp_rotation(dt_s * rate_rad_s));
  }

  /// `flies` false: the motors turn slowly.
  void drive(bool flies, float (&controls)[16]) const {
    const EulerAngles e = to_euler(attitude_);
    const double thrust =
        flies ? std::clamp(0.5 + 0.15 * (2.5 - height_m_) - 0.15 * climb_m_s_, 0.2, 0.8) : 0.05;
    const double roll = flies ? -0.2 * e.roll_rad - 0.05 * rate_.x : 0.0;
    const double pitch = flies ? -0.2 * e.pitch_rad - 0.05 * rate_.y : 0.0;
    const double yaw = flies ? -0.1 * rate_.z : 0.0;
    const double mixed[4] = {thrust - roll + pitch + yaw, thrust + roll - pitch + yaw,
                             thrust + roll + pitch - yaw, thrust - roll - pitch - yaw};
    for (int i = 0; i < 4; ++i) controls[i] = static_cast<float>(std::clamp(mixed[i], 0.0, 1.0));
  }

 private:
  std::uint64_t time_us_ = 0;
  Vec3 rate_;
  Quat attitude_{1.0, 0.0, 0.0, 0.0};
  bool has_ground_ = false;
  double ground_m_ = 0.0;
  double height_m_ = 0.0;
  double climb_m_s_ = 0.0;
};

}  // namespace tactus
