// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// `tactus sweep search`: looks for failures in what a campaign varies.

#include "tactus/sweep/search_campaign.h"

#include <fmt/format.h>

#include "cli/common/build_identity.h"
#include "cli/common/overrides.h"
#include "cli/common/print.h"
#include "cli/common/stop_signal.h"
#include "cli/sweep/campaign_line.h"
#include "cli/sweep/options.h"
#include "cli/sweep/report.h"
#include "tactus/core/fp_environment.h"
#include "tactus/files/disk_files.h"
#include "tactus/sweep/report/documents.h"

namespace tactus::cli {
namespace {

void print_point(const char* what, const std::optional<sweep::SearchPoint>& point,
                 sweep::ResultsFile& results) {
  if (!point) return;
  print_format("{}: sample {}, margin {:.6g}, distance {:.4g} (Mahalanobis)\n", what,
               point->evaluation, point->margin, point->distance);
  if (const auto sample = results.sample(point->evaluation)) {
    print_text(sample_text(results.head(), *sample));
  }
}

}  // namespace

ExitCode sweep_search(const SweepOptions& options) {
  require_same_bits();
  listen_to_stop_signals();
  const std::string text = disk_files().read(options.file);
  const std::vector<Override> overrides = overrides_of(options.sets);
  const sweep::Campaign campaign(disk_files(), {.text = text,
                                                .file = options.file,
                                                .overrides = overrides,
                                                .samples = options.samples,
                                                .explores = true});
  require_flyable(campaign);
  sweep::SearchOptions search;
  search.margin = options.margin;
  if (options.worst) search.goal = sweep::SearchGoal::kWorstMargin;
  const std::string output = output_of(options, {});
  sweep::ResultsHead head = results_head(campaign, text, options.file, {}, build_identity());
  head.search = search_text(campaign, search);
  sweep::ResultsFile results(output, head, options.resume);
  CampaignLine line(options.quiet || options.json);
  const sweep::SearchEnd end = search_campaign(
      campaign, results, search, static_cast<std::size_t>(options.jobs),
      {.validate = options.validate, .interrupted = asked_to_stop},
      {.progress = [&line](const sweep::CampaignProgress& progress) { line.show(progress); }});
  line.wipe();
  if (options.json) {
    print_format("{}\n", search_json(results, end));
  } else if (!options.quiet) {
    print_format("{}: {}: {} flights\n", head.name, head.search, end.flights);
    if (!end.first_failure) print_format("no failure was found\n");
    print_point("first failure", end.first_failure, results);
    print_point("smallest failure", end.smallest_failure, results);
    print_point("worst margin", end.worst, results);
    print_format("results in {}{}\n", output,
                 end.interrupted ? "; interrupted, go on with --resume" : "");
  }
  if (!options.json) print_format("content digest {}\n", to_hex(results.content_digest()));
  return end.interrupted ? ExitCode::kInterrupted : ExitCode::kOk;
}

}  // namespace tactus::cli
