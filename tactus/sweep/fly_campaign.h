// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A campaign flown into a file of results: by threads of this process, or by whatever else hands
// out samples. Interrupted or killed at any instant it goes on where it was.

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tactus/sweep/campaign/campaign.h"
#include "tactus/sweep/flying/sample_flight.h"
#include "tactus/sweep/flying/sample_queue.h"
#include "tactus/sweep/results/results_file.h"

namespace tactus::sweep {

struct CampaignProgress {
  std::uint64_t samples = 0;                        ///< of this shard
  std::uint64_t done = 0;                           ///< of these, those of earlier calls too
  std::uint64_t flown = 0;                          ///< by this call
  std::array<std::uint64_t, kOutcomes> outcomes{};  ///< of those done

  [[nodiscard]] std::uint64_t operator[](Outcome outcome) const {
    return outcomes[static_cast<std::size_t>(outcome)];
  }
};

/// Asked with every result of a whole prefix of the samples, in the order of their numbers: true:
/// that many are enough.
using StoppingRule = std::function<bool(std::uint64_t samples, Outcome outcome)>;

/// How samples are handed out and results come back. `take` and `idle` are called on the thread of
/// the caller, `idle` several times a second.
using FlyAll =
    std::function<void(SampleSource& source, const std::function<void(SampleResult&&)>& take,
                       const std::function<void()>& idle)>;

struct CampaignOptions {
  std::function<bool()> interrupted{};
  std::function<void(const CampaignProgress&)> progress{};
  StoppingRule enough{};
  std::chrono::milliseconds batch{1000};  ///< between two commits
};

/// By so many threads.
FlyAll by_threads(const Campaign& campaign, std::size_t jobs, SampleOptions options);

/// By so many processes, which are renewed after some flights: for autopilots that are libraries.
FlyAll by_processes(const Campaign& campaign, std::size_t jobs, SampleOptions options);

/// What came of it, over all samples in the file.
struct CampaignEnd {
  CampaignProgress progress;
  bool interrupted = false;
  std::uint64_t stopped_at = 0;    ///< the rule said so after that many samples; 0: it did not
  std::vector<std::string> notes;  ///< what the user should know about the campaign
};

/// Flies what the file does not hold yet. Throws Error; what was committed is kept.
CampaignEnd fly_campaign(const Campaign& campaign, ResultsFile& results, const FlyAll& fly,
                         const CampaignOptions& options = {});

/// Sentences about [[vary]] that changed no flight: for each, a sample is flown again with this key
/// alone as in another one.
std::vector<std::string> idle_varied(const Campaign& campaign, const SampleOptions& options);

}  // namespace tactus::sweep
