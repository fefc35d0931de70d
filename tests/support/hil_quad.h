// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The simplest quadrotor that an external autopilot can fly, with its instruments: rotors as PX4's
// Iris has them, thrust linear in the drive, flat ground that stops all motion, calm air. For tests
// of links, where the plant must not be the question.

#include <algorithm>
#include <cstdint>
#include <random>

#include "tactus/autopilot/autopilot.h"
#include "tactus/core/math.h"

namespace tactus::testing {

class HilQuad {
 public:
  explicit HilQuad(DurationUs step = DurationUs(4'000)) : period(step) { measure(); }

  [[nodiscard]] AutopilotInput input() const {
    return {now, estimate_,    land_,     high_level, parameter, battery,      esc_,
            imu, magnetometer, barometer, gps,        airspeed_, range_finder, nullptr};
  }
  [[nodiscard]] double height_m() const { return -position_.z; }
  [[nodiscard]] double tilt_rad() const {
    return math::acos(math::clamp(rotation_matrix(attitude_).m[2][2], -1.0, 1.0));
  }

  /// One period with this command, then new readings.
  void advance(const Command& command) {
    const double dt_s = to_seconds(period);
    double thrust = 0.0;
    Vec3 torque;
    for (int i = 0; i < 4; ++i) {
      drive_[i] += (command.motor[i] - drive_[i]) * 0.55;  // lag of 5 ms at a step of 4 ms
      const double force = kFullThrust_n * drive_[i];
      thrust += force;
      torque += Vec3{-kRotorY_m[i] * force, kRotorX_m[i] * force, kSpin[i] * 0.05 * drive_[i]};
    }
    const Vec3 inertia{0.005, 0.005, 0.009};
    const Vec3 spin = multiply_elements(inertia, rate_);
    const Vec3 moment = torque - cross(rate_, spin);
    rate_ += dt_s * Vec3{moment.x / inertia.x, moment.y / inertia.y, moment.z / inertia.z};
    acceleration_ =
        rotate(attitude_, {0.0, 0.0, -thrust / kMass_kg}) - (0.1 / kMass_kg) * velocity_;
    acceleration_.z += kGravity_m_s2;
    velocity_ += dt_s * acceleration_;
    if (position_.z >= 0.0 && velocity_.z >= 0.0) stand();
    position_ += dt_s * velocity_;
    attitude_ = normalized(attitude_ * exp_rotation(dt_s * rate_));
    now += period;
    measure();
  }

  DurationUs period;
  TimeUs now;
  bool gyro_works = true;
  HighLevelCommand high_level;
  ParameterChange parameter;
  BatteryStatus battery[kMaxPacks];
  ImuReading imu[kMaxImus];
  MagnetometerReading magnetometer[kMaxMagnetometers];
  BarometerReading barometer[kMaxBarometers];
  GpsReading gps[kMaxGps];
  RangeReading range_finder[kMaxRangeFinders];

 private:
  static constexpr double kMass_kg = 0.8, kFullThrust_n = 4.0, kGravity_m_s2 = 9.80665;
  static constexpr double kRotorX_m[4] = {0.117, -0.117, 0.117, -0.117};
  static constexpr double kRotorY_m[4] = {0.117, -0.117, -0.117, 0.117};
  static constexpr double kSpin[4] = {1.0, 1.0, -1.0, -1.0};
  static constexpr double kLatitude_deg = 47.397742, kLongitude_deg = 8.545594, kAltitude_m = 488.0;

  void stand() {
    position_.z = 0.0;
    velocity_ = rate_ = acceleration_ = {};
  }

  [[nodiscard]] bool due(std::uint64_t period_us) const { return now.us % period_us < period.us; }
  double noise(double deviation) { return deviation * normal_(generator_); }
  Vec3 noise3(double deviation) { return {noise(deviation), noise(deviation), noise(deviation)}; }

  void measure() {
    const Vec3 force = acceleration_ - Vec3{0.0, 0.0, kGravity_m_s2};
    imu[0].measured_at = now;
    imu[0].specific_force_B_m_s2 = rotate_inverse(attitude_, force) + noise3(0.02);
    imu[0].rate_B_rad_s = rate_ + noise3(0.002);
    ++imu[0].force_count;
    if (gyro_works) ++imu[0].rate_count;
    if (due(20'000)) {
      magnetometer[0].field_B_gauss =
          rotate_inverse(attitude_, {0.21506, 0.01021, 0.42974}) + noise3(0.003);
      ++magnetometer[0].count;
      const double altitude = kAltitude_m - position_.z + noise(0.05);
      barometer[0].altitude_m = altitude;
      barometer[0].pressure_pa = 101325.0 * math::pow(1.0 - 0.0065 * altitude / 288.15, 5.25588);
      ++barometer[0].count;
    }
    if (due(100'000)) measure_position();
  }

  void measure_position() {
    gps[0].fix = GpsFix::k3d;
    gps[0].satellites = 12;
    gps[0].latitude_deg = kLatitude_deg + (position_.x + noise(0.1)) / 111'200.0;
    gps[0].longitude_deg = kLongitude_deg + (position_.y + noise(0.1)) / 75'350.0;
    gps[0].altitude_msl_m = kAltitude_m - position_.z + noise(0.1);
    gps[0].velocity_W_m_s = velocity_ + noise3(0.02);
    gps[0].horizontal_accuracy_m = 0.4;
    gps[0].vertical_accuracy_m = 0.6;
    ++gps[0].count;
  }

  Vec3 position_, velocity_, rate_, acceleration_;
  Quat attitude_{1.0, 0.0, 0.0, 0.0};
  double drive_[4] = {};
  Estimate estimate_;
  LandStatus land_;
  EscStatus esc_[kMaxMotors];
  AirspeedReading airspeed_[kMaxAirspeeds];
  std::mt19937 generator_{7};
  std::normal_distribution<double> normal_;
};

}  // namespace tactus::testing
