// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What time it is for a conducted program with a simulator that is not ours: what the simulator
// sends says so (HIL_SENSOR of MAVLink over TCP, "timestamp" of ArduPilot's JSON over UDP). Streams
// are cut into whole messages, because how TCP cuts them is chance.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "tactus/link/net/conducted_program.h"

namespace tactus {

class SimulatorClock {
 public:
  using Message = ConductedProgram::Message;

  struct Step {
    Message message;
    /// Simulated time that has passed when it comes, since the first message that told the time;
    /// none: it tells none.
    std::optional<std::int64_t> since_first_ns;
  };

  /// Appends what can be given to the program, one after the other. What is no whole message yet
  /// waits for the rest.
  void take(Message message, std::vector<Step>& steps);
  /// Whether a simulator tells the time.
  [[nodiscard]] bool runs() const { return source_.has_value(); }

 private:
  void cut(const Message& message, std::vector<Step>& steps);
  std::optional<std::int64_t> told(std::uint32_t source, const std::vector<std::byte>& bytes);

  std::map<std::uint32_t, std::vector<std::byte>> unfinished_;  ///< by connection
  std::optional<std::uint32_t> source_;  ///< the connection that tells the time; 0: datagrams
  std::int64_t first_ns_ = 0;
  std::int64_t last_ns_ = 0;
};

}  // namespace tactus
