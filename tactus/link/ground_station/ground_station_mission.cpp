// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/ground_station/ground_station_mission.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "tactus/autopilot/mission/mission_format.h"
#include "tactus/core/error.h"
#include "tactus/core/math.h"

namespace tactus {
namespace {

/// MAV_MISSION_RESULT
enum Result : std::uint8_t {
  kAccepted = 0,
  kUnsupported = 3,
  kNoSpace = 4,
  kInvalid = 5,
  kInvalidSequence = 13,
  kDenied = 14,
  kCancelled = 15,
};
/// MAV_MISSION_TYPE: waypoints; all kinds.
constexpr std::uint8_t kWaypoints = 0, kEverything = 255;
constexpr std::size_t kMostItems = 1000;
constexpr DurationUs kAskAgain{500'000};
constexpr DurationUs kGiveUp{10'000'000};

bool operator==(const Address& a, const Address& b) {
  return a.system == b.system && a.component == b.component;
}

template <class M>
M addressed(M message, Address to) {
  message.target_system = to.system;
  message.target_component = to.component;
  return message;
}

void answer(Result result, std::uint8_t type, Address to, Outbox& outbox) {
  mavlink::MissionAck message;
  message.type = result;
  message.mission_type = type;
  outbox.send(addressed(message, to));
}

double degrees(std::int32_t value) {
  const bool given = value != std::numeric_limits<std::int32_t>::max();
  return given ? value * 1e-7 : math::canonical_nan();
}

}  // namespace

Mission mission_from(const std::vector<mavlink::MissionItemInt>& items) {
  MissionBuilder builder("upload");
  for (std::size_t i = 0; i < items.size(); ++i) {
    const mavlink::MissionItemInt& item = items[i];
    MissionRow row;
    row.line = static_cast<int>(i) + 1;
    row.id = static_cast<std::int64_t>(i);
    row.command = item.command;
    row.frame = item.frame;
    row.autocontinue = item.autocontinue != 0;
    const double numbers[] = {item.param1,     item.param2,     item.param3, item.param4,
                              degrees(item.x), degrees(item.y), item.z};
    std::copy(std::begin(numbers), std::end(numbers), std::begin(row.param));
    builder.add(row);
  }
  return builder.finish();
}

MissionServer::MissionServer(const Mission& mission, const PlanContext& context)
    : context_(context) {
  context_.from_ground = false;
  const GeoPoint home{context.origin.lat_deg, context.origin.lon_deg, context.origin.alt_msl_m};
  items_ = mission_messages(PilotFlavour::kPx4, mission, home);
}

void MissionServer::take(const mavlink::MissionCount& message, Address from, TimeUs now,
                         Outbox& outbox) {
  if (upload_ && !(upload_->from == from)) {
    answer(kDenied, message.mission_type, from, outbox);
  } else if (message.mission_type != kWaypoints) {
    answer(message.count == 0 ? kAccepted : kUnsupported, message.mission_type, from, outbox);
  } else if (message.count > kMostItems) {
    answer(kNoSpace, kWaypoints, from, outbox);
  } else {
    upload_ = Upload{from, message.count, now, {}, {}};
    upload_->repeat.due(now, kAskAgain);
    if (message.count == 0) {
      finish(outbox);
    } else {
      request(outbox);
    }
  }
}

void MissionServer::take(const mavlink::MissionItemInt& message, Address from, TimeUs now,
                         Outbox& outbox) {
  if (message.mission_type != kWaypoints || !upload_ || !(upload_->from == from)) {
    // The answer to the last item may have been lost.
    const bool known = !upload_ && message.mission_type == kWaypoints &&
                       std::size_t{message.seq} + 1 == items_.size();
    if (known) answer(kAccepted, kWaypoints, from, outbox);
    return;
  }
  upload_->received_at = now;
  if (message.seq < upload_->items.size()) return;  // sent twice
  if (message.seq > upload_->items.size()) {
    answer(kInvalidSequence, kWaypoints, from, outbox);
    upload_.reset();
    return;
  }
  upload_->items.push_back(message);
  if (upload_->items.size() == upload_->count) {
    finish(outbox);
    return;
  }
  upload_->repeat.restart();
  upload_->repeat.due(now, kAskAgain);
  request(outbox);
}

void MissionServer::request(Outbox& outbox) const {
  mavlink::MissionRequestInt message;
  message.seq = static_cast<std::uint16_t>(upload_->items.size());
  outbox.send(addressed(message, upload_->from));
}

void MissionServer::finish(Outbox& outbox) {
  Upload upload = std::move(*upload_);
  upload_.reset();
  try {
    auto plan = std::make_shared<FlightPlan>();
    if (upload.count > 0) *plan = compile_flight_plan(mission_from(upload.items), context_);
    uploaded_ = NewMission{std::move(plan), std::move(upload.items), upload.from};
  } catch (const Error& error) {
    refusal_ = error.what();
    answer(kInvalid, kWaypoints, upload.from, outbox);
  }
}

void MissionServer::take(const mavlink::MissionClearAll& message, Address from, Outbox& outbox) {
  if (message.mission_type != kWaypoints && message.mission_type != kEverything) {
    answer(kAccepted, message.mission_type, from, outbox);
    return;
  }
  if (upload_ && !(upload_->from == from)) {
    answer(kDenied, message.mission_type, from, outbox);
    return;
  }
  upload_.reset();
  uploaded_ = NewMission{std::make_shared<FlightPlan>(), {}, from};
}

void MissionServer::take(const mavlink::MissionRequestList& message, Address from,
                         Outbox& outbox) const {
  mavlink::MissionCount count;
  count.mission_type = message.mission_type;
  if (message.mission_type == kWaypoints) count.count = static_cast<std::uint16_t>(items_.size());
  outbox.send(addressed(count, from));
}

void MissionServer::take(const mavlink::MissionRequestInt& message, Address from,
                         Outbox& outbox) const {
  if (message.mission_type != kWaypoints || message.seq >= items_.size()) {
    answer(kInvalidSequence, message.mission_type, from, outbox);
    return;
  }
  outbox.send(addressed(items_[message.seq], from));
}

void MissionServer::act(TimeUs now, Outbox& outbox) {
  if (!upload_) return;
  if (now - upload_->received_at >= kGiveUp) {
    answer(kCancelled, kWaypoints, upload_->from, outbox);
    upload_.reset();
  } else if (upload_->repeat.due(now, kAskAgain)) {
    request(outbox);
  }
}

std::optional<NewMission> MissionServer::take_uploaded() {
  return std::exchange(uploaded_, std::nullopt);
}

void MissionServer::accept(NewMission mission, Outbox& outbox) {
  items_ = std::move(mission.items);
  answer(kAccepted, kWaypoints, mission.from, outbox);
}

std::string MissionServer::take_refusal() { return std::exchange(refusal_, {}); }

void MissionServer::restart() {
  upload_.reset();
  uploaded_.reset();
}

}  // namespace tactus
