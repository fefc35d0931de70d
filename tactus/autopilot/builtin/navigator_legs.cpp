// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// How each kind of leg passes through its phases.

#include "tactus/autopilot/builtin/navigator.h"

namespace tactus {

namespace {

constexpr DurationUs kSpoolTime{1'000'000};

double horizontal_distance(Vec3 a, Vec3 b) { return norm(horizontal(a - b)); }

}  // namespace

double Navigator::acceptance_m(const BuiltinParameters& parameters) const {
  const bool own = s_.leg.kind == LegKind::kWaypoint && s_.leg.acceptance_m > 0.0;
  return own ? s_.leg.acceptance_m : parameters.acceptance_radius_m;
}

Vec3 Navigator::place_of(const Leg& leg) const {
  Vec3 place = leg.position_W_m;
  if (!leg.has_place) {
    place.x = s_.reference.position_W_m.x;
    place.y = s_.reference.position_W_m.y;
  }
  if (leg.above_home) place.z += s_.home_W_m.z;
  return place;
}

void Navigator::enter(const Tick& tick, Phase phase) {
  s_.phase = phase;
  s_.phase_since = tick.in.now;
  s_.at_rest = false;
  s_.touched = false;
}

void Navigator::start_leg(const Tick& tick, const Leg& leg) {
  const bool passed_waypoint = s_.leg.kind == LegKind::kWaypoint && s_.phase == Phase::kTravel;
  const Vec3 here = s_.reference.position_W_m;
  const Vec3 start = passed_waypoint ? s_.line.end_W_m : here;
  s_.leg = leg;
  s_.target_W_m = place_of(leg);
  if (!s_.airborne) {
    enter(tick, Phase::kGround);
    return;
  }
  switch (leg.kind) {
    case LegKind::kTakeoff: climb(tick, math::min(here.z, s_.target_W_m.z)); break;
    case LegKind::kWaypoint: travel(tick, start, s_.target_W_m); break;
    case LegKind::kLoiter: start_loiter(tick); break;
    case LegKind::kYaw: start_turn(tick); break;
    case LegKind::kReturn: start_return(tick); break;
    case LegKind::kLand:
      s_.target_W_m.z = here.z;
      if (leg.has_place) {
        travel(tick, here, s_.target_W_m);
      } else {
        stay(tick);
        enter(tick, Phase::kDescend);
      }
      break;
    case LegKind::kDelay:
    case LegKind::kSpeed:
    case LegKind::kJump: stay(tick); break;
  }
}

/// Stops as soon as the limits allow.
void Navigator::stay(const Tick& tick) {
  s_.target_W_m = stopping_point(s_.reference, limits(tick.parameters));
  s_.line = {s_.reference.position_W_m, s_.target_W_m, 0.0};
  enter(tick, Phase::kStay);
}

void Navigator::climb(const Tick& tick, double down_m) {
  const Vec3 stop = stopping_point(s_.reference, limits(tick.parameters));
  s_.line = {s_.reference.position_W_m, {stop.x, stop.y, down_m}, 0.0};
  if (!math::is_nan(s_.leg.yaw_rad)) s_.yaw_target_rad = s_.leg.yaw_rad;
  enter(tick, Phase::kClimb);
}

void Navigator::travel(const Tick& tick, Vec3 start, Vec3 end) {
  const Vec3 course = horizontal(end - start);
  const double length = norm(course);
  if (s_.leg.pass_m != 0.0 && length > 1e-3) {  // to the left of the waypoint if positive
    end += (s_.leg.pass_m / length) * Vec3{course.y, -course.x, 0.0};
  }
  s_.line = {start, end, 0.0};
  if (!math::is_nan(s_.leg.yaw_rad)) {
    s_.yaw_target_rad = s_.leg.yaw_rad;
  } else if (length > 1.0) {  // shorter ones are corrections, not a course
    s_.yaw_target_rad = math::atan2(course.y, course.x);
  }
  enter(tick, Phase::kTravel);
  if (s_.leg.kind == LegKind::kWaypoint) plan_corner(tick);
}

/// A waypoint without a stop is rounded as fast as its acceptance radius allows.
void Navigator::plan_corner(const Tick& tick) {
  if (s_.mode != FlightMode::kMission || s_.leg.hold.us != 0 || !s_.leg.autocontinue) return;
  const Leg* next = following_leg(*plan_, s_.mission);
  if (next == nullptr || !next->has_place) return;
  if (next->kind != LegKind::kWaypoint && next->kind != LegKind::kLoiter) return;
  const TrajectoryLimits limit = limits(tick.parameters);
  const Vec3 before = s_.line.end_W_m - s_.line.start_W_m;
  const double length = norm(before);
  if (length < 1e-3) return;
  const double early = acceptance_m(tick.parameters);
  const double speed = corner_speed(before, place_of(*next) - s_.line.end_W_m, early, limit);
  const double braking = braking_distance(speed, braking_along(before / length, limit));
  s_.line.beyond_m = math::max(braking - early, 0.0);
}

void Navigator::start_loiter(const Tick& tick) {
  s_.swept_rad = 0.0;
  if (!s_.leg.has_place && s_.leg.radius_m == 0.0) {
    stay(tick);
    return;
  }
  Vec3 entry = s_.target_W_m;
  if (s_.leg.radius_m != 0.0) {
    const Vec3 out = horizontal(s_.reference.position_W_m - s_.target_W_m);
    const double distance = norm(out);
    const Vec3 u = distance > 1e-3 ? out / distance : Vec3{1.0, 0.0};
    entry += math::abs(s_.leg.radius_m) * u;
  }
  travel(tick, s_.reference.position_W_m, entry);
}

void Navigator::start_turn(const Tick& tick) {
  stay(tick);
  double left = s_.leg.yaw_relative ? s_.leg.yaw_rad : wrap_angle(s_.leg.yaw_rad - s_.yaw.yaw_rad);
  const double direction = static_cast<double>(s_.leg.yaw_direction);
  if (s_.leg.yaw_relative && direction != 0.0) left = direction * math::abs(left);
  if (!s_.leg.yaw_relative && direction * left < 0.0) left += direction * math::kTwoPi;
  s_.turn_left_rad = left;
  enter(tick, Phase::kTurn);
}

void Navigator::start_return(const Tick& tick) {
  const Vec3 here = s_.reference.position_W_m;
  s_.target_W_m = s_.home_W_m;
  s_.target_W_m.z = math::min(here.z, s_.home_W_m.z - tick.parameters.return_height_m);
  if (horizontal_distance(here, s_.home_W_m) <= tick.parameters.acceptance_radius_m) {
    s_.line = {here, {s_.home_W_m.x, s_.home_W_m.y, here.z}, 0.0};
    enter(tick, Phase::kDescend);
  } else {
    climb(tick, s_.target_W_m.z);
  }
}

/// Is the vehicle where the line ends? Before a landing the reference must be at rest, too.
bool Navigator::arrived(const Tick& tick) const {
  const Vec3 there = s_.line.end_W_m;
  const Vec3 here = tick.in.estimate.position_W_m;
  const double radius = acceptance_m(tick.parameters);
  if (s_.phase == Phase::kClimb) return math::abs(here.z - there.z) <= 0.5 * radius;
  if (s_.leg.kind == LegKind::kReturn || s_.leg.kind == LegKind::kLand) {
    return horizontal_distance(here, there) <= radius &&
           horizontal_distance(s_.reference.position_W_m, there) <= 0.1 &&
           norm(horizontal(s_.reference.velocity_W_m_s)) <= 0.1;
  }
  return horizontal_distance(here, there) <= radius && math::abs(here.z - there.z) <= radius;
}

void Navigator::progress(const Tick& tick) {
  const DurationUs elapsed = tick.in.now - s_.phase_since;
  switch (s_.phase) {
    case Phase::kGround: progress_on_ground(tick); break;
    case Phase::kSpool:
      if (elapsed >= kSpoolTime) climb(tick, math::min(s_.line.end_W_m.z, s_.target_W_m.z));
      break;
    case Phase::kClimb:
      if (arrived(tick)) after_climb(tick);
      break;
    case Phase::kTravel:
      if (arrived(tick)) after_travel(tick);
      break;
    case Phase::kStay:
    case Phase::kCircle: {
      const bool loiter = s_.leg.kind == LegKind::kLoiter;
      const LoiterUntil until = loiter ? s_.leg.until : LoiterUntil::kTime;
      const bool done =
          (until == LoiterUntil::kTime && elapsed >= s_.leg.hold) ||
          (until == LoiterUntil::kTurns && s_.swept_rad >= s_.leg.turns * math::kTwoPi);
      if (done) finish_leg(tick);
      break;
    }
    case Phase::kTurn: {
      const double error = wrap_angle(s_.yaw.yaw_rad - yaw_of(tick.in.estimate.attitude));
      const bool there = math::abs(error) < 0.1 || !tick.in.yaw_controlled;
      if (math::abs(s_.turn_left_rad) < 0.02 && there) finish_leg(tick);
      break;
    }
    case Phase::kDescend: rest(tick); break;
  }
}

void Navigator::progress_on_ground(const Tick& tick) {
  if (s_.mode == FlightMode::kLand || s_.mode == FlightMode::kReturn) {
    disarm();
  } else if (s_.mode != FlightMode::kNone && s_.leg.kind == LegKind::kTakeoff) {
    s_.airborne = true;
    reset_reference(tick);
    s_.reference.velocity_W_m_s = {};
    s_.target_W_m = place_of(s_.leg);
    s_.thrust_cap_weight = 0.0;
    enter(tick, Phase::kSpool);
  } else if (s_.mode == FlightMode::kMission && s_.leg.kind == LegKind::kDelay &&
             tick.in.now - s_.phase_since >= s_.leg.hold) {
    finish_leg(tick);
  }
}

void Navigator::after_climb(const Tick& tick) {
  const Vec3 here = s_.reference.position_W_m;
  const bool away = horizontal_distance(here, s_.target_W_m) > tick.parameters.acceptance_radius_m;
  if (s_.leg.kind == LegKind::kReturn || (s_.leg.has_place && away)) {
    travel(tick, here, s_.target_W_m);
  } else {
    finish_leg(tick);
  }
}

void Navigator::after_travel(const Tick& tick) {
  switch (s_.leg.kind) {
    case LegKind::kReturn:
    case LegKind::kLand: enter(tick, Phase::kDescend); break;
    case LegKind::kLoiter:
      enter(tick, s_.leg.radius_m != 0.0 ? Phase::kCircle : Phase::kStay);
      break;
    default:
      if (s_.leg.hold.us == 0) {
        finish_leg(tick);
      } else {
        enter(tick, Phase::kStay);
      }
  }
}

void Navigator::finish_leg(const Tick& tick) {
  if (s_.mode == FlightMode::kMission) {
    const bool goes_on = s_.leg.autocontinue;
    complete_leg(*plan_, s_.mission);
    const Leg* next = current_leg(*plan_, s_.mission);
    if (next != nullptr && goes_on) {
      start_leg(tick, *next);
      return;
    }
  }
  // Over: stay where the leg led to.
  s_.mode = FlightMode::kHold;
  s_.leg = {};
  s_.leg.kind = LegKind::kLoiter;
  s_.line.beyond_m = 0.0;
  enter(tick, Phase::kStay);
}

/// Landing: the item is done when the vehicle rests, the motors stop some time later.
void Navigator::rest(const Tick& tick) {
  if (!tick.in.land.landed) {
    s_.at_rest = false;
    return;
  }
  if (!s_.at_rest) {
    s_.at_rest = true;
    s_.at_rest_since = tick.in.now;
    const bool item = s_.mode == FlightMode::kMission && !s_.mission.finished;
    if (item) complete_leg(*plan_, s_.mission);
  }
  if (tick.in.now - s_.at_rest_since >= tick.parameters.disarm_delay) disarm();
}

}  // namespace tactus
