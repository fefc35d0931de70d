// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/autopilot/mission/flight_plan.h"

#include <cstddef>

#include "tactus/core/error.h"
#include "tactus/core/math.h"
#include "tactus/core/text.h"
#include "tactus/world/atmosphere.h"

namespace tactus {

namespace {

constexpr double kTurn_deg = 360.0;

class PlanCompiler {
 public:
  PlanCompiler(const Mission& mission, const PlanContext& context)
      : mission_(mission), context_(context), frame_(make_local_frame(context.origin)) {}

  FlightPlan compile() {
    plan_.name = mission_.name;
    for (const MissionItem& item : mission_.items) plan_.legs.push_back(leg_of(item));
    check_start();
    check_jumps();
    check_reachable();
    return plan_;
  }

 private:
  [[noreturn]] void refuse_line(int line, const std::string& why) const {
    throw Error(ExitCode::kBadInput,
                mission_.name + ":" + format_integer(std::int64_t{line}) + ": " + why);
  }

  [[nodiscard]] static double or_zero(double value) { return math::is_nan(value) ? 0.0 : value; }

  double number(const MissionItem& item, int i, const char* what, double low, double high) const {
    const double value = or_zero(item.param[i]);
    if (value >= low && value <= high) return value;
    refuse_line(item.line, std::string(what) + " (parameter " +
                               format_integer(std::int64_t{i + 1}) + ") = " + format_double(value) +
                               ": must be from " + format_double(low) + " to " +
                               format_double(high));
  }

  DurationUs duration(const MissionItem& item, const char* what) const {
    const double seconds = number(item, 0, what, 0.0, 1e6);
    return duration_from_seconds(
        seconds, mission_.name + ":" + format_integer(std::int64_t{item.line}) + ": " + what);
  }

  Leg leg_of(const MissionItem& item) {
    Leg leg;
    leg.line = item.line;
    leg.autocontinue = item.autocontinue;
    switch (item.command) {
      case MissionCommand::kTakeoff: return takeoff(item, leg);
      case MissionCommand::kWaypoint: return waypoint(item, leg);
      case MissionCommand::kLoiterUnlimited: return loiter(item, leg, LoiterUntil::kForever);
      case MissionCommand::kLoiterTurns: return loiter(item, leg, LoiterUntil::kTurns);
      case MissionCommand::kLoiterTime: return loiter(item, leg, LoiterUntil::kTime);
      case MissionCommand::kReturnToLaunch: leg.kind = LegKind::kReturn; return leg;
      case MissionCommand::kLand: return land(item, leg);
      case MissionCommand::kDelay:
      case MissionCommand::kConditionDelay: return delay(item, leg);
      case MissionCommand::kConditionYaw: return yaw(item, leg);
      case MissionCommand::kDoChangeSpeed: return speed(item, leg);
      case MissionCommand::kDoJump: return jump(item, leg);
    }
    refuse_line(item.line,
                "unknown command " + format_integer(std::int64_t{static_cast<int>(item.command)}));
  }

  void place(const MissionItem& item, Leg& leg) const {
    const double yaw_deg = item.param[3];
    if (math::abs(yaw_deg) > kTurn_deg) {
      refuse_line(item.line, "heading (parameter 4) = " + format_double(yaw_deg) +
                                 ": must be -360 to 360 degrees, or NaN: along the course");
    }
    leg.yaw_rad = yaw_deg * math::kDegToRad;
    leg.has_place = has_place(item);
    if (leg.has_place) {
      if (!(math::abs(item.latitude_deg) <= 90.0 && math::abs(item.longitude_deg) <= 180.0)) {
        refuse_line(item.line, "latitude " + format_double(item.latitude_deg) + ", longitude " +
                                   format_double(item.longitude_deg) +
                                   ": not a place on the earth (-90 to 90, -180 to 180)");
      }
      leg.position_W_m = position_of(frame_, {item.latitude_deg, item.longitude_deg});
      constexpr double kFarthest_m = 1e5;
      // Through the earth: on the tangent plane its other side is 42 km away.
      const Geodetic on_ellipsoid{item.latitude_deg, item.longitude_deg, context_.origin.alt_msl_m};
      if (norm(geodetic_to_ned(frame_, on_ellipsoid)) > kFarthest_m) {
        refuse_line(item.line, "lies more than 100 km from the world origin (latitude " +
                                   format_double(context_.origin.lat_deg) + ", longitude " +
                                   format_double(context_.origin.lon_deg) +
                                   "): move the origin of the spec to where the mission is flown");
      }
    }
    leg.position_W_m.z = down(item, leg);
    require_in_air(item, altitude_msl_m(context_.origin, leg.position_W_m));
    leg.above_home = item.frame == AltitudeFrame::kAboveHome;
  }

