// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/sweep/options.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "tactus/core/text.h"

namespace tactus::cli {
namespace {

[[noreturn]] void refuse_shard(const std::string& text, const std::string& reason) {
  throw Error(ExitCode::kBadInput, fmt::format("--shard {}: {}", text, reason));
}

/// Of the task of an array in which this program runs.
std::uint64_t array_number(const std::string& text, const char* variable) {
  const char* const value = std::getenv(variable);
  if (value != nullptr) return parse_uint64(value, variable);
  refuse_shard(text, fmt::format("K is missing: give K/N, as {} is not set (it is in a task of an "
                                 "array of Slurm)",
                                 variable));
}

/// Not from the number of tasks: one that is submitted again is one of fewer.
std::uint64_t shard_of_task(const std::string& text) {
  const std::uint64_t id = array_number(text, "SLURM_ARRAY_TASK_ID");
  const std::uint64_t least = array_number(text, "SLURM_ARRAY_TASK_MIN");
  const std::uint64_t step = array_number(text, "SLURM_ARRAY_TASK_STEP");
  if (step == 0 || id < least || (id - least) % step != 0) {
    refuse_shard(text, fmt::format("task {} is not one of an array from {} in steps of {}", id,
                                   least, step));
  }
  return (id - least) / step + 1;
}

}  // namespace

sweep::Shard parse_shard(const std::string& text) {
  if (text.empty()) return {};
  const std::size_t slash = text.find('/');
  const std::string_view all = text;
  const std::uint64_t shards =
      parse_uint64(slash == std::string::npos ? all : all.substr(slash + 1), "--shard");
  const std::uint64_t shard = slash == std::string::npos
                                  ? shard_of_task(text)
                                  : parse_uint64(all.substr(0, slash), "--shard");
  constexpr std::uint64_t kMostShards = 1'000'000;
  if (shards == 0 || shards > kMostShards || shard == 0 || shard > shards) {
    refuse_shard(text, fmt::format("must be K/N with K from 1 to N, and N up to {}", kMostShards));
  }
  return {shard - 1, shards};
}

std::string output_of(const SweepOptions& options, sweep::Shard shard) {
  if (!options.output.empty()) return options.output;
  const std::string stem = std::filesystem::path(options.file).stem().string();
  return shard.shards == 1 ? stem + ".db"
                           : fmt::format("{}-{}-of-{}.db", stem, shard.shard + 1, shard.shards);
}

}  // namespace tactus::cli
