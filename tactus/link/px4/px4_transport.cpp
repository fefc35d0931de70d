// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/px4/px4_transport.h"

#include <algorithm>
#include <utility>

namespace tactus {
namespace {

using conductor::RecordHeader;
using conductor::RecordKind;

constexpr std::int64_t kMicrosecond_ns = 1000;
constexpr std::int64_t kStartStep_ns = 1'000'000;  // while it starts, before it connects

Px4Receive to_px4(ReceiveResult result) {
  switch (result) {
    case ReceiveResult::kData: return Px4Receive::kData;
    case ReceiveResult::kTimeout: return Px4Receive::kOverdue;
    case ReceiveResult::kInterrupted: return Px4Receive::kInterrupted;
    case ReceiveResult::kClosed: break;
  }
  return Px4Receive::kClosed;
}

}  // namespace

// ---- sockets

Px4Sockets::Px4Sockets(const Px4Ports& ports)
    : ports_(ports),
      listener_(std::in_place, ports.hil, "PX4 (MAVLink HIL)"),
      udp_(ports.own, "PX4 (MAVLink)") {}

bool Px4Sockets::accept(Deadline deadline, const Interrupted& interrupted) {
  stream_ = listener_->accept(deadline, interrupted);
  listener_.reset();
  return stream_.has_value();
}

bool Px4Sockets::send_stream(std::vector<std::byte>& bytes) {
  std::span<const std::byte> rest(bytes);
  const bool open = stream_->send_some(rest) != ReceiveResult::kClosed;
  bytes.erase(bytes.begin(), bytes.end() - static_cast<std::ptrdiff_t>(rest.size()));
  return open;
}

Px4Receive Px4Sockets::receive_stream(std::vector<std::byte>& bytes, Deadline deadline,
                                      const Interrupted& interrupted) {
  return to_px4(stream_->receive(bytes, deadline, interrupted));
}

void Px4Sockets::send_datagram(std::span<const std::byte> bytes) {
  udp_.send_to(ports_.mavlink, bytes);
}

Px4Receive Px4Sockets::receive_datagram(std::vector<std::byte>& bytes, Deadline deadline,
                                        const Interrupted& interrupted) {
  UdpPeer from;
  while (true) {
    const ReceiveResult result = udp_.receive(bytes, deadline, interrupted, &from);
    if (result != ReceiveResult::kData || from.port == ports_.mavlink) return to_px4(result);
    if (interrupted && interrupted()) return Px4Receive::kInterrupted;
    if (deadline.passed() && !deadline.is_now()) return Px4Receive::kOverdue;
  }
}

// ---- conducted

bool Px4Conducted::accept(Deadline deadline, const Interrupted& interrupted) {
  while (!deadline.passed()) {
    switch (program_.turn(deadline, interrupted)) {
      case TurnEnd::kIdle: break;
      case TurnEnd::kEnded:
      case TurnEnd::kOverdue:
      case TurnEnd::kInterrupted: return false;
    }
    sort_output();
    if (connection_ != 0) {
      offset_ns_ = program_.now_ns();
      return true;
    }
    program_.set_limit_ns(program_.limit_ns() + kStartStep_ns);
  }
  return false;
}

void Px4Conducted::advance_to(std::uint64_t px4_time_us) {
  const auto time_ns = static_cast<std::int64_t>(px4_time_us) * kMicrosecond_ns;
  program_.set_limit_ns(std::max(program_.limit_ns(), offset_ns_ + time_ns));
}

bool Px4Conducted::send_stream(std::vector<std::byte>& bytes) {
  RecordHeader header{};
  header.kind = RecordKind::kStream;
  header.id = connection_;
  if (!bytes.empty()) program_.send(header, bytes);
  bytes.clear();
  return !closed_;
}

void Px4Conducted::send_datagram(std::span<const std::byte> bytes) {
  RecordHeader header{};
  header.kind = RecordKind::kDatagram;
  header.own_port = ports_.mavlink;
  header.peer_port = ports_.own;
  header.peer_address = UdpPeer::kThisMachine;
  program_.send(header, bytes);
}

template <class Queue>
Px4Receive Px4Conducted::receive(Queue& queue, Deadline deadline, const Interrupted& interrupted) {
  if (queue.empty() && program_.wants_turn()) {
    switch (program_.turn(deadline, interrupted)) {
      case TurnEnd::kIdle: sort_output(); break;
      case TurnEnd::kEnded: return Px4Receive::kClosed;
      case TurnEnd::kOverdue: return Px4Receive::kOverdue;
      case TurnEnd::kInterrupted: return Px4Receive::kInterrupted;
    }
  }
  if (!queue.empty()) return Px4Receive::kData;
  return closed_ ? Px4Receive::kClosed : Px4Receive::kNothing;
}

Px4Receive Px4Conducted::receive_stream(std::vector<std::byte>& bytes, Deadline deadline,
                                        const Interrupted& interrupted) {
  const Px4Receive result = receive(stream_, deadline, interrupted);
  if (result != Px4Receive::kData) return result;
  bytes.insert(bytes.end(), stream_.front().begin(), stream_.front().end());
  stream_.pop_front();
  return result;
}

Px4Receive Px4Conducted::receive_datagram(std::vector<std::byte>& bytes, Deadline deadline,
                                          const Interrupted& interrupted) {
  const Px4Receive result = receive(datagrams_, deadline, interrupted);
  if (result != Px4Receive::kData) return result;
  bytes = std::move(datagrams_.front());
  datagrams_.pop_front();
  return result;
}

/// What it sends to others than us is lost, as it is if nobody listens there.
void Px4Conducted::sort_output() {
  for (auto& [header, bytes] : program_.output()) {
    switch (header.kind) {
      case RecordKind::kConnect: {
        RecordHeader reply{};
        reply.id = header.id;
        const bool ours = header.peer_port == ports_.hil && connection_ == 0;
        reply.kind = ours ? RecordKind::kAccepted : RecordKind::kRefused;
        if (ours) connection_ = header.id;
        program_.send(reply, {});
        break;
      }
      case RecordKind::kStream:
        if (header.id == connection_) stream_.push_back(std::move(bytes));
        break;
      case RecordKind::kDatagram:
        if (header.own_port == ports_.mavlink && header.peer_port == ports_.own) {
          datagrams_.push_back(std::move(bytes));
        }
        break;
      case RecordKind::kClosed: closed_ |= header.id == connection_; break;
      case RecordKind::kOutsider: outsider_ = true; break;
      default: break;
    }
  }
  program_.output().clear();
}

}  // namespace tactus
