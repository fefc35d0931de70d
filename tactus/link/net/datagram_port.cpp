// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/net/datagram_port.h"

#include <algorithm>
#include <utility>

namespace tactus {
namespace {

// A ground station sends some ten datagrams of a few hundred bytes in a second. What comes
// beyond this in a tick is lost in the socket's buffer, and the flight does not notice.
constexpr int kMostDatagrams = 16;
constexpr std::size_t kMostBytes = 4096;
constexpr std::size_t kLongestDatagram = 2048;

}  // namespace

UdpPort::UdpPort(UdpPeer partner, std::uint16_t own_port, std::string what)
    : partner_(partner), own_port_(own_port), what_(std::move(what)) {}

UdpSocket& UdpPort::socket() {
  if (!socket_) {
    const UdpReach reach = partner_.is_local() ? UdpReach::kThisMachine : UdpReach::kEveryone;
    socket_.emplace(own_port_, what_, reach);
  }
  return *socket_;
}

void UdpPort::receive(TimeUs /*now*/, const Take& take) {
  UdpPeer from;
  std::size_t bytes = 0;
  for (int i = 0; i < kMostDatagrams && bytes < kMostBytes; ++i) {
    if (socket().receive(datagram_, Deadline::now(), {}, &from) != ReceiveResult::kData) return;
    bytes += datagram_.size();
    if (datagram_.size() <= kLongestDatagram && take(datagram_, from == partner_)) partner_ = from;
  }
}

void UdpPort::send(std::span<const std::byte> datagram) { socket().send_to(partner_, datagram); }

RecordedPort::RecordedPort(std::shared_ptr<const std::vector<ReceivedBytes>> received)
    : received_(std::move(received)) {}

void RecordedPort::receive(TimeUs now, const Take& take) {
  const auto before = [](const ReceivedBytes& piece, TimeUs time) { return piece.time < time; };
  auto piece = std::lower_bound(received_->begin(), received_->end(), now, before);
  for (; piece != received_->end() && piece->time == now; ++piece) take(piece->bytes, true);
}

std::unique_ptr<DatagramPort> RecordedPort::clone() const {
  return std::make_unique<RecordedPort>(*this);
}

}  // namespace tactus
