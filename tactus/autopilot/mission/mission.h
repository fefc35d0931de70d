// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Missions: QGroundControl's text form (QGC WPL 110) and its .plan (JSON), with all parameters
// kept. What cannot be flown is an error that names file and line, never dropped.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/core/fields.h"
#include "tactus/core/vec.h"
#include "tactus/world/geodesy.h"

namespace tactus {

/// MAV_CMD numbers that are understood.
enum class MissionCommand : std::uint16_t {
  kWaypoint = 16,
  kLoiterUnlimited = 17,
  kLoiterTurns = 18,
  kLoiterTime = 19,
  kReturnToLaunch = 20,
  kLand = 21,
  kTakeoff = 22,
  kDelay = 93,  ///< NAV_DELAY
  kConditionDelay = 112,
  kConditionYaw = 115,
  kDoJump = 177,
  kDoChangeSpeed = 178,
};

enum class AltitudeFrame : std::uint8_t {
  kMeanSeaLevel,  ///< MAV_FRAME 0 (and 5)
  kAboveHome,     ///< 3 (and 6)
  kAboveTerrain,  ///< 10 (and 11): our ground is flat, so above the ground plane
  kMission,       ///< 2: no position
};

struct MissionItem {
  MissionCommand command = MissionCommand::kWaypoint;
  AltitudeFrame frame = AltitudeFrame::kAboveHome;
  /// param1 to param4; NaN: "not given". param1 of kDoJump is a position in Mission::items.
  double param[4] = {};
  double latitude_deg = 0.0;   ///< NaN, or 0 and longitude 0: "here"; also param5
  double longitude_deg = 0.0;  ///< also param6
  double altitude_m = 0.0;     ///< also param7
  bool autocontinue = true;
  int line = 0;  ///< of the file; in a .plan the line on which the item begins

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("command", "", self.command);
    visit("frame", "", self.frame);
    visit("param", "", self.param);
    visit("latitude_deg", "deg", self.latitude_deg);
    visit("longitude_deg", "deg", self.longitude_deg);
    visit("altitude_m", "m", self.altitude_m);
    visit("autocontinue", "", self.autocontinue);
    visit("line", "", left_out(self.line, "a place in a file"));
  }
};
static_assert(lists_every_field<MissionItem>());

/// Where it is flown does not depend on where the vehicle is.
bool has_place(const MissionItem& item);

struct Mission {
  std::string name;  ///< file name without folder
  std::vector<MissionItem> items;
  bool has_home = false;  ///< the file carried a home row or plannedHomePosition
  double home_latitude_deg = 0.0;
  double home_longitude_deg = 0.0;
  double home_altitude_msl_m = 0.0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("name", "", left_out(self.name, "what the file is called decides nothing"));
    visit("items", "", self.items);
    visit("has_home", "", self.has_home);
    visit("home_latitude_deg", "deg", self.home_latitude_deg);
    visit("home_longitude_deg", "deg", self.home_longitude_deg);
    visit("home_altitude_msl_m", "m", self.home_altitude_msl_m);
  }
};
static_assert(lists_every_field<Mission>());

/// The same mission elsewhere: every place, home included, moved by north, east and down metres.
/// `origin` is that of the world.
Mission shifted(const Mission& mission, Vec3 by_W_m, const WorldOrigin& origin);

/// Reads either form, by content. Throws Error(kBadInput) ("file:line: …") if it is wrong; `name`
/// stands for the file.
Mission parse_mission(std::string_view text, const std::string& name);

}  // namespace tactus
