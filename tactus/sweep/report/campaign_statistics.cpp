// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sweep/report/campaign_statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tactus/core/math.h"
#include "tactus/sweep/report/stopping_rule.h"
#include "tactus/sweep/statistics/moments.h"

namespace tactus::sweep {
namespace {

constexpr std::size_t kBins = 20;

/// By sample, in the order of their numbers; NaN where there is none.
struct Table {
  std::vector<std::uint64_t> samples;
  std::vector<Outcome> outcomes;
  std::vector<std::vector<double>> inputs;
  std::vector<std::vector<double>> margins;
  std::vector<std::vector<double>> measures;

  explicit Table(ResultsFile& results) {
    const ResultsHead& head = results.head();
    inputs.resize(head.inputs.size());
    margins.resize(head.expectations.size());
    measures.resize(head.measures.size());
    const auto add = [](std::vector<double>& column, const std::optional<double>& value) {
      column.push_back(value.value_or(math::canonical_nan()));
    };
    results.for_each([&](const SampleResult& result) {
      samples.push_back(result.index);
      outcomes.push_back(result.outcome);
      for (std::size_t i = 0; i < inputs.size(); ++i) add(inputs[i], result.applied[i].number);
      for (std::size_t i = 0; i < margins.size(); ++i) add(margins[i], result.margins[i]);
      for (std::size_t i = 0; i < measures.size(); ++i) add(measures[i], result.measures[i]);
    });
  }
};

bool is_random(const Campaign& campaign) {
  if (campaign.explores()) return false;
  switch (campaign.file().design.kind) {
    case DesignKind::kMonteCarlo:
    case DesignKind::kLatinHypercube:
    case DesignKind::kSobol: return true;
    case DesignKind::kGrid:
    case DesignKind::kCorners:
    case DesignKind::kOneAtATime: break;
  }
  // Without a [[vary]] only seeds vary, and those are drawn.
  return campaign.points() == nullptr;
}

bool is_independent(const Campaign& campaign) {
  return is_random(campaign) &&
         (campaign.points() == nullptr || campaign.file().design.kind == DesignKind::kMonteCarlo);
}

/// Of a Saltelli design only A and B are draws from the distribution of the keys.
bool is_draw(const Campaign& campaign, std::uint64_t sample) {
  return !campaign.file().design.saltelli || campaign.points()->saltelli_place(sample).block < 2;
}

FailureRate failure_rate(const Table& table, const Campaign& campaign, bool sequential) {
  FailureRate failures;
  std::vector<OutcomeCounts> replicates(campaign.file().design.replicates);
  for (std::size_t i = 0; i < table.samples.size(); ++i) {
    if (!is_draw(campaign, table.samples[i])) continue;
    count(table.outcomes[i], failures.counts);
    if (campaign.points() == nullptr) continue;
    count(table.outcomes[i], replicates[campaign.points()->replicate_of(table.samples[i])]);
  }
  const OutcomeCounts& counts = failures.counts;
  const std::uint64_t known = counts.failed + counts.passed;
  if (known > 0) {
    failures.rate = static_cast<double>(counts.failed) / static_cast<double>(known);
  }
  if (!is_random(campaign)) {
    failures.method = "no interval: these samples were chosen and not drawn";
  } else if (counts.total() == 0) {
    failures.method = "no interval: no samples";
  } else if (sequential) {
    failures.interval = sequential_interval(counts, kConfidence);
    failures.method = "95 % at all counts at once, as it was stopped by a rule";
  } else if (is_independent(campaign)) {
    failures.interval = exact_interval(counts, kConfidence);
    failures.method = "95 %, Clopper and Pearson";
  } else {
    failures.interval = replicate_interval(std::span<const OutcomeCounts>(replicates), kConfidence);
    failures.method =
        failures.interval
            ? fmt::format("95 %, Student, {} replicates", replicates.size())
            : "no interval: it takes replicates that differ; give design.replicates, e.g. 10";
  }
  return failures;
}

std::optional<RankCorrelation> correlation(const std::vector<double>& x,
                                           const std::vector<double>& y) {
  std::vector<double> xs;
  std::vector<double> ys;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (math::is_nan(x[i]) || math::is_nan(y[i])) continue;
    xs.push_back(x[i]);
    ys.push_back(y[i]);
  }
  if (xs.size() < 2) return std::nullopt;
  return rank_correlation(xs, ys, kConfidence);
}

/// Whole rows of a Saltelli design in which every sample has the number.
std::optional<SobolIndices> sobol_of(const std::vector<double>& values, const Table& table,
                                     const Campaign& campaign) {
  if (!campaign.file().design.saltelli) return std::nullopt;
  const std::size_t axes = campaign.points()->axis_count();
  const std::size_t row = axes + 2;
  std::vector<double> outputs;
  for (std::size_t i = 0; i + row <= values.size();) {
    if (table.samples[i] % row != 0) {
      ++i;
      continue;
    }
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(i);
    const bool whole = table.samples[i + row - 1] == table.samples[i] + row - 1 &&
                       std::none_of(begin, begin + static_cast<std::ptrdiff_t>(row),
                                    [](double value) { return math::is_nan(value); });
    if (whole) outputs.insert(outputs.end(), begin, begin + static_cast<std::ptrdiff_t>(row));
    i += whole ? row : 1;
  }
  if (outputs.empty()) return std::nullopt;
  return sobol_indices(outputs, axes, {.seed = campaign.file().seed, .confidence = kConfidence});
}

ColumnStatistics statistics_of(const ResultColumn& column, bool is_margin,
                               const std::vector<double>& values, const Table& table,
                               const Campaign& campaign) {
  ColumnStatistics statistics;
  statistics.column = column;
  statistics.is_margin = is_margin;
  std::vector<double> sorted;
  Moments moments;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!is_draw(campaign, table.samples[i])) continue;
    if (!math::is_finite(values[i])) {
      ++statistics.missing;
      continue;
    }
    sorted.push_back(values[i]);
    moments.add(values[i]);
  }
  std::sort(sorted.begin(), sorted.end());
  statistics.count = sorted.size();
  for (const std::vector<double>& input : table.inputs) {
    statistics.correlations.push_back(correlation(input, values));
  }
  statistics.sobol = sobol_of(values, table, campaign);
  if (sorted.empty()) return statistics;
  statistics.least = sorted.front();
  statistics.most = sorted.back();
  statistics.mean = moments.mean();
  for (const double share : kReportedShares) {
    Percentile one = percentile(sorted, share, statistics.missing, kConfidence);
    if (!is_independent(campaign)) one.low = one.high = std::nullopt;
    statistics.percentiles.push_back(one);
  }
  statistics.histogram = histogram(sorted, kBins);
  return statistics;
}

