// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/net/socket.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "tactus/core/assert.h"
#include "tactus/core/error.h"

namespace tactus {
namespace {

constexpr int kSliceMs = 100;  // how often a wait checks for a request to stop
constexpr std::size_t kMaxPolled = 256;
constexpr std::size_t kLongestDatagram = 65536;

std::string system_text(int code) { return std::generic_category().message(code); }

/// Waits for `events` on descriptors that may not be there (−1: poll() skips them).
WaitResult wait_for(std::span<const int> descriptors, short events, Deadline deadline,
                    const Interrupted& interrupted) {
  TACTUS_ASSERT(descriptors.size() <= kMaxPolled, "too many descriptors for one wait");
  std::array<pollfd, kMaxPolled> polled;
  for (std::size_t i = 0; i < descriptors.size(); ++i) polled[i] = {descriptors[i], events, 0};
  while (true) {
    const int ready = ::poll(polled.data(), descriptors.size(), deadline.left_ms(kSliceMs));
    if (ready > 0) return WaitResult::kReady;
    if (ready < 0 && errno != EINTR) {
      throw Error(ExitCode::kEnvironment,
                  fmt::format("waiting for a socket failed: {}", system_text(errno)));
    }
    if (interrupted && interrupted()) return WaitResult::kInterrupted;
    if (deadline.passed()) return WaitResult::kTimeout;
  }
}

WaitResult wait_for(int descriptor, short events, Deadline deadline,
                    const Interrupted& interrupted) {
  return wait_for(std::span<const int>(&descriptor, 1), events, deadline, interrupted);
}

ReceiveResult not_ready(WaitResult result) {
  return result == WaitResult::kInterrupted ? ReceiveResult::kInterrupted : ReceiveResult::kTimeout;
}

/// Polls for a moment before the thread sleeps. A thread that sleeps is woken tens of microseconds
/// after its answer has come, and the sender pays for that: at every step of a flight in lockstep,
/// a fifth of its time. Other threads that want this core get it.
class BusyWait {
 public:
  explicit BusyWait(Deadline deadline) : sleeps_(deadline.is_now()) {}

  /// Whether to poll once more.
  [[nodiscard]] bool goes_on() {
    if (sleeps_) return false;
    const Clock::time_point now = Clock::now();
    if (looks_++ == 0) {
      sleeps_ = has_one_core();
      end_ = now + kLongest;
    }
    if (sleeps_ || now >= end_) return false;
    ::sched_yield();
    return true;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::microseconds kLongest{200};

  /// Where the answer cannot be computed while this thread polls.
  static bool has_one_core() {
    cpu_set_t cores;
    return ::sched_getaffinity(0, sizeof cores, &cores) == 0 && CPU_COUNT(&cores) == 1;
  }

  bool sleeps_;
  int looks_ = 0;
  Clock::time_point end_;
};

bool try_again(int code) { return code == EINTR || code == EAGAIN || code == EWOULDBLOCK; }

sockaddr_in address_of(const UdpPeer& peer) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(peer.port);
  address.sin_addr.s_addr = htonl(peer.address);
  return address;
}

/// The C interface of sockets wants this cast.
const sockaddr* as_address(const sockaddr_in& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}

[[noreturn]] void refuse_port(std::uint16_t port, const char* kind, std::string_view what,
                              int code) {
  const std::string advice =
      code == EADDRINUSE
          ? fmt::format(
                "another program uses it: end it (ss -lnp | grep {} shows which), or choose "
                "another port (of a simulator: port) or another instance "
                "(autopilot.outside.instance)",
                port)
          : std::string("it must be a port that this user may open");
  throw Error(ExitCode::kEnvironment, fmt::format("cannot open {} port {} for {}: {}; {}", kind,
                                                  port, what, system_text(code), advice));
}

Descriptor open_socket(int type) {
  Descriptor opened(::socket(AF_INET, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!opened.open()) {
    throw Error(ExitCode::kEnvironment,
                fmt::format("cannot open a socket: {}", system_text(errno)));
  }
  return opened;
}

Descriptor open_bound(int type, const UdpPeer& at, std::string_view what) {
  const bool tcp = type == SOCK_STREAM;
  Descriptor opened = open_socket(type);
  const int yes = 1;
  // A TCP port may be taken again at once after a flight. Not so for UDP, where two programs would
  // share the datagrams.
  if (tcp) ::setsockopt(opened.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  const sockaddr_in address = address_of(at);
  if (::bind(opened.get(), as_address(address), sizeof address) != 0 ||
      (tcp && ::listen(opened.get(), 1) != 0)) {
    refuse_port(at.port, tcp ? "TCP" : "UDP", what, errno);
  }
  return opened;
}

std::uint16_t port_of(const Descriptor& bound) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  ::getsockname(bound.get(), reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin_port);
}

}  // namespace

// ---- waits

Deadline Deadline::after(DurationUs wall) {
  if (wall.us == 0) return Deadline(std::nullopt);
  return Deadline(Clock::now() + std::chrono::microseconds(wall.us));
}

Deadline Deadline::now() { return Deadline(Clock::time_point{}); }

bool Deadline::passed() const { return end_ && Clock::now() >= *end_; }

bool Deadline::is_now() const { return end_ == Clock::time_point{}; }

int Deadline::left_ms(int at_most_ms) const {
  if (!end_) return at_most_ms;
  if (is_now()) return 0;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*end_ - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, at_most_ms));
}

