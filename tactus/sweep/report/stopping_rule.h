// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// "fail_rate width < 0.01": a campaign that ends when it knows enough. The interval is one of a
// sequence that holds at all counts at once, and it is asked at fixed counts of whole prefixes of
// the samples: the answer depends neither on chance nor on the number of workers.

#include <string>

#include "tactus/sweep/fly_campaign.h"
#include "tactus/sweep/statistics/intervals.h"

namespace tactus::sweep {

inline constexpr double kConfidence = 0.95;

/// Of an outcome in counts of failures: a crash is one, and so is a flight that stopped.
void count(Outcome outcome, OutcomeCounts& counts);

/// Throws Error(kBadInput) if the text is no rule, or not for this design.
StoppingRule stopping_rule(const std::string& text, const Campaign& campaign);

}  // namespace tactus::sweep
