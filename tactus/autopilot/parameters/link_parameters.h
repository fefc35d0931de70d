// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <cstdint>

#include "tactus/core/fields.h"
#include "tactus/core/time.h"

namespace tactus {

/// What happens when a peer does not answer in time. It is noted, and the report names the peer.
enum class LatePolicy : std::uint8_t {
  kFail,         ///< the run stops, exit code 4
  kHold,         ///< its last command stays; the next exchange is tried again
  kDrop,         ///< goes on without it: motors off from then on
  kFreeRunning,  ///< no longer waits; takes its answers when they come
};

/// Deadlines are wall time: they decide whether a flight stops, never how it goes. 0: none.
struct LinkParameters {
  DurationUs connect_deadline{30'000'000};
  DurationUs exchange_deadline{10'000'000};
  LatePolicy late = LatePolicy::kFail;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("connect_deadline_us", "us", self.connect_deadline,
          "wall time until it must be there; 0: no limit");
    visit("exchange_deadline_us", "us", self.exchange_deadline,
          "wall time for one answer; 0: no limit");
    visit("late", "", self.late, "fail, hold, drop or free_running");
  }
};
static_assert(lists_every_field<LinkParameters>());

}  // namespace tactus
