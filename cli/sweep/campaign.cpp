// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// `tactus sweep FILE`: flies a campaign into its file of results.

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "cli/common/build_identity.h"
#include "cli/common/overrides.h"
#include "cli/common/print.h"
#include "cli/common/stop_signal.h"
#include "cli/extra/mpi.h"
#include "cli/sweep/campaign_line.h"
#include "cli/sweep/flyers.h"
#include "cli/sweep/options.h"
#include "cli/sweep/record.h"
#include "cli/sweep/report.h"
#include "tactus/core/fp_environment.h"
#include "tactus/files/disk_files.h"
#include "tactus/sweep/fly_campaign.h"
#include "tactus/sweep/flying/worker_process.h"
#include "tactus/sweep/report/documents.h"
#include "tactus/sweep/report/stopping_rule.h"
#include "tactus/sweep/report/worst.h"

namespace tactus::cli {
namespace {

/// What a user learns about the campaign at its end, at the cost of a few flights.
std::vector<std::string> notes_of(const sweep::Campaign& campaign, const SweepOptions& options) {
  std::vector<std::string> notes;
  const std::string nothing = campaign.why_nothing_varies();
  if (!nothing.empty()) notes.push_back(nothing);
  // In this process, where the library would stay.
  if (needs_processes(campaign)) return notes;
  for (std::string& note : sweep::idle_varied(campaign, sample_options(options))) {
    notes.push_back(std::move(note));
  }
  return notes;
}

sweep::FlyAll flyers(const SweepOptions& options, const sweep::Campaign& campaign,
                     MpiSession* cluster) {
  return cluster != nullptr ? cluster->hand_out() : local_flyers(options, campaign);
}

/// A rank of MPI that flies what it is given.
ExitCode work(const SweepOptions& options, const sweep::Campaign& campaign, MpiSession& cluster) {
  const sweep::SampleOptions sample = sample_options(options);
  if (!needs_processes(campaign)) {
    cluster.work([&](std::uint64_t index) { return fly_sample(campaign, index, sample); });
    return ExitCode::kOk;
  }
  sweep::WorkerProcess worker(campaign, sample);
  cluster.work([&](std::uint64_t index) {
    worker.begin(index);
    return worker.take();
  });
  return ExitCode::kOk;
}

sweep::CampaignEnd fly(const SweepOptions& options, const sweep::Campaign& campaign,
                       sweep::ResultsFile& results, MpiSession* cluster) {
  CampaignLine line(options.quiet || options.json);
  sweep::CampaignOptions how;
  how.interrupted = asked_to_stop;
  how.progress = [&line](const sweep::CampaignProgress& progress) { line.show(progress); };
  if (!options.until.empty()) how.enough = sweep::stopping_rule(options.until, campaign);
  sweep::CampaignEnd end = fly_campaign(campaign, results, flyers(options, campaign, cluster), how);
  line.wipe();
  if (end.interrupted) return end;
  if (end.stopped_at != 0) results.set_stopped_by(options.until);
  if (results.notes().empty()) results.set_notes(notes_of(campaign, options));
  results.commit();
  return end;
}

}  // namespace

ExitCode sweep_campaign(const SweepOptions& options) {
  require_same_bits();
  listen_to_stop_signals();
  const std::unique_ptr<MpiSession> cluster = MpiSession::begin();
  const sweep::Shard shard = parse_shard(options.shard);
  if (!options.until.empty() && shard.shards > 1) {
    throw Error(ExitCode::kBadInput,
                "--until and --shard exclude each other: the rule is about the whole campaign");
  }
  const std::string text = disk_files().read(options.file);
  const std::vector<Override> overrides = overrides_of(options.sets);
  const sweep::Campaign campaign(
      disk_files(),
      {.text = text, .file = options.file, .overrides = overrides, .samples = options.samples});
  if (!options.until.empty()) (void)sweep::stopping_rule(options.until, campaign);
  require_flyable(campaign);
  if (cluster != nullptr && !cluster->writes()) return work(options, campaign, *cluster);
  const std::string output = output_of(options, shard);
  require_other_files(campaign, output);
  sweep::ResultsFile results(
      output, results_head(campaign, text, options.file, shard, build_identity()), options.resume);
  if (options.resume) results.forget_lost();
  const sweep::CampaignEnd end = fly(options, campaign, results, cluster.get());
  std::vector<std::string> recorded;
  if (!end.interrupted && options.record_worst > 0) {
    recorded = record_worst(campaign, results, static_cast<std::size_t>(options.record_worst));
  }
  if (options.json) {
    print_format("{}\n", statistics_json(results, campaign_statistics(results, campaign)));
  } else if (!options.quiet) {
    print_text(statistics_text(results, campaign_statistics(results, campaign)));
    print_format("results in {}{}\n", output,
                 end.interrupted ? "; interrupted, go on with --resume" : "");
    for (const std::string& file : recorded) print_format("recorded {}\n", file);
  }
  if (!options.json) print_format("content digest {}\n", to_hex(results.content_digest()));
  return end.interrupted ? ExitCode::kInterrupted : ExitCode::kOk;
}

}  // namespace tactus::cli
