// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/bridge/adapter/external_motion.h"

#include <fmt/format.h>

#include "tactus/core/assert.h"
#include "tactus/core/error.h"
#include "tactus/core/math.h"

namespace tactus {
namespace {

constexpr double kContactHeight_m = 0.1;

void claim(int channel, int channels, std::string_view where, std::vector<bool>& used) {
  if (channel < 0) return;
  if (channel >= channels) {
    throw Error(ExitCode::kBadInput, fmt::format("{}: channel {} does not exist (0 to {})", where,
                                                 channel, channels - 1));
  }
  const auto place = static_cast<std::size_t>(channel);
  TACTUS_ASSERT(place < used.size(), "a channel that exists");
  if (used[place]) {
    throw Error(ExitCode::kBadInput, fmt::format("{}: channel {} is used twice", where, channel));
  }
  used[place] = true;
}

}  // namespace

void ExternalMotionTracker::count_from(const WorldOrigin& origin) {
  const GroundParameters ground = world_.ground;
  parameters_.origin = origin;
  world_ = prepare_world(parameters_);
  world_.ground = ground;
}

void ExternalMotionTracker::take(const ExternalMotion& motion) {
  if (!has_ground_) {
    world_.ground = ground_through(world_.ground, motion.position_W_m);
    world_.ground.present = true;  // it stands on something, whatever the spec says
    has_ground_ = true;
  }
  if (has_motion_ && motion.measured_at > motion_.measured_at) {
    const double dt_s = to_seconds(motion.measured_at - motion_.measured_at);
    angular_acceleration_B_rad_s2_ = (motion.rate_B_rad_s - motion_.rate_B_rad_s) / dt_s;
  }
  motion_ = motion;
  attitude_length_ = norm(motion.attitude);
  motion_.attitude = normalized(motion.attitude);
  has_motion_ = true;
}

void ExternalMotionTracker::forget() {
  motion_ = {};
  attitude_length_ = 1.0;
  has_motion_ = false;
  angular_acceleration_B_rad_s2_ = {};
  land_ = {};
}

void ExternalMotionTracker::fill(Vec3 force_B_m_s2, const ActuatorCommand& command,
                                 SensorFrame& frame) {
  Truth& truth = frame.truth;
  truth = {};
  truth.position_W_m = motion_.position_W_m;
  truth.velocity_W_m_s = motion_.velocity_W_m_s;
  truth.attitude = motion_.attitude;
  truth.rate_B_rad_s = motion_.rate_B_rad_s;
  truth.height_m = height_m(world_, motion_.position_W_m);
  truth.speed_m_s = norm(motion_.velocity_W_m_s);
  const double upright = rotation_matrix(motion_.attitude).m[2][2];
  truth.tilt_rad = math::acos(math::clamp(upright, -1.0, 1.0));
  truth.acceleration_W_m_s2 =
      rotate(motion_.attitude, force_B_m_s2) + gravity_at(world_, motion_.position_W_m);
  truth.angular_acceleration_B_rad_s2 = angular_acceleration_B_rad_s2_;
  truth.specific_force_B_m_s2 = force_B_m_s2;
  truth.air_velocity_B_m_s = rotate_inverse(motion_.attitude, -motion_.velocity_W_m_s);

  Estimate& estimate = frame.estimate;
  estimate = {};
  estimate.position_W_m = truth.position_W_m;
  estimate.velocity_W_m_s = truth.velocity_W_m_s;
  estimate.attitude = truth.attitude;
  estimate.rate_B_rad_s = truth.rate_B_rad_s;
  estimate.acceleration_W_m_s2 = truth.acceleration_W_m_s2;
  estimate.angular_acceleration_B_rad_s2 = truth.angular_acceleration_B_rad_s2;
  estimate.measured_at = motion_.measured_at;
  find_land(command, frame);
}

void ExternalMotionTracker::find_land(const ActuatorCommand& command, SensorFrame& frame) {
  VehicleLoads loads;
  loads.gear_touching_mask = frame.truth.height_m <= kContactHeight_m ? 1U : 0U;
  frame.land = step_land_detector({}, frame.time, frame.truth, loads, command.command, vehicle_,
                                  command.status.hover_thrust, land_);
}

int ChannelMap::of_motor(int i) const {
  TACTUS_ASSERT(i >= 0 && i < kMaxMotors, "a motor that there can be");
  if (motor.empty()) return i;
  return static_cast<std::size_t>(i) < motor.size() ? motor[static_cast<std::size_t>(i)] : -1;
}

int ChannelMap::of_servo(int i) const {
  TACTUS_ASSERT(i >= 0 && i < kMaxServos, "a servo that there can be");
  return static_cast<std::size_t>(i) < servo.size() ? servo[static_cast<std::size_t>(i)] : -1;
}

void validate(const ChannelMap& map, int motor_count, int channels, std::string_view where) {
  if (motor_count < 0 || motor_count > kMaxMotors) {
    throw Error(ExitCode::kBadInput,
                fmt::format("{}: {} motors (0 to {})", where, motor_count, kMaxMotors));
  }
  std::vector<bool> used(static_cast<std::size_t>(channels), false);
  for (int i = 0; i < motor_count; ++i) claim(map.of_motor(i), channels, where, used);
  for (int i = 0; i < kMaxServos; ++i) claim(map.of_servo(i), channels, where, used);
}

}  // namespace tactus
