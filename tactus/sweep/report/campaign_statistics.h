// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What a campaign comes to: rate of failures with an interval that is right for its design,
// percentiles, groups of equal failures, and which keys matter. docs/campaign_statistics.md has
// the formulas.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tactus/sweep/results/results_file.h"
#include "tactus/sweep/statistics/correlation.h"
#include "tactus/sweep/statistics/intervals.h"
#include "tactus/sweep/statistics/percentiles.h"
#include "tactus/sweep/statistics/sobol_indices.h"

namespace tactus::sweep {

struct FailureRate {
  OutcomeCounts counts;
  std::optional<double> rate;  ///< of those whose outcome is known
  std::optional<Interval> interval;
  std::string method;  ///< of the interval, or why there is none
};

inline constexpr double kReportedShares[] = {0.05, 0.5, 0.95};

/// A margin or a measure over all samples that have it.
struct ColumnStatistics {
  ResultColumn column;
  bool is_margin = false;
  std::uint64_t count = 0;
  std::uint64_t missing = 0;
  double least = 0.0;
  double most = 0.0;
  double mean = 0.0;
  std::vector<Percentile> percentiles;  ///< of kReportedShares; bounds where samples were drawn
  Histogram histogram;
  std::vector<std::optional<RankCorrelation>> correlations;  ///< by input
  std::optional<SobolIndices> sobol;                         ///< of a Saltelli design
};

struct FailureKind {
  std::string failure;
  Outcome outcome = Outcome::kFailed;
  std::uint64_t count = 0;
  std::uint64_t first = 0;  ///< the sample of the lowest number
};

struct CampaignStatistics {
  std::uint64_t samples = 0;  ///< of the campaign, or of the shard
  std::uint64_t flown = 0;    ///< that the file holds
  std::array<std::uint64_t, kOutcomes> outcomes{};
  FailureRate failures;
  std::vector<ColumnStatistics> columns;
  std::vector<std::optional<RankCorrelation>> failure_correlations;  ///< by input
  std::vector<FailureKind> kinds;                                    ///< the most frequent first
  std::vector<std::string> notes;
};

CampaignStatistics campaign_statistics(ResultsFile& results, const Campaign& campaign);

}  // namespace tactus::sweep
