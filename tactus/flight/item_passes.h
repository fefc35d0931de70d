// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// How often and when each item of a mission was done: a loop passes its items several times. The
// summary of a flight knows the items that took time; those that take none (speed changes, jumps)
// are found on the way from one to the next.

#include <cstdint>
#include <vector>

#include "tactus/autopilot/mission/mission.h"
#include "tactus/flight/flight_summary.h"

namespace tactus {

struct ItemPasses {
  std::int32_t item = 0;
  std::vector<TimeUs> times;  ///< at least one
};

/// Items that were done, in the order in which they were done first.
std::vector<ItemPasses> item_passes(const Mission& mission,
                                    const std::vector<FlightFacts::Step>& steps);

}  // namespace tactus
