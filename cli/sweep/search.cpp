// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// `tactus sweep search FILE`: looks for failures in what a campaign varies.

#include <fmt/format.h>

#include <memory>

#include "cli/common/build_identity.h"
#include "cli/common/overrides.h"
#include "cli/common/print.h"
#include "cli/common/stop_signal.h"
#include "cli/extra/mpi.h"
#include "cli/sweep/campaign_line.h"
#include "cli/sweep/flyers.h"
#include "cli/sweep/options.h"
#include "cli/sweep/report.h"
#include "tactus/core/fp_environment.h"
#include "tactus/core/math.h"
#include "tactus/files/disk_files.h"
#include "tactus/sweep/report/documents.h"
#include "tactus/sweep/search_campaign.h"

namespace tactus::cli {
namespace {

void print_point(const char* what, const std::optional<sweep::SearchPoint>& point,
                 sweep::ResultsFile& results) {
  if (!point || !math::is_finite(point->margin)) return;
  print_format("{}: sample {}, margin {:.6g}, distance {:.4g} (Mahalanobis)\n", what,
               point->evaluation, point->margin, point->distance);
  print_text(sample_text(results.head(), results.sample(point->evaluation).value()));
}

void print_end(const sweep::SearchEnd& end, sweep::ResultsFile& results) {
  print_format("{}: {}, {} flights\n", results.head().name, results.head().search, end.flights);
  if (end.first_failure) {
    print_format("first failure: sample {}\n", end.first_failure->evaluation);
  } else {
    print_format("no failure was found\n");
  }
  print_point("smallest failure", end.smallest_failure, results);
  print_point("worst margin", end.worst, results);
  print_format("results in {}{}\n", results.path(),
               end.interrupted ? "; interrupted, go on with --resume" : "");
}

}  // namespace

ExitCode sweep_search(const SweepOptions& options) {
  require_same_bits();
  listen_to_stop_signals();
  const std::unique_ptr<MpiSession> cluster = MpiSession::begin();
  if (cluster != nullptr) {
    throw Error(ExitCode::kBadInput,
                "a search flies few samples at a time, on one machine; start it without mpirun");
  }
  const std::string text = disk_files().read(options.file);
  const std::vector<Override> overrides = overrides_of(options.sets);
  sweep::Campaign campaign(disk_files(), {.text = text,
                                          .file = options.file,
                                          .overrides = overrides,
                                          .samples = options.samples,
                                          .explores = true});
  require_flyable(campaign);
  sweep::CampaignSearch search;
  search.margin = options.margin;
  if (options.worst) search.goal = sweep::SearchGoal::kWorstMargin;
  require_searchable(campaign, search);
  const std::string output = output_of(options, {});
  require_other_files(campaign, output);
  sweep::ResultsHead head = results_head(campaign, text, options.file, {}, build_identity());
  head.search = search_text(search);
  sweep::ResultsFile results(output, head, options.resume);
  CampaignLine line(options.quiet || options.json);
  const sweep::SearchEnd end = search_campaign(
      campaign, results, search, local_flyers(options, campaign),
      {.progress = [&line](const sweep::CampaignProgress& progress) { line.show(progress); }});
  line.wipe();
  if (options.json) {
    print_format("{}\n", search_json(results, end));
    return end.interrupted ? ExitCode::kInterrupted : ExitCode::kOk;
  }
  if (!options.quiet) print_end(end, results);
  print_format("content digest {}\n", to_hex(results.content_digest()));
  return end.interrupted ? ExitCode::kInterrupted : ExitCode::kOk;
}

}  // namespace tactus::cli
