// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// How far a vehicle is in its plan: which leg it flies, which jumps are left, which speeds are in
// force. Plain data; legs that take no time are worked off on the way.

#include "tactus/autopilot/mission/flight_plan.h"
#include "tactus/core/fields.h"

namespace tactus {

struct MissionProgress {
  int item = -1;          ///< being flown, −1: none
  int items_reached = 0;  ///< items 0 … n − 1 are done; a jump back does not lower it
  bool finished = false;
  int jumps_left[kMaxJumps] = {};
  double speed_m_s[3] = {};  ///< per SpeedKind; 0: the default

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("item", "", self.item, "being flown");
    visit("items_reached", "", self.items_reached, "items that are done");
    visit("finished", "", self.finished, "all items are done");
    visit("jumps_left", "", self.jumps_left, "of each jump");
    visit("speed_m_s", "m/s", self.speed_m_s, "horizontal, climb, descent");
  }
};
static_assert(lists_every_field<MissionProgress>());

/// The leg being flown; null before the start and after the end.
const Leg* current_leg(const FlightPlan& plan, const MissionProgress& progress);

/// To the first leg, or to the one of that item.
void start_mission(const FlightPlan& plan, MissionProgress& progress, int item = 0);

/// The current leg is done: on to the next one that takes time. Works off at most as many items as
/// the plan has, so that it always returns; then a jump or speed item may be the current leg, to be
/// completed at the next tick.
void complete_leg(const FlightPlan& plan, MissionProgress& progress);

/// The leg that will follow the current one; null: none.
const Leg* following_leg(const FlightPlan& plan, const MissionProgress& progress);

}  // namespace tactus
