// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What the autopilot and the land detector did, read from what they report, for the events of a
// recording: an event is a report that differs from the one before. Never allocates.
//
//   who            what               detail            index
//   land_detector  landed, not landed
//   autopilot      armed, disarmed
//                  mode               its name          its number
//                  failsafe           why; none: over   its number
//                  refuses            why               its number
//                  item done                            item of the mission
//                  mission finished
//                  motor lost, motor trusted again      rotor
//                  yaw given up, yaw held again

#include <cstddef>
#include <span>
#include <string_view>

#include "tactus/signal/bus.h"

namespace tactus {

struct StatusEvent {
  const char* who = "";
  const char* what = "";
  const char* detail = "";
  int index = 0;
};

/// Whether an event of the autopilot is one of those above; if not, it is a note of the autopilot.
bool is_status_event(std::string_view what);

class StatusEvents {
 public:
  /// What was reported so far; nothing of it is an event.
  explicit StatusEvents(const Bus& bus = {}) : autopilot_(bus.autopilot), land_(bus.land) {}

  /// Events since the last call; valid until the next one.
  std::span<const StatusEvent> see(const Bus& bus);

 private:
  static constexpr std::size_t kMost = 16 + 2 * kMaxMotors;  ///< more than can change at once

  void add(const StatusEvent& event);
  void see_mission(const AutopilotStatus& now);
  void see_motors(const AutopilotStatus& now);
  void see_autopilot(const AutopilotStatus& now);

  AutopilotStatus autopilot_;
  LandStatus land_;
  StatusEvent events_[kMost];
  std::size_t count_ = 0;
};

}  // namespace tactus
