// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The reference that the vehicle follows, tick by tick.

#include "tactus/autopilot/builtin/navigator.h"

namespace tactus {

namespace {

/// A reference this far from the vehicle slows down, twice as far it waits.
constexpr double kLead_m = 1.5;
/// Height above home below which a landing is slow, and how much faster it is per metre above.
constexpr double kSlowHeight_m = 2.0;
constexpr double kSpeedPerHeight_per_s = 0.4;
/// The first touch of a landing cuts the thrust to this; from there the cap falls, in a bounce to
/// no less than the second figure, and rises again only if the ground stays away for some time: a
/// bounce must not fly off, and a vehicle that stands lightly is blown over the ground.
constexpr double kTouchCap_weight = 0.3;
constexpr double kBounceCap_weight = 0.1;
constexpr DurationUs kBounceTime{500'000};
constexpr double kCapRate_per_s = 1.0;
constexpr double kTouchCapRate_per_s = 2.0;
constexpr double kCapOpens_weight = 1.5;
constexpr double kNoThrustCap_weight = 100.0;

}  // namespace

TrajectoryLimits Navigator::limits(const BuiltinParameters& p) const {
  TrajectoryLimits limits;
  limits.speed_m_s = p.cruise_speed_m_s;
  limits.climb_m_s = p.climb_speed_m_s;
  limits.descent_m_s = p.descend_speed_m_s;
  limits.acceleration_m_s2 = p.max_acceleration_m_s2;
  limits.vertical_acceleration_m_s2 = 0.7 * p.max_acceleration_m_s2;
  limits.jerk_m_s3 = p.max_jerk_m_s3;
  if (s_.mode == FlightMode::kMission) {
    const double* own = s_.mission.speed_m_s;
    if (own[0] > 0.0) limits.speed_m_s = own[0];
    if (own[1] > 0.0) limits.climb_m_s = own[1];
    if (own[2] > 0.0) limits.descent_m_s = own[2];
  }
  if (s_.leg.kind == LegKind::kTakeoff) {
    limits.climb_m_s = math::min(limits.climb_m_s, p.takeoff_speed_m_s);
  }
  return limits;
}

void Navigator::reset_reference(const Tick& tick) {
  const Estimate& e = tick.in.estimate;
  s_.reference = {e.position_W_m, e.velocity_W_m_s, {}};
  s_.yaw = {yaw_of(e.attitude), 0.0};
  s_.yaw_target_rad = s_.yaw.yaw_rad;
  s_.line = {e.position_W_m, e.position_W_m, 0.0};
  s_.reference_valid = true;
}

void Navigator::move_reference(const Tick& tick) {
  if (!tick.horizontal_known || !tick.vertical_known) {
    s_.reference_valid = false;
    return;
  }
  // Known again: go on from here, to where this landing leads.
  if (!s_.reference_valid) {
    reset_reference(tick);
    s_.line.end_W_m = stopping_point(s_.reference, limits(tick.parameters));
  }
  if (s_.phase == Phase::kSpool) return;
  if (s_.phase == Phase::kDescend && tick.in.land.ground_contact) {
    s_.reference = {tick.in.estimate.position_W_m, {}, {}};
    return;
  }
  const TrajectoryLimits limit = limits(tick.parameters);
  const double behind = norm(tick.in.estimate.position_W_m - s_.reference.position_W_m);
  const double pace = math::clamp(2.0 - behind / kLead_m, 0.0, 1.0);
  Steering wanted;
  if (s_.phase == Phase::kCircle) {
    wanted = steer_circle(limit, pace, tick.dt_s);
  } else if (s_.phase == Phase::kDescend) {
    wanted = steer_down(tick.parameters, limit, pace);
  } else {
    wanted = steer_along(s_.line, s_.reference, pace, limit);
  }
  follow(wanted, limit, tick.dt_s, s_.reference);
}

Steering Navigator::steer_down(const BuiltinParameters& p, const TrajectoryLimits& limit,
                               double pace) const {
  Vec3 below = s_.line.end_W_m;
  below.z = s_.reference.position_W_m.z;
  Steering wanted = steer_along({below, below, 0.0}, s_.reference, 1.0, limit);
  const double height = s_.home_W_m.z - s_.reference.position_W_m.z;
  const double extra = kSpeedPerHeight_per_s * math::max(height - kSlowHeight_m, 0.0);
  const double fastest = s_.home_in_air ? p.land_speed_m_s : limit.descent_m_s;
  wanted.velocity_W_m_s.z =
      pace * math::min(p.land_speed_m_s + extra, math::max(fastest, p.land_speed_m_s));
  return wanted;
}

Steering Navigator::steer_circle(const TrajectoryLimits& limit, double pace, double dt_s) {
  const double radius = math::abs(s_.leg.radius_m);
  const double sense = math::copysign(1.0, s_.leg.radius_m);
  const Vec3 offset = s_.reference.position_W_m - s_.target_W_m;
  const double distance = norm(horizontal(offset));
  const Vec3 out = distance > 1e-3 ? horizontal(offset) / distance : Vec3{1.0, 0.0};
  const Vec3 along = sense * Vec3{-out.y, out.x, 0.0};
  const Vec3 down{0.0, 0.0, 1.0};
  const double top =
      math::min(limit.speed_m_s, math::sqrt(kBrakingShare * limit.acceleration_m_s2 * radius));
  const double speed = pace * top;
  const Vec3 velocity = s_.reference.velocity_W_m_s;
  const Steering radial =
      steer_to_stop(out, radius - distance, 0.5 * top, velocity, braking_along(out, limit));
  const Steering vertical =
      steer_to_stop(down, -offset.z, limit.descent_m_s, velocity, braking_along(down, limit));

  const double safe_distance = math::max(distance, 0.5 * radius);
  s_.swept_rad += dt_s * dot(velocity, along) / safe_distance;
  if (math::is_nan(s_.leg.yaw_rad)) s_.yaw_target_rad = math::atan2(along.y, along.x);
  return {speed * along + radial.velocity_W_m_s + vertical.velocity_W_m_s,
          (-speed * speed / safe_distance) * out + vertical.acceleration_W_m_s2};
}

void Navigator::move_yaw(const Tick& tick) {
  const double top = tick.parameters.max_yaw_rate_rad_s;
  if (s_.phase != Phase::kTurn) {
    turn(s_.yaw_target_rad, top, tick.dt_s, s_.yaw);
    return;
  }
  // A turn may be longer than half a circle: aim at most a radian ahead.
  const double wanted = s_.yaw.yaw_rad + math::clamp(s_.turn_left_rad, -1.0, 1.0);
  const double own = s_.leg.yaw_rate_rad_s;
  const double before = s_.yaw.yaw_rad;
  turn(wanted, own > 0.0 ? math::min(own, top) : top, tick.dt_s, s_.yaw);
  s_.turn_left_rad -= wrap_angle(s_.yaw.yaw_rad - before);
  s_.yaw_target_rad = s_.yaw.yaw_rad + s_.turn_left_rad;
}

/// Has it touched down, the last bounce not long ago?
bool Navigator::settling(const Tick& tick) const {
  return s_.touched && tick.in.now - s_.touched_at < kBounceTime;
}

void Navigator::move_thrust_cap(const Tick& tick) {
  const double change = kCapRate_per_s * tick.dt_s;
  const double fall = kTouchCapRate_per_s * tick.dt_s;
  double& cap = s_.thrust_cap_weight;
  if (s_.phase == Phase::kSpool) {
    cap = to_seconds(tick.in.now - s_.phase_since);
  } else if (s_.phase == Phase::kDescend && tick.in.land.ground_contact) {
    s_.touched = true;
    s_.touched_at = tick.in.now;
    cap = math::max(math::min(cap, kTouchCap_weight) - fall, 0.0);
  } else if (settling(tick)) {
    cap = math::min(cap, math::max(cap - fall, kBounceCap_weight));
  } else {
    cap = cap < kCapOpens_weight ? cap + change : kNoThrustCap_weight;
  }
}

}  // namespace tactus
