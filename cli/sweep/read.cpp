// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Verbs on files of results: stats, worst, show, fly, merge.

#include <fmt/format.h>

#include <utility>

#include "cli/common/output_guard.h"
#include "cli/common/print.h"
#include "cli/common/stop_signal.h"
#include "cli/sweep/options.h"
#include "cli/sweep/record.h"
#include "cli/sweep/report.h"
#include "tactus/core/fp_environment.h"
#include "tactus/files/disk_files.h"
#include "tactus/flight/report/junit.h"
#include "tactus/sweep/report/documents.h"
#include "tactus/sweep/report/worst.h"

namespace tactus::cli {
namespace {

void require_one_format(const ResultsOptions& options) {
  if (!options.json || !options.csv) return;
  throw Error(ExitCode::kBadInput, "--json and --csv exclude each other");
}

sweep::SampleResult known_sample(sweep::ResultsFile& results, std::uint64_t index) {
  std::optional<sweep::SampleResult> sample = results.sample(index);
  if (sample) return *std::move(sample);
  throw Error(ExitCode::kBadInput,
              fmt::format("{}: has no sample {}; it has {} of {}, counted from 0", results.path(),
                          index, results.count(), results.head().samples));
}

}  // namespace

ExitCode sweep_stats(const ResultsOptions& options) {
  require_one_format(options);
  sweep::ResultsFile results(options.database);
  const sweep::Campaign campaign = campaign_of(disk_files(), results);
  const sweep::CampaignStatistics statistics = campaign_statistics(results, campaign);
  if (!options.junit.empty()) {
    OutputFile file(options.junit, kJunitRules);
    write_file(file, statistics_junit(results, "tactus sweep " + results.head().name));
  }
  if (options.json) {
    print_format("{}\n", statistics_json(results, statistics));
  } else if (options.csv) {
    print_text(statistics_csv(statistics));
  } else {
    print_text(statistics_text(results, statistics) + columns_text(results, statistics));
    print_format("content digest {}\n", to_hex(results.content_digest()));
  }
  return ExitCode::kOk;
}

ExitCode sweep_worst(const ResultsOptions& options) {
  require_one_format(options);
  sweep::ResultsFile results(options.database);
  const std::vector<sweep::SampleResult> worst =
      worst_samples(results, {.column = options.by, .lowest = options.lowest},
                    static_cast<std::size_t>(options.count));
  if (options.json) {
    print_format("{}\n", samples_json(results.head(), worst));
  } else if (options.csv) {
    print_text(samples_csv_head(results.head()) + "\n");
    for (const sweep::SampleResult& sample : worst) print_text(sample_csv(sample) + "\n");
  } else {
    print_text(samples_text(results.head(), worst));
  }
  return ExitCode::kOk;
}

ExitCode sweep_show(const ResultsOptions& options) {
  require_one_format(options);
  sweep::ResultsFile results(options.database);
  const sweep::ResultsHead& head = results.head();
  if (options.one) {
    const sweep::SampleResult sample = known_sample(results, options.sample);
    if (options.json) {
      print_format("{}\n", samples_json(head, {&sample, 1}));
    } else if (options.csv) {
      print_format("{}\n{}\n", samples_csv_head(head), sample_csv(sample));
    } else {
      print_text(sample_text(head, sample));
    }
    return ExitCode::kOk;
  }
  if (options.csv) {
    print_text(samples_csv_head(head) + "\n");
    results.for_each(
        [](const sweep::SampleResult& sample) { print_text(sample_csv(sample) + "\n"); });
    return ExitCode::kOk;
  }
  if (options.json) {
    print_format("{}\n", head_json(results));
    return ExitCode::kOk;
  }
  print_format("# {}: {} of {} samples, shard {}/{}, Tactus {} (commit {}, {})\n", head.name,
               results.count(), head.samples, head.shard.shard + 1, head.shard.shards, head.version,
               head.build.commit, head.build.compiler);
  print_format("# campaign {} on spec {}\n\n", to_hex(head.campaign), to_hex(head.spec));
  print_text(head.campaign_text);
  return ExitCode::kOk;
}

ExitCode sweep_fly(const ResultsOptions& options) {
  require_same_bits();
  listen_to_stop_signals();
  sweep::ResultsFile results(options.database);
  const sweep::SampleResult known = known_sample(results, options.sample);
  const sweep::Campaign campaign = campaign_of(disk_files(), results);
  const sweep::SampleFlight sample = fly_again(campaign, known, options.record);
  print_text(sample_text(results.head(), sample.result));
  if (!options.record.empty() && sample.flight) print_format("recorded {}\n", options.record);
  print_format("the same as in the table\n");
  return ExitCode::kOk;
}

ExitCode sweep_merge(const ResultsOptions& options) {
  sweep::merge_results(options.shards, options.output);
  sweep::ResultsFile results(options.output);
  print_format("{} samples in {}\ncontent digest {}\n", results.count(), options.output,
               to_hex(results.content_digest()));
  return ExitCode::kOk;
}

}  // namespace tactus::cli
