// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What a user may say to `tactus sweep` and its verbs, and what it means.

#include <cstdint>
#include <string>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/sweep/flying/sample_queue.h"

namespace tactus::cli {

struct SweepOptions {
  std::string file;  ///< of the campaign
  std::vector<std::string> sets;
  std::uint64_t samples = 0;  ///< 0: as the file says
  int jobs = 0;               ///< 0: one per processor
  std::string output;         ///< empty: named after the file
  bool resume = false;
  std::string shard;  ///< "K/N" or "N"; empty: the whole campaign
  std::string until;
  int record_worst = 0;
  std::string margin;  ///< of a search: id of an expectation; empty: any
  bool worst = false;  ///< of a search: the margin alone, whatever fails
  bool validate = false;
  bool json = false;
  bool quiet = false;
};

struct ResultsOptions {
  std::string database;
  std::uint64_t sample = 0;
  bool one = false;  ///< `sample` was given
  std::string by;
  int count = 10;
  bool lowest = false;
  bool json = false;
  bool csv = false;
  std::string junit;
  std::string record;
  std::vector<std::string> shards;
  std::string output;
};

/// "3/8": the third of eight; "8" in a task of an array of Slurm: K from its number. Throws
/// Error(kBadInput).
sweep::Shard parse_shard(const std::string& text);

/// The file of results: `campaigns/mass.toml` gives mass.db here.
std::string output_of(const SweepOptions& options, sweep::Shard shard);

ExitCode sweep_campaign(const SweepOptions& options);
ExitCode sweep_search(const SweepOptions& options);
ExitCode sweep_stats(const ResultsOptions& options);
ExitCode sweep_worst(const ResultsOptions& options);
ExitCode sweep_show(const ResultsOptions& options);
ExitCode sweep_fly(const ResultsOptions& options);
ExitCode sweep_merge(const ResultsOptions& options);

}  // namespace tactus::cli
