// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// A rover over the bridge: what its frames say in different ways is the same thing. Quaternion,
// gyroscope, compass and course over ground agree with each other and with the textbook.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tactus/bridge/adapter/builtin_adapter.h"
#include "tactus/bridge/bridge.h"
#include "tactus/files/disk_files.h"
#include "tactus/scenario/assembly.h"
#include "tactus/spec/reader/load_spec.h"

namespace tactus {
namespace {

constexpr TimeUs kEnd{16'000'000};
constexpr double kPeriod_s = 0.01;

struct Wheels {
  double left = 0.0;
  double right = 0.0;
};

/// Ahead, a right turn of more than half a circle, a left turn, one on the spot, ahead.
Wheels wheels_at(TimeUs now) {
  const double t_s = to_seconds(now);
  if (t_s < 3.0) return {0.6, 0.6};
  if (t_s < 7.0) return {0.6, 0.3};
  if (t_s < 11.0) return {0.4, 0.7};
  if (t_s < 12.0) return {0.2, -0.2};
  return {0.5, 0.5};
}

class Driver final : public Autopilot {
 public:
  [[nodiscard]] const char* name() const override { return "driver"; }
  void step(const AutopilotInput& input, AutopilotOutput& output) override {
    output.command.servo[0] = wheels_at(input.now).left;
    output.command.servo[1] = wheels_at(input.now).right;
  }
  void restart() override {}
  [[nodiscard]] std::unique_ptr<Autopilot> clone() const override { return nullptr; }
};

/// Differential drive in small steps of the midpoint rule: north, east, clockwise from north.
struct Textbook {
  const RoverParameters& p;
  double north_m = 0.0, east_m = 0.0, heading_rad = 0.0;
  double left_m_s = 0.0, right_m_s = 0.0;

