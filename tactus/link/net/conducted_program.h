// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A program under the conductor (docs/conductor.md): its threads run one at a time by a fixed rule,
// on virtual time that goes as far as we let it, and we are its network. So what it does depends on
// what it is given and on nothing else.
//
// We take turns. What is sent waits until the next turn; a turn ends when nothing in the program
// can go on before `limit`; then what it has sent is there. `conducted_link.h` has its connections.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tactus/conductor/channel.h"
#include "tactus/link/net/process.h"
#include "tactus/link/net/socket.h"
#include "tactus/link/net/work_folder.h"

namespace tactus {

enum class TurnEnd : std::uint8_t {
  kIdle,         ///< nothing in it can go on
  kEnded,        ///< the program has ended
  kOverdue,      ///< the deadline has passed; it is still at work
  kInterrupted,  ///< the user wants to stop
};

/// How the user starts the program that is awaited; for people.
std::string joining_text(const std::string& program, const std::string& folder);

/// What becomes of connections that the program makes, but for those that we accept.
enum class OutsideConnections : std::uint8_t {
  kRefused,
  kKept,  ///< for take_outside(); the caller answers them
};

class ConductedProgram {
 public:
  struct Message {
    conductor::RecordHeader header;
    std::vector<std::byte> bytes;
  };

  /// Starts it. `seed`: of what it takes for chance. Throws Error(kEnvironment) if the conductor is
  /// not there or the program cannot be started.
  ConductedProgram(ProcessParameters parameters, std::uint64_t seed);
  /// One that the user starts; see open_for_joining().
  ConductedProgram(const std::string& name, std::uint64_t seed);
  ~ConductedProgram();
  ConductedProgram(const ConductedProgram&) = delete;
  ConductedProgram& operator=(const ConductedProgram&) = delete;

  /// The folder for join_conductor().
  const std::string& open_for_joining();

  /// Null: the user has started it.
  [[nodiscard]] ChildProcess* child() { return child_.get(); }
  /// 0: the user has not started it yet.
  [[nodiscard]] pid_t pid() const;
  [[nodiscard]] bool running();

  /// For its next turn.
  void send(conductor::RecordHeader header, std::span<const std::byte> bytes);
  /// Its virtual time may go up to here from its next turn on.
  void set_limit_ns(std::int64_t limit_ns);
  [[nodiscard]] std::int64_t limit_ns() const { return limit_ns_; }
  /// Its virtual time at the end of its last turn.
  [[nodiscard]] std::int64_t now_ns() const;

  /// Lets it go on until it is idle. Again after kOverdue: waits on.
  TurnEnd turn(Deadline deadline, const Interrupted& interrupted);
  /// Whether a turn would do anything.
  [[nodiscard]] bool wants_turn() const;

  /// Datagrams to this port of ours are kept for take(); all others are lost. `shared`: they also
  /// go outside.
  void open_port(std::uint16_t port, bool shared = false);
  /// What is not for our ports is kept for take_outside() from now on, in its order.
  void keep_outside(OutsideConnections connections);
  std::vector<Message> take_outside() { return std::exchange(outside_, {}); }
  /// The first of those messages that it has sent and that are still there; none: there is none.
  template <class Wanted>
  std::optional<Message> take(Wanted&& wanted) {
    const auto found = std::ranges::find_if(output_, wanted);
    if (found == output_.end()) return std::nullopt;
    Message message = std::move(*found);
    output_.erase(found);
    return message;
  }
  /// Turns with more and more time until the program connects to this port; the number of the
  /// connection. None: it does not. All other connections are refused, at any time.
  std::optional<std::uint32_t> accept(std::uint16_t port, Deadline deadline,
                                      const Interrupted& interrupted);
  /// A process that we did not start has talked to it: what it does depends on that as well.
  [[nodiscard]] bool has_outsider() const { return has_outsider_; }
  /// SIGTERM, and time to leave in an orderly way; then SIGKILL.
  void end();

  /// For messages about one that does not go on: why it cannot be conducted, or which of its
  /// threads wait for what since when.
  [[nodiscard]] std::string stop_text();

 private:
  void start_turn();
  void ask();
  [[nodiscard]] std::string threads_text() const;
  void take_output();
  void keep(Message message);
  void keep_outside(Message message);
  void refuse_connection(std::uint32_t id);

  Descriptor memory_;
  struct Unmap {
    void operator()(conductor::Channel* channel) const;
  };
  std::unique_ptr<conductor::Channel, Unmap> channel_;
  WorkFolder folder_;  ///< for what it would put in /tmp
  std::unique_ptr<ChildProcess> child_;
  struct Joined {
    pid_t pid = 0;
    Descriptor watch;  ///< readable when it has ended, reaped or not
  };
  Joined joined_;
  std::vector<std::byte> input_;
  std::size_t output_bytes_ = 0;  ///< of this turn
  std::deque<Message> output_;
  std::vector<Message> outside_;
  std::optional<OutsideConnections> outside_connections_;  ///< none: nothing is kept
  std::int64_t limit_ns_ = 0;
  std::int64_t told_limit_ns_ = 0;
  bool under_way_ = true;  ///< a turn; its start is the first
  struct OpenPort {
    std::uint16_t port;
    bool shared;
  };
  std::vector<OpenPort> open_ports_;
  std::vector<std::uint32_t> our_connections_;
  std::optional<std::uint16_t> accepting_port_;  ///< during accept()
  bool has_outsider_ = false;
};

}  // namespace tactus
