// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The vehicle's side of MAVLink's mission protocol: upload, download, clear. Items are kept as they
// came, so a download is what was uploaded. There are no fences and rally points: those are
// reported as empty. One upload at a time; meanwhile no other ground station clears the mission. An
// upload that goes quiet is given up.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tactus/autopilot/mission/flight_plan.h"
#include "tactus/autopilot/mission/mission.h"
#include "tactus/core/time.h"
#include "tactus/link/mavlink/mavlink_transfer.h"

namespace tactus {

/// A mission that has come and can be flown.
struct NewMission {
  std::shared_ptr<const FlightPlan> plan;
  std::vector<mavlink::MissionItemInt> items;
  Address from;
};

class MissionServer {
 public:
  /// `mission`: what it has at first. A plan is compiled for `context`; whether it takes off first
  /// is no matter before it is flown.
  MissionServer(const Mission& mission, const PlanContext& context);

  void take(const mavlink::MissionCount& message, Address from, TimeUs now, Outbox& outbox);
  void take(const mavlink::MissionItemInt& message, Address from, TimeUs now, Outbox& outbox);
  void take(const mavlink::MissionClearAll& message, Address from, Outbox& outbox);
  void take(const mavlink::MissionRequestList& message, Address from, Outbox& outbox) const;
  void take(const mavlink::MissionRequestInt& message, Address from, Outbox& outbox) const;

  /// Asks again for what does not come.
  void act(TimeUs now, Outbox& outbox);

  /// An upload has begun and is neither complete nor given up.
  [[nodiscard]] bool uploading() const { return upload_.has_value(); }
  /// A complete upload (or a clearing), once; accept() makes it the vehicle's.
  std::optional<NewMission> take_uploaded();
  void accept(NewMission mission, Outbox& outbox);
  /// Why an upload was refused, once; empty: none was.
  std::string take_refusal();

  [[nodiscard]] std::size_t item_count() const { return items_.size(); }

  /// The autopilot was switched off and on: uploads are forgotten, the mission is not.
  void restart();

 private:
  struct Upload {
    Address from;
    std::size_t count = 0;
    TimeUs received_at;
    Repeater repeat;
    std::vector<mavlink::MissionItemInt> items;
  };

  void request(Outbox& outbox) const;
  void finish(Outbox& outbox);

  PlanContext context_;
  std::vector<mavlink::MissionItemInt> items_;
  std::optional<Upload> upload_;
  std::optional<NewMission> uploaded_;
  std::string refusal_;
};

/// Throws Error(kBadInput), "upload:LINE: …" where item 0 is line 1, for what is no mission of
/// ours.
Mission mission_from(const std::vector<mavlink::MissionItemInt>& items);

}  // namespace tactus
