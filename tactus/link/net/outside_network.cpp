// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/net/outside_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "tactus/core/error.h"

namespace tactus {
namespace {

using conductor::RecordHeader;
using conductor::RecordKind;
using Message = OutsideNetwork::Message;

// Of one port or connection in a tick. What comes beyond stays in its socket, and is lost there if
// it is too much.
constexpr int kMostDatagrams = 16;
constexpr std::size_t kMostBytes = 4096;
constexpr std::size_t kMostUnsent = std::size_t{4} << 20U;  // for one that does not read
constexpr std::size_t kMostConnections = 64;
constexpr std::size_t kMostPorts = 64;               // of each kind
constexpr std::uint32_t kAcceptedHere = 0x80000000;  // above the program's own numbers
constexpr std::uint16_t kFirstFreePort = 49152;      // not chosen by the program, but for it

Message about(RecordKind kind, std::uint32_t id) {
  Message message{};
  message.header.kind = kind;
  message.header.id = id;
  return message;
}

}  // namespace

// ---- this machine

void MachineNetwork::require_room(std::size_t ports) const {
  if (ports < kMostPorts) return;
  throw Error(ExitCode::kEnvironment,
              fmt::format("{} opens more than {} ports", program_, kMostPorts));
}

UdpSocket& MachineNetwork::socket_of(std::uint16_t port) {
  const auto found = std::ranges::find(datagrams_, port, &Datagrams::port);
  if (found != datagrams_.end()) return found->socket;
  require_room(datagrams_.size());
  const std::uint16_t own = port < kFirstFreePort ? port : std::uint16_t{0};
  datagrams_.push_back({port, UdpSocket(own, program_)});
  return datagrams_.back().socket;
}

void MachineNetwork::take(const Message& message) {
  const RecordHeader& header = message.header;
  switch (header.kind) {
    case RecordKind::kBound: socket_of(header.own_port); break;
    case RecordKind::kDatagram:
      socket_of(header.own_port).send_to({header.peer_port, header.peer_address}, message.bytes);
      break;
    case RecordKind::kListen:
      if (!std::ranges::count(listeners_, header.own_port, &Listener::port)) {
        require_room(listeners_.size());
        listeners_.push_back({header.own_port, TcpListener(header.own_port, program_)});
      }
      break;
    case RecordKind::kConnect: attempts_.push_back({header.id, header.peer_port}); break;
    case RecordKind::kStream: send(message); break;
    case RecordKind::kClosed:
      std::erase_if(attempts_, [&](const Attempt& one) { return one.id == header.id; });
      std::erase_if(connections_, [&](const Connection& one) { return one.id == header.id; });
      break;
    default: break;
  }
}

void MachineNetwork::send(const Message& message) {
  const auto found = std::ranges::find(connections_, message.header.id, &Connection::id);
  if (found == connections_.end()) return;
  found->unsent.insert(found->unsent.end(), message.bytes.begin(), message.bytes.end());
  found->send();
}

void MachineNetwork::Connection::send() {
  if (unsent.empty()) return;
  std::span<const std::byte> left = unsent;
  stream.send_some(left);
  unsent.erase(unsent.begin(), unsent.end() - static_cast<std::ptrdiff_t>(left.size()));
}

void MachineNetwork::receive(TimeUs /*now*/, std::vector<Message>& messages) {
  receive_datagrams(messages);
  accept(messages);
  connect(messages);
  receive_streams(messages);
}

void MachineNetwork::receive_datagrams(std::vector<Message>& messages) {
  for (Datagrams& one : datagrams_) {
    UdpPeer from;
    std::size_t bytes = 0;
    for (int i = 0; i < kMostDatagrams && bytes < kMostBytes; ++i) {
      if (one.socket.receive(buffer_, Deadline::now(), {}, &from) != ReceiveResult::kData) break;
      bytes += buffer_.size();
      Message message = about(RecordKind::kDatagram, 0);
      message.header.own_port = one.port;
      message.header.peer_port = from.port;
      message.header.peer_address = from.address;
      message.bytes = buffer_;
      messages.push_back(std::move(message));
    }
  }
}

void MachineNetwork::accept(std::vector<Message>& messages) {
  for (Listener& listener : listeners_) {
    if (connections_.size() >= kMostConnections) return;
    std::optional<TcpStream> stream = listener.socket.accept(Deadline::now());
    if (!stream) continue;
    Message message = about(RecordKind::kIncoming, kAcceptedHere | ++accepted_);
    message.header.own_port = listener.port;
    message.header.peer_port = kFirstFreePort;
    message.header.peer_address = UdpPeer::kThisMachine;
    connections_.push_back({message.header.id, std::move(*stream), {}});
    messages.push_back(std::move(message));
  }
}

void MachineNetwork::connect(std::vector<Message>& messages) {
  std::erase_if(attempts_, [&](const Attempt& attempt) {
    std::optional<TcpStream> stream = TcpStream::connect(attempt.port, Deadline::now());
    if (!stream) return false;
    connections_.push_back({attempt.id, std::move(*stream), {}});
    messages.push_back(about(RecordKind::kAccepted, attempt.id));
    return true;
  });
}

void MachineNetwork::receive_streams(std::vector<Message>& messages) {
  std::erase_if(connections_, [&](Connection& one) {
    one.send();
    Message message = about(RecordKind::kStream, one.id);
    ReceiveResult result = ReceiveResult::kData;
    while (result == ReceiveResult::kData && message.bytes.size() < kMostBytes) {
      result = one.stream.receive(message.bytes, Deadline::now());
    }
    if (!message.bytes.empty()) messages.push_back(std::move(message));
    const bool closed = result == ReceiveResult::kClosed || one.unsent.size() > kMostUnsent;
    if (closed) messages.push_back(about(RecordKind::kClosed, one.id));
    return closed;
  });
}

void MachineNetwork::reset() {
  datagrams_.clear();
  listeners_.clear();
  attempts_.clear();
  connections_.clear();
}

void MachineNetwork::add_descriptors(std::vector<int>& descriptors) const {
  for (const Datagrams& one : datagrams_) descriptors.push_back(one.socket.descriptor());
  for (const Listener& one : listeners_) descriptors.push_back(one.socket.descriptor());
  for (const Connection& one : connections_) descriptors.push_back(one.stream.descriptor());
}

// ---- program and network

void Attachment::begin(ConductedProgram& program) {
  if (!network_) return;
  network_->reset();
  program.keep_outside(OutsideConnections::kRefused);
}

void Attachment::bring(ConductedProgram& program, TimeUs now) {
  if (!network_) return;
  messages_.clear();
  network_->receive(now, messages_);
  for (Message& message : messages_) {
    message.header.bytes = static_cast<std::uint32_t>(message.bytes.size());
    const auto* const header = reinterpret_cast<const std::byte*>(&message.header);
    bytes_.insert(bytes_.end(), header, header + sizeof message.header);
    bytes_.insert(bytes_.end(), message.bytes.begin(), message.bytes.end());
    program.send(message.header, message.bytes);
  }
}

void Attachment::carry(ConductedProgram& program) {
  if (!network_) return;
  for (const Message& message : program.take_outside()) network_->take(message);
}

std::vector<std::byte> Attachment::take_bytes() { return std::exchange(bytes_, {}); }

}  // namespace tactus
