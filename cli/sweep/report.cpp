// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/sweep/report.h"

#include <fmt/format.h>

#include <algorithm>

#include "tactus/core/math.h"
#include "tactus/sweep/report/worst.h"

namespace tactus::cli {
namespace {

using sweep::Outcome;

std::string number(const std::optional<double>& value) {
  return value ? fmt::format("{:.6g}", *value) : "-";
}

std::string outcomes_text(const sweep::CampaignStatistics& statistics) {
  std::string text;
  for (std::size_t i = 0; i < sweep::kOutcomes; ++i) {
    const auto outcome = static_cast<Outcome>(i);
    if (i > 2 && statistics.outcomes[i] == 0) continue;
    text +=
        fmt::format("{}{} {}", text.empty() ? "" : ", ", statistics.outcomes[i], to_text(outcome));
  }
  return text;
}

std::string rate_text(const sweep::FailureRate& failures) {
  std::string text = "  fail rate   ";
  text += failures.rate ? fmt::format("{:.4g} %", 100.0 * *failures.rate) : "not known";
  if (failures.interval) {
    text += fmt::format(", {:.4g} % to {:.4g} %", 100.0 * failures.interval->low,
                        100.0 * failures.interval->high);
  }
  text += fmt::format(" ({})", failures.method);
  if (failures.counts.unknown > 0) {
    text += fmt::format("; {} of unknown outcome widen it", failures.counts.unknown);
  }
  return text + "\n";
}

std::string kinds_text(const sweep::CampaignStatistics& statistics) {
  constexpr std::size_t kMost = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(kMost, statistics.kinds.size()); ++i) {
    const sweep::FailureKind& kind = statistics.kinds[i];
    text += fmt::format("  {:>7} {}, first sample {}: {}\n", kind.count, to_text(kind.outcome),
                        kind.first, kind.failure);
  }
  if (statistics.kinds.size() <= kMost) return text;
  return text + fmt::format("  and {} other kinds; --json has them all\n",
                            statistics.kinds.size() - kMost);
}

/// The inputs on which something depends most, "body.mass_kg -0.71".
std::string strongest(const sweep::ResultsHead& head,
                      const std::vector<std::optional<sweep::RankCorrelation>>& correlations) {
  constexpr std::size_t kMost = 3;
  constexpr double kUnlikely = 0.01;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < correlations.size(); ++i) {
    if (correlations[i] && correlations[i]->probability < kUnlikely) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return math::abs(correlations[a]->coefficient) > math::abs(correlations[b]->coefficient);
  });
  std::string text;
  for (std::size_t i = 0; i < std::min(kMost, order.size()); ++i) {
    text += fmt::format("{}{} {:+.2f}", text.empty() ? "" : ", ", head.inputs[order[i]].id,
                        correlations[order[i]]->coefficient);
  }
  return text.empty() ? "none of the keys" : text;
}

std::string bars(const sweep::Histogram& histogram) {
  constexpr std::size_t kWidth = 40;
  const std::uint64_t most = *std::max_element(histogram.counts.begin(), histogram.counts.end());
  std::string text;
  for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
    const std::uint64_t count = histogram.counts[i];
    const std::size_t length = most == 0 ? 0 : (count * kWidth + most - 1) / most;
    text += fmt::format("    {:>12.5g} .. {:<12.5g} {:<40} {}\n", histogram.edges[i],
                        histogram.edges[i + 1], std::string(length, '#'), count);
  }
  return text;
}

std::string sobol_text(const sweep::ResultsHead& head, const sweep::ColumnStatistics& one) {
  if (!one.sobol) return "";
  std::string text = fmt::format("    {:<32}{:>10}{:>22}{:>10}{:>22}\n", "Sobol' indices", "first",
                                 "95 %", "total", "95 %");
  for (std::size_t i = 0; i < one.sobol->first.size(); ++i) {
    const sweep::SobolIndex& first = one.sobol->first[i];
    const sweep::SobolIndex& total = one.sobol->total[i];
    text += fmt::format("    {:<32}{:>10.3f}{:>11.3f}..{:>9.3f}{:>10.3f}{:>11.3f}..{:>9.3f}\n",
                        i < head.inputs.size() ? head.inputs[i].id : "", first.value,
                        first.interval.low, first.interval.high, total.value, total.interval.low,
                        total.interval.high);
  }
  return text;
}

std::string values_text(const char* what, const std::vector<sweep::ResultColumn>& columns,
                        const std::vector<std::optional<double>>& values) {
  std::string text;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    text += fmt::format("  {:<8} {:<40} {}\n", what, columns[i].id, number(values[i]));
  }
  return text;
}

std::string applied_text(const sweep::AppliedValue& value) {
  return value.number ? number(value.number) : value.text;
}

}  // namespace

