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
/// Of a failure that has no figure.
constexpr double kFailed = -1.0;

/// Which margin counts; none: the least.
std::optional<std::size_t> margin_place(const Campaign& campaign, const std::string& id) {
  if (id.empty()) return std::nullopt;
  std::vector<std::string> ids;
  for (const Expectation& expected : campaign.base().spec.expectations) ids.push_back(expected.id);
  const auto it = std::find(ids.begin(), ids.end(), id);
  if (it != ids.end()) return static_cast<std::size_t>(it - ids.begin());
  throw Error(ExitCode::kBadInput,
              did_you_mean(fmt::format("--margin {}: there is no such expectation", id), id, ids));
}

/// Negative: the sample failed.
double margin_of(const SampleResult& result, std::optional<std::size_t> place) {
  double margin = kNone;
  bool known = false;
  for (std::size_t i = 0; i < result.margins.size(); ++i) {
    if ((place && *place != i) || !result.margins[i]) continue;
    margin = std::min(margin, *result.margins[i]);
    known = true;
  }
  switch (result.outcome) {
    case Outcome::kRefused:
    case Outcome::kLost: return kNone;
    case Outcome::kCrashed:
    case Outcome::kStopped: return std::min(margin, kFailed);
    case Outcome::kFailed:
      // Another expectation may have failed; or one never came to a margin.
      return known && (place || margin < 0.0) ? margin : kFailed;
    case Outcome::kPassed: break;
  }
  return margin;
}

class CampaignSearcher {
 public:
  CampaignSearcher(Campaign& campaign, ResultsFile& results, const CampaignSearch& search,
                   const FlyAll& fly, const CampaignOptions& options)
      : campaign_(&campaign),
        results_(&results),
        place_(margin_place(campaign, search.margin)),
        fly_(&fly),
        options_(&options) {
    progress_.samples = campaign.size();
    results.for_each([this](const SampleResult& result) { count(result); });
  }

  /// The margins of samples from `first` on, flown or read. None: it was interrupted.
  std::optional<std::vector<double>> margins(std::uint64_t first,
                                             const std::vector<std::vector<double>>& points) {
    std::vector<std::optional<double>> margins(points.size());
    DoneSamples done;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const std::optional<SampleResult> result = results_->sample(first + i);
      if (!result) continue;
      margins[i] = margin_of(*result, place_);
      done.add(first + i);
    }
    if (done.count() < points.size()) {
      campaign_->choose(first, points);
      SampleSource source(first + points.size(), {}, std::move(done), first);
      const auto take = [&](SampleResult&& result) {
        results_->add(result);
        count(result);
        ++progress_.flown;
        margins.at(result.index - first) = margin_of(result, place_);
      };
      (*fly_)(source, take, [this] {
        if (options_->progress) options_->progress(progress_);
      });
      results_->commit();
    }
    std::vector<double> known;
    for (const std::optional<double>& margin : margins) {
      if (!margin) return std::nullopt;
      known.push_back(*margin);
    }
    return known;
  }

 private:
  void count(const SampleResult& result) {
    ++progress_.done;
    ++progress_.outcomes[static_cast<std::size_t>(result.outcome)];
  }

  Campaign* campaign_;
  ResultsFile* results_;
  std::optional<std::size_t> place_;
  const FlyAll* fly_;
  const CampaignOptions* options_;
  CampaignProgress progress_;
};

}  // namespace

std::string search_text(const CampaignSearch& search) {
  return fmt::format(
      "{} of {}", search.goal == SearchGoal::kSmallestFailure ? "smallest failure" : "worst margin",
      search.margin.empty() ? "any expectation" : search.margin);
}

void require_searchable(const Campaign& campaign, const CampaignSearch& search) {
  const std::string& name = campaign.base().spec.name;
  if (campaign.points() == nullptr) {
    throw Error(ExitCode::kBadInput, name + ": nothing to search in; give [[vary]]");
  }
  if (campaign.base().spec.expectations.empty()) {
    throw Error(ExitCode::kBadInput,
                name +
                    ": nothing to search for; give [[expect]], whose margin says how near to a "
                    "failure a flight came");
  }
  (void)margin_place(campaign, search.margin);
}

SearchEnd search_campaign(Campaign& campaign, ResultsFile& results, const CampaignSearch& search,
                          const FlyAll& fly, const CampaignOptions& options) {
  require_searchable(campaign, search);
  CampaignSearcher searcher(campaign, results, search, fly, options);
  FailureSearch state({.dimension = campaign.points()->axis_count(),
                       .seed = campaign.file().seed,
                       .goal = search.goal,
                       .most_evaluations = campaign.size()});
  SearchEnd end;
  while (!state.done() && !end.interrupted) {
    const std::optional<std::vector<double>> margins =
        searcher.margins(state.evaluations(), state.ask());
    end.interrupted = !margins;
    if (margins) state.tell(*margins);
  }
  if (!end.interrupted && state.evaluations() < campaign.size()) {
    results.end_at(state.evaluations());
    results.commit();
  }
  end.flights = state.evaluations();
  end.worst = state.worst();
  end.first_failure = state.first_failure();
  end.smallest_failure = state.smallest_failure();
  return end;
}

}  // namespace tactus::sweep
