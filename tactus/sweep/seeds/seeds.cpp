// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sweep/seeds/seeds.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "tactus/core/assert.h"
#include "tactus/files/disk_files.h"
#include "tactus/flight/names.h"
#include "tactus/spec/schema/schema_enums.h"
#include "tactus/sweep/campaign/campaign.h"
#include "tactus/sweep/flying/sample_flight.h"
#include "tactus/sweep/flying/sample_queue.h"
#include "tactus/sweep/seeds/seed_groups.h"
#include "tactus/sweep/seeds/seed_statistics.h"

namespace tactus {
namespace {

SeedOutcome error_outcome(ExitCode code, std::string sentence) {
  SeedOutcome outcome;
  outcome.verdict = SeedVerdict::kError;
  outcome.code = code;
  outcome.sentence = std::move(sentence);
  return outcome;
}

SeedOutcome outcome_of(sweep::SampleFlight sample) {
  if (sample.flight) return seed_outcome(*sample.flight);
  return error_outcome(sample.result.code, sample.error);
}

void require_many_flights(const LoadedSpec& loaded) {
  if (!is_external_program(loaded.spec.autopilot)) return;
  throw Error(ExitCode::kBadInput,
              ErrorSubject{.key = "autopilot.kind",
                           .note = {},
                           .value = name_of(loaded.spec.autopilot),
                           .reason = "many seeds fly in this process and at once, which an "
                                     "external autopilot cannot; use px4-lib or builtin, or fly "
                                     "one seed after the other"});
}

/// A seed that was flown: where it stands in the outcomes.
struct FlownSeed {
  std::size_t index = 0;
  SeedOutcome outcome;
};

}  // namespace

SeedsResult fly_seeds(const LoadedSpec& loaded, SeedRange seeds, const SeedsOptions& options) {
  TACTUS_ASSERT(seeds.first <= seeds.last, "seeds count upwards");
  require_many_flights(loaded);
  const sweep::Campaign campaign(disk_files(), loaded, seeds.first, seeds.count());
  require_flyable(campaign);
  SeedsResult result{flight_name(loaded.spec), std::vector<SeedOutcome>(seeds.count())};
  for (std::size_t i = 0; i < seeds.count(); ++i) result.outcomes[i].seed = seeds.first + i;
  SeedsProgress progress{.count = seeds.count()};
  sweep::SampleSource source(campaign.size(), {}, sweep::DoneSamples());
  sweep::SampleThreads<FlownSeed> threads(
      source,
      [&](std::uint64_t index, int worker,
          const std::function<bool()>& interrupted) -> std::optional<FlownSeed> {
        const auto start = std::chrono::steady_clock::now();
        std::optional<sweep::SampleFlight> sample = fly_sample(
            campaign, campaign.input(index),
            {.validate = options.validate, .interrupted = interrupted, .worker = worker});
        if (!sample) return std::nullopt;
        FlownSeed flown{static_cast<std::size_t>(index), outcome_of(*std::move(sample))};
        flown.outcome.seed = seeds.first + index;
        flown.outcome.wall_s =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return flown;
      },
      options.interrupted);
  threads.run(
      sweep::thread_count(options.jobs, campaign.size()),
      [&](FlownSeed&& flown) {
        ++progress.flown;
        if (flown.outcome.is_trouble()) ++progress.failed;
        result.outcomes[flown.index] = std::move(flown.outcome);
      },
      [&] {
        if (options.progress) options.progress(progress);
      });
  return result;
}

std::string seeds_sentence(const std::vector<SeedOutcome>& outcomes) {
  constexpr std::size_t kMostNamed = 10;
  std::vector<std::uint64_t> seeds;
  for (const SeedOutcome& outcome : outcomes) {
    if (outcome.is_trouble()) seeds.push_back(outcome.seed);
  }
  const SeedCounts counts(outcomes);
  const std::size_t not_flown = counts[SeedVerdict::kNotFlown];
  const std::string text =
      not_flown == 0
          ? fmt::format("{} of {} seeds did not pass", seeds.size(), outcomes.size())
          : fmt::format("interrupted: {} of {} seeds flown, {} passed{}",
                        outcomes.size() - not_flown, outcomes.size(), counts[SeedVerdict::kPassed],
                        seeds.empty() ? "" : fmt::format(", {} did not", seeds.size()));
  return seeds.empty() ? text : text + ": " + ranges_text(seeds, kMostNamed);
}

std::vector<std::string> seeds_warnings(const std::vector<SeedOutcome>& outcomes) {
  std::vector<std::pair<std::string, std::size_t>> counted;
  std::size_t flown = 0;
  for (const SeedOutcome& outcome : outcomes) {
    if (!outcome.got_to_an_end()) continue;
    ++flown;
    for (const std::string& warning : outcome.warnings) {
      const auto it = std::find_if(counted.begin(), counted.end(),
                                   [&](const auto& known) { return known.first == warning; });
      if (it == counted.end()) {
        counted.emplace_back(warning, 1);
      } else {
        ++it->second;
      }
    }
  }
  std::vector<std::string> lines;
  lines.reserve(counted.size());
  for (const auto& [warning, count] : counted) {
    lines.push_back(count == flown ? warning
                                   : fmt::format("{} ({} of {} flights)", warning, count, flown));
  }
  return lines;
}

ExitCode exit_code(const std::vector<SeedOutcome>& outcomes) {
  ExitCode code = ExitCode::kOk;
  for (const SeedOutcome& outcome : outcomes) {
    if (outcome.verdict == SeedVerdict::kNotFlown) return ExitCode::kInterrupted;
    if (outcome.verdict == SeedVerdict::kPassed) continue;
    if (code == ExitCode::kOk || code == ExitCode::kCheckFailed) code = outcome.code;
  }
  return code;
}

}  // namespace tactus