std::string statistics_text(const sweep::ResultsFile& results,
                            const sweep::CampaignStatistics& statistics) {
  const sweep::ResultsHead& head = results.head();
  std::string text =
      fmt::format("{}: {} of {} samples{}: {}\n", head.name, statistics.flown, statistics.samples,
                  head.shard.shards == 1
                      ? std::string()
                      : fmt::format(" of shard {}/{}", head.shard.shard + 1, head.shard.shards),
                  outcomes_text(statistics));
  text += rate_text(statistics.failures) + kinds_text(statistics);
  if (!statistics.columns.empty()) {
    text += fmt::format("  {:<32}{:>8}{:>12}{:>12}{:>12}{:>12}{:>12}  depends most on\n", "",
                        "flights", "min", "5 %", "median", "95 %", "max");
  }
  for (const sweep::ColumnStatistics& one : statistics.columns) {
    text += fmt::format("  {:<32}{:>8}", one.column.column, one.count);
    if (one.count > 0) {
      text += fmt::format("{:>12.5g}", one.least);
      for (const sweep::Percentile& p : one.percentiles) text += fmt::format("{:>12.5g}", p.value);
      text += fmt::format("{:>12.5g}  {}", one.most, strongest(head, one.correlations));
    }
    text += '\n';
  }
  if (!head.inputs.empty() && statistics.failures.counts.failed > 0) {
    text += fmt::format("  failures depend most on {} (rank correlation)\n",
                        strongest(head, statistics.failure_correlations));
  }
  for (const std::string& note : statistics.notes) text += fmt::format("  note: {}\n", note);
  return text;
}

std::string columns_text(const sweep::ResultsFile& results,
                         const sweep::CampaignStatistics& statistics) {
  const sweep::ResultsHead& head = results.head();
  std::string text;
  for (const sweep::ColumnStatistics& one : statistics.columns) {
    if (one.count == 0) continue;
    text += fmt::format("{} ({}): {} flights, {} without\n", one.column.column, one.column.about,
                        one.count, one.missing);
    for (std::size_t i = 0; i < one.percentiles.size(); ++i) {
      const sweep::Percentile& p = one.percentiles[i];
      text += fmt::format("    {:>5.4g} %  {:.6g}", 100.0 * sweep::kReportedShares[i], p.value);
      text += p.low || p.high ? fmt::format(", 95 %: {} to {}\n", number(p.low), number(p.high))
                              : std::string("\n");
    }
    text += bars(one.histogram);
    for (std::size_t i = 0; i < one.correlations.size(); ++i) {
      const auto& correlation = one.correlations[i];
      if (!correlation) continue;
      text += fmt::format("    rank correlation with {:<32} {:+.3f}", head.inputs[i].id,
                          correlation->coefficient);
      if (correlation->interval) {
        text += fmt::format(", 95 %: {:+.3f} to {:+.3f}", correlation->interval->low,
                            correlation->interval->high);
      }
      text += '\n';
    }
    text += sobol_text(head, one);
  }
  return text;
}

std::string samples_text(const sweep::ResultsHead& head,
                         std::span<const sweep::SampleResult> samples) {
  std::string text =
      fmt::format("{:>10} {:<8} {:>12}  {}\n", "sample", "outcome", "margin", "what happened");
  for (const sweep::SampleResult& sample : samples) {
    text += fmt::format("{:>10} {:<8} {:>12}  {}\n", sample.index, to_text(sample.outcome),
                        number(least_margin(sample)), sample.reason);
    std::string values;
    for (std::size_t i = 0; i < head.inputs.size(); ++i) {
      values += fmt::format("{}{} {}", values.empty() ? "" : ", ", head.inputs[i].id,
                            applied_text(sample.applied[i]));
    }
    for (std::size_t i = 0; i < head.measures.size(); ++i) {
      values += fmt::format("{}{} {}", values.empty() ? "" : ", ", head.measures[i].id,
                            number(sample.measures[i]));
    }
    if (!values.empty()) text += fmt::format("{:>34}{}\n", "", values);
  }
  return text;
}

std::string sample_text(const sweep::ResultsHead& head, const sweep::SampleResult& sample) {
  std::string text = fmt::format("sample {} of {}: {}\n  {}\n  seed     {}\n  end      {:.6f} s\n",
                                 sample.index, head.name, to_text(sample.outcome), sample.reason,
                                 sample.seed, to_seconds(sample.end - TimeUs{}));
  if (sample.got_to_an_end()) text += fmt::format("  digest   {}\n", to_hex(sample.digest));
  for (std::size_t i = 0; i < head.inputs.size(); ++i) {
    text += fmt::format("  {:<8} {:<40} {} {}\n", "key", head.inputs[i].id,
                        applied_text(sample.applied[i]), head.inputs[i].about);
  }
  return text + values_text("margin", head.expectations, sample.margins) +
         values_text("measure", head.measures, sample.measures);
}

}  // namespace tactus::cli