std::vector<FailureKind> kinds_of(ResultsFile& results) {
  std::vector<FailureKind> kinds;
  Statement all = results.database().prepare(
      "SELECT failure, outcome, count(*), min(sample) FROM sample WHERE outcome != 'passed' "
      "GROUP BY failure, outcome ORDER BY count(*) DESC, min(sample)");
  while (all.step()) {
    kinds.push_back({all.text(0), outcome_from(all.text(1)),
                     static_cast<std::uint64_t>(all.integer(2)),
                     static_cast<std::uint64_t>(all.integer(3))});
  }
  return kinds;
}

/// 1: failed, 0: passed.
std::vector<double> failed_or_not(const Table& table) {
  std::vector<double> values;
  for (const Outcome outcome : table.outcomes) {
    OutcomeCounts one;
    count(outcome, one);
    values.push_back(one.unknown > 0 ? math::canonical_nan() : static_cast<double>(one.failed));
  }
  return values;
}

}  // namespace

CampaignStatistics campaign_statistics(ResultsFile& results, const Campaign& campaign) {
  const ResultsHead& head = results.head();
  const Table table(results);
  CampaignStatistics statistics;
  statistics.samples =
      (head.samples + head.shard.shards - 1 - head.shard.shard) / head.shard.shards;
  statistics.flown = table.samples.size();
  for (const Outcome outcome : table.outcomes) {
    ++statistics.outcomes[static_cast<std::size_t>(outcome)];
  }
  statistics.failures = failure_rate(table, campaign, !results.stopped_by().empty());
  for (std::size_t i = 0; i < head.expectations.size(); ++i) {
    statistics.columns.push_back(
        statistics_of(head.expectations[i], true, table.margins[i], table, campaign));
  }
  for (std::size_t i = 0; i < head.measures.size(); ++i) {
    statistics.columns.push_back(
        statistics_of(head.measures[i], false, table.measures[i], table, campaign));
  }
  const std::vector<double> failed = failed_or_not(table);
  for (const std::vector<double>& input : table.inputs) {
    statistics.failure_correlations.push_back(correlation(input, failed));
  }
  statistics.kinds = kinds_of(results);
  statistics.notes = results.notes();
  if (statistics.flown < statistics.samples) {
    statistics.notes.push_back(fmt::format("{} of {} samples have not been flown yet",
                                           statistics.samples - statistics.flown,
                                           statistics.samples));
  }
  return statistics;
}

}  // namespace tactus::sweep
