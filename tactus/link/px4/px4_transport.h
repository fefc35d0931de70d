// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// How bytes go between us and PX4: its instruments and actuators as a stream, its MAVLink as
// datagrams. Over sockets, where it answers when it does; or to a conducted PX4, which has said all
// that it has to say when nothing in it can go on.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tactus/core/time.h"
#include "tactus/link/net/conducted_program.h"
#include "tactus/link/net/process.h"
#include "tactus/link/net/socket.h"
#include "tactus/link/px4/px4_process.h"

namespace tactus {

enum class Px4Receive : std::uint8_t {
  kData,
  kNothing,      ///< it will send nothing before it gets more
  kOverdue,      ///< nothing came before the deadline
  kInterrupted,  ///< the user wants to stop
  kClosed,       ///< it is gone
};

class Px4Transport {
 public:
  virtual ~Px4Transport() = default;

  /// PX4 may do what it does up to this time of its clock.
  virtual void advance_to(std::uint64_t px4_time_us) = 0;

  /// Never waits. Leaves in `bytes` what is still to be sent. False: the connection is closed.
  virtual bool send_stream(std::vector<std::byte>& bytes) = 0;
  /// Appends to `bytes`.
  virtual Px4Receive receive_stream(std::vector<std::byte>& bytes, Deadline deadline,
                                    const Interrupted& interrupted) = 0;

  /// To and from PX4's MAVLink.
  virtual void send_datagram(std::span<const std::byte> bytes) = 0;
  virtual Px4Receive receive_datagram(std::vector<std::byte>& bytes, Deadline deadline,
                                      const Interrupted& interrupted) = 0;
};

/// TCP and UDP on this machine.
class Px4Sockets final : public Px4Transport {
 public:
  /// Throws Error(kEnvironment) if a port is taken.
  explicit Px4Sockets(const Px4Ports& ports);

  /// Waits for PX4. False: it did not connect.
  bool accept(Deadline deadline, const Interrupted& interrupted);

  void advance_to(std::uint64_t /*px4_time_us*/) override {}  // its instruments tell it the time
  bool send_stream(std::vector<std::byte>& bytes) override;
  Px4Receive receive_stream(std::vector<std::byte>& bytes, Deadline deadline,
                            const Interrupted& interrupted) override;
  void send_datagram(std::span<const std::byte> bytes) override;
  Px4Receive receive_datagram(std::vector<std::byte>& bytes, Deadline deadline,
                              const Interrupted& interrupted) override;

 private:
  Px4Ports ports_;
  std::optional<TcpListener> listener_;
  std::optional<TcpStream> stream_;
  UdpSocket udp_;
};

class Px4Conducted final : public Px4Transport {
 public:
  /// `program` is running and outlives this.
  Px4Conducted(ConductedProgram& program, const Px4Ports& ports)
      : program_(program), ports_(ports) {}

  /// Lets PX4 start until it connects. False: it did not.
  bool accept(Deadline deadline, const Interrupted& interrupted);

  void advance_to(std::uint64_t px4_time_us) override;
  bool send_stream(std::vector<std::byte>& bytes) override;
  Px4Receive receive_stream(std::vector<std::byte>& bytes, Deadline deadline,
                            const Interrupted& interrupted) override;
  void send_datagram(std::span<const std::byte> bytes) override;
  Px4Receive receive_datagram(std::vector<std::byte>& bytes, Deadline deadline,
                              const Interrupted& interrupted) override;

  /// A process that Tactus did not start has talked to PX4: flights may differ.
  [[nodiscard]] bool has_outsider() const { return outsider_; }

 private:
  template <class Queue>
  Px4Receive receive(Queue& queue, Deadline deadline, const Interrupted& interrupted);
  void sort_output();

  ConductedProgram& program_;
  Px4Ports ports_;
  std::uint32_t connection_ = 0;
  std::int64_t offset_ns_ = 0;  ///< of its virtual time to the clock that its instruments set
  std::deque<std::vector<std::byte>> stream_;
  std::deque<std::vector<std::byte>> datagrams_;
  bool closed_ = false;
  bool outsider_ = false;
};

}  // namespace tactus
