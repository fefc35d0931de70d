// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Shards of a campaign become one file.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "tactus/core/error.h"
#include "tactus/sweep/results/results_file.h"

namespace tactus::sweep {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& reason) {
  throw Error(ExitCode::kBadInput, fmt::format("{}: {}", path, reason));
}

void require_fit(const ResultsFile& one, const ResultsFile& first) {
  const ResultsHead& a = first.head();
  const ResultsHead& b = one.head();
  const auto require = [&](bool same, const char* what) {
    if (!same) {
      refuse(one.path(), fmt::format("does not fit {}: {}", first.path(), what));
    }
  };
  require(a.version == b.version, "flown by another version of Tactus");
  require(a.spec == b.spec, "another spec");
  require(a.campaign == b.campaign, "another campaign");
  require(a.samples == b.samples, "another number of samples");
  require(a.shard.shards == b.shard.shards, "cut into another number of shards");
}

/// Two files may hold the same shard if it holds the same.
void add_all(ResultsFile& from, ResultsFile& to) {
  constexpr std::size_t kBatch = 10'000;
  std::size_t added = 0;
  from.for_each([&](const SampleResult& result) {
    const std::optional<SampleResult> there = to.sample(result.index);
    if (!there) {
      to.add(result);
      if (++added % kBatch == 0) to.commit();
      return;
    }
    Digest before;
    Digest now;
    add_to(before, *there);
    add_to(now, result);
    if (before.result() == now.result()) return;
    refuse(from.path(),
           fmt::format("sample {} is in another of the files with other contents", result.index));
  });
  to.commit();
}

void add_shards(const std::vector<std::unique_ptr<ResultsFile>>& shards, ResultsFile& merged) {
  std::vector<std::string> notes;
  for (const auto& shard : shards) {
    add_all(*shard, merged);
    for (std::string& note : shard->notes()) {
      if (std::find(notes.begin(), notes.end(), note) == notes.end()) {
        notes.push_back(std::move(note));
      }
    }
  }
  merged.set_notes(notes);
  merged.commit();
}

}  // namespace

void merge_results(const std::vector<std::string>& paths, const std::string& output) {
  std::vector<std::unique_ptr<ResultsFile>> shards;
  shards.reserve(paths.size());
  for (const std::string& path : paths) shards.push_back(std::make_unique<ResultsFile>(path));
  for (const auto& shard : shards) require_fit(*shard, *shards.front());
  ResultsHead head = shards.front()->head();
  const std::uint64_t count = head.shard.shards;
  std::vector<bool> there(count);
  for (const auto& shard : shards) there.at(shard->head().shard.shard) = true;
  const auto missing = std::find(there.begin(), there.end(), false);
  if (missing != there.end()) {
    throw Error(ExitCode::kBadInput, fmt::format("shard {}/{} is missing; give the files of all {}",
                                                 missing - there.begin() + 1, count, count));
  }
  for (const auto& shard : shards) {
    const Shard which = shard->head().shard;
    const std::uint64_t samples = (head.samples + count - 1 - which.shard) / count;
    if (shard->count() != samples) {
      refuse(shard->path(), fmt::format("is not finished: {} of {} samples; go on with --resume",
                                        shard->count(), samples));
    }
  }
  head.shard = {};
  ResultsFile merged(output, head, false);
  try {
    add_shards(shards, merged);
  } catch (...) {  // a part of it would look like the whole
    std::error_code ignored;
    std::filesystem::remove(output, ignored);
    std::filesystem::remove(output + "-journal", ignored);
    throw;
  }
}

}  // namespace tactus::sweep
