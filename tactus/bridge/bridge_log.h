// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What a bridge reports to its user afterwards: events and long waits, a bounded number of each.

#include <cstdint>
#include <string>
#include <vector>

#include "tactus/core/time.h"

namespace tactus {

/// Something that the user wants to find again: a miss, a recovery, a drop.
struct BridgeEvent {
  TimeUs time;
  std::string who;   ///< "simulator left", "vehicle 3"
  std::string what;  ///< "no answer within 10s …"
};

/// The bridge stood still for one simulator, in wall time.
struct BridgeWait {
  TimeUs time;
  std::string who;
  std::uint64_t ns = 0;
};

class BridgeLog {
 public:
  /// The last event that is kept says that further ones are not.
  void note(TimeUs time, std::string who, std::string what);
  /// Waits shorter than 10 ms are not kept.
  void note_wait(TimeUs time, std::string who, std::uint64_t ns);
  [[nodiscard]] bool is_full() const;

  [[nodiscard]] const std::vector<BridgeEvent>& events() const { return events_; }
  [[nodiscard]] const std::vector<BridgeWait>& long_waits() const { return long_waits_; }

 private:
  std::vector<BridgeEvent> events_;
  std::vector<BridgeWait> long_waits_;
};

}  // namespace tactus
