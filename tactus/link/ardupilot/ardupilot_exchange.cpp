// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/ardupilot/ardupilot_exchange.h"

#include <span>
#include <utility>

#include "tactus/core/assert.h"
#include "tactus/link/mavlink/mavlink.h"
#include "tactus/link/mavlink/mavlink_messages_vehicle.h"

namespace tactus {

namespace {

/// A duplicate of the network comes within microseconds, ArduPilot's own question after 1.1 s.
constexpr std::chrono::milliseconds kSilence{50};
/// Of one that has ended: another may come in its place.
constexpr std::chrono::milliseconds kGone{500};
/// About what the system keeps for us; in a frame ArduPilot sends one, and a few of telemetry.
constexpr int kMostAtOnce = 256;
constexpr std::uint8_t kArdupilotMega = 3;  ///< MAV_AUTOPILOT

bool is_from_ardupilot(std::span<const std::byte> datagram) {
  mavlink::Parser parser;
  bool found = false;
  parser.feed_datagram(datagram, [&found](const mavlink::Frame& frame) {
    mavlink::Heartbeat heartbeat;
    found |= mavlink::decode(frame, heartbeat) && heartbeat.autopilot == kArdupilotMega;
  });
  return found;
}

}  // namespace

AskResult ArdupilotExchange::wait(Deadline deadline, const Interrupted& interrupted) {
  while (!asked_) {
    UdpPeer from;
    const ReceiveResult got = link_->receive(datagram_, deadline, interrupted, &from);
    if (got == ReceiveResult::kInterrupted) return AskResult::kInterrupted;
    if (got == ReceiveResult::kIdle) return AskResult::kIdle;
    if (got != ReceiveResult::kData) return AskResult::kTimeout;
    take(from.port);
    if (!asked_) read_all();
    if (asked_again_ && !asked_) {
      ++counts_.repeats;
      link_->send_to(*peer_port_, std::as_bytes(std::span(answer_)));
      answered_at_ = Clock::now();
    }
    asked_again_ = false;
    if (asked_) break;
    // A wait checks these only when nothing has come, and something may always have.
    if (interrupted && interrupted()) return AskResult::kInterrupted;
    if (deadline.passed()) return AskResult::kTimeout;
  }
  return std::exchange(restarted_, false) ? AskResult::kRestarted : AskResult::kAsked;
}

void ArdupilotExchange::read_all() {
  UdpPeer from;
  for (int i = 0; i < kMostAtOnce; ++i) {
    if (link_->receive(datagram_, Deadline::now(), {}, &from) != ReceiveResult::kData) return;
    take(from.port);
  }
}

void ArdupilotExchange::take(std::uint16_t from_port) {
  const std::optional<ServoPacket> packet = decode_servo_packet(datagram_);
  if (!packet.has_value()) {
    ++counts_.garbage;
    return;
  }
  if (!peer_port_.has_value()) {
    accept(*packet, from_port);
    return;
  }
  const auto ahead = static_cast<std::int32_t>(packet->frame_count - packet_.frame_count);
  const bool same_sender = from_port == *peer_port_;
  const bool may_be_another = same_sender || (!asked_ && Clock::now() - answered_at_ >= kGone);
  if (ahead < 0 && packet->frame_count == 0 && may_be_another) {
    restarted_ = true;
    accept(*packet, from_port);
  } else if (!same_sender) {
    ++counts_.other_senders;
  } else if (ahead > 0) {
    accept(*packet, from_port);
  } else if (ahead == 0 && !asked_ && Clock::now() - answered_at_ >= kSilence) {
    asked_again_ = true;
  } else {
    ++counts_.duplicates;
  }
}

void ArdupilotExchange::accept(const ServoPacket& packet, std::uint16_t from_port) {
  packet_ = packet;
  peer_port_ = from_port;
  asked_ = true;
}

void ArdupilotExchange::answer(std::string_view text) {
  TACTUS_ASSERT(asked_, "an answer to ArduPilot that it did not ask for");
  // What came in the meantime: the newest question counts.
  read_all();
  answer_.assign(text);
  link_->send_to(*peer_port_, std::as_bytes(std::span(answer_)));
  answered_at_ = Clock::now();
  asked_ = false;
  asked_again_ = false;
}

void ArdupilotTelemetry::receive(const std::function<void(std::span<const std::byte>)>& take) {
  UdpPeer from;
  for (int i = 0; i < kMostAtOnce; ++i) {
    if (link_->receive(datagram_, Deadline::now(), {}, &from) != ReceiveResult::kData) return;
    if (!peer_port_.has_value() && is_from_ardupilot(datagram_)) peer_port_ = from.port;
    if (from.port == peer_port_) take(datagram_);
  }
}

void ArdupilotTelemetry::send(std::span<const std::byte> bytes) {
  if (peer_port_.has_value()) link_->send_to(*peer_port_, bytes);
}

}  // namespace tactus
