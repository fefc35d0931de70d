// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sweep/search_campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "tactus/core/error.h"
#include "tactus/core/text.h"

namespace tactus::sweep {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();
/// Of a failure that has no figure: it never came to what was expected.
constexpr double kFailed = -1.0;

/// Which margin counts; none: the least.
std::optional<std::size_t> margin_place(const ResultsHead& head, const std::string& id) {
  if (id.empty()) return std::nullopt;
  std::vector<std::string> ids;
  for (const ResultColumn& one : head.expectations) ids.push_back(one.id);
  const auto it = std::find(ids.begin(), ids.end(), id);
  if (it != ids.end()) return static_cast<std::size_t>(it - ids.begin());
  throw Error(ExitCode::kBadInput,
              did_you_mean(fmt::format("--margin {}: there is no such expectation", id), id, ids));
}

/// Negative: the sample failed.
double margin_of(const SampleResult& result, std::optional<std::size_t> place) {
  if (result.outcome == Outcome::kRefused || result.outcome == Outcome::kLost) return kNone;
  std::optional<double> margin;
  for (std::size_t i = 0; i < result.margins.size(); ++i) {
    if (place && *place != i) continue;
    const std::optional<double>& one = result.margins[i];
    if (one && (!margin || *one < *margin)) margin = one;
  }
  const bool failed = result.outcome != Outcome::kPassed;
  if (margin && (place || !failed || *margin < 0.0)) return *margin;
  return failed ? kFailed : kNone;
}

/// The samples of one generation, and the file in which they are kept.
class Generation {
 public:
  Generation(const Campaign& campaign, ResultsFile& results, std::optional<std::size_t> place)
      : campaign_(&campaign), results_(&results), place_(place) {}

  /// None: it was interrupted.
  std::optional<std::vector<double>> margins(std::uint64_t first,
                                             const std::vector<std::vector<double>>& points,
                                             std::size_t jobs, const SampleOptions& sample,
                                             CampaignProgress& progress,
                                             const CampaignOptions& options) {
    std::vector<double> margins(points.size(), kNone);
    std::vector<bool> known(points.size());
    DoneSamples done;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const std::optional<SampleResult> result = results_->sample(first + i);
      if (!result) continue;
      known[i] = true;
      margins[i] = margin_of(*result, place_);
      done.add(first + i);
    }
    SampleSource source(first + points.size(), {}, std::move(done), first);
    SampleThreads<SampleResult> threads(
        source,
        [&](std::uint64_t index, int worker,
            const std::function<bool()>& interrupted) -> std::optional<SampleResult> {
          SampleOptions how = sample;
          how.worker = worker;
          how.interrupted = interrupted;
          std::optional<SampleFlight> flight =
              fly_sample(*campaign_, campaign_->input_at(index, points[index - first]), how);
          if (!flight) return std::nullopt;
          return std::move(flight->result);
        },
        sample.interrupted);
    threads.run(
        thread_count(jobs, points.size()),
        [&](SampleResult&& result) {
          results_->add(result);
          ++progress.flown;
          ++progress.done;
          ++progress.outcomes[static_cast<std::size_t>(result.outcome)];
          margins[result.index - first] = margin_of(result, place_);
          known[result.index - first] = true;
        },
        [&] {
          if (options.progress) options.progress(progress);
        });
    results_->commit();
    if (std::find(known.begin(), known.end(), false) != known.end()) return std::nullopt;
    return margins;
  }

 private:
  const Campaign* campaign_;
  ResultsFile* results_;
  std::optional<std::size_t> place_;
};

}  // namespace

std::string search_text(const Campaign& campaign, const SearchOptions& options) {
  return fmt::format(
      "{} of {} in {} flights",
      options.goal == SearchGoal::kSmallestFailure ? "smallest failure" : "worst margin",
      options.margin.empty() ? "any expectation" : options.margin, campaign.size());
}

SearchEnd search_campaign(const Campaign& campaign, ResultsFile& results,
                          const SearchOptions& search, std::size_t jobs,
                          const SampleOptions& sample, const CampaignOptions& options) {
  if (campaign.points() == nullptr) {
    throw Error(ExitCode::kBadInput, campaign.base().spec.name +
                                         ": nothing to search in: give "
                                         "[[vary]] with distributions");
  }
  Generation generation(campaign, results, margin_place(results.head(), search.margin));
  FailureSearch state({.dimension = campaign.points()->axis_count(),
                       .seed = campaign.file().seed,
                       .goal = search.goal,
                       .most_evaluations = campaign.size()});
  CampaignProgress progress;
  progress.samples = campaign.size();
  results.for_each([&progress](const SampleResult& result) {
    ++progress.done;
    ++progress.outcomes[static_cast<std::size_t>(result.outcome)];
  });
  SearchEnd end;
  while (!state.done()) {
    const std::vector<std::vector<double>> points = state.ask();
    if (points.empty()) break;
    const auto margins =
        generation.margins(state.evaluations(), points, jobs, sample, progress, options);
    end.interrupted = !margins.has_value();
    if (!margins) break;
    state.tell(*margins);
  }
  end.flights = state.evaluations();
  end.worst = state.worst();
  end.first_failure = state.first_failure();
  end.smallest_failure = state.smallest_failure();
  return end;
}

}  // namespace tactus::sweep
