// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sweep/report/worst.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "tactus/core/error.h"
#include "tactus/core/text.h"

namespace tactus::sweep {
namespace {

/// Less is worse; none: it does not take part.
using Badness = std::optional<std::pair<int, double>>;
using Judge = std::function<Badness(const SampleResult&)>;

Badness overall(const SampleResult& result) {
  switch (result.outcome) {
    case Outcome::kRefused:
    case Outcome::kLost: return std::nullopt;
    case Outcome::kCrashed: return std::pair(0, to_seconds(result.end - TimeUs{}));
    case Outcome::kStopped: return std::pair(1, 0.0);
    case Outcome::kPassed:
    case Outcome::kFailed: break;
  }
  const std::optional<double> least = least_margin(result);
  const bool lacks_one = std::any_of(result.margins.begin(), result.margins.end(),
                                     [](const auto& margin) { return !margin; });
  if (result.outcome == Outcome::kFailed && lacks_one && !(least && *least < 0.0)) {
    return std::pair(2, 0.0);
  }
  if (!least) return std::nullopt;
  return std::pair(3, *least);
}

/// Where a column stands among those of its kind.
std::optional<std::size_t> place_of(const std::vector<ResultColumn>& columns,
                                    const std::string& name) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].column == name || columns[i].id == name) return i;
  }
  return std::nullopt;
}

Badness signed_value(std::optional<double> value, bool lowest) {
  if (!value) return std::nullopt;
  return std::pair(1, lowest ? *value : -*value);
}

Judge judge_of(const ResultsHead& head, const WorstBy& by) {
  if (by.column.empty()) return overall;
  const bool lowest = by.lowest;
  if (const auto place = place_of(head.expectations, by.column)) {
    return [i = *place](const SampleResult& result) -> Badness {
      if (result.margins[i]) return std::pair(1, *result.margins[i]);
      return result.outcome == Outcome::kFailed || result.outcome == Outcome::kCrashed
                 ? Badness(std::pair(0, 0.0))
                 : std::nullopt;
    };
  }
  if (const auto place = place_of(head.measures, by.column)) {
    return [i = *place, lowest](const SampleResult& result) {
      return signed_value(result.measures[i], lowest);
    };
  }
  if (const auto place = place_of(head.inputs, by.column)) {
    return [i = *place, lowest](const SampleResult& result) {
      return signed_value(result.applied[i].number, lowest);
    };
  }
  std::vector<std::string> names;
  for (const auto* columns : {&head.expectations, &head.measures, &head.inputs}) {
    for (const ResultColumn& one : *columns) names.push_back(one.column);
  }
  throw Error(
      ExitCode::kBadInput,
      did_you_mean(fmt::format("--by {}: there is no such column", by.column), by.column, names));
}

}  // namespace

std::optional<double> least_margin(const SampleResult& result) {
  std::optional<double> least;
  for (const std::optional<double>& margin : result.margins) {
    if (margin && (!least || *margin < *least)) least = margin;
  }
  return least;
}

std::vector<SampleResult> worst_samples(ResultsFile& results, const WorstBy& by,
                                        std::size_t count) {
  using Judged = std::pair<std::pair<int, double>, SampleResult>;
  const Judge judge = judge_of(results.head(), by);
  const auto is_worse = [](const Judged& a, const Judged& b) {
    return a.first != b.first ? a.first < b.first : a.second.index < b.second.index;
  };
  std::vector<Judged> worst;  // sorted, never more than wanted
  results.for_each([&](const SampleResult& result) {
    const Badness badness = judge(result);
    if (!badness || count == 0) return;
    Judged one{*badness, result};
    if (worst.size() == count && !is_worse(one, worst.back())) return;
    worst.insert(std::upper_bound(worst.begin(), worst.end(), one, is_worse), std::move(one));
    if (worst.size() > count) worst.pop_back();
  });
  std::vector<SampleResult> samples;
  samples.reserve(worst.size());
  for (Judged& one : worst) samples.push_back(std::move(one.second));
  return samples;
}

}  // namespace tactus::sweep
