// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A mission, checked and turned into local coordinates: one leg per mission item, same numbering,
// so that item numbers in files, status and messages are the same. A plan never changes while it is
// flown; copies of an autopilot share it.
//
// Horizontal positions are metres north and east of the world origin. The plant's world is flat,
// so altitudes become `down` without the curvature term of geodesy.h. Altitudes above home stay
// relative until home is known: the place where the vehicle was armed. A home row of the file does
// not move home. Latitude and longitude both zero, or not given, mean "where you are".

#include <cstdint>
#include <string>
#include <vector>

#include "tactus/autopilot/mission/mission.h"
#include "tactus/core/fields.h"
#include "tactus/core/math.h"
#include "tactus/core/time.h"
#include "tactus/core/vec.h"
#include "tactus/plant/contact.h"
#include "tactus/world/geodesy.h"

namespace tactus {

enum class LegKind : std::uint8_t {
  kTakeoff,
  kWaypoint,
  kLoiter,  ///< hover at the place, or circle it if radius_m is not 0
  kDelay,
  kYaw,
  kSpeed,
  kJump,
  kReturn,
  kLand,
};

enum class SpeedKind : std::uint8_t { kHorizontal, kClimb, kDescent };

/// How long to loiter.
enum class LoiterUntil : std::uint8_t { kForever, kTime, kTurns };

struct Leg {
  LegKind kind = LegKind::kWaypoint;
  int line = 0;  ///< of the mission file, for messages
  bool autocontinue = true;

  bool has_place = false;  ///< north and east are given
  bool above_home = true;  ///< position_W_m.z counts from home's, not from the origin's
  Vec3 position_W_m;
  double yaw_rad = math::canonical_nan();  ///< NaN: along the course

  DurationUs hold;            ///< waypoint: stop this long; loiter and delay: how long
  double acceptance_m = 0.0;  ///< waypoint: reached within this distance; 0: the default
  double pass_m = 0.0;        ///< waypoint: pass beside it; > 0 leaves it on the right
  LoiterUntil until = LoiterUntil::kForever;
  double radius_m = 0.0;  ///< loiter: > 0 clockwise seen from above
  double turns = 0.0;

  double yaw_rate_rad_s = 0.0;  ///< kYaw: 0: the default
  int yaw_direction = 0;        ///< kYaw: 1 clockwise, −1 the other way, 0 the shorter one
  bool yaw_relative = false;    ///< kYaw: yaw_rad is a turn, not a heading

  SpeedKind speed_kind = SpeedKind::kHorizontal;
  double speed_m_s = 0.0;  ///< kSpeed: 0: back to the default

  int target = 0;   ///< kJump: leg to go to
  int repeats = 0;  ///< kJump: −1: for ever
  int counter = 0;  ///< kJump: which of the vehicle's jump counters it uses

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("kind", "", self.kind);
    visit("line", "", self.line);
    visit("autocontinue", "", self.autocontinue);
    visit("has_place", "", self.has_place);
    visit("above_home", "", self.above_home);
    visit("position_ned_m", "m", self.position_W_m);
    visit("yaw_rad", "rad", self.yaw_rad);
    visit("hold_us", "us", self.hold);
    visit("acceptance_m", "m", self.acceptance_m);
    visit("pass_m", "m", self.pass_m);
    visit("until", "", self.until);
    visit("radius_m", "m", self.radius_m);
    visit("turns", "1", self.turns);
    visit("yaw_rate_rad_s", "rad/s", self.yaw_rate_rad_s);
    visit("yaw_direction", "", self.yaw_direction);
    visit("yaw_relative", "", self.yaw_relative);
    visit("speed_kind", "", self.speed_kind);
    visit("speed_m_s", "m/s", self.speed_m_s);
    visit("target", "", self.target);
    visit("repeats", "", self.repeats);
    visit("counter", "", self.counter);
  }
};
static_assert(lists_every_field<Leg>());

/// Jumps that a plan may hold: their counters are part of the autopilot's plain state.
inline constexpr int kMaxJumps = 16;

struct FlightPlan {
  std::string name;
  std::vector<Leg> legs;
  int jump_count = 0;
};

/// What a plan depends on besides the mission.
struct PlanContext {
  WorldOrigin origin;
  GroundParameters ground;
  bool flies = true;        ///< false: a rover, which neither takes off nor lands
  bool from_ground = true;  ///< it starts on the ground, so it must take off first
};

/// True for legs that take time; the others only change how the next ones are flown.
constexpr bool takes_time(LegKind kind) {
  return kind != LegKind::kSpeed && kind != LegKind::kJump;
}

/// Throws Error(kBadInput), "file:line: …", for what cannot be flown.
FlightPlan compile_flight_plan(const Mission& mission, const PlanContext& context);

}  // namespace tactus
