// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/record/status_events.h"

#include <algorithm>
#include <iterator>

#include "tactus/core/assert.h"

namespace tactus {
namespace {

constexpr char kAutopilot[] = "autopilot";
constexpr std::string_view kWords[] = {"armed",
                                       "disarmed",
                                       "refuses",
                                       "failsafe",
                                       "mode",
                                       "item done",
                                       "mission finished",
                                       "motor lost",
                                       "motor trusted again",
                                       "yaw given up",
                                       "yaw held again"};

}  // namespace

bool is_status_event(std::string_view what) {
  return std::ranges::find(kWords, what) != std::end(kWords);
}

void StatusEvents::add(const StatusEvent& event) {
  TACTUS_ASSERT(count_ < kMost, "as many events as reports can hold");
  TACTUS_ASSERT(std::string_view(event.who) != kAutopilot || is_status_event(event.what),
                "a word of the list");
  events_[count_++] = event;
}

std::span<const StatusEvent> StatusEvents::see(const Bus& bus) {
  count_ = 0;
  if (bus.land.landed != land_.landed) {
    add({"land_detector", bus.land.landed ? "landed" : "not landed", "", 0});
  }
  see_autopilot(bus.autopilot);
  land_ = bus.land;
  autopilot_ = bus.autopilot;
  return {events_, count_};
}

void StatusEvents::see_autopilot(const AutopilotStatus& now) {
  const AutopilotStatus& before = autopilot_;
  if (now.armed != before.armed) add({kAutopilot, now.armed ? "armed" : "disarmed", "", 0});
  if (now.refusal != before.refusal && now.refusal != ArmingRefusal::kNone) {
    add({kAutopilot, "refuses", to_text(now.refusal), static_cast<int>(now.refusal)});
  }
  if (now.failsafe != before.failsafe) {
    add({kAutopilot, "failsafe", to_text(now.failsafe), static_cast<int>(now.failsafe)});
  }
  if (now.mode != before.mode) {
    add({kAutopilot, "mode", to_text(now.mode), static_cast<int>(now.mode)});
  }
  see_mission(now);
  see_motors(now);
  if (now.yaw_given_up != before.yaw_given_up) {
    add({kAutopilot, now.yaw_given_up ? "yaw given up" : "yaw held again", "", 0});
  }
}

/// The item flown changes when one is done; it is gone without being done while another mode flies.
void StatusEvents::see_mission(const AutopilotStatus& now) {
  const std::int32_t item = autopilot_.mission_item;
  const bool finishes = now.mission_finished && !autopilot_.mission_finished;
  const bool goes_on = now.mission_item >= 0 && now.mission_item != item;
  if (item >= 0 && (finishes || goes_on)) add({kAutopilot, "item done", "", item});
  if (finishes) add({kAutopilot, "mission finished", "", 0});
}

void StatusEvents::see_motors(const AutopilotStatus& now) {
  const std::uint32_t changed = now.motor_lost_mask ^ autopilot_.motor_lost_mask;
  if (changed == 0) return;
  for (int i = 0; i < static_cast<int>(kMaxMotors); ++i) {
    const std::uint32_t bit = std::uint32_t{1} << static_cast<unsigned>(i);
    if ((changed & bit) == 0) continue;
    const bool lost = (now.motor_lost_mask & bit) != 0;
    add({kAutopilot, lost ? "motor lost" : "motor trusted again", "", i});
  }
}

}  // namespace tactus
