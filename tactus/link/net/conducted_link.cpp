// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/net/conducted_link.h"

#include <optional>
#include <utility>

namespace tactus {
namespace {

using conductor::RecordHeader;
using conductor::RecordKind;
using Message = ConductedProgram::Message;

constexpr std::int64_t kIdleStep_ns = 1'000'000;

/// kIdle: it has had its turn.
ReceiveResult let_go_on(ConductedProgram& program, Deadline deadline,
                        const Interrupted& interrupted) {
  switch (program.turn(deadline, interrupted)) {
    case TurnEnd::kIdle: return ReceiveResult::kIdle;
    case TurnEnd::kEnded: return ReceiveResult::kClosed;
    case TurnEnd::kOverdue: return ReceiveResult::kTimeout;
    case TurnEnd::kInterrupted: break;
  }
  return ReceiveResult::kInterrupted;
}

}  // namespace

ReceiveResult ConductedStream::receive(std::vector<std::byte>& bytes, Deadline deadline,
                                       const Interrupted& interrupted) {
  const auto ours = [this](const Message& message) {
    const RecordKind kind = message.header.kind;
    return message.header.id == connection_ &&
           (kind == RecordKind::kStream || kind == RecordKind::kClosed);
  };
  std::optional<Message> message = program_.take(ours);
  if (!message && !closed_ && program_.wants_turn()) {
    const ReceiveResult result = let_go_on(program_, deadline, interrupted);
    if (result != ReceiveResult::kIdle) return result;
    message = program_.take(ours);
  }
  if (!message) return closed_ ? ReceiveResult::kClosed : ReceiveResult::kIdle;
  closed_ |= message->header.kind == RecordKind::kClosed;
  bytes.insert(bytes.end(), message->bytes.begin(), message->bytes.end());
  return closed_ ? ReceiveResult::kClosed : ReceiveResult::kData;
}

ReceiveResult ConductedStream::send_some(std::span<const std::byte>& bytes) {
  if (closed_) return ReceiveResult::kClosed;
  RecordHeader header{};
  header.kind = RecordKind::kStream;
  header.id = connection_;
  if (!bytes.empty()) program_.send(header, bytes);
  bytes = {};
  return ReceiveResult::kData;
}

ConductedPort::ConductedPort(ConductedProgram& program, std::uint16_t port, bool shared,
                             std::int64_t longest_idle_ns)
    : program_(program), port_(port), longest_idle_ns_(longest_idle_ns) {
  program_.open_port(port, shared);
}

void ConductedPort::send_to(const UdpPeer& peer, std::span<const std::byte> bytes) {
  RecordHeader header{};
  header.kind = RecordKind::kDatagram;
  header.own_port = peer.port;
  header.peer_port = port_;
  header.peer_address = UdpPeer::kThisMachine;
  program_.send(header, bytes);
}

ReceiveResult ConductedPort::receive(std::vector<std::byte>& bytes, Deadline deadline,
                                     const Interrupted& interrupted, UdpPeer* from) {
  const auto ours = [this](const Message& message) {
    return message.header.kind == RecordKind::kDatagram && message.header.peer_port == port_;
  };
  std::optional<Message> message = program_.take(ours);
  const std::int64_t last_ns = program_.limit_ns() + longest_idle_ns_;
  while (!message && !deadline.is_now() &&
         (program_.wants_turn() || program_.limit_ns() < last_ns)) {
    if (!program_.wants_turn()) program_.set_limit_ns(program_.limit_ns() + kIdleStep_ns);
    const ReceiveResult result = let_go_on(program_, deadline, interrupted);
    if (result != ReceiveResult::kIdle) return result;
    message = program_.take(ours);
  }
  if (!message) return ReceiveResult::kIdle;
  bytes = std::move(message->bytes);
  if (from) *from = UdpPeer(message->header.own_port);
  return ReceiveResult::kData;
}

}  // namespace tactus
