// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "tactus/core/time.h"
#include "tactus/spec/model/event.h"

namespace tactus {

/// Where a chain of `after` begins, and the sum of the delays along it.
struct ChainStart {
  const Event* event;  ///< null: the chain is a circle, or names an event that is not there
  DurationUs delay;

  /// Whether the instant of the whole chain is known before the flight.
  [[nodiscard]] bool is_timed() const {
    return event != nullptr && event->trigger.kind == TriggerKind::kAtTime;
  }
};

/// Follows chains of `after`; the events must outlive it.
class EventChains {
 public:
  explicit EventChains(const std::vector<Event>& events) {
    for (const Event& event : events) named_.emplace(event.id, &event);
  }

  [[nodiscard]] ChainStart start(const Event& event) const {
    const Event* at = &event;
    DurationUs delay = at->trigger.delay;
    for (std::size_t links = 0; at->trigger.kind == TriggerKind::kAfter; ++links) {
      const auto before = named_.find(at->trigger.after);
      if (before == named_.end() || links > named_.size()) return {nullptr, delay};
      at = before->second;
      delay = delay + at->trigger.delay;
    }
    return {at, delay};
  }

 private:
  std::map<std::string_view, const Event*> named_;
};

}  // namespace tactus
