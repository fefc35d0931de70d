// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include <fmt/format.h>

#include <iterator>

#include "tactus/core/error.h"
#include "tactus/core/math.h"
#include "tactus/link/mavlink/mavlink_transfer.h"

namespace tactus {
namespace {

constexpr std::uint8_t kGlobal = 0, kMissionFrame = 2, kAboveHomeFrame = 3;  // MAV_FRAME
constexpr std::size_t kMaxItems = 65535;
constexpr int kTries = 40;         // MISSION_COUNT without any answer
constexpr int kFailures = 3;       // answers that the mission is wrong
constexpr int kRefusals = 40;      // answers before it asked for an item: a boot is not over
constexpr int kQuiet = 18;         // repeats to wait before it is started anew: 9 s
constexpr int kQuietAtEnd = 4;     // the same when only the answer is missing
constexpr int kMostRequests = 50;  // for one item: it does not get on

/// Of MAV_MISSION_RESULT, from 0.
constexpr const char* kResults[] = {
    "accepted",  "error",          "unsupported frame", "unsupported",      "no space",
    "invalid",   "invalid param1", "invalid param2",    "invalid param3",   "invalid param4",
    "invalid x", "invalid y",      "invalid altitude",  "invalid sequence", "denied",
    "cancelled"};

const char* mission_result_text(std::uint8_t result) {
  return result < std::size(kResults) ? kResults[result] : "unknown";
}

bool has_place(MissionCommand command) {
  switch (command) {
    case MissionCommand::kWaypoint:
    case MissionCommand::kLoiterUnlimited:
    case MissionCommand::kLoiterTurns:
    case MissionCommand::kLoiterTime:
    case MissionCommand::kLand:
    case MissionCommand::kTakeoff: return true;
    case MissionCommand::kReturnToLaunch:
    case MissionCommand::kDelay:
    case MissionCommand::kConditionDelay:
    case MissionCommand::kConditionYaw:
    case MissionCommand::kDoJump:
    case MissionCommand::kDoChangeSpeed: return false;
  }
  return false;
}

std::int32_t to_1e7(double degrees) {
  bool ok = true;
  return static_cast<std::int32_t>(math::to_int64(math::rint(degrees * 1e7), ok));
}

bool is_here(const MissionItem& item) {
  return math::is_nan(item.latitude_deg) || math::is_nan(item.longitude_deg) ||
         (item.latitude_deg == 0.0 && item.longitude_deg == 0.0);
}

/// ArduPilot refuses NaN where it does not expect it and reads 0 as "not given".
float parameter(PilotFlavour flavour, double value) {
  const bool plain = flavour == PilotFlavour::kArduCopter && math::is_nan(value);
  return plain ? 0.0F : static_cast<float>(value);
}

/// Writes one item after the other, keeping the place where the last one is.
class ItemWriter {
 public:
  ItemWriter(PilotFlavour flavour, const GeoPoint& home) : flavour_(flavour), place_(home) {}

  mavlink::MissionItemInt write_home() {
    mavlink::MissionItemInt message;
    message.command = static_cast<std::uint16_t>(MissionCommand::kWaypoint);
    message.frame = kGlobal;
    message.autocontinue = 1;
    set_place(message);
    message.z = static_cast<float>(place_.altitude_msl_m);
    return message;
  }

  mavlink::MissionItemInt write(const MissionItem& item) {
    mavlink::MissionItemInt message;
    message.command = static_cast<std::uint16_t>(item.command);
    message.autocontinue = item.autocontinue ? 1 : 0;
    message.param1 = parameter(flavour_, item.param[0]);
    message.param2 = parameter(flavour_, item.param[1]);
    message.param3 = parameter(flavour_, item.param[2]);
    message.param4 = parameter(flavour_, item.param[3]);
    message.z = parameter(flavour_, item.altitude_m);
    if (item.command == MissionCommand::kDoJump && flavour_ == PilotFlavour::kArduCopter) {
      message.param1 += 1.0F;  // its home is item 0
    }
    message.frame = kMissionFrame;
    if (has_place(item.command)) write_place(item, message);
    return message;
  }

 private:
  void write_place(const MissionItem& item, mavlink::MissionItemInt& message) {
    message.frame = item.frame == AltitudeFrame::kMeanSeaLevel ? kGlobal : kAboveHomeFrame;
    if (is_here(item) && flavour_ == PilotFlavour::kArduCopter) return;  // 0, 0: it knows that
    if (!is_here(item)) {
      place_.latitude_deg = item.latitude_deg;
      place_.longitude_deg = item.longitude_deg;
    }
    set_place(message);
  }

