// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The reference that a vehicle follows: a point whose velocity, acceleration and jerk are limited,
// steered by a wanted velocity. It can be given a new aim at any tick without a jump.
//
//   approach   the speed v at a distance g from a stop is that of a point which goes on for a
//              reaction time T and then brakes with L:   v²/(2L) + v T = g,  T ≥ L/jerk, 1/3 s
//   follow     a* = dv*/dt + r(|v* − v|) along v* − v, limited;  r(x) = k x near zero, and
//              √(2 jerk (x − jerk/(2k²))) from x = jerk/k² on, where value and slope join
//              a follows a* with at most jerk·dt per tick;  p += v dt + a dt²/2,  v += a dt
//   along a line v* is the approach to its end, plus the approach to the line from beside it.
// With dv*/dt = −(dv/dg) v fed forward, neither a stop nor a wanted velocity is overshot.
// World NED, SI units. Assumes a tick much shorter than 1/k.

#include "tactus/core/fields.h"
#include "tactus/core/hd.h"
#include "tactus/core/math.h"
#include "tactus/core/vec.h"

namespace tactus {

struct TrajectoryLimits {
  double speed_m_s = 5.0;  ///< horizontal
  double climb_m_s = 3.0;
  double descent_m_s = 1.5;
  double acceleration_m_s2 = 3.0;  ///< horizontal
  double vertical_acceleration_m_s2 = 2.0;
  double jerk_m_s3 = 8.0;
};

struct Trajectory {
  Vec3 position_W_m;
  Vec3 velocity_W_m_s;
  Vec3 acceleration_W_m_s2;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("position_ned_m", "m", self.position_W_m);
    visit("velocity_ned_m_s", "m/s", self.velocity_W_m_s);
    visit("acceleration_ned_m_s2", "m/s^2", self.acceleration_W_m_s2);
  }
};
static_assert(lists_every_field<Trajectory>());

/// Heading reference, limited likewise.
struct YawTrajectory {
  double yaw_rad = 0.0;
  double rate_rad_s = 0.0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("yaw_rad", "rad", self.yaw_rad);
    visit("rate_rad_s", "rad/s", self.rate_rad_s);
  }
};
static_assert(lists_every_field<YawTrajectory>());

/// 1/s, of the velocity loop.
inline constexpr double kVelocityGain = 6.0;
/// Braking is planned with this part of the acceleration; the rest corrects.
inline constexpr double kBrakingShare = 0.7;

/// A wanted velocity and its rate of change.
struct Steering {
  Vec3 velocity_W_m_s;
  Vec3 acceleration_W_m_s2;
};

/// How fast a gap ≥ 0 may be closed if that rate can change by `limit` per second: r(gap).
TACTUS_HD inline double closing_rate(double gap, double limit, double gain) {
  const double knee = limit / (gain * gain);
  return gap <= knee ? gain * gap : math::sqrt(2.0 * limit * (gap - 0.5 * knee));
}

TACTUS_HD inline Vec3 horizontal(Vec3 v) { return {v.x, v.y, 0.0}; }

/// v, shortened to the length `longest` if it is longer.
TACTUS_HD inline Vec3 shortened(Vec3 v, double longest) {
  const double length = norm(v);
  return length > longest ? (longest / length) * v : v;
}

/// Difference of two headings in [−π, π].
TACTUS_HD inline double wrap_angle(double angle_rad) {
  return angle_rad - math::kTwoPi * math::rint(angle_rad / math::kTwoPi);
}

/// Horizontal and vertical parts within their limits.
TACTUS_HD inline Vec3 limited_acceleration(Vec3 a, const TrajectoryLimits& limits) {
  Vec3 limited = shortened(horizontal(a), limits.acceleration_m_s2);
  limited.z =
      math::clamp(a.z, -limits.vertical_acceleration_m_s2, limits.vertical_acceleration_m_s2);
  return limited;
}