  /// Range of the atmosphere; the frame of the item and the origin decide its altitude together.
  void require_in_air(const MissionItem& item, double altitude_msl_m) const {
    if (altitude_msl_m >= kLowestAir_m && altitude_msl_m <= kHighestAir_m) return;
    refuse_line(item.line,
                "altitude " + format_double(item.altitude_m) + " m is " +
                    format_double(altitude_msl_m) + " m above mean sea level: must be from " +
                    format_double(kLowestAir_m) + " to " + format_double(kHighestAir_m) + " m");
  }

  [[nodiscard]] double down(const MissionItem& item, const Leg& leg) const {
    if (!math::is_finite(item.altitude_m)) {
      refuse_line(item.line, "altitude " + format_double(item.altitude_m) + ": must be a number");
    }
    switch (item.frame) {
      case AltitudeFrame::kAboveHome: return -item.altitude_m;
      case AltitudeFrame::kMeanSeaLevel:
        return down_at_altitude_m(context_.origin, item.altitude_m);
      case AltitudeFrame::kAboveTerrain: return ground_down(leg) - item.altitude_m;
      case AltitudeFrame::kMission: break;
    }
    refuse_line(item.line, "frame 2 (mission) has no position: use frame 0, 3 or 10");
  }

  /// Height of the ground plane there; where no place is given, at the origin.
  [[nodiscard]] double ground_down(const Leg& leg) const {
    return point_above(context_.ground, leg.position_W_m.x, leg.position_W_m.y, 0.0).z;
  }

  Leg takeoff(const MissionItem& item, Leg leg) const {
    leg.kind = LegKind::kTakeoff;
    require_flies(item, "take off");
    place(item, leg);
    if (leg.above_home && leg.position_W_m.z >= 0.0) {
      refuse_line(item.line, "takeoff to " + format_double(item.altitude_m) +
                                 " m above home: must be above the ground");
    }
    return leg;
  }

  Leg waypoint(const MissionItem& item, Leg leg) const {
    leg.kind = LegKind::kWaypoint;
    place(item, leg);
    leg.hold = duration(item, "hold time");
    leg.acceptance_m = number(item, 1, "acceptance radius", 0.0, 1000.0);
    leg.pass_m = number(item, 2, "pass radius", -1000.0, 1000.0);
    if (leg.pass_m != 0.0 && leg.hold.us != 0) {
      refuse_line(item.line,
                  "a waypoint with a hold time cannot be passed by: set parameter 1 or 3 "
                  "to 0");
    }
    return leg;
  }

  Leg loiter(const MissionItem& item, Leg leg, LoiterUntil until) const {
    leg.kind = LegKind::kLoiter;
    leg.until = until;
    place(item, leg);
    leg.radius_m = number(item, 2, "loiter radius", -10000.0, 10000.0);
    // Only kLoiterUnlimited carries a heading in parameter 4; for the others it is an exit rule.
    if (until != LoiterUntil::kForever) leg.yaw_rad = math::canonical_nan();
    if (until == LoiterUntil::kTime) leg.hold = duration(item, "loiter time");
    if (until == LoiterUntil::kTurns) {
      leg.turns = number(item, 0, "number of turns", 0.0, 1e6);
      if (leg.radius_m == 0.0) {
        refuse_line(item.line, "turns need a radius: set parameter 3 (negative: anticlockwise)");
      }
    }
    return leg;
  }

  Leg land(const MissionItem& item, Leg leg) const {
    leg.kind = LegKind::kLand;
    require_flies(item, "land");
    place(item, leg);
    return leg;
  }

  Leg delay(const MissionItem& item, Leg leg) const {
    leg.kind = LegKind::kDelay;
    if (item.param[0] < 0.0) {
      refuse_line(item.line, "a delay until a time of day is not supported: give seconds");
    }
    leg.hold = duration(item, "delay");
    return leg;
  }

  Leg yaw(const MissionItem& item, Leg leg) const {
    leg.kind = LegKind::kYaw;
    require_flies(item, "turn on the spot by a mission item");
    leg.yaw_rad = number(item, 0, "heading", -kTurn_deg, kTurn_deg) * math::kDegToRad;
    leg.yaw_rate_rad_s = number(item, 1, "turn rate", 0.0, 360.0) * math::kDegToRad;
    const double direction = number(item, 2, "direction", -1.0, 1.0);
    leg.yaw_direction = direction > 0.0 ? 1 : direction < 0.0 ? -1 : 0;
    leg.yaw_relative = number(item, 3, "relative", 0.0, 1.0) != 0.0;
    return leg;
  }

