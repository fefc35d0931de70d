// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <cstdint>
#include <string>

namespace tactus {

enum class Transport : std::uint8_t { kTcp, kUdp };

/// A port of this machine on which one program listens, so that no other can.
struct UsedPort {
  Transport transport = Transport::kUdp;
  std::uint16_t port = 0;
  std::string what;  ///< for people: "PX4's MAVLink"

  [[nodiscard]] bool is_same(const UsedPort& other) const {
    return transport == other.transport && port == other.port;
  }
};

inline const char* to_text(Transport transport) {
  return transport == Transport::kTcp ? "TCP" : "UDP";
}

}  // namespace tactus
