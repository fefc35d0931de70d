// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What the adapters of external simulators share: from the motion that such a program sends to the
// estimate, the truth and the land status of a frame, and from commands to its channels.
//
//   acceleration          R f + g, of the specific force f that it sends; g is that of the world
//                         of the spec, where the vehicle is
//   angular acceleration  difference of the rates of the last two motions that were not of the same
//                         instant
//   height, contact       over a plane through where it stood at the first start, with the slope of
//                         the spec's ground; contact is not higher than 0.1 m
//   landed                by the rules of sensor/land_detector.h
// The estimate is the truth, as old as its motion.

#include <array>
#include <string_view>
#include <vector>

#include "tactus/bridge/adapter/frame.h"
#include "tactus/core/quat.h"
#include "tactus/core/time.h"
#include "tactus/core/vec.h"
#include "tactus/sensor/land_detector.h"
#include "tactus/world/world.h"

namespace tactus {

struct ExternalMotion {
  TimeUs measured_at;
  Vec3 position_W_m;
  Vec3 velocity_W_m_s;
  Quat attitude;  ///< as it was sent: about of length 1
  Vec3 rate_B_rad_s;
};

class ExternalMotionTracker {
 public:
  /// Throws Error(kBadInput) if the world is wrong.
  ExternalMotionTracker(const LandedVehicle& vehicle, const WorldParameters& world)
      : vehicle_(vehicle), parameters_(world), world_(make_world(world)) {}

  /// Positions of all motions count from here, not from the origin of the world that was given.
  void count_from(const WorldOrigin& origin);
  /// Its ground is known with the first motion.
  [[nodiscard]] const World& world() const { return world_; }
  void take(const ExternalMotion& motion);
  /// Forgets all but the world: what comes next is of another connection, maybe in the air.
  void forget();
  /// The last motion is of this instant of ours.
  void restamp(TimeUs time) { motion_.measured_at = time; }
  /// Its attitude has the length 1.
  [[nodiscard]] const ExternalMotion& motion() const { return motion_; }
  /// Of the last motion as it was sent.
  [[nodiscard]] double attitude_length() const { return attitude_length_; }
  /// Writes estimate, truth and land status of the frame; its time is set before. `force`: the
  /// newest specific force; `command`: what is in force.
  void fill(Vec3 force_B_m_s2, const ActuatorCommand& command, SensorFrame& frame);

 private:
  void find_land(const ActuatorCommand& command, SensorFrame& frame);

  LandedVehicle vehicle_;
  WorldParameters parameters_;
  World world_;
  bool has_ground_ = false;
  ExternalMotion motion_;
  double attitude_length_ = 1.0;
  bool has_motion_ = false;
  Vec3 angular_acceleration_B_rad_s2_;
  LandDetectorState land_;
};

/// Channel of each motor and servo in what goes to the simulator, from 0; −1: not sent.
struct ChannelMap {
  std::vector<int> motor;  ///< empty: motor i is channel i
  std::vector<int> servo;  ///< empty: servos are not sent

  [[nodiscard]] int of_motor(int i) const;
  [[nodiscard]] int of_servo(int i) const;
};

/// Throws Error(kBadInput) that names `where`: a channel outside 0 … channels − 1, or used twice.
void validate(const ChannelMap& map, int motor_count, int channels, std::string_view where);

}  // namespace tactus
