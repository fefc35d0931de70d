// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/branch/branch_sink.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "tactus/core/error.h"

namespace tactus {
namespace {

/// Rows of an interval carry the instant at which it begins; all others that of their boundary.
bool is_of_interval(const TableLayout& layout) { return layout.name == "rhs_trace"; }

}  // namespace

BranchSink::BranchSink(const Recording& parent, RecordingMeta meta, TimeUs from, TimeUs at,
                       RowSink* out)
    : parent_(&parent), meta_(std::move(meta)), from_(from), at_(at), out_(out) {}

void BranchSink::begin(const RecordingMeta& meta, const std::vector<TableLayout>& tables) {
  meta_.counts = meta.counts;
  meta_.sources = meta.sources;
  meta_.blobs = meta.blobs;
  meta_.log_interpolates = meta.log_interpolates;
  layouts_ = tables;
  tracks_.clear();
  for (const TableLayout& layout : layouts_) {
    Track& track = tracks_.emplace_back();
    track.parent = parent_->find(layout.name);
    if (track.parent == nullptr) continue;
    for (const RowField& field : layout.fields) {
      const RowField* const same = track.parent->layout.find(field.path);
      const bool fits = same != nullptr && same->kind == field.kind && same->width == field.width;
      if (fits) track.pairs.push_back({&field, same});
    }
    track.whole = track.pairs.size() == layout.fields.size();
  }
  if (out_ != nullptr) out_->begin(meta_, layouts_);
  if (from_.us > 0) copy_beginning();
}

/// In the order of the boundaries, so that the new recording grows as if it were flown.
void BranchSink::copy_beginning() {
  const Table& boundaries = parent_->require("boundary");
  for (std::size_t i = 0; i < boundaries.size() && boundaries.time(i) <= from_; ++i) {
    for (std::size_t table = 0; table < tracks_.size(); ++table) {
      copy_rows(table, boundaries.time(i));
    }
    if (out_ != nullptr) out_->reached(boundaries.time(i));
  }
}

void BranchSink::copy_rows(std::size_t table, TimeUs boundary) {
  Track& track = tracks_[table];
  TACTUS_ASSERT(track.parent != nullptr && track.whole, "the parent holds what is copied");
  const TimeUs first_after = is_of_interval(layouts_[table]) ? boundary : boundary + DurationUs(1);
  std::vector<std::byte> row(layouts_[table].row_size);
  for (; track.next < track.parent->size() && track.parent->time(track.next) < first_after;
       ++track.next) {
    const std::byte* const from = track.parent->row(track.next).data();
    for (const Pair& pair : track.pairs) {
      std::memcpy(row.data() + pair.here->offset, from + pair.parent->offset, pair.here->bytes());
    }
    if (out_ != nullptr) out_->row(table, row.data());
  }
}

void BranchSink::row(std::size_t table, const std::byte* row) {
  Track& track = tracks_[table];
  const TimeUs time = time_of(row);
  const bool looks = time < at_ || (!first_difference_ && time <= parent_->end.time);
  if (track.parent != nullptr && looks) {
    const std::string what = difference(track, layouts_[table], row);
    if (!what.empty() && time < at_) differs(time, what);
    if (!what.empty()) first_difference_ = time;
    ++track.next;
  }
  if (out_ != nullptr) out_->row(table, row);
}

std::string BranchSink::difference(const Track& track, const TableLayout& layout,
                                   const std::byte* row) {
  const bool is_there = track.next < track.parent->size();
  if (!is_there || track.parent->time(track.next) != time_of(row)) {
    return fmt::format("\"{}\" has a row that the recording does not have", layout.name);
  }
  const std::byte* const recorded = track.parent->row(track.next).data();
  for (const Pair& pair : track.pairs) {
    const std::byte* const here = row + pair.here->offset;
    const std::byte* const there = recorded + pair.parent->offset;
    if (std::memcmp(here, there, pair.here->bytes()) == 0) continue;
    const std::size_t size = size_of(pair.here->kind);
    std::size_t column = 0;
    while (std::memcmp(here + column * size, there + column * size, size) == 0) ++column;
    const bool text = pair.here->kind == FieldKind::kText;
    if (text) column = 0;
    return fmt::format("{} is {}, recorded {}", leaf_name(*pair.here, column),
                       value_text(*pair.here, column, row),
                       value_text(*pair.parent, column, recorded));
  }
  return {};
}

void BranchSink::require_all_met() const {
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    const Track& track = tracks_[i];
    if (track.parent == nullptr || track.next >= track.parent->size()) continue;
    const TimeUs time = track.parent->time(track.next);
    if (time >= at_) continue;
    differs(time, fmt::format("the recording has a row in \"{}\" that this flight does not have",
                              layouts_[i].name));
  }
}

void BranchSink::differs(TimeUs time, const std::string& what) const {
  throw Error(
      ExitCode::kDifferent,
      fmt::format("t = {} us: flown again, \"{}\" is not as recorded: {}; this program does "
                  "not reproduce the recording (made by {}), so nothing can be branched "
                  "from it",
                  time.us, parent_->meta.name, what, parent_->meta.program));
}

/// Saved runs before the instant belong to the parent's spec.
void BranchSink::blob(std::size_t blob, TimeUs time, std::span<const std::byte> bytes) {
  if (out_ != nullptr && time >= at_) out_->blob(blob, time, bytes);
}

void BranchSink::reached(TimeUs now) {
  if (out_ != nullptr) out_->reached(now);
}

void BranchSink::end(const RecordingEnd& end) {
  if (out_ != nullptr) out_->end(end);
}

}  // namespace tactus
