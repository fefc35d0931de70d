// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The verb `sweep`: flies campaigns, and reads their results. Its parts are in cli/sweep/.

#include <memory>
#include <string>

#include "cli/sweep/options.h"
#include "cli/verbs.h"

namespace tactus::cli {
namespace {

using Options = std::shared_ptr<ResultsOptions>;

Verb* add_reader(Verb& sweep, const char* name, const char* help, const Options& options) {
  Verb* verb = sweep.add_subcommand(name, help);
  verb->add_option("RESULTS", options->database, "file of results")->required();
  return verb;
}

void add_formats(Verb& verb, const Options& options) {
  verb.add_flag("--json", options->json, "print JSON");
  verb.add_flag("--csv", options->csv, "print comma-separated values");
}

void add_readers(Verb& sweep, int& exit_code, const std::shared_ptr<bool>& reads) {
  const auto options = std::make_shared<ResultsOptions>();
  const auto act = [&](Verb* verb, ExitCode (*action)(const ResultsOptions&)) {
    verb->callback([options, action, reads, &exit_code] {
      *reads = true;
      exit_code = static_cast<int>(action(*options));
    });
  };
  Verb* stats =
      add_reader(sweep, "stats", "rates, percentiles, histograms, sensitivities", options);
  add_formats(*stats, options);
  stats->add_option("--junit", options->junit, "write a case per sample as JUnit XML")
      ->type_name("FILE");
  act(stats, sweep_stats);

  Verb* worst = add_reader(sweep, "worst", "the worst samples", options);
  worst->add_option("--by", options->by, "margin.ID, measure.ID or input.KEY");
  worst->add_option("-k,--count", options->count, "how many")->check(CLI::Range(1, 1'000'000));
  worst->add_flag("--lowest", options->lowest, "of a measure or key: the least value is the worst");
  add_formats(*worst, options);
  act(worst, sweep_worst);

  Verb* show = add_reader(sweep, "show", "the campaign, or one sample", options);
  CLI::Option* shown = show->add_option("--sample", options->sample, "number, from 0");
  add_formats(*show, options);
  show->callback([options, shown, reads, &exit_code] {
    *reads = true;
    options->one = shown->count() > 0;
    exit_code = static_cast<int>(sweep_show(*options));
  });

  Verb* fly = add_reader(sweep, "fly", "fly a sample again and check its digest", options);
  fly->add_option("--sample", options->sample, "number, from 0")->required();
  fly->add_option("--record", options->record, "write a recording (HDF5)")->type_name("FILE");
  act(fly, sweep_fly);

  Verb* merge = sweep.add_subcommand("merge", "put the shards of a campaign together");
  merge->add_option("SHARDS", options->shards, "files of results of all shards")->required();
  merge->add_option("--output", options->output, "the new file")->type_name("FILE")->required();
  act(merge, sweep_merge);
}

using CampaignOptions = std::shared_ptr<SweepOptions>;

/// What a campaign and a search have in common.
void add_campaign_options(Verb& verb, const CampaignOptions& options) {
  verb.add_option("--set", options->sets, "KEY=VALUE: change a key of the spec; repeatable")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  verb.add_option("--jobs", options->jobs, "flights at the same time; default: one per processor")
      ->check(CLI::Range(1, 1024));
  verb.add_option("--output", options->output, "file of results; default: FILE's name with .db")
      ->type_name("RESULTS");
  verb.add_flag("--resume", options->resume, "go on with a file of results, if there is one");
  verb.add_flag("--validate", options->validate, "check every flight as `run --validate` does");
  verb.add_flag("--json", options->json, "print what came of it as JSON");
  verb.add_flag("--quiet", options->quiet, "print nothing but the digest and what went wrong");
}

void add_search(Verb& sweep, int& exit_code, const std::shared_ptr<bool>& reads) {
  const auto options = std::make_shared<SweepOptions>();
  Verb* verb = sweep.add_subcommand("search", "look for failures in what a campaign varies");
  verb->add_option("FILE", options->file, "campaign file")->required();
  verb->add_option("--flights", options->samples, "at most so many; default: 200")
      ->check(CLI::PositiveNumber);
  verb->add_option("--margin", options->margin, "id of an expectation; default: any");
  verb->add_flag("--worst", options->worst,
                 "the worst margin, not the smallest disturbance that fails");
  add_campaign_options(*verb, options);
  verb->callback([options, reads, &exit_code] {
    constexpr std::uint64_t kUsualFlights = 200;
    *reads = true;
    if (options->samples == 0) options->samples = kUsualFlights;
    exit_code = static_cast<int>(sweep_search(*options));
  });
}

}  // namespace

void add_sweep_verb(Verb& app, int& exit_code) {
  const auto options = std::make_shared<SweepOptions>();
  const auto reads = std::make_shared<bool>(false);
  Verb* verb = app.add_subcommand("sweep", "fly a campaign: many flights with varied keys");
  CLI::Option* file = verb->add_option("FILE", options->file, "campaign file (docs/campaigns.md)");
  verb->add_option("--samples", options->samples, "how many; default: as the file says")
      ->check(CLI::PositiveNumber);
  add_campaign_options(*verb, options);
  verb->add_option("--shard", options->shard,
                   "K/N: every N-th sample from the K-th on; N in a task of a Slurm array");
  verb->add_option("--until", options->until, "\"fail_rate width < 0.01\": end when it is known");
  verb->add_option("--record-worst", options->record_worst, "keep recordings of the worst")
      ->check(CLI::Range(1, 1000))
      ->type_name("COUNT");
  add_search(*verb, exit_code, reads);
  add_readers(*verb, exit_code, reads);
  verb->callback([options, reads, file, &exit_code] {
    if (*reads) return;
    if (file->count() == 0) {
      throw Error(ExitCode::kBadInput,
                  "give a campaign file, or say what to do with results: stats, worst, show, fly, "
                  "merge (see `tactus sweep --help`)");
    }
    exit_code = static_cast<int>(sweep_campaign(*options));
  });
}

}  // namespace tactus::cli
