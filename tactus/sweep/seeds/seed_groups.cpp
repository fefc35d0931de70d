// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sweep/seeds/seed_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "tactus/flight/incidents.h"
#include "tactus/flight/report/flight_suite.h"

namespace tactus {
namespace {

/// What flights have in common that went wrong in the same way.
std::string kind_of(const SeedOutcome& outcome) {
  std::string text = outcome.sentence;
  if (outcome.verdict == SeedVerdict::kFailed) {
    text.clear();
    for (const ExpectationResult& result : outcome.results) {
      if (result.failed()) text += result.id + '\n' + result.message + '\n';
    }
  }
  return std::to_string(static_cast<int>(outcome.verdict)) + without_numbers(text);
}

/// How bad a flight is that failed: how many expectations never came true, then the least margin.
std::pair<int, double> badness(const SeedOutcome& outcome) {
  std::pair<int, double> bad{0, 0.0};
  for (const ExpectationResult& result : outcome.results) {
    if (!result.failed()) continue;
    if (!result.value) ++bad.first;
    bad.second = std::max(bad.second, -result.margin);
  }
  return bad;
}

bool is_worse(const SeedOutcome& a, const SeedOutcome& b) {
  if (a.verdict == SeedVerdict::kCrashed) return a.end < b.end;
  return a.verdict == SeedVerdict::kFailed && badness(a) > badness(b);
}

FailureGroup new_group(const SeedOutcome& outcome) {
  FailureGroup group;
  group.verdict = outcome.verdict;
  group.worst = &outcome;
  if (outcome.verdict != SeedVerdict::kFailed) return group;
  for (const ExpectationResult& result : outcome.results) {
    if (result.failed()) group.expectations.push_back(result.id);
  }
  return group;
}

}  // namespace

std::string ranges_text(std::span<const std::uint64_t> seeds, std::size_t most) {
  std::string text;
  std::size_t begin = 0;
  for (std::size_t named = 0; begin < seeds.size() && named < most; ++named) {
    std::size_t end = begin + 1;
    while (end < seeds.size() && seeds[end] == seeds[end - 1] + 1) ++end;
    if (named > 0) text += ", ";
    text += end - begin == 1 ? fmt::format("{}", seeds[begin])
                             : fmt::format("{}..{}", seeds[begin], seeds[end - 1]);
    begin = end;
  }
  return begin < seeds.size() ? text + fmt::format(" and {} more", seeds.size() - begin) : text;
}

std::string trouble_text(const SeedOutcome& outcome) {
  constexpr std::size_t kMostTold = 3;
  if (outcome.verdict != SeedVerdict::kFailed) return outcome.sentence;
  std::string text;
  std::size_t failed = 0;
  for (const ExpectationResult& result : outcome.results) {
    if (!result.failed() || ++failed > kMostTold) continue;
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", result.id, failure_text(result));
  }
  return failed > kMostTold ? text + fmt::format("; and {} more", failed - kMostTold) : text;
}

std::vector<LeastMargin> least_margins(const std::vector<SeedOutcome>& outcomes) {
  std::vector<LeastMargin> least;
  for (const SeedOutcome& outcome : outcomes) {
    least.resize(std::max(least.size(), outcome.results.size()));
    for (std::size_t i = 0; i < outcome.results.size(); ++i) {
      const ExpectationResult& result = outcome.results[i];
      if (!result.value) continue;
      if (least[i].result != nullptr && least[i].result->margin <= result.margin) continue;
      least[i] = {&result, outcome.seed};
    }
  }
  std::erase_if(least, [](const LeastMargin& margin) { return margin.result == nullptr; });
  return least;
}

std::vector<FailureGroup> failure_groups(const std::vector<SeedOutcome>& outcomes) {
  std::vector<FailureGroup> groups;
  std::map<std::string, std::size_t> known;
  for (const SeedOutcome& outcome : outcomes) {
    if (!outcome.is_trouble()) continue;
    const auto [place, is_new] = known.emplace(kind_of(outcome), groups.size());
    if (is_new) groups.push_back(new_group(outcome));
    FailureGroup& group = groups[place->second];
    group.seeds.push_back(outcome.seed);
    if (is_worse(outcome, *group.worst)) group.worst = &outcome;
  }
  std::stable_sort(groups.begin(), groups.end(), [](const FailureGroup& a, const FailureGroup& b) {
    return a.seeds.size() > b.seeds.size();
  });
  return groups;
}

}  // namespace tactus
