// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A mission in the one form that the PX4 library's loader understands. The loader takes every line
// after the header for an item, drops lines with a word it cannot read ("nan"), knows frame 3 as
// "above home" and takes every other for "above mean sea level", and keeps parameters of waypoints
// only. So what a mission means is written out here, one line per item and in its numbering, and
// what cannot be written is refused with its line:
//   frames 3, 6      above home: frame 3
//   frames 0, 5      above mean sea level: frame 0
//   frames 10, 11    above the ground plane, which is known: frame 0
//   "here"           the place of the item before, at first where the vehicle stands
//   no heading       along the course to the item, as PX4 flies it (MPC_YAW_MODE 0)
//   loiter for time, delay    a waypoint with that hold time; PX4's multicopters do not circle

#include <string>

#include "tactus/autopilot/mission/flight_plan.h"
#include "tactus/autopilot/mission/mission.h"
#include "tactus/core/vec.h"

namespace tactus {

/// Where the vehicle stands when the mission is loaded.
struct MissionStart {
  Vec3 position_W_m;
  double heading_rad = 0.0;
};

/// Text of a QGC WPL 110 file. Throws Error(kBadInput), "file:line: …".
std::string px4_mission_text(const Mission& mission, const PlanContext& context,
                             const MissionStart& start);

}  // namespace tactus