  void set_place(mavlink::MissionItemInt& message) const {
    message.x = to_1e7(place_.latitude_deg);
    message.y = to_1e7(place_.longitude_deg);
  }

  PilotFlavour flavour_;
  GeoPoint place_;
};

}  // namespace

std::vector<mavlink::MissionItemInt> mission_messages(PilotFlavour flavour, const Mission& mission,
                                                      const GeoPoint& home) {
  std::vector<mavlink::MissionItemInt> messages;
  messages.reserve(mission.items.size() + 1);
  ItemWriter writer(flavour, home);
  if (flavour == PilotFlavour::kArduCopter) messages.push_back(writer.write_home());
  for (const MissionItem& item : mission.items) messages.push_back(writer.write(item));
  if (messages.size() > kMaxItems) {
    throw Error(ExitCode::kBadInput, fmt::format("mission {}: {} items; MAVLink carries at most {}",
                                                 mission.name, mission.items.size(), kMaxItems));
  }
  for (std::size_t i = 0; i < messages.size(); ++i) {
    messages[i].seq = static_cast<std::uint16_t>(i);
  }
  return messages;
}

MissionUpload::MissionUpload(PilotFlavour flavour, const Mission* mission, const GeoPoint& home) {
  if (mission == nullptr) return;
  items_ = mission_messages(flavour, *mission, home);
  requests_.resize(items_.size());
  state_ = UploadState::kNotStarted;
}

void MissionUpload::act(Address to, TimeUs now, DurationUs repeat, Outbox& outbox) {
  if (over() || !repeat_.due(now, repeat)) return;
  state_ = UploadState::kRunning;
  // Once it asks for items the vehicle leads: it repeats its requests, and gives up after a while.
  // After the last item only its answer can be missing.
  const bool complete = last_asked_ + 1 == static_cast<std::int32_t>(items_.size());
  if (last_asked_ >= 0 && ++quiet_ < (complete ? kQuietAtEnd : kQuiet)) return;
  if (++tries_ > kTries) {
    state_ = UploadState::kRefused;
    return;
  }
  mavlink::MissionCount message;
  message.target_system = to.system;
  message.target_component = to.component;
  message.count = static_cast<std::uint16_t>(items_.size());
  last_asked_ = -1;
  outbox.send(message);
}

void MissionUpload::take(const mavlink::MissionRequest& message, Address to, Outbox& outbox) {
  if (message.mission_type == 0) answer(message.seq, to, outbox);
}

void MissionUpload::take(const mavlink::MissionRequestInt& message, Address to, Outbox& outbox) {
  if (message.mission_type == 0) answer(message.seq, to, outbox);
}

void MissionUpload::answer(std::uint16_t sequence, Address to, Outbox& outbox) {
  if (state_ != UploadState::kRunning || sequence >= items_.size()) return;
  last_asked_ = sequence;
  if (++requests_[sequence] > kMostRequests) {
    result_ = 0;
    state_ = UploadState::kRefused;
    return;
  }
  mavlink::MissionItemInt message = items_[sequence];
  message.target_system = to.system;
  message.target_component = to.component;
  outbox.send(message);
  quiet_ = 0;
  tries_ = 0;
}

void MissionUpload::take(const mavlink::MissionAck& message) {
  if (state_ != UploadState::kRunning || message.mission_type != 0) return;
  if (message.type == 0) {
    // An answer to an earlier attempt does not count: it must have seen the last item.
    const bool complete = last_asked_ + 1 == static_cast<std::int32_t>(items_.size());
    if (complete) state_ = UploadState::kDone;
    return;
  }
  result_ = message.type;
  quiet_ = kQuiet;  // it has given up
  failures_ += last_asked_ < 0 ? 0 : 1;
  refusals_ += last_asked_ < 0 ? 1 : 0;
  if (failures_ == kFailures || refusals_ == kRefusals) state_ = UploadState::kRefused;
}

std::string MissionUpload::refusal() const {
  if (state_ != UploadState::kRefused) return "";
  if (result_ == 0 && last_asked_ >= 0 &&
      requests_[static_cast<std::size_t>(last_asked_)] > kMostRequests) {
    return fmt::format("the vehicle asks for item {} of the mission again and again ({} times)",
                       last_asked_, kMostRequests);
  }
  if (result_ == 0) return "the vehicle does not answer the mission upload";
  return fmt::format(
      "the vehicle refuses the mission with MAV_MISSION_RESULT {} ({}), {}", result_,
      mission_result_text(result_),
      last_asked_ < 0 ? "before it asked for an item" : fmt::format("after item {}", last_asked_));
}

}  // namespace tactus
