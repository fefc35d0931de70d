// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Whom a conducted program may talk to besides us, at its own ports: ground stations and scripts on
// this machine, or a recording of what they once sent. What comes enters the program at a tick of
// the flight and is kept for the recording, whole; so the program can fly again with it.
//
// A piece of a recording holds the records of one tick, each a conductor::RecordHeader and its
// bytes (docs/recording.md).

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tactus/core/time.h"
#include "tactus/link/net/conducted_program.h"
#include "tactus/link/net/datagram_port.h"
#include "tactus/link/net/socket.h"

namespace tactus {

/// What came from there, among the external peers of an autopilot.
inline constexpr char kOutsidePeer[] = "outside";

class OutsideNetwork {
 public:
  using Message = ConductedProgram::Message;

  virtual ~OutsideNetwork() = default;
  /// The program binds, listens, connects, sends, or closes. Throws Error(kEnvironment) if its port
  /// is taken on this machine.
  virtual void take(const Message& message) = 0;
  /// Appends what has come by this tick, no more than a tick has time for.
  virtual void receive(TimeUs now, std::vector<Message>& messages) = 0;
  /// The program has ended and will start again: all that it had is closed.
  virtual void reset() = 0;
};

/// The ports of the program are those of this machine, on 127.0.0.1.
class MachineNetwork final : public OutsideNetwork {
 public:
  /// `program` names it in messages.
  explicit MachineNetwork(std::string program) : program_(std::move(program)) {}

  void take(const Message& message) override;
  void receive(TimeUs now, std::vector<Message>& messages) override;
  void reset() override;

  /// To wait for any of them.
  void add_descriptors(std::vector<int>& descriptors) const;

 private:
  struct Datagrams {
    std::uint16_t port;  ///< the program's
    UdpSocket socket;
  };
  struct Listener {
    std::uint16_t port;
    TcpListener socket;
  };
  struct Connection {
    std::uint32_t id;
    TcpStream stream;
    std::vector<std::byte> unsent;

    void send();  ///< as much as there is room for
  };
  /// Wanted by the program, and not there yet.
  struct Attempt {
    std::uint32_t id;
    std::uint16_t port;
  };

  void require_room(std::size_t ports) const;
  UdpSocket& socket_of(std::uint16_t port);
  void send(const Message& message);
  void receive_datagrams(std::vector<Message>& messages);
  void accept(std::vector<Message>& messages);
  void connect(std::vector<Message>& messages);
  void receive_streams(std::vector<Message>& messages);

  std::string program_;
  std::vector<Datagrams> datagrams_;
  std::vector<Listener> listeners_;
  std::vector<Attempt> attempts_;
  std::vector<Connection> connections_;
  std::uint32_t accepted_ = 0;
  std::vector<std::byte> buffer_;
};

/// Brings again what came then, at the same instants; what the program sends goes nowhere.
class RecordedNetwork final : public OutsideNetwork {
 public:
  /// In the order of time.
  explicit RecordedNetwork(std::shared_ptr<const std::vector<ReceivedBytes>> received)
      : received_(std::move(received)) {}

  void take(const Message& /*message*/) override {}
  /// Throws Error(kBadInput) if a piece is damaged.
  void receive(TimeUs now, std::vector<Message>& messages) override;
  void reset() override {}

 private:
  std::shared_ptr<const std::vector<ReceivedBytes>> received_;
};

/// What a flight gives a conducted program besides its link.
struct ConductedSurroundings {
  std::unique_ptr<OutsideNetwork> network{};       ///< who else may talk to it; null: none
  std::function<void(const std::string&)> tell{};  ///< gets what the user has to do now
};

/// A conducted program and its network, tick by tick. Without a network nothing happens.
class Attachment {
 public:
  explicit Attachment(std::unique_ptr<OutsideNetwork> network) : network_(std::move(network)) {}

  [[nodiscard]] bool attached() const { return network_ != nullptr; }
  /// Before the program takes its first turn.
  void begin(ConductedProgram& program);
  /// For its next turn: what has come by this tick.
  void bring(ConductedProgram& program, TimeUs now);
  /// What it has sent in its last turns.
  void carry(ConductedProgram& program);
  /// What was brought since the last call, for the recording.
  std::vector<std::byte> take_bytes();

 private:
  std::unique_ptr<OutsideNetwork> network_;
  std::vector<OutsideNetwork::Message> messages_;
  std::vector<std::byte> bytes_;
};

}  // namespace tactus