  Leg speed(const MissionItem& item, Leg leg) const {
    leg.kind = LegKind::kSpeed;
    const double kind = number(item, 0, "kind of speed", 0.0, 3.0);
    if (kind == 2.0) leg.speed_kind = SpeedKind::kClimb;
    if (kind == 3.0) leg.speed_kind = SpeedKind::kDescent;
    if (or_zero(item.param[2]) > 0.0) {
      refuse_line(item.line, "a throttle (parameter 3) is not supported: set it to -1");
    }
    const double value = or_zero(item.param[1]);
    if (value == -2.0) return leg;  // back to the default
    if (!(value > 0.0 && value <= 100.0)) {
      refuse_line(item.line, "speed (parameter 2) = " + format_double(item.param[1]) +
                                 ": must be above 0 and at most 100 m/s, or -2 for the default");
    }
    leg.speed_m_s = value;
    return leg;
  }

  Leg jump(const MissionItem& item, Leg leg) {
    leg.kind = LegKind::kJump;
    leg.target = whole(item, 0, "item to jump to", 0.0, 1e6);
    leg.repeats = whole(item, 1, "repeats", -1.0, 1e6);
    leg.counter = plan_.jump_count++;
    if (plan_.jump_count > kMaxJumps) {
      refuse_line(item.line, "more than " + format_integer(std::int64_t{kMaxJumps}) + " jumps");
    }
    return leg;
  }

  int whole(const MissionItem& item, int i, const char* what, double low, double high) const {
    const double value = number(item, i, what, low, high);
    if (math::floor(value) != value) {
      refuse_line(item.line,
                  std::string(what) + " = " + format_double(value) + ": must be a whole number");
    }
    return static_cast<int>(value);  // checked: whole and within ±1e6
  }

  void require_flies(const MissionItem& item, const char* what) const {
    if (!context_.flies) refuse_line(item.line, std::string("this vehicle cannot ") + what);
  }

  void check_start() const {
    if (!context_.flies || !context_.from_ground) return;
    for (const Leg& leg : plan_.legs) {
      if (leg.kind == LegKind::kTakeoff) return;
      if (takes_time(leg.kind) && leg.kind != LegKind::kDelay) {
        refuse_line(leg.line, "the vehicle stands on the ground: a takeoff item must come first");
      }
    }
  }

  void check_jumps() const {
    for (std::size_t i = 0; i < plan_.legs.size(); ++i) {
      const Leg& leg = plan_.legs[i];
      if (leg.kind != LegKind::kJump) continue;
      const auto target = static_cast<std::size_t>(leg.target);
      if (target >= plan_.legs.size()) {
        refuse_line(leg.line, "jumps to item " + format_integer(std::int64_t{leg.target}) +
                                  ", but the items are 0 to " +
                                  format_integer(std::uint64_t{plan_.legs.size() - 1}));
      }
      bool moves = target > i;
      for (std::size_t k = target; k < i; ++k) moves = moves || takes_time(plan_.legs[k].kind);
      if (!moves) refuse_line(leg.line, "jumps in a circle in which nothing is flown");
    }
  }

  /// Whatever follows an item that never ends must be the target of a jump.
  void check_reachable() const {
    for (std::size_t i = 1; i < plan_.legs.size(); ++i) {
      const Leg& before = plan_.legs[i - 1];
      const bool ends =
          before.kind == LegKind::kLand || before.kind == LegKind::kReturn ||
          (before.kind == LegKind::kLoiter && before.until == LoiterUntil::kForever) ||
          (before.kind == LegKind::kJump && before.repeats < 0);
      if (!ends) continue;
      bool reached = false;
      for (const Leg& leg : plan_.legs) {
        reached = reached || (leg.kind == LegKind::kJump && leg.target == static_cast<int>(i));
      }
      if (!reached) {
        refuse_line(plan_.legs[i].line, "is never reached: the item before it (line " +
                                            format_integer(std::int64_t{before.line}) +
                                            ") does not end");
      }
    }
  }

  const Mission& mission_;
  const PlanContext& context_;
  LocalFrame frame_;
  FlightPlan plan_;
};

}  // namespace

FlightPlan compile_flight_plan(const Mission& mission, const PlanContext& context) {
  return PlanCompiler(mission, context).compile();
}

}  // namespace tactus
