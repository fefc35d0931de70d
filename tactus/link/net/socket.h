// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Sockets on the loopback interface (UDP: beyond it if asked for), and waits that always end: at
// their deadline, or within 100 ms when the user wants to stop. What is there is taken without
// checking either: a caller that receives in a loop checks both, or a peer that never pauses holds
// it.
// POSIX calls; docs/decisions/0011-posix-sockets.md says why.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tactus/core/time.h"

namespace tactus {

/// Says that the user wants to stop (Ctrl-C). May be empty.
using Interrupted = std::function<bool()>;

/// End of a wait, in wall time.
class Deadline {
 public:
  /// Zero: never.
  static Deadline after(DurationUs wall);
  /// Does not wait at all: takes what is there.
  static Deadline now();

  [[nodiscard]] bool passed() const;
  [[nodiscard]] bool is_now() const;
  /// For poll(): what is left, rounded up, at most `at_most_ms`.
  [[nodiscard]] int left_ms(int at_most_ms) const;

 private:
  using Clock = std::chrono::steady_clock;
  explicit Deadline(std::optional<Clock::time_point> end) : end_(end) {}
  std::optional<Clock::time_point> end_;  ///< none: never
};

enum class WaitResult : std::uint8_t { kReady, kTimeout, kInterrupted };

/// Until one of these can be read (closed by the other side counts).
WaitResult wait_readable(std::span<const int> descriptors, Deadline deadline,
                         const Interrupted& interrupted);

/// Lets wall time pass.
WaitResult wait_until(Deadline deadline, const Interrupted& interrupted);

enum class ReceiveResult : std::uint8_t {
  kData,
  kTimeout,
  kInterrupted,
  kClosed,
  kIdle,  ///< the other side will send nothing before it gets more (a conducted program)
};

/// Bytes both ways, in order.
class ByteStream {
 public:
  virtual ~ByteStream() = default;
  /// Appends what has come to `bytes`.
  virtual ReceiveResult receive(std::vector<std::byte>& bytes, Deadline deadline,
                                const Interrupted& interrupted) = 0;
  /// Without waiting; `bytes` becomes what is left. kTimeout: there is no room at present.
  virtual ReceiveResult send_some(std::span<const std::byte>& bytes) = 0;
};

/// Owns a file descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  [[nodiscard]] int get() const { return number_; }
  [[nodiscard]] bool open() const { return number_ >= 0; }
  void close();

 private:
  int number_ = -1;
};

/// One TCP connection. Small messages leave at once (TCP_NODELAY).
class TcpStream final : public ByteStream {
 public:
  explicit TcpStream(Descriptor socket);
  /// To a listener on this machine; none: there is no listener before the deadline.
  static std::optional<TcpStream> connect(std::uint16_t port, Deadline deadline,
                                          const Interrupted& interrupted = {});

  ReceiveResult receive(std::vector<std::byte>& bytes, Deadline deadline,
                        const Interrupted& interrupted = {}) override;
  /// kData: all was handed over.
  ReceiveResult send(std::span<const std::byte> bytes, Deadline deadline,
                     const Interrupted& interrupted = {});
  ReceiveResult send_some(std::span<const std::byte>& bytes) override;
  [[nodiscard]] int descriptor() const { return socket_.get(); }

 private:
  Descriptor socket_;
};

class TcpListener {
 public:
  /// Port 0: any free one. `what` names the peer in messages ("PX4 (MAVLink HIL)"). Throws
  /// Error(kEnvironment) that names the port, and what to do if it is taken.
  TcpListener(std::uint16_t port, std::string_view what);

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] int descriptor() const { return socket_.get(); }
  /// None: no connection came before the deadline, or the user wants to stop. Throws
  /// Error(kEnvironment) if no connection can be had (too many open files).
  std::optional<TcpStream> accept(Deadline deadline, const Interrupted& interrupted = {});

 private:
  Descriptor socket_;
  std::uint16_t port_ = 0;
};

/// Who is at the other end of UDP: a port of this machine, unless an address is given.
struct UdpPeer {
  static constexpr std::uint32_t kThisMachine = 0x7F000001;  ///< 127.0.0.1

  std::uint16_t port = 0;
  std::uint32_t address = kThisMachine;  ///< IPv4, first number in the highest byte

  UdpPeer() = default;
  UdpPeer(std::uint16_t port_number, std::uint32_t ipv4 = kThisMachine)  // NOLINT: a port is a peer
      : port(port_number), address(ipv4) {}
  bool operator==(const UdpPeer&) const = default;

  /// 127.0.0.0/8 reaches this machine only.
  [[nodiscard]] bool is_local() const { return address >> 24u == 127; }
};

/// Reads "127.0.0.1"; "localhost" is known. No names: to resolve them may take seconds.
std::optional<std::uint32_t> parse_ipv4(const std::string& text);
/// "127.0.0.1:14550".
std::string to_text(const UdpPeer& peer);

/// Whom a UDP socket hears.
enum class UdpReach : std::uint8_t { kThisMachine, kEveryone };

/// Datagrams from and to one port of ours.
class DatagramLink {
 public:
  virtual ~DatagramLink() = default;
  [[nodiscard]] virtual std::uint16_t port() const = 0;
  /// What cannot be delivered is lost, as datagrams are. Never waits.
  virtual void send_to(const UdpPeer& peer, std::span<const std::byte> bytes) = 0;
  /// Replaces `bytes` by one datagram; kData or why not. `from`, if given: its sender.
  virtual ReceiveResult receive(std::vector<std::byte>& bytes, Deadline deadline,
                                const Interrupted& interrupted, UdpPeer* from) = 0;
};

class UdpSocket final : public DatagramLink {
 public:
  /// As TcpListener.
  UdpSocket(std::uint16_t port, std::string_view what, UdpReach reach = UdpReach::kThisMachine);

  [[nodiscard]] std::uint16_t port() const override { return port_; }
  [[nodiscard]] int descriptor() const { return socket_.get(); }
  void send_to(const UdpPeer& peer, std::span<const std::byte> bytes) override;
  ReceiveResult receive(std::vector<std::byte>& bytes, Deadline deadline,
                        const Interrupted& interrupted = {}, UdpPeer* from = nullptr) override;

 private:
  Descriptor socket_;
  std::uint16_t port_ = 0;
};

}  // namespace tactus
