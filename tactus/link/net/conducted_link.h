// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Connections to a conducted program, in place of sockets. To receive lets the program go on, if it
// got something or may go further in time; kIdle says that it has nothing more to send.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tactus/link/net/conducted_program.h"
#include "tactus/link/net/socket.h"

namespace tactus {

/// A connection that the program has made.
class ConductedStream final : public ByteStream {
 public:
  ConductedStream(ConductedProgram& program, std::uint32_t connection)
      : program_(program), connection_(connection) {}

  ReceiveResult receive(std::vector<std::byte>& bytes, Deadline deadline,
                        const Interrupted& interrupted) override;
  ReceiveResult send_some(std::span<const std::byte>& bytes) override;

 private:
  ConductedProgram& program_;
  std::uint32_t connection_;
  bool closed_ = false;
};

/// A port of ours to which the program sends. To receive without waiting takes what is there, and
/// does not let the program go on.
class ConductedPort final : public DatagramLink {
 public:
  /// `longest_idle_ns`: while nothing comes its time goes on, so far at most in one receive().
  /// `shared`: what comes goes outside, too (outside_network.h).
  ConductedPort(ConductedProgram& program, std::uint16_t port, bool shared,
                std::int64_t longest_idle_ns = 0);

  [[nodiscard]] std::uint16_t port() const override { return port_; }
  void send_to(const UdpPeer& peer, std::span<const std::byte> bytes) override;
  ReceiveResult receive(std::vector<std::byte>& bytes, Deadline deadline,
                        const Interrupted& interrupted, UdpPeer* from) override;

 private:
  ConductedProgram& program_;
  std::uint16_t port_;
  std::int64_t longest_idle_ns_;
};

}  // namespace tactus
