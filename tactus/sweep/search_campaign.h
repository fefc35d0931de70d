// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A search for failures in what a campaign varies: every evaluation is a sample of the same file of
// results, by its number. The search is a function of the margins, so a search that was interrupted
// is gone through again with those that the file holds, and goes on.
//
// All flights have the seed of the spec: a search compares them.

#include <cstdint>
#include <optional>
#include <string>

#include "tactus/sweep/fly_campaign.h"
#include "tactus/sweep/search/failure_search.h"

namespace tactus::sweep {

struct SearchOptions {
  std::string margin;  ///< id of an expectation; empty: the least of all
  SearchGoal goal = SearchGoal::kSmallestFailure;
};

/// What a file of results says about it: ResultsHead::search.
std::string search_text(const Campaign& campaign, const SearchOptions& options);

struct SearchEnd {
  std::uint64_t flights = 0;
  bool interrupted = false;
  std::optional<SearchPoint> worst;
  std::optional<SearchPoint> first_failure;
  std::optional<SearchPoint> smallest_failure;
};

/// Flies as many samples as the campaign has. Throws Error(kBadInput) if there is no such margin.
SearchEnd search_campaign(const Campaign& campaign, ResultsFile& results,
                          const SearchOptions& search, std::size_t jobs,
                          const SampleOptions& sample, const CampaignOptions& options = {});

}  // namespace tactus::sweep
