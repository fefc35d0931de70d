// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Where the datagrams of a ground station come from and go to: a UDP socket, or a recording of what
// once came. Neither ever waits.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tactus/core/time.h"
#include "tactus/link/net/socket.h"

namespace tactus {

class DatagramPort {
 public:
  /// `from_partner`: it came from where send() goes to. True: there was something in it, so its
  /// sender is the one to talk to.
  using Take = std::function<bool(std::span<const std::byte>, bool from_partner)>;

  virtual ~DatagramPort() = default;
  /// Hands out what has come by this tick, no more than a tick has time for.
  virtual void receive(TimeUs now, const Take& take) = 0;
  virtual void send(std::span<const std::byte> datagram) = 0;
  /// For messages.
  [[nodiscard]] virtual std::string name() const = 0;
  /// A copy that goes on alike; null: there is none.
  [[nodiscard]] virtual std::unique_ptr<DatagramPort> clone() const = 0;
};

/// Opened at the first tick. Sends to `partner` until another peer sends a good frame.
class UdpPort final : public DatagramPort {
 public:
  /// `own_port` 0: any free one. `what` names the partner in messages.
  UdpPort(UdpPeer partner, std::uint16_t own_port, std::string what);

  void receive(TimeUs now, const Take& take) override;
  void send(std::span<const std::byte> datagram) override;
  /// Whom it sends to.
  [[nodiscard]] std::string name() const override { return to_text(partner_); }
  [[nodiscard]] std::unique_ptr<DatagramPort> clone() const override { return nullptr; }

 private:
  UdpSocket& socket();

  UdpPeer partner_;
  std::uint16_t own_port_;
  std::string what_;
  std::optional<UdpSocket> socket_;
  std::vector<std::byte> datagram_;
};

/// What came at an instant, as a recording holds it.
struct ReceivedBytes {
  TimeUs time;
  std::vector<std::byte> bytes;
};

/// Says again what was received then, at the same instants; what is sent goes nowhere.
class RecordedPort final : public DatagramPort {
 public:
  /// In the order of time.
  explicit RecordedPort(std::shared_ptr<const std::vector<ReceivedBytes>> received);

  void receive(TimeUs now, const Take& take) override;
  void send(std::span<const std::byte> /*datagram*/) override {}
  [[nodiscard]] std::string name() const override { return "a recording"; }
  [[nodiscard]] std::unique_ptr<DatagramPort> clone() const override;

 private:
  std::shared_ptr<const std::vector<ReceivedBytes>> received_;
};

}  // namespace tactus
