// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The exchange of datagrams with ArduPilot, one question (servo packet) and one answer (motion) per
// frame. ArduPilot never drops an answer that it did not ask for: each surplus one would leave the
// link a frame behind for the rest of the flight. So
//   - before an answer all datagrams that are there are read, and the newest counts;
//   - each frame count is answered once;
//   - the answer is sent again if its question comes again after a silence, as ArduPilot asks when
//     an answer was lost (1.1 s); a question that comes again at once is the network's duplicate;
//   - a count that starts again from 0 is a new ArduPilot; from another port only after the old one
//     has been silent for a while, because a packet of a second program must not take its place.
// Datagrams that are no servo packets, old ones, and those of other senders are counted and left.
// Its telemetry comes on a port of its own. The first sender of a HEARTBEAT of an
// ArduPilot is taken for it; what other programs send to that port is ignored.
// However fast datagrams come, each call takes a limited number of datagrams.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tactus/link/ardupilot/ardupilot_json.h"
#include "tactus/link/net/socket.h"

namespace tactus {

enum class AskResult : std::uint8_t {
  kAsked,  ///< packet() waits for its answer
  kTimeout,
  kIdle,  ///< a conducted one has nothing to ask
  kInterrupted,
  kRestarted,  ///< packet() is the first of another ArduPilot and waits for its answer
};

/// What went otherwise than it should, so far.
struct ExchangeCounts {
  std::uint64_t garbage = 0;        ///< no servo packets
  std::uint64_t other_senders = 0;  ///< from another sender
  std::uint64_t duplicates = 0;     ///< asked again at once, or late
  std::uint64_t repeats = 0;        ///< answers sent again
};

class ArdupilotExchange {
 public:
  explicit ArdupilotExchange(std::unique_ptr<DatagramLink> link) : link_(std::move(link)) {}

  [[nodiscard]] std::uint16_t port() const { return link_->port(); }

  /// Until a packet is there that has not been answered; at once if it already is.
  AskResult wait(Deadline deadline, const Interrupted& interrupted);
  [[nodiscard]] bool asked() const { return asked_; }
  /// The newest one.
  [[nodiscard]] const ServoPacket& packet() const { return packet_; }
  /// Only when asked.
  void answer(std::string_view text);

  [[nodiscard]] const ExchangeCounts& counts() const { return counts_; }

 private:
  void take(std::uint16_t from_port);
  void read_all();
  void accept(const ServoPacket& packet, std::uint16_t from_port);

  using Clock = std::chrono::steady_clock;
  std::unique_ptr<DatagramLink> link_;
  std::vector<std::byte> datagram_;
  std::string answer_;
  Clock::time_point answered_at_;
  std::optional<std::uint16_t> peer_port_;
  ServoPacket packet_;
  bool asked_ = false;
  bool asked_again_ = false;
  bool restarted_ = false;
  ExchangeCounts counts_;
};

class ArdupilotTelemetry {
 public:
  explicit ArdupilotTelemetry(std::unique_ptr<DatagramLink> link) : link_(std::move(link)) {}

  [[nodiscard]] std::uint16_t port() const { return link_->port(); }

  /// take(datagram) for those of ArduPilot that are there; does not wait.
  void receive(const std::function<void(std::span<const std::byte>)>& take);
  /// Lost as long as it was not received.
  void send(std::span<const std::byte> bytes);
  /// It is another one from now on, maybe with another port.
  void forget() { peer_port_.reset(); }

 private:
  std::unique_ptr<DatagramLink> link_;
  std::vector<std::byte> datagram_;
  std::optional<std::uint16_t> peer_port_;
};

}  // namespace tactus
