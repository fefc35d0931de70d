// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/run/seeds_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tactus/sweep/seeds/seed_groups.h"
#include "tactus/sweep/seeds/seed_statistics.h"

namespace tactus::cli {
namespace {

std::string spread_table(const std::vector<SeedOutcome>& outcomes) {
  if (std::none_of(outcomes.begin(), outcomes.end(),
                   [](const SeedOutcome& outcome) { return outcome.got_to_an_end(); }))
    return {};
  std::string text = fmt::format("  {:<20}{:>8}{:>10}{:>10}{:>10}{:>10}{:>10}\n", "", "flights",
                                 "min", "5 %", "median", "95 %", "max");
  for (const SeedSpread& spread : seed_spreads(outcomes)) {
    if (spread.sorted.empty()) continue;
    text += fmt::format("  {:<20}{:>8}", spread.label, spread.sorted.size());
    for (const std::size_t percent : kPercents) {
      text += fmt::format("{:>10.3f}", spread.scale * spread.percentile(percent));
    }
    text += '\n';
  }
  return text;
}

/// "  least margin of land: 13.2, seed 4: landed and disarmed at 61.8 s"
std::string margins_text(const std::vector<SeedOutcome>& outcomes) {
  std::string text;
  for (const LeastMargin& least : least_margins(outcomes)) {
    text += fmt::format("  least margin of {}: {:.4g}, seed {}: {}\n", least.result->id,
                        least.result->margin, least.seed, least.result->message);
  }
  return text;
}

/// "38 seeds fail land, mission", "seed 7 crashes"
std::string group_title(const FailureGroup& group) {
  const bool one = group.seeds.size() == 1;
  const std::string who = one ? fmt::format("seed {}", group.seeds.front())
                              : fmt::format("{} seeds", group.seeds.size());
  switch (group.verdict) {
    case SeedVerdict::kCrashed: return who + (one ? " crashes" : " crash");
    case SeedVerdict::kError: return who + (one ? " stops" : " stop") + " with an error";
    case SeedVerdict::kNotFlown:
    case SeedVerdict::kPassed:
    case SeedVerdict::kFailed: break;
  }
  return fmt::format("{} {} {}", who, one ? "fails" : "fail", fmt::join(group.expectations, ", "));
}

std::string group_text(const RunOptions& options, const FailureGroup& group) {
  constexpr std::size_t kMostRanges = 8;
  std::string text = "  " + group_title(group);
  if (group.seeds.size() > 1) text += ": " + ranges_text(group.seeds, kMostRanges);
  const char* const which = group.verdict == SeedVerdict::kError ? "first" : "worst";
  const std::string which_seed =
      group.seeds.size() == 1 ? "" : fmt::format("{}, seed {}: ", which, group.worst->seed);
  return text + fmt::format("\n    {}{}\n    fly it again: {}\n", which_seed,
                            trouble_text(*group.worst),
                            command_for_seed(options, group.worst->seed));
}

/// A screenful, however many seeds there are.
std::string groups_text(const RunOptions& options, const std::vector<SeedOutcome>& outcomes) {
  constexpr std::size_t kMostGroups = 5;
  const std::vector<FailureGroup> groups = failure_groups(outcomes);
  std::string text;
  std::size_t untold = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (i < kMostGroups) {
      text += group_text(options, groups[i]);
    } else {
      untold += groups[i].seeds.size();
    }
  }
  if (untold == 0) return text;
  return text + fmt::format("  and {} seeds in {} other ways; --json has them all\n", untold,
                            groups.size() - kMostGroups);
}

}  // namespace

std::string seeds_text(const RunOptions& options, const SeedsResult& result) {
  const std::vector<SeedOutcome>& outcomes = result.outcomes;
  const SeedCounts counts(outcomes);
  std::string text = fmt::format(
      "{}: seeds {}..{}: {} passed, {} failed, {} crashed, {} stopped with an error{}\n",
      result.name, outcomes.front().seed, outcomes.back().seed, counts[SeedVerdict::kPassed],
      counts[SeedVerdict::kFailed], counts[SeedVerdict::kCrashed], counts[SeedVerdict::kError],
      counts[SeedVerdict::kNotFlown] == 0
          ? std::string()
          : fmt::format("; interrupted, {} not flown", counts[SeedVerdict::kNotFlown]));
  text += spread_table(outcomes) + margins_text(outcomes);
  text += fmt::format("  {:<20}{}\n", "digest of all", to_hex(digest_of(outcomes)));
  return text + groups_text(options, outcomes);
}

}  // namespace tactus::cli
