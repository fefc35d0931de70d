// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A search for failures in what a campaign varies: every evaluation is a sample in a file of
// results. A search is a function of the margins alone, so one that was interrupted is gone through
// again with those that the file holds, and goes on.
//
// What counts is the least margin of all expectations, or that of one. A crash and a flight that
// stopped with an error are failures, and so is what never came to what was expected; a sample that
// was refused or lost has no margin.

#include <cstdint>
#include <optional>
#include <string>

#include "tactus/sweep/fly_campaign.h"
#include "tactus/sweep/search/failure_search.h"

namespace tactus::sweep {

struct CampaignSearch {
  std::string margin{};  ///< id of an expectation; empty: the least of all
  SearchGoal goal = SearchGoal::kSmallestFailure;
};

/// For people, and to tell searches apart: ResultsHead::search.
std::string search_text(const CampaignSearch& search);

struct SearchEnd {
  std::uint64_t flights = 0;
  bool interrupted = false;
  std::optional<SearchPoint> worst;
  std::optional<SearchPoint> first_failure;
  std::optional<SearchPoint> smallest_failure;
};

/// Throws Error(kBadInput) if there is nothing to search in or for.
void require_searchable(const Campaign& campaign, const CampaignSearch& search);

/// Flies as many samples as the campaign, which explores, has: a generation of the search after the
/// other, by `fly`. Less if the middle fails. Throws Error; what was committed is kept.
SearchEnd search_campaign(Campaign& campaign, ResultsFile& results, const CampaignSearch& search,
                          const FlyAll& fly, const CampaignOptions& options = {});

}  // namespace tactus::sweep
