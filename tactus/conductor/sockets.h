// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The network of the program: its caller. No IPv4 socket of the program is known to the kernel but
// by its number; what is sent becomes a record for the caller, what the caller sends comes in when
// no thread can go on. So ports of two programs cannot collide, and nothing arrives by itself.

#include <netinet/in.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "tactus/conductor/channel.h"

namespace tactus::conductor {

enum class SocketState : std::uint8_t { kIdle, kListening, kConnecting, kConnected, kRefused };

struct Packet {
  std::uint32_t peer_address = 0;
  std::uint16_t peer_port = 0;
  std::uint32_t connection = 0;  ///< of a listening socket: the one that is made
  std::vector<std::byte> bytes;
  std::size_t taken = 0;  ///< of a stream's, bytes that were read
  bool closed = false;    ///< of a listening socket: the connection, before it was accepted
};

struct Socket {
  bool stream = false;
  SocketState state = SocketState::kIdle;
  bool closed_by_peer = false;
  std::uint16_t own_port = 0;
  std::uint32_t peer_address = 0;  ///< of connect()
  std::uint16_t peer_port = 0;
  std::uint32_t connection = 0;
  std::int64_t receive_timeout_ns = kNever;
  int descriptors = 1;       ///< that stand for it
  std::deque<Packet> inbox;  ///< each is what one call receives
};

/// Null: the descriptor is none of these.
Socket* socket_of(int descriptor);
/// Whether a call would not wait.
bool readable(const Socket& socket);
bool writable(const Socket& socket);

/// What the caller sends reaches the socket that it is for; without one it is lost.
void deliver(const RecordHeader& header, const std::byte* bytes);

/// A new descriptor for a socket.
int new_socket(bool stream, int flags);
/// Another one for the same.
void share_socket(int descriptor, int as);
/// False: it is none.
bool close_socket(int descriptor);

int bind_socket(Socket& socket, const sockaddr_in& address);
int connect_socket(int descriptor, const sockaddr_in& address);
int listen_socket(Socket& socket);
int accept_socket(int descriptor, sockaddr* address, socklen_t* size, int flags);
ssize_t send_socket(Socket& socket, const void* bytes, std::size_t size, const sockaddr_in* to);
ssize_t receive_socket(int descriptor, void* bytes, std::size_t size, int flags, sockaddr* from,
                       socklen_t* from_size);

}  // namespace tactus::conductor