WaitResult wait_readable(std::span<const int> descriptors, Deadline deadline,
                         const Interrupted& interrupted) {
  return wait_for(descriptors, POLLIN, deadline, interrupted);
}

WaitResult wait_until(Deadline deadline, const Interrupted& interrupted) {
  return wait_for({}, 0, deadline, interrupted);
}

// ---- descriptors

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    close();
    number_ = std::exchange(other.number_, -1);
  }
  return *this;
}

void Descriptor::close() {
  if (number_ >= 0) ::close(std::exchange(number_, -1));
}

// ---- TCP

TcpStream::TcpStream(Descriptor socket) : socket_(std::move(socket)) {
  const int yes = 1;
  ::setsockopt(socket_.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

std::optional<TcpStream> TcpStream::connect(std::uint16_t port, Deadline deadline,
                                            const Interrupted& interrupted) {
  const sockaddr_in address = address_of(port);
  while (true) {
    Descriptor socket = open_socket(SOCK_STREAM);
    // On the loopback interface the answer is immediate: connected, or refused.
    if (::connect(socket.get(), as_address(address), sizeof address) == 0) {
      return TcpStream(std::move(socket));
    }
    if (errno == EINPROGRESS &&
        wait_for(socket.get(), POLLOUT, deadline, interrupted) == WaitResult::kReady) {
      int code = 0;
      socklen_t size = sizeof code;
      ::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &code, &size);
      if (code == 0) return TcpStream(std::move(socket));
    }
    if (deadline.passed() || (interrupted && interrupted())) return std::nullopt;
    wait_until(Deadline::after(DurationUs(2'000)), interrupted);
  }
}

ReceiveResult TcpStream::receive(std::vector<std::byte>& bytes, Deadline deadline,
                                 const Interrupted& interrupted) {
  std::array<std::byte, 8192> chunk;
  BusyWait busy(deadline);
  while (true) {
    const ssize_t got = ::recv(socket_.get(), chunk.data(), chunk.size(), 0);
    if (got > 0) {
      bytes.insert(bytes.end(), chunk.begin(), chunk.begin() + got);
      return ReceiveResult::kData;
    }
    if (got == 0 || !try_again(errno)) return ReceiveResult::kClosed;
    if (busy.goes_on()) continue;
    if (deadline.is_now()) return ReceiveResult::kTimeout;
    const WaitResult waited = wait_for(socket_.get(), POLLIN, deadline, interrupted);
    if (waited != WaitResult::kReady) return not_ready(waited);
  }
}

ReceiveResult TcpStream::send(std::span<const std::byte> bytes, Deadline deadline,
                              const Interrupted& interrupted) {
  while (true) {
    const ReceiveResult result = send_some(bytes);
    if (result != ReceiveResult::kTimeout) return result;
    const WaitResult waited = wait_for(socket_.get(), POLLOUT, deadline, interrupted);
    if (waited != WaitResult::kReady) return not_ready(waited);
  }
}

ReceiveResult TcpStream::send_some(std::span<const std::byte>& bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent >= 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(sent));
    } else if (errno != EINTR) {
      return try_again(errno) ? ReceiveResult::kTimeout : ReceiveResult::kClosed;
    }
  }
  return ReceiveResult::kData;
}

TcpListener::TcpListener(std::uint16_t port, std::string_view what)
    : socket_(open_bound(SOCK_STREAM, port, what)), port_(port_of(socket_)) {}

std::optional<TcpStream> TcpListener::accept(Deadline deadline, const Interrupted& interrupted) {
  while (wait_for(socket_.get(), POLLIN, deadline, interrupted) == WaitResult::kReady) {
    Descriptor accepted(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (accepted.open()) return TcpStream(std::move(accepted));
    // The peer may have left again. Anything else would fail at once for ever.
    if (!try_again(errno) && errno != ECONNABORTED) {
      throw Error(
          ExitCode::kEnvironment,
          fmt::format("cannot accept a connection on TCP port {}: {}", port_, system_text(errno)));
    }
  }
  return std::nullopt;
}

// ---- UDP

std::optional<std::uint32_t> parse_ipv4(const std::string& text) {
  if (text == "localhost") return UdpPeer::kThisMachine;
  in_addr address{};
  if (::inet_pton(AF_INET, text.c_str(), &address) != 1) return std::nullopt;
  return ntohl(address.s_addr);
}

std::string to_text(const UdpPeer& peer) {
  const std::uint32_t a = peer.address;
  return fmt::format("{}.{}.{}.{}:{}", a >> 24u, a >> 16u & 255u, a >> 8u & 255u, a & 255u,
                     peer.port);
}

UdpSocket::UdpSocket(std::uint16_t port, std::string_view what, UdpReach reach)
    : socket_(open_bound(SOCK_DGRAM,
                         reach == UdpReach::kEveryone ? UdpPeer(port, INADDR_ANY) : UdpPeer(port),
                         what)),
      port_(port_of(socket_)) {}

void UdpSocket::send_to(const UdpPeer& peer, std::span<const std::byte> bytes) {
  const sockaddr_in address = address_of(peer);
  // A refused datagram (no listener yet) is lost like any other; the protocols above ask again.
  ::sendto(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL, as_address(address),
           sizeof address);
}

ReceiveResult UdpSocket::receive(std::vector<std::byte>& bytes, Deadline deadline,
                                 const Interrupted& interrupted, UdpPeer* from) {
  std::array<std::byte, kLongestDatagram> datagram;
  BusyWait busy(deadline);
  while (true) {
    sockaddr_in sender{};
    socklen_t size = sizeof sender;
    const ssize_t got = ::recvfrom(socket_.get(), datagram.data(), datagram.size(), 0,
                                   reinterpret_cast<sockaddr*>(&sender), &size);
    if (got >= 0) {
      bytes.assign(datagram.begin(), datagram.begin() + got);
      if (from != nullptr) *from = {ntohs(sender.sin_port), ntohl(sender.sin_addr.s_addr)};
      return ReceiveResult::kData;
    }
    // An earlier datagram that was refused is reported here: no news.
    if (errno == ECONNREFUSED) continue;
    if (!try_again(errno)) return ReceiveResult::kClosed;
    if (busy.goes_on()) continue;
    if (deadline.is_now()) return ReceiveResult::kTimeout;
    const WaitResult waited = wait_for(socket_.get(), POLLIN, deadline, interrupted);
    if (waited != WaitResult::kReady) return not_ready(waited);
  }
}

}  // namespace tactus
