// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Planar differential-drive rover.
//
//   v̇_l = (s u_l − v_l)/τ,  v̇_r = (s u_r − v_r)/τ        wheel speeds follow their commands
//   v = (v_l + v_r)/2,   r = clamp((v_l − v_r)/b, ±r_max)
//   ṗ_N = v cos ψ,  ṗ_E = v sin ψ,  ṗ_D = 0,  ψ̇ = r
// Frames: world NED, ψ = 0 north, positive toward east (clockwise from above), so the left wheel
// running faster turns the rover right. Units SI; commands in [−1, 1]. Range: τ > 0, b > 0, s > 0.
// Assumes rolling without slip on level ground; the limit on r stands for what wheels can hold.
// Kink: at the turn-rate limit. Reference: Siegwart, Nourbakhsh and Scaramuzza, Introduction to
// Autonomous Mobile Robots, 2nd ed., chapter 3 (differential drive).

#include <span>
#include <string_view>

#include "tactus/core/assert.h"
#include "tactus/core/fields.h"
#include "tactus/core/hd.h"
#include "tactus/core/math.h"
#include "tactus/core/status.h"
#include "tactus/core/vec.h"
#include "tactus/plant/watch.h"
#include "tactus/solver/system.h"

namespace tactus {

struct RoverParameters {
  double max_speed_m_s = 1.0;
  double track_m = 0.15;
  double max_turn_rate_rad_s = 2.0;
  double wheel_time_constant_s = 0.1;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("max_speed_m_s", "m/s", self.max_speed_m_s, "wheel speed at full command");
    visit("track_m", "m", self.track_m, "distance between the wheels");
    visit("max_turn_rate_rad_s", "rad/s", self.max_turn_rate_rad_s, "limit of the yaw rate");
    visit("wheel_time_constant_s", "s", self.wheel_time_constant_s, "lag of the wheel speeds");
  }
};
static_assert(lists_every_field<RoverParameters>());

struct RoverInput {
  double left_command = 0.0;
  double right_command = 0.0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("left_command", "1", self.left_command, "drive of the left wheel, -1 to 1");
    visit("right_command", "1", self.right_command, "drive of the right wheel, -1 to 1");
  }
};
static_assert(lists_every_field<RoverInput>());

/// Order of the packed state.
struct RoverLayout {
  static constexpr int kPosition = 0;  ///< north, east, down
  static constexpr int kHeading = 3;
  static constexpr int kLeftSpeed = 4;
  static constexpr int kRightSpeed = 5;
  static constexpr int kSize = 6;
  static constexpr StatePart kParts[] = {{"position_ned_m", "m", kPosition, 3},
                                         {"heading_rad", "rad", kHeading, 1},
                                         {"left_speed_m_s", "m/s", kLeftSpeed, 1},
                                         {"right_speed_m_s", "m/s", kRightSpeed, 1}};
};

/// Which entries the solvers treat alike. The heading is an angle, but `kAttitude` is a quaternion:
/// it takes the tolerance of the rates, whose default number is the attitude's, in rad. So a
/// tolerance on metres does not decide how well the rover is pointed.
TACTUS_HD constexpr StateGroups rover_groups() {
  StateGroups groups;
  groups.add(ErrorGroup::kPosition, RoverLayout::kPosition, 3);
  groups.add(ErrorGroup::kRate, RoverLayout::kHeading, 1);
  groups.add(ErrorGroup::kVelocity, RoverLayout::kLeftSpeed, 2);
  return groups;
}

struct RoverMotion {
  double speed_m_s = 0.0;
  double turn_rate_rad_s = 0.0;
};

TACTUS_HD inline RoverMotion rover_motion(const RoverParameters& p, const double* x) {
  const double left = x[RoverLayout::kLeftSpeed];
  const double right = x[RoverLayout::kRightSpeed];
  return {0.5 * (left + right),
          math::clamp((left - right) / p.track_m, -p.max_turn_rate_rad_s, p.max_turn_rate_rad_s)};
}

TACTUS_HD inline Vec3 rover_velocity(const RoverParameters& p, const double* x) {
  double sine = 0.0, cosine = 1.0;
  math::sincos(x[RoverLayout::kHeading], &sine, &cosine);
  const double speed = rover_motion(p, x).speed_m_s;
  return {speed * cosine, speed * sine, 0.0};
}

/// What can be watched on a rover: position, velocity, yaw rate and speed; the rest is zero.
TACTUS_HD inline double rover_value(const RoverParameters& p, const double* x, const Watch& watch) {
  switch (watch.quantity) {
    case WatchQuantity::kPosition: return x[RoverLayout::kPosition + watch.index];
    case WatchQuantity::kVelocity: {
      const Vec3 v = rover_velocity(p, x);
      return watch.index == 0 ? v.x : watch.index == 1 ? v.y : v.z;
    }
    case WatchQuantity::kRate: return watch.index == 2 ? rover_motion(p, x).turn_rate_rad_s : 0.0;
    case WatchQuantity::kSpeed: return norm(rover_velocity(p, x));
    default: return 0.0;
  }
}

/// The rover with its held input, as a solver sees it. The caller invalidates the remembered
/// derivative when it changes the input between two intervals.
struct RoverSystem {
  static constexpr int kCapacity = RoverLayout::kSize;
  static constexpr int kGuardCapacity = kMaxWatches;
  RoverParameters parameters;
  RoverInput input;
  StateGroups state_groups = rover_groups();
  WatchList watches{};

  TACTUS_HD static constexpr int size() { return RoverLayout::kSize; }
  static constexpr std::span<const StatePart> parts() { return RoverLayout::kParts; }
  TACTUS_HD const StateGroups& groups() const { return state_groups; }
  TACTUS_HD static constexpr bool depends_on_time() { return false; }

  TACTUS_HD Status derivative(double /*t_s*/, const double* x, double* dx) const {
    const RoverMotion motion = rover_motion(parameters, x);
    double sine = 0.0, cosine = 1.0;
    math::sincos(x[RoverLayout::kHeading], &sine, &cosine);
    dx[RoverLayout::kPosition] = motion.speed_m_s * cosine;
    dx[RoverLayout::kPosition + 1] = motion.speed_m_s * sine;
    dx[RoverLayout::kPosition + 2] = 0.0;
    dx[RoverLayout::kHeading] = motion.turn_rate_rad_s;
    const double tau = parameters.wheel_time_constant_s;
    const double top = parameters.max_speed_m_s;
    dx[RoverLayout::kLeftSpeed] = (top * input.left_command - x[RoverLayout::kLeftSpeed]) / tau;
    dx[RoverLayout::kRightSpeed] = (top * input.right_command - x[RoverLayout::kRightSpeed]) / tau;
    return Status::kOk;
  }

  TACTUS_HD int guard_count() const {
    TACTUS_ASSERT(watches.count >= 0 && watches.count <= kMaxWatches, "watches that have room");
    TACTUS_ASSERT(watches.count == 0 || watches.watch != nullptr, "watches that are there");
    return watches.count;
  }
  TACTUS_HD void guards(double /*t_s*/, const double* x, double* g) const {
    for (int w = 0; w < watches.count; ++w) {
      const Watch& asked = watches.watch[w];
      g[w] = asked.sign * (rover_value(parameters, x, asked) - asked.threshold);
    }
  }
};

/// Throws Error naming `where` when a parameter is out of range.
void validate(const RoverParameters& p, std::string_view where);

/// Throws Error naming `where` when a command is not in [−1, 1].
void validate(const RoverInput& input, std::string_view where);

}  // namespace tactus
