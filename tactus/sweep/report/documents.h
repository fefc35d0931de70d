// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Results of a campaign for machines: JSON, CSV, JUnit.

#include <span>
#include <string>

#include "tactus/sweep/report/campaign_statistics.h"
#include "tactus/sweep/results/results_file.h"
#include "tactus/sweep/search_campaign.h"

namespace tactus::sweep {

std::string statistics_json(ResultsFile& results, const CampaignStatistics& statistics);
/// A line per margin and measure.
std::string statistics_csv(const CampaignStatistics& statistics);
/// A case per sample.
std::string statistics_junit(ResultsFile& results, const std::string& title);

std::string samples_json(const ResultsHead& head, std::span<const SampleResult> samples);
/// The line with the names of the columns, without its end.
std::string samples_csv_head(const ResultsHead& head);
std::string sample_csv(const SampleResult& sample);

std::string search_json(ResultsFile& results, const SearchEnd& end);

/// What the file says about the campaign.
std::string head_json(ResultsFile& results);

}  // namespace tactus::sweep