/// One tick towards a wanted velocity.
TACTUS_HD inline void follow(const Steering& steering, const TrajectoryLimits& limits, double dt_s,
                             Trajectory& t) {
  const Vec3 gap = steering.velocity_W_m_s - t.velocity_W_m_s;
  const double size = norm(gap);
  const double rate = closing_rate(size, limits.jerk_m_s3, kVelocityGain);
  const Vec3 wanted = limited_acceleration(
      steering.acceleration_W_m_s2 + (size > 0.0 ? rate / size : 0.0) * gap, limits);
  t.acceleration_W_m_s2 += shortened(wanted - t.acceleration_W_m_s2, limits.jerk_m_s3 * dt_s);
  t.position_W_m += dt_s * t.velocity_W_m_s + (0.5 * dt_s * dt_s) * t.acceleration_W_m_s2;
  t.velocity_W_m_s += dt_s * t.acceleration_W_m_s2;
}

/// The largest speed along a unit direction that keeps every part of it within its limit.
TACTUS_HD inline double speed_along(Vec3 u, const TrajectoryLimits& limits) {
  const double level = norm(horizontal(u));
  double speed = limits.speed_m_s + limits.climb_m_s + limits.descent_m_s;
  if (level > 1e-9) speed = math::min(speed, limits.speed_m_s / level);
  if (u.z < -1e-9) speed = math::min(speed, limits.climb_m_s / -u.z);
  if (u.z > 1e-9) speed = math::min(speed, limits.descent_m_s / u.z);
  return speed;
}

/// The same for the acceleration.
TACTUS_HD inline double acceleration_along(Vec3 u, const TrajectoryLimits& limits) {
  const double level = norm(horizontal(u));
  double a = limits.acceleration_m_s2 + limits.vertical_acceleration_m_s2;
  if (level > 1e-9) a = math::min(a, limits.acceleration_m_s2 / level);
  if (math::abs(u.z) > 1e-9) a = math::min(a, limits.vertical_acceleration_m_s2 / math::abs(u.z));
  return a;
}

/// A straight piece of path. One that is not stopped at is approached as if it ended further on.
struct Line {
  Vec3 start_W_m;
  Vec3 end_W_m;
  double beyond_m = 0.0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("start_ned_m", "m", self.start_W_m);
    visit("end_ned_m", "m", self.end_W_m);
    visit("beyond_m", "m", self.beyond_m);
  }
};
static_assert(lists_every_field<Line>());

/// Speed of an approach and how it grows with the distance.
struct Approach {
  double speed_m_s = 0.0;
  double slope_per_s = 0.0;
};

/// How an approach along a unit direction brakes.
struct Braking {
  double deceleration_m_s2 = 1.0;  ///< L
  double reaction_s = 1.0;         ///< T
};

TACTUS_HD inline Braking braking_along(Vec3 u, const TrajectoryLimits& limits) {
  constexpr double kLeastReaction_s = 1.0 / 3.0;
  const double deceleration = kBrakingShare * acceleration_along(u, limits);
  return {deceleration, math::max(deceleration / limits.jerk_m_s3, kLeastReaction_s)};
}

TACTUS_HD inline Approach approach(double distance_m, const Braking& b) {
  const double half = b.deceleration_m_s2 * b.reaction_s;
  const double root = math::sqrt(half * half + 2.0 * b.deceleration_m_s2 * distance_m);
  return {root - half, b.deceleration_m_s2 / root};
}

/// Inverse: the distance from which a speed can be braked.
TACTUS_HD constexpr double braking_distance(double speed_m_s, const Braking& b) {
  return speed_m_s * b.reaction_s + speed_m_s * speed_m_s / (2.0 * b.deceleration_m_s2);
}

/// Steering along u, to a stop at a signed distance. A velocity above the top speed is cut.
TACTUS_HD inline Steering steer_to_stop(Vec3 u, double distance_m, double top_m_s, Vec3 velocity,
                                        const Braking& b) {
  const Approach a = approach(math::abs(distance_m), b);
  if (a.speed_m_s > top_m_s) return {math::copysign(top_m_s, distance_m) * u, {}};
  return {math::copysign(a.speed_m_s, distance_m) * u, (-a.slope_per_s * dot(velocity, u)) * u};
}

