// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/conductor/sockets.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "tactus/conductor/files.h"
#include "tactus/conductor/outside.h"
#include "tactus/conductor/real.h"
#include "tactus/conductor/scheduler.h"

namespace tactus::conductor {
namespace {

constexpr std::uint16_t kFirstFreePort = 49152;  // of those that the program does not choose
constexpr std::uint32_t kThisMachine = 0x7F000001;

std::vector<Socket*> sockets;  // by descriptor
std::uint32_t next_connection = 1;
std::uint16_t next_port = kFirstFreePort;

void enter(int descriptor, Socket* socket) {
  const auto index = static_cast<std::size_t>(descriptor);
  if (sockets.size() <= index) sockets.resize(index + 1);
  sockets[index] = socket;
}

int fail_with(int error) {
  errno = error;
  return -1;
}

bool is_blocking(int descriptor, int flags) {
  return (flags & MSG_DONTWAIT) == 0 &&
         (TACTUS_REAL(fcntl)(descriptor, F_GETFL, 0) & O_NONBLOCK) == 0;
}

void fill(sockaddr* address, socklen_t* size, std::uint32_t ipv4, std::uint16_t port) {
  if (!address || !size) return;
  sockaddr_in full{};
  full.sin_family = AF_INET;
  full.sin_addr.s_addr = htonl(ipv4);
  full.sin_port = htons(port);
  std::memcpy(address, &full, std::min<std::size_t>(*size, sizeof full));
  *size = sizeof full;
}

void choose_port(Socket& socket) {
  if (socket.own_port == 0) socket.own_port = next_port++;
}

RecordHeader header_of(RecordKind kind, const Socket& socket) {
  RecordHeader header{};
  header.kind = kind;
  header.id = socket.connection;
  header.own_port = socket.own_port;
  header.peer_port = socket.peer_port;
  header.peer_address = socket.peer_address;
  return header;
}

/// The descriptor of the socket that a record is for.
int addressee(const RecordHeader& header) {
  for (std::size_t i = 0; i < sockets.size(); ++i) {
    const Socket* const socket = sockets[i];
    if (!socket) continue;
    const bool found =
        header.kind == RecordKind::kDatagram
            ? !socket->stream && socket->own_port == header.own_port
        : header.kind == RecordKind::kIncoming
            ? socket->state == SocketState::kListening && socket->own_port == header.own_port
            : socket->stream && socket->connection == header.id &&
                  socket->state != SocketState::kListening;
    if (found) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace

Socket* socket_of(int descriptor) {
  const auto index = static_cast<std::size_t>(descriptor);
  return descriptor >= 0 && index < sockets.size() ? sockets[index] : nullptr;
}

bool readable(const Socket& socket) { return !socket.inbox.empty() || socket.closed_by_peer; }

bool writable(const Socket& socket) {
  return !socket.stream || socket.state == SocketState::kConnected ||
         socket.state == SocketState::kRefused;
}

namespace {

/// What comes on a connection that the program has not accepted yet waits with it.
void deliver_early(const RecordHeader& header, const std::byte* bytes) {
  for (Socket* socket : sockets) {
    if (!socket || socket->state != SocketState::kListening) continue;
    for (Packet& packet : socket->inbox) {
      if (packet.connection != header.id) continue;
      packet.bytes.insert(packet.bytes.end(), bytes, bytes + header.bytes);
      packet.closed |= header.kind == RecordKind::kClosed;
      return;
    }
  }
}

}  // namespace

void deliver(const RecordHeader& header, const std::byte* bytes) {
  const int descriptor = addressee(header);
  if (descriptor < 0) {
    if (header.id != 0) deliver_early(header, bytes);
    return;
  }
  Socket& socket = *socket_of(descriptor);
  switch (header.kind) {
    case RecordKind::kAccepted: socket.state = SocketState::kConnected; break;
    case RecordKind::kRefused: socket.state = SocketState::kRefused; break;
    case RecordKind::kClosed: socket.closed_by_peer = true; break;
    default: {
      Packet packet;
      packet.peer_address = header.peer_address;
      packet.peer_port = header.peer_port;
      packet.connection = header.id;
      packet.bytes.assign(bytes, bytes + header.bytes);
      socket.inbox.push_back(std::move(packet));
    }
  }
  wake_waiting_for(descriptor);
}

int new_socket(bool stream, int flags) {
  // Only its number counts; it is bound to nothing.
  const int descriptor = TACTUS_REAL(socket)(AF_UNIX, SOCK_STREAM | flags, 0);
  if (descriptor < 0) return descriptor;
  auto* socket = new Socket;
  socket->stream = stream;
  enter(descriptor, socket);
  return descriptor;
}

void share_socket(int descriptor, int as) {
  Socket* const socket = socket_of(descriptor);
  close_socket(as);
  if (!socket || as < 0) return;
  ++socket->descriptors;
  enter(as, socket);
}

bool close_socket(int descriptor) {
  Socket* const socket = socket_of(descriptor);
  if (!socket) return false;
  sockets[static_cast<std::size_t>(descriptor)] = nullptr;
  if (--socket->descriptors > 0) return true;
  if (socket->state == SocketState::kConnected || socket->state == SocketState::kConnecting) {
    send_record(header_of(RecordKind::kClosed, *socket), nullptr);
  }
  delete socket;
  return true;
}

int bind_socket(Socket& socket, const sockaddr_in& address) {
  const std::uint16_t port = ntohs(address.sin_port);
  for (const Socket* other : sockets) {
    if (other && other != &socket && port != 0 && other->own_port == port &&
        other->stream == socket.stream) {
      return fail_with(EADDRINUSE);
    }
  }
  socket.own_port = port;
  choose_port(socket);
  if (!socket.stream) send_record(header_of(RecordKind::kBound, socket), nullptr);
  return 0;
}

int listen_socket(Socket& socket) {
  choose_port(socket);
  socket.state = SocketState::kListening;
  send_record(header_of(RecordKind::kListen, socket), nullptr);
  return 0;
}

int connect_socket(int descriptor, const sockaddr_in& address) {
  Socket& socket = *socket_of(descriptor);
  if (socket.state == SocketState::kConnected) return fail_with(EISCONN);
  socket.peer_address = ntohl(address.sin_addr.s_addr);
  socket.peer_port = ntohs(address.sin_port);
  choose_port(socket);
  if (!socket.stream) return 0;
  if (socket.state != SocketState::kConnecting) {
    socket.connection = next_connection++;
    socket.state = SocketState::kConnecting;
    send_record(header_of(RecordKind::kConnect, socket), nullptr);
    if (!is_blocking(descriptor, 0)) return fail_with(EINPROGRESS);
  } else if (!is_blocking(descriptor, 0)) {
    return fail_with(EALREADY);
  }
  while (socket.state == SocketState::kConnecting) {
    wait(WaitFor::kFile, static_cast<std::uint64_t>(descriptor), kNever);
  }
  if (socket.state == SocketState::kConnected) return 0;
  socket.state = SocketState::kIdle;
  return fail_with(ECONNREFUSED);
}

int accept_socket(int descriptor, sockaddr* address, socklen_t* size, int flags) {
  Socket& listener = *socket_of(descriptor);
  if (listener.state != SocketState::kListening) return fail_with(EINVAL);
  while (listener.inbox.empty()) {
    if (!is_blocking(descriptor, 0)) return fail_with(EAGAIN);
    if (wait(WaitFor::kFile, static_cast<std::uint64_t>(descriptor), kNever) ==
        WaitEnd::kInterrupted) {
      return fail_with(EINTR);
    }
  }
  Packet packet = std::move(listener.inbox.front());
  listener.inbox.pop_front();
  const int accepted = new_socket(true, flags);
  if (accepted < 0) return accepted;
  Socket& socket = *socket_of(accepted);
  socket.state = SocketState::kConnected;
  socket.connection = packet.connection;
  socket.own_port = listener.own_port;
  socket.peer_port = packet.peer_port;
  socket.peer_address = packet.peer_address;
  socket.closed_by_peer = packet.closed;
  if (!packet.bytes.empty()) socket.inbox.push_back(std::move(packet));
  fill(address, size, socket.peer_address, socket.peer_port);
  return accepted;
}

ssize_t send_socket(Socket& socket, const void* bytes, std::size_t size, const sockaddr_in* to) {
  if (socket.stream && (socket.state != SocketState::kConnected || socket.closed_by_peer)) {
    return fail_with(socket.closed_by_peer ? EPIPE : ENOTCONN);
  }
  choose_port(socket);
  RecordHeader header =
      header_of(socket.stream ? RecordKind::kStream : RecordKind::kDatagram, socket);
  if (to) {
    header.peer_address = ntohl(to->sin_addr.s_addr);
    header.peer_port = ntohs(to->sin_port);
  }
  if (!socket.stream && header.peer_port == 0) return fail_with(EDESTADDRREQ);
  if (header.peer_address == 0) header.peer_address = kThisMachine;
  constexpr std::size_t kMost = kBufferBytes / 2;
  if (!socket.stream && size > 65507) return fail_with(EMSGSIZE);
  header.bytes = static_cast<std::uint32_t>(std::min(size, kMost));
  send_record(header, bytes);
  return static_cast<ssize_t>(header.bytes);
}

ssize_t receive_socket(int descriptor, void* bytes, std::size_t size, int flags, sockaddr* from,
                       socklen_t* from_size) {
  Socket& socket = *socket_of(descriptor);
  if (socket.stream && socket.state != SocketState::kConnected) return fail_with(ENOTCONN);
  const std::int64_t deadline_ns =
      socket.receive_timeout_ns == kNever ? kNever : now_ns() + socket.receive_timeout_ns;
  while (socket.inbox.empty()) {
    if (socket.closed_by_peer) return 0;
    if (!is_blocking(descriptor, flags)) return fail_with(EAGAIN);
    const WaitEnd end = wait(WaitFor::kFile, static_cast<std::uint64_t>(descriptor), deadline_ns);
    if (socket_of(descriptor) != &socket) return fail_with(EBADF);
    if (end == WaitEnd::kTimedOut) return fail_with(EAGAIN);
    if (end == WaitEnd::kInterrupted) return fail_with(EINTR);
  }
  Packet& packet = socket.inbox.front();
  const std::size_t taken = std::min(size, packet.bytes.size() - packet.taken);
  std::memcpy(bytes, packet.bytes.data() + packet.taken, taken);
  fill(from, from_size, packet.peer_address, packet.peer_port);
  if ((flags & MSG_PEEK) != 0) return static_cast<ssize_t>(taken);
  packet.taken += taken;
  if (!socket.stream || packet.taken == packet.bytes.size()) socket.inbox.pop_front();
  return static_cast<ssize_t>(taken);
}

}  // namespace tactus::conductor
