// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/px4/px4_mission.h"

#include <fmt/format.h>

#include "tactus/core/error.h"
#include "tactus/core/math.h"
#include "tactus/core/text.h"

namespace tactus {
namespace {

/// Nearer than this there is no course.
constexpr double kShortestCourse_m = 1.0;

class MissionWriter {
 public:
  MissionWriter(const Mission& mission, const PlanContext& context, const MissionStart& start)
      : mission_(mission),
        context_(context),
        frame_(make_local_frame(context.origin)),
        place_(start.position_W_m),
        yaw_deg_(start.heading_rad * math::kRadToDeg) {
    const Geodetic here = ned_to_geodetic(frame_, {place_.x, place_.y, 0.0});
    latitude_deg_ = here.lat_deg;
    longitude_deg_ = here.lon_deg;
  }

  std::string write() {
    text_ = "QGC WPL 110\n";
    for (const MissionItem& item : mission_.items) add(item);
    return text_;
  }

 private:
  [[noreturn]] void refuse(const MissionItem& item, const std::string& why) const {
    throw Error(ExitCode::kBadInput, fmt::format("{}:{}: {}", mission_.name, item.line, why));
  }

  void add(const MissionItem& item) {
    switch (item.command) {
      case MissionCommand::kTakeoff: return takeoff(item);
      case MissionCommand::kWaypoint: return waypoint(item);
      case MissionCommand::kLoiterUnlimited: return at_place(item, 17, 0.0, 0.0);
      case MissionCommand::kLoiterTime: return at_place(item, 16, or_zero(item.param[0]), 0.0);
      case MissionCommand::kLand: return land(item);
      case MissionCommand::kReturnToLaunch: return line(item, 20, 0.0, 0.0);
      case MissionCommand::kDelay: return delay(item);
      case MissionCommand::kLoiterTurns: return refuse_unsaid(item, "loiter turns (18)");
      case MissionCommand::kConditionDelay: return refuse_unsaid(item, "condition delay (112)");
      case MissionCommand::kConditionYaw: return refuse_unsaid(item, "condition yaw (115)");
      case MissionCommand::kDoJump: return refuse_unsaid(item, "jump (177)");
      case MissionCommand::kDoChangeSpeed: return refuse_unsaid(item, "change speed (178)");
    }
  }

  static double or_zero(double value) { return math::is_nan(value) ? 0.0 : value; }

  [[noreturn]] void refuse_unsaid(const MissionItem& item, const char* what) const {
    refuse(item, fmt::format("{}: the mission loader of the PX4 library drops its parameters; use "
                             "waypoints, or fly it with px4-sitl",
                             what));
  }

  void takeoff(const MissionItem& item) {
    if (has_place_item_) {
      refuse(item, "takeoff must be the first item with a place, PX4 rejects the mission else");
    }
    at_place(item, 22, 0.0, or_zero(item.param[1]));
  }

  void waypoint(const MissionItem& item) {
    if (or_zero(item.param[2]) != 0.0) {
      refuse(item, fmt::format("waypoint to be passed at {} m (parameter 3): the mission loader of "
                               "the PX4 library drops it; write 0",
                               item.param[2]));
    }
    at_place(item, 16, or_zero(item.param[0]), or_zero(item.param[1]));
  }

  void land(const MissionItem& item) {
    if (or_zero(item.param[1]) != 0.0) {
      refuse(item, "precision landing (parameter 2) needs a beacon, which is not simulated");
    }
    at_place(item, 21, 0.0, 0.0);
  }

  /// A hold at the place of the item before.
  void delay(const MissionItem& item) {
    const double seconds = or_zero(item.param[0]);
    if (seconds < 0.0) refuse(item, "delay until a time of day (parameter 1 is -1) has no date");
    if (!has_place_item_) refuse(item, "delay before the first item with a place");
    line(item, 16, seconds, 0.0);
  }

  void at_place(const MissionItem& item, int command, double hold_s, double acceptance_m) {
    const bool here = math::is_nan(item.latitude_deg) || math::is_nan(item.longitude_deg) ||
                      (item.latitude_deg == 0.0 && item.longitude_deg == 0.0);
    if (!here) go_to(item);
    if (!math::is_nan(item.param[3])) yaw_deg_ = item.param[3];
    set_altitude(item);
    has_place_item_ = true;
    line(item, command, hold_s, acceptance_m);
  }

  void go_to(const MissionItem& item) {
    const Vec3 before = place_;
    place_ =
        geodetic_to_ned(frame_, {item.latitude_deg, item.longitude_deg, context_.origin.alt_msl_m});
    latitude_deg_ = item.latitude_deg;
    longitude_deg_ = item.longitude_deg;
    const double north = place_.x - before.x;
    const double east = place_.y - before.y;
    if (math::hypot(north, east) >= kShortestCourse_m) {
      yaw_deg_ = math::atan2(east, north) * math::kRadToDeg;
    }
  }

  void set_altitude(const MissionItem& item) {
    above_home_ = item.frame == AltitudeFrame::kAboveHome;
    altitude_m_ = item.altitude_m;
    if (item.frame != AltitudeFrame::kAboveTerrain) return;
    const Vec3 on_ground_W = point_above(context_.ground, place_.x, place_.y, 0.0);
    altitude_m_ += altitude_msl_m(context_.origin, on_ground_W);
  }

  void line(const MissionItem& item, int command, double hold_s, double acceptance_m) {
    if (!(hold_s >= 0.0 && acceptance_m >= 0.0)) {
      refuse(item, fmt::format("hold time {} and acceptance radius {} must not be negative", hold_s,
                               acceptance_m));
    }
    text_ += fmt::format("{} {} {} {} {} {} 0 {} {} {} {} {}\n", count_, count_ == 0 ? 1 : 0,
                         above_home_ ? 3 : 0, command, format_double(hold_s),
                         format_double(acceptance_m), format_double(yaw_deg_),
                         format_double(latitude_deg_), format_double(longitude_deg_),
                         format_double(altitude_m_), item.autocontinue ? 1 : 0);
    ++count_;
  }

  const Mission& mission_;
  const PlanContext& context_;
  LocalFrame frame_;
  std::string text_;
  int count_ = 0;
  bool has_place_item_ = false;
  Vec3 place_;  ///< of the item before, as all that follows
  double latitude_deg_ = 0.0;
  double longitude_deg_ = 0.0;
  double altitude_m_ = 0.0;
  double yaw_deg_ = 0.0;
  bool above_home_ = true;
};

}  // namespace

std::string px4_mission_text(const Mission& mission, const PlanContext& context,
                             const MissionStart& start) {
  return MissionWriter(mission, context, start).write();
}

}  // namespace tactus
