// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/autopilot/mission/mission_progress.h"

#include <algorithm>
#include <cstddef>

namespace tactus {

namespace {

int leg_count(const FlightPlan& plan) { return static_cast<int>(plan.legs.size()); }

void mark_reached(MissionProgress& progress) {
  progress.items_reached = std::max(progress.items_reached, progress.item + 1);
}

/// Jumps if there are jumps left; true if it did.
bool take_jump(const Leg& leg, MissionProgress& progress) {
  int& left = progress.jumps_left[leg.counter];
  if (left == 0) return false;
  if (left > 0) --left;
  progress.item = leg.target;
  return true;
}

/// Works off speed and jump items from the current one on.
void settle(const FlightPlan& plan, MissionProgress& progress) {
  for (int i = 0; i < leg_count(plan); ++i) {
    const Leg* leg = current_leg(plan, progress);
    if (leg == nullptr || takes_time(leg->kind)) break;
    if (leg->kind == LegKind::kJump && take_jump(*leg, progress)) continue;
    if (leg->kind == LegKind::kSpeed) {
      const auto kind = static_cast<std::size_t>(leg->speed_kind);
      progress.speed_m_s[kind] = leg->speed_m_s;
    }
    mark_reached(progress);
    ++progress.item;
  }
  progress.finished = progress.item >= leg_count(plan);
}

}  // namespace

const Leg* current_leg(const FlightPlan& plan, const MissionProgress& progress) {
  if (progress.item < 0 || progress.item >= leg_count(plan)) return nullptr;
  return &plan.legs[static_cast<std::size_t>(progress.item)];
}

void start_mission(const FlightPlan& plan, MissionProgress& progress, int item) {
  progress = {};
  progress.item = item;
  for (const Leg& leg : plan.legs) {
    if (leg.kind == LegKind::kJump) progress.jumps_left[leg.counter] = leg.repeats;
  }
  settle(plan, progress);
}

void complete_leg(const FlightPlan& plan, MissionProgress& progress) {
  const Leg* leg = current_leg(plan, progress);
  if (leg != nullptr && takes_time(leg->kind)) {
    mark_reached(progress);
    ++progress.item;
  }
  settle(plan, progress);
}

const Leg* following_leg(const FlightPlan& plan, const MissionProgress& progress) {
  MissionProgress ahead = progress;
  complete_leg(plan, ahead);
  return current_leg(plan, ahead);
}

}  // namespace tactus