/// Steering along a line. `pace` in [0, 1] slows a reference that runs ahead of its vehicle.
TACTUS_HD inline Steering steer_along(const Line& line, const Trajectory& t, double pace,
                                      const TrajectoryLimits& limits) {
  const Vec3 to_end = line.end_W_m - t.position_W_m;
  const Vec3 along = line.end_W_m - line.start_W_m;
  const double length = norm(along);
  // A line without length has no direction of its own: all of the gap is beside it.
  const Vec3 u = length > 1e-3 ? along / length : Vec3{};
  const double to_go = dot(to_end, u);
  const Braking b = braking_along(u, limits);
  const double top = pace * speed_along(u, limits);
  const double aim = to_go > 0.0 ? to_go + line.beyond_m : to_go;  // missed: back to it
  const Steering ahead = steer_to_stop(u, aim, top, t.velocity_W_m_s, b);
  const Vec3 offset = to_end - to_go * u;
  const double gap = norm(offset);
  if (gap < 1e-9) return ahead;
  const Vec3 w = offset / gap;
  const Steering back = steer_to_stop(w, gap, kBrakingShare * pace * speed_along(w, limits),
                                      t.velocity_W_m_s, braking_along(w, limits));
  return {ahead.velocity_W_m_s + back.velocity_W_m_s,
          ahead.acceleration_W_m_s2 + back.acceleration_W_m_s2};
}

/// Where a point that starts to brake now comes to rest.
TACTUS_HD inline Vec3 stopping_point(const Trajectory& t, const TrajectoryLimits& limits) {
  const double speed = norm(t.velocity_W_m_s);
  if (speed < 1e-3) return t.position_W_m;
  const Vec3 u = t.velocity_W_m_s / speed;
  const Braking b = braking_along(u, limits);
  // First an acceleration that still drives it on must go.
  const double driving = math::max(dot(t.acceleration_W_m_s2, u), 0.0);
  const double gone_s = driving / limits.jerk_m_s3;
  const double fastest = speed + 0.5 * driving * gone_s;
  const double gap =
      fastest * gone_s + fastest * b.reaction_s + fastest * fastest / (2.0 * b.deceleration_m_s2);
  return t.position_W_m + gap * u;
}

/// Speed at which a corner can be rounded that is left for the next line `early` before it: the
/// circle that touches both lines there has the radius early / tan(turn/2).
TACTUS_HD inline double corner_speed(Vec3 before, Vec3 after, double early_m,
                                     const TrajectoryLimits& limits) {
  const double a = norm(before);
  const double b = norm(after);
  if (a < 1e-3 || b < 1e-3) return 0.0;
  const double cosine = math::clamp(dot(before, after) / (a * b), -1.0, 1.0);
  // tan²(turn/2) = (1 − cos)/(1 + cos)
  const double tangent = math::sqrt((1.0 - cosine) / math::max(1.0 + cosine, 1e-9));
  const Vec3 u = after / b;
  const Vec3 w = before / a;
  const double top = math::min(speed_along(u, limits), speed_along(w, limits));
  const double acceleration =
      kBrakingShare * math::min(acceleration_along(u, limits), acceleration_along(w, limits));
  const double squared = acceleration * early_m / math::max(tangent, 1e-9);
  return squared < top * top ? math::sqrt(squared) : top;
}

/// One tick of the heading towards a wanted one, over the shorter way.
TACTUS_HD inline void turn(double wanted_yaw_rad, double top_rate_rad_s, double dt_s,
                           YawTrajectory& t) {
  constexpr double kAcceleration_rad_s2 = 2.0;
  constexpr double kGain = 2.0;
  const double gap = wrap_angle(wanted_yaw_rad - t.yaw_rad);
  const double rate = math::min(
      closing_rate(math::abs(gap), kBrakingShare * kAcceleration_rad_s2, kGain), top_rate_rad_s);
  const double change = math::copysign(rate, gap) - t.rate_rad_s;
  const double most = kAcceleration_rad_s2 * dt_s;
  t.rate_rad_s += math::clamp(change, -most, most);
  t.yaw_rad = wrap_angle(t.yaw_rad + t.rate_rad_s * dt_s);
}

}  // namespace tactus
