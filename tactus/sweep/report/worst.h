// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The worst samples of a campaign.

#include <cstddef>
#include <string>
#include <vector>

#include "tactus/sweep/results/results_file.h"

namespace tactus::sweep {

struct WorstBy {
  std::string column;   ///< "margin.ID", "measure.ID", "input.KEY", or the id alone; empty: below
  bool lowest = false;  ///< of a measure or input: the least value is the worst
};

/// The worst first; of equal ones the lowest number. Without a column: crashes by their time, then
/// what stopped, then what never came to an expectation, then by the least margin.
/// Throws Error(kBadInput) for a column that there is not.
std::vector<SampleResult> worst_samples(ResultsFile& results, const WorstBy& by, std::size_t count);

/// The least margin of a sample; none: it came to none.
std::optional<double> least_margin(const SampleResult& result);

}  // namespace tactus::sweep