  [[nodiscard]] double speed() const { return 0.5 * (left_m_s + right_m_s); }
  [[nodiscard]] double turn_rate() const { return (left_m_s - right_m_s) / p.track_m; }
  void advance(Wheels command) {
    constexpr int kSteps = 200;
    const double dt_s = kPeriod_s / kSteps;
    for (int i = 0; i < kSteps; ++i) {
      lag(command, 0.5 * dt_s);
      const double middle_rad = heading_rad + 0.5 * dt_s * turn_rate();
      north_m += dt_s * speed() * std::cos(middle_rad);
      east_m += dt_s * speed() * std::sin(middle_rad);
      heading_rad += dt_s * turn_rate();
      lag(command, 0.5 * dt_s);
    }
  }
  void lag(Wheels command, double dt_s) {
    const double share = -std::expm1(-dt_s / p.wheel_time_constant_s);
    left_m_s += share * (p.max_speed_m_s * command.left - left_m_s);
    right_m_s += share * (p.max_speed_m_s * command.right - right_m_s);
  }
};

double heading_of(const Quat& q) {
  return std::atan2(2.0 * (q.w * q.z + q.x * q.y), 1.0 - 2.0 * (q.y * q.y + q.z * q.z));
}

/// Between two directions, the short way.
double angle_between(double a_rad, double b_rad) { return std::remainder(a_rad - b_rad, 2 * M_PI); }

/// Instruments without errors, so that what is left is their frames.
Spec ideal_rover() {
  std::vector<Override> changes = {{"sensors.fitted", "true"},
                                   {"sensors.imu.sampling", "\"point\""},
                                   {"sensors.gps.latency_s", "0.0"},
                                   {"time.end_s", "60.0"}};
  for (const char* key : {"imu.gyro_noise_rad_s_sqrthz", "imu.gyro_bias_sigma_rad_s",
                          "imu.gyro_bias_walk_rad_s_sqrts", "imu.gyro_resolution_rad_s",
                          "imu.accel_noise_m_s2_sqrthz", "imu.accel_bias_sigma_m_s2",
                          "imu.accel_bias_walk_m_s2_sqrts", "imu.accel_resolution_m_s2",
                          "magnetometer.noise_sigma_gauss", "magnetometer.bias_sigma_gauss",
                          "magnetometer.resolution_gauss", "gps.horizontal_wander_sigma_m",
                          "gps.horizontal_noise_sigma_m", "gps.velocity_wander_sigma_m_s",
                          "gps.velocity_noise_sigma_m_s"}) {
    changes.push_back({std::string("sensors.") + key, "0.0"});
  }
  return load_spec(data_root() + "/aircraft/rover.toml", changes).spec;
}

/// How often each instrument was compared.
struct Seen {
  int courses = 0;
  int compasses = 0;
  std::uint64_t fixes = 0;
};

void compare(const SensorFrame& frame, const Textbook& book, const Spec& spec, Seen& seen) {
  EXPECT_NEAR(angle_between(heading_of(frame.truth.attitude), book.heading_rad), 0.0, 1e-6);
  EXPECT_NEAR(frame.truth.rate_B_rad_s.z, book.turn_rate(), 1e-6);
  EXPECT_NEAR(frame.imu[0].rate_B_rad_s.z, book.turn_rate(), 1e-6) << "to the right is positive";
  EXPECT_NEAR(frame.imu[0].specific_force_B_m_s2.z, -9.81, 0.02) << "down is positive";
  EXPECT_NEAR(frame.imu[0].specific_force_B_m_s2.y, book.speed() * book.turn_rate(), 1e-5)
      << "toward the centre of the curve";
  const MagnetometerReading& compass = frame.magnetometer[0];
  if (compass.measured_at == frame.time && compass.count > 0) {
    const double magnetic_rad = std::atan2(-compass.field_B_gauss.y, compass.field_B_gauss.x);
    const double east_of_north_deg = angle_between(book.heading_rad, magnetic_rad) * 180.0 / M_PI;
    EXPECT_NEAR(east_of_north_deg, 3.6, 1.0) << "the declination of Zurich in these years";
    ++seen.compasses;
  }
  const GpsReading& gps = frame.gps[0];
  EXPECT_GE(gps.count, seen.fixes) << "a frame without a new fix still has the last one";
  seen.fixes = gps.count;
  if (gps.measured_at != frame.time || gps.count == 0) return;
  const double metres_per_degree = 111'180.0;  // along the meridian at 47.4 degrees
  const double north_m = (gps.latitude_deg - spec.world.origin.lat_deg) * metres_per_degree;
  EXPECT_NEAR(north_m, book.north_m, 0.02);
  EXPECT_NEAR(frame.truth.position_W_m.y, book.east_m, 1e-5);
  if (book.speed() < 0.2) return;
  const double course_rad = std::atan2(gps.velocity_W_m_s.y, gps.velocity_W_m_s.x);
  EXPECT_NEAR(angle_between(course_rad, book.heading_rad), 0.0, 1e-5);
  ++seen.courses;
}

TEST(RoverFrames, CourseCompassGyroAndQuaternionAgree) {
  const Spec spec = ideal_rover();
  const auto adapter = std::make_shared<BuiltinAdapter>();
  AssembleOptions by_caller;
  by_caller.command_from = CommandFrom::kCaller;
  adapter->add(0, std::move(assemble(spec, by_caller).run), {});
  Bridge bridge;
  bridge.register_adapter("ground", adapter);
  VehicleSetup setup;
  setup.exchange = spec.timeline.autopilot;
  setup.autopilot = std::make_unique<Driver>();
  bridge.spawn(std::move(setup), "ground");
  Textbook book{std::get<RoverParameters>(spec.vehicle)};
  Seen seen;
  double gyro_rad = 0.0;
  double rate_before_rad_s = 0.0;
  double furthest_rad = 0.0;
  bridge.after_step = [&](Bridge& now) {
    book.advance(wheels_at(now.now() - DurationUs(10'000)));
    const SensorFrame& frame = now.vehicle(0).frame();
    const double rate_rad_s = frame.imu[0].rate_B_rad_s.z;
    gyro_rad += 0.5 * kPeriod_s * (std::exchange(rate_before_rad_s, rate_rad_s) + rate_rad_s);
    ASSERT_EQ(frame.time, now.now());
    compare(frame, book, spec, seen);
    furthest_rad = std::max(furthest_rad, std::fabs(book.heading_rad));
  };
  bridge.run_until(kEnd);
  adapter->close();
  EXPECT_NEAR(gyro_rad, book.heading_rad, 1e-3) << "the gyroscope adds up to the heading";
  EXPECT_GT(furthest_rad, 3.5) << "all four quadrants";
  EXPECT_GE(seen.fixes, 160u);
  EXPECT_GT(seen.courses, 100);
  EXPECT_GT(seen.compasses, 700);
}

}  // namespace
}  // namespace tactus
