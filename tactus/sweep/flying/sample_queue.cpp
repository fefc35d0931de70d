// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sweep/flying/sample_queue.h"

#include <algorithm>

#include "tactus/core/assert.h"

namespace tactus::sweep {

void DoneSamples::add(std::uint64_t index) {
  TACTUS_ASSERT(shard_.has(index), "a sample of the shard");
  const std::uint64_t position = index / shard_.shards;
  TACTUS_ASSERT(ranges_.empty() || position >= ranges_.back().end, "rising numbers");
  if (ranges_.empty() || ranges_.back().end != position) ranges_.push_back({position, position});
  ++ranges_.back().end;
  ++count_;
}

bool DoneSamples::has(std::uint64_t index) const {
  const std::uint64_t position = index / shard_.shards;
  const auto after = std::upper_bound(
      ranges_.begin(), ranges_.end(), position,
      [](std::uint64_t wanted, const Range& range) { return wanted < range.begin; });
  return after != ranges_.begin() && position < std::prev(after)->end;
}

std::optional<std::uint64_t> SampleSource::take() {
  const std::lock_guard lock(mutex_);
  while (next_ < size_ && done_.has(next_)) next_ += shard_.shards;
  if (next_ >= size_) return std::nullopt;
  const std::uint64_t index = next_;
  next_ += shard_.shards;
  return index;
}

void SampleSource::stop() {
  const std::lock_guard lock(mutex_);
  next_ = size_;
}

std::size_t thread_count(std::size_t jobs, std::uint64_t flights) {
  const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t wanted = jobs > 0 ? jobs : processors;
  return static_cast<std::size_t>(std::clamp<std::uint64_t>(flights, 1, wanted));
}

}  // namespace tactus::sweep
