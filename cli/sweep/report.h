// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Results of a campaign for people.

#include <span>
#include <string>

#include "tactus/sweep/report/campaign_statistics.h"
#include "tactus/sweep/results/results_file.h"

namespace tactus::cli {

std::string statistics_text(const sweep::ResultsFile& results,
                            const sweep::CampaignStatistics& statistics);
/// With histograms.
std::string columns_text(const sweep::ResultsFile& results,
                         const sweep::CampaignStatistics& statistics);
/// A line per sample.
std::string samples_text(const sweep::ResultsHead& head,
                         std::span<const sweep::SampleResult> samples);
/// All that is known about one.
std::string sample_text(const sweep::ResultsHead& head, const sweep::SampleResult& sample);

}  // namespace tactus::cli
