// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Samples of a campaign flown again, with a recording, and checked against the table.

#include <cstddef>
#include <string>
#include <vector>

#include "tactus/sweep/campaign/campaign.h"
#include "tactus/sweep/flying/sample_flight.h"
#include "tactus/sweep/results/results_file.h"

namespace tactus::cli {

/// `record` is the name of the recording; empty: none. Throws Error: kDifferent if the flight has
/// another digest than the table, kInterrupted.
sweep::SampleFlight fly_again(const sweep::Campaign& campaign, const sweep::SampleResult& known,
                              const std::string& record);

/// Names of the recordings, which lie beside the results.
std::vector<std::string> record_worst(const sweep::Campaign& campaign, sweep::ResultsFile& results,
                                      std::size_t count);

}  // namespace tactus::cli
