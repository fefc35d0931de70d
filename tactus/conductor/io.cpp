// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Sockets and files of the program.

#include <fcntl.h>
#include <net/if.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "tactus/conductor/children.h"
#include "tactus/conductor/clock.h"
#include "tactus/conductor/files.h"
#include "tactus/conductor/paths.h"
#include "tactus/conductor/random.h"
#include "tactus/conductor/real.h"
#include "tactus/conductor/scheduler.h"
#include "tactus/conductor/sockets.h"
#include "tactus/conductor/trace.h"

namespace tactus::conductor {
namespace {

constexpr std::int64_t kMillisecond_ns = 1'000'000;
constexpr std::int64_t kSecond_ns = 1000 * kMillisecond_ns;
constexpr int kTypeMask = 0xf;  // of a socket's type; the rest are flags

/// Ours; null: the call is for the C library.
Socket* conducted_socket(int descriptor) { return self() ? socket_of(descriptor) : nullptr; }

const sockaddr_in* ipv4(const sockaddr* address) {
  return address && address->sa_family == AF_INET ? reinterpret_cast<const sockaddr_in*>(address)
                                                  : nullptr;
}

int fail_with(int error) {
  errno = error;
  return -1;
}

void fill_name(sockaddr* address, socklen_t* size, std::uint32_t ip, std::uint16_t port) {
  sockaddr_in full{};
  full.sin_family = AF_INET;
  full.sin_addr.s_addr = htonl(ip);
  full.sin_port = htons(port);
  std::memcpy(address, &full, std::min<std::size_t>(*size, sizeof full));
  *size = sizeof full;
}

std::int64_t deadline_after(const timespec* time) {
  if (!time) return kNever;
  const std::int64_t duration_ns = time->tv_sec * kSecond_ns + time->tv_nsec;
  return now_ns() + duration_ns;
}

/// Before a read of the kernel's that may wait for another thread. False: a signal came.
bool await_read(int descriptor) {
  return !self() || !(is_at_work(descriptor) || may_wait(descriptor)) ||
         await_file(descriptor, POLLIN);
}

}  // namespace

TACTUS_INTERPOSE int socket(int domain, int type, int protocol) noexcept {
  const int kind = type & kTypeMask;
  if (!self() || domain != AF_INET || (kind != SOCK_STREAM && kind != SOCK_DGRAM)) {
    return TACTUS_REAL(socket)(domain, type, protocol);
  }
  return new_socket(kind == SOCK_STREAM, type & ~kTypeMask);
}

TACTUS_INTERPOSE int bind(int descriptor, const sockaddr* address, socklen_t size) noexcept {
  if (Socket* const socket = conducted_socket(descriptor)) {
    return ipv4(address) ? bind_socket(*socket, *ipv4(address)) : fail_with(EAFNOSUPPORT);
  }
  if (address && address->sa_family == AF_UNIX && size > sizeof(sa_family_t)) {
    const sockaddr_un own = private_address(*reinterpret_cast<const sockaddr_un*>(address));
    return TACTUS_REAL(bind)(descriptor, reinterpret_cast<const sockaddr*>(&own), sizeof own);
  }
  return TACTUS_REAL(bind)(descriptor, address, size);
}

TACTUS_INTERPOSE int connect(int descriptor, const sockaddr* address, socklen_t size) {
  if (conducted_socket(descriptor)) {
    return ipv4(address) ? connect_socket(descriptor, *ipv4(address)) : fail_with(EAFNOSUPPORT);
  }
  if (address && address->sa_family == AF_UNIX && size > sizeof(sa_family_t)) {
    const sockaddr_un own = private_address(*reinterpret_cast<const sockaddr_un*>(address));
    return TACTUS_REAL(connect)(descriptor, reinterpret_cast<const sockaddr*>(&own), sizeof own);
  }
  return TACTUS_REAL(connect)(descriptor, address, size);
}

TACTUS_INTERPOSE int listen(int descriptor, int backlog) noexcept {
  if (Socket* const socket = conducted_socket(descriptor)) return listen_socket(*socket);
  const int result = TACTUS_REAL(listen)(descriptor, backlog);
  if (self() && result == 0) listen_to_commands(descriptor);
  return result;
}

TACTUS_INTERPOSE int accept4(int descriptor, sockaddr* address, socklen_t* size, int flags) {
  if (conducted_socket(descriptor)) return accept_socket(descriptor, address, size, flags);
  if (self() && is_command_listener(descriptor)) return accept_command(descriptor);
  return TACTUS_REAL(accept4)(descriptor, address, size, flags);
}

TACTUS_INTERPOSE int accept(int descriptor, sockaddr* address, socklen_t* size) {
  return accept4(descriptor, address, size, 0);
}

TACTUS_INTERPOSE int shutdown(int descriptor, int how) noexcept {
  if (Socket* const socket = conducted_socket(descriptor)) {
    socket->closed_by_peer = true;
    wake_waiting_for(descriptor);
    return 0;
  }
  if (self()) end_command(descriptor);
  return TACTUS_REAL(shutdown)(descriptor, how);
}

TACTUS_INTERPOSE int close(int descriptor) {
  if (self() && !close_socket(descriptor)) end_command(descriptor);
  return TACTUS_REAL(close)(descriptor);
}

TACTUS_INTERPOSE int dup(int descriptor) noexcept {
  const int result = TACTUS_REAL(dup)(descriptor);
  if (self() && result >= 0) share_socket(descriptor, result);
  return result;
}

TACTUS_INTERPOSE int dup3(int descriptor, int as, int flags) noexcept {
  const int result = TACTUS_REAL(dup3)(descriptor, as, flags);
  if (self() && result >= 0 && result != descriptor) share_socket(descriptor, result);
  return result;
}

TACTUS_INTERPOSE int dup2(int descriptor, int as) noexcept {
  const int result = TACTUS_REAL(dup2)(descriptor, as);
  if (self() && result >= 0 && result != descriptor) share_socket(descriptor, result);
  return result;
}

TACTUS_INTERPOSE int getsockname(int descriptor, sockaddr* address, socklen_t* size) noexcept {
  const Socket* const socket = conducted_socket(descriptor);
  if (!socket) return TACTUS_REAL(getsockname)(descriptor, address, size);
  fill_name(address, size, 0, socket->own_port);
  return 0;
}

TACTUS_INTERPOSE int getpeername(int descriptor, sockaddr* address, socklen_t* size) noexcept {
  const Socket* const socket = conducted_socket(descriptor);
  if (!socket) return TACTUS_REAL(getpeername)(descriptor, address, size);
  if (socket->peer_port == 0) return fail_with(ENOTCONN);
  fill_name(address, size, socket->peer_address, socket->peer_port);
  return 0;
}

TACTUS_INTERPOSE int setsockopt(int descriptor, int level, int name, const void* value,
                                socklen_t size) noexcept {
  Socket* const socket = conducted_socket(descriptor);
  if (!socket) return TACTUS_REAL(setsockopt)(descriptor, level, name, value, size);
  if (level == SOL_SOCKET && name == SO_RCVTIMEO && size >= sizeof(timeval)) {
    timeval time{};
    std::memcpy(&time, value, sizeof time);
    const std::int64_t duration_ns = time.tv_sec * kSecond_ns + time.tv_usec * 1000;
    socket->receive_timeout_ns = duration_ns == 0 ? kNever : duration_ns;
  }
  return 0;  // what else there is decides nothing here
}

TACTUS_INTERPOSE int getsockopt(int descriptor, int level, int name, void* value,
                                socklen_t* size) noexcept {
  Socket* const socket = conducted_socket(descriptor);
  if (!socket) return TACTUS_REAL(getsockopt)(descriptor, level, name, value, size);
  if (level == SOL_SOCKET && name == SO_ERROR && *size >= sizeof(int)) {
    const int error = socket->state == SocketState::kRefused ? ECONNREFUSED : 0;
    std::memcpy(value, &error, sizeof error);
    return 0;
  }
  if (level == SOL_SOCKET && name == SO_TYPE && *size >= sizeof(int)) {
    const int type = socket->stream ? SOCK_STREAM : SOCK_DGRAM;
    std::memcpy(value, &type, sizeof type);
    return 0;
  }
  return TACTUS_REAL(getsockopt)(descriptor, level, name, value, size);
}

TACTUS_INTERPOSE int ioctl(int descriptor, unsigned long request, ...) noexcept {
  va_list list;
  va_start(list, request);
  void* const argument = va_arg(list, void*);
  va_end(list);
  const Socket* const socket = conducted_socket(descriptor);
  if (socket && request == FIONREAD) {
    const auto count =
        socket->inbox.empty()
            ? 0
            : static_cast<int>(socket->inbox.front().bytes.size() - socket->inbox.front().taken);
    std::memcpy(argument, &count, sizeof count);
    return 0;
  }
  if (socket && request == SIOCGIFCONF) {  // no network of this machine is to be seen
    static_cast<ifconf*>(argument)->ifc_len = 0;
    return 0;
  }
  return TACTUS_REAL(ioctl)(descriptor, request, argument);
}

// ---- sending

TACTUS_INTERPOSE ssize_t sendto(int descriptor, const void* bytes, size_t size, int flags,
                                const sockaddr* to, socklen_t to_size) {
  if (Socket* const socket = conducted_socket(descriptor)) {
    return send_socket(*socket, bytes, size, ipv4(to));
  }
  return TACTUS_REAL(sendto)(descriptor, bytes, size, flags, to, to_size);
}

TACTUS_INTERPOSE ssize_t send(int descriptor, const void* bytes, size_t size, int flags) {
  return sendto(descriptor, bytes, size, flags, nullptr, 0);
}

TACTUS_INTERPOSE ssize_t sendmsg(int descriptor, const msghdr* message, int flags) {
  Socket* const socket = conducted_socket(descriptor);
  if (!socket) return TACTUS_REAL(sendmsg)(descriptor, message, flags);
  std::vector<char> all;
  for (std::size_t i = 0; i < message->msg_iovlen; ++i) {
    const auto* const begin = static_cast<const char*>(message->msg_iov[i].iov_base);
    all.insert(all.end(), begin, begin + message->msg_iov[i].iov_len);
  }
  return send_socket(*socket, all.data(), all.size(),
                     ipv4(static_cast<const sockaddr*>(message->msg_name)));
}

TACTUS_INTERPOSE ssize_t write(int descriptor, const void* bytes, size_t size) {
  if (Socket* const socket = conducted_socket(descriptor)) {
    return send_socket(*socket, bytes, size, nullptr);
  }
  const ssize_t result = TACTUS_REAL(write)(descriptor, bytes, size);
  if (self()) trace_call("write", result, descriptor);
  return result;
}

TACTUS_INTERPOSE ssize_t writev(int descriptor, const iovec* parts, int count) {
  if (!conducted_socket(descriptor)) return TACTUS_REAL(writev)(descriptor, parts, count);
  msghdr message{};
  message.msg_iov = const_cast<iovec*>(parts);
  message.msg_iovlen = static_cast<std::size_t>(count);
  return sendmsg(descriptor, &message, 0);
}

// ---- receiving

TACTUS_INTERPOSE ssize_t recvfrom(int descriptor, void* bytes, size_t size, int flags,
                                  sockaddr* from, socklen_t* from_size) {
  if (conducted_socket(descriptor)) {
    return receive_socket(descriptor, bytes, size, flags, from, from_size);
  }
  if ((flags & MSG_DONTWAIT) == 0 && !await_read(descriptor)) return fail_with(EINTR);
  const ssize_t result = TACTUS_REAL(recvfrom)(descriptor, bytes, size, flags, from, from_size);
  if (self()) trace_call("receive", result, descriptor, bytes);
  return result;
}

TACTUS_INTERPOSE ssize_t recv(int descriptor, void* bytes, size_t size, int flags) {
  return recvfrom(descriptor, bytes, size, flags, nullptr, nullptr);
}

TACTUS_INTERPOSE ssize_t recvmsg(int descriptor, msghdr* message, int flags) {
  if (!conducted_socket(descriptor)) {
    if ((flags & MSG_DONTWAIT) == 0 && !await_read(descriptor)) return fail_with(EINTR);
    return TACTUS_REAL(recvmsg)(descriptor, message, flags);
  }
  message->msg_controllen = 0;
  message->msg_flags = 0;
  if (message->msg_iovlen == 0) return 0;
  return receive_socket(descriptor, message->msg_iov[0].iov_base, message->msg_iov[0].iov_len,
                        flags, static_cast<sockaddr*>(message->msg_name),
                        message->msg_name ? &message->msg_namelen : nullptr);
}

TACTUS_INTERPOSE ssize_t read(int descriptor, void* bytes, size_t size) {
  if (conducted_socket(descriptor)) {
    return receive_socket(descriptor, bytes, size, 0, nullptr, nullptr);
  }
  if (!await_read(descriptor)) return fail_with(EINTR);
  const ssize_t result = TACTUS_REAL(read)(descriptor, bytes, size);
  if (self()) trace_call("read", result, descriptor, bytes);
  return result;
}

TACTUS_INTERPOSE ssize_t readv(int descriptor, const iovec* parts, int count) {
  if (conducted_socket(descriptor)) {
    if (count < 1) return 0;
    return receive_socket(descriptor, parts[0].iov_base, parts[0].iov_len, 0, nullptr, nullptr);
  }
  if (!await_read(descriptor)) return fail_with(EINTR);
  return TACTUS_REAL(readv)(descriptor, parts, count);
}

// What the compiler calls in their place where it knows the size of the buffer.
// NOLINTBEGIN(readability-identifier-naming): names of the C library
TACTUS_INTERPOSE ssize_t __read_chk(int descriptor, void* bytes, size_t size, size_t room) {
  if (size > room) std::abort();
  return read(descriptor, bytes, size);
}
TACTUS_INTERPOSE ssize_t __recv_chk(int descriptor, void* bytes, size_t size, size_t room,
                                    int flags) {
  if (size > room) std::abort();
  return recv(descriptor, bytes, size, flags);
}
TACTUS_INTERPOSE ssize_t __recvfrom_chk(int descriptor, void* bytes, size_t size, size_t room,
                                        int flags, sockaddr* from, socklen_t* from_size) {
  if (size > room) std::abort();
  return recvfrom(descriptor, bytes, size, flags, from, from_size);
}
// NOLINTEND(readability-identifier-naming)

// ---- waiting for several

TACTUS_INTERPOSE int poll(pollfd* files, nfds_t count, int timeout_ms) {
  if (!self()) return TACTUS_REAL(poll)(files, count, timeout_ms);
  if (timeout_ms == 0) read_clock_ns();  // a loop that asks makes progress
  return poll_until(files, count,
                    timeout_ms < 0 ? kNever : now_ns() + timeout_ms * kMillisecond_ns);
}

// NOLINTBEGIN(readability-identifier-naming): names of the C library
TACTUS_INTERPOSE int __poll_chk(pollfd* files, nfds_t count, int timeout_ms, size_t room) {
  if (room / sizeof *files < count) std::abort();
  return poll(files, count, timeout_ms);
}
// NOLINTEND(readability-identifier-naming)

TACTUS_INTERPOSE int ppoll(pollfd* files, nfds_t count, const timespec* timeout,
                           const sigset_t* mask) {
  if (!self()) return TACTUS_REAL(ppoll)(files, count, timeout, mask);
  return poll_until(files, count, deadline_after(timeout));
}

namespace {

int select_until(int count, fd_set* reading, fd_set* writing, fd_set* failing,
                 std::int64_t deadline_ns) {
  std::vector<pollfd> files;
  for (int i = 0; i < count; ++i) {
    short events = 0;
    if (reading && FD_ISSET(i, reading)) events |= POLLIN;
    if (writing && FD_ISSET(i, writing)) events |= POLLOUT;
    if (failing && FD_ISSET(i, failing)) events |= POLLPRI;
    if (events != 0) files.push_back({i, events, 0});
  }
  const int found = poll_until(files.data(), files.size(), deadline_ns);
  if (found < 0) return found;
  for (fd_set* set : {reading, writing, failing}) {
    if (set) FD_ZERO(set);
  }
  int bits = 0;
  const auto mark = [&bits](fd_set* set, int descriptor, bool yes) {
    if (!set || !yes) return;
    FD_SET(descriptor, set);
    ++bits;
  };
  for (const pollfd& file : files) {
    const bool ended = (file.revents & (POLLHUP | POLLERR)) != 0;
    mark(reading, file.fd, (file.events & POLLIN) != 0 && ((file.revents & POLLIN) != 0 || ended));
    mark(writing, file.fd,
         (file.events & POLLOUT) != 0 && ((file.revents & POLLOUT) != 0 || ended));
    mark(failing, file.fd, (file.revents & POLLPRI) != 0);
  }
  return bits;
}

}  // namespace

TACTUS_INTERPOSE int select(int count, fd_set* reading, fd_set* writing, fd_set* failing,
                            timeval* timeout) {
  if (!self()) return TACTUS_REAL(select)(count, reading, writing, failing, timeout);
  if (!timeout) return select_until(count, reading, writing, failing, kNever);
  const timespec full{timeout->tv_sec, timeout->tv_usec * 1000};
  if (full.tv_sec == 0 && full.tv_nsec == 0) read_clock_ns();
  return select_until(count, reading, writing, failing, deadline_after(&full));
}

TACTUS_INTERPOSE int pselect(int count, fd_set* reading, fd_set* writing, fd_set* failing,
                             const timespec* timeout, const sigset_t* mask) {
  if (!self()) return TACTUS_REAL(pselect)(count, reading, writing, failing, timeout, mask);
  return select_until(count, reading, writing, failing, deadline_after(timeout));
}

// ---- paths

namespace {

int open_file(const char* path, int flags, mode_t mode) {
  const int random = self() ? open_random(path) : -1;
  if (random >= 0) return random;
  char space[4096];
  const int result = TACTUS_REAL(open)(private_path(path, space, sizeof space), flags, mode);
  if (self()) trace_path_call("open", result, path);
  return result;
}

mode_t mode_of(int flags, va_list list) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(list, mode_t) : 0;
}

}  // namespace

TACTUS_INTERPOSE int open(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = mode_of(flags, list);
  va_end(list);
  return open_file(path, flags, mode);
}

TACTUS_INTERPOSE int open64(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = mode_of(flags, list);
  va_end(list);
  return open_file(path, flags | O_LARGEFILE, mode);
}

// NOLINTBEGIN(readability-identifier-naming): names of the C library
TACTUS_INTERPOSE int __open_2(const char* path, int flags) { return open_file(path, flags, 0); }
TACTUS_INTERPOSE int __open64_2(const char* path, int flags) {
  return open_file(path, flags | O_LARGEFILE, 0);
}
// NOLINTEND(readability-identifier-naming)

TACTUS_INTERPOSE int unlink(const char* path) noexcept {
  char space[4096];
  const int result = TACTUS_REAL(unlink)(private_path(path, space, sizeof space));
  if (self()) trace_path_call("unlink", result, path);
  return result;
}

}  // namespace tactus::conductor
