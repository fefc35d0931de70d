// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// One sample of a campaign, flown: a pure function of (campaign, index), as far as its autopilot
// is one.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "tactus/flight/flight.h"
#include "tactus/flight/flight_recording.h"
#include "tactus/sweep/campaign/campaign.h"
#include "tactus/sweep/flying/sample_result.h"

namespace tactus::sweep {

struct SampleOptions {
  bool validate = false;
  /// Asked at every boundary; a flight that was cut short has no result.
  std::function<bool()> interrupted{};
  int worker = 0;  ///< flights at the same time have different ones
};

/// A sample that was flown or refused, and all that is known about it.
struct SampleFlight {
  SampleInput input;
  SampleResult result;
  std::optional<Flight> flight;  ///< none: refused, stopped or lost
  std::string error;             ///< why there is none, with its place in a file
};

/// None: it was interrupted.
std::optional<SampleFlight> fly_sample(const Campaign& campaign, const SampleInput& input,
                                       const SampleOptions& options = {},
                                       RecordOptions record = {});

/// The same by index, with another try for a sample that was lost.
std::optional<SampleResult> fly_sample(const Campaign& campaign, std::uint64_t index,
                                       const SampleOptions& options = {});

/// A sample about which nothing is known.
SampleResult lost_sample(const Campaign& campaign, const SampleInput& input,
                         const std::string& reason);

/// Throws what every single flight would throw before it begins: a campaign whose spec, without
/// anything varied, cannot be flown, or whose flights cannot be flown at the same time.
void require_flyable(const Campaign& campaign);

/// What flights have in common that went wrong in the same way; empty: it passed.
std::string failure_of(const Flight& flight);

}  // namespace tactus::sweep
