// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What the built-in autopilots ask about their input, in the air and on the ground.

#include <cstdint>

#include "tactus/core/fields.h"
#include "tactus/core/time.h"
#include "tactus/signal/signals.h"

namespace tactus {

/// An estimate older than this is lost.
inline constexpr DurationUs kEstimateTooOld{500'000};

/// Whether an estimate is recent and its attitude can be trusted.
constexpr bool is_usable(const Estimate& estimate, TimeUs now) {
  const bool fresh = estimate.measured_at >= now || now - estimate.measured_at <= kEstimateTooOld;
  return fresh && estimate.attitude_valid;
}

/// Distinguishes new orders from those already obeyed.
struct OrderInbox {
  std::uint32_t seen = 0;
  bool ignore_old = false;  ///< after a restart: what was ordered before does not count

  /// True once per order.
  constexpr bool take(const HighLevelCommand& wanted) {
    const bool is_new = wanted.count != seen && !ignore_old;
    seen = wanted.count;
    ignore_old = false;
    return is_new;
  }

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("seen", "", self.seen, "number of the last order");
    visit("ignore_old", "", self.ignore_old, "restarted");
  }
};
static_assert(lists_every_field<OrderInbox>());

}  // namespace tactus
