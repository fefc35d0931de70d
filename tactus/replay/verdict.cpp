// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "tactus/core/error.h"
#include "tactus/core/fields.h"

namespace tactus {
namespace {

constexpr char kNoRow[] = "no row";
constexpr TimeUs kForever{std::numeric_limits<std::uint64_t>::max()};

bool same_shape(const RowField& a, const RowField& b) {
  return a.path == b.path && a.kind == b.kind && a.unit == b.unit && a.labels == b.labels &&
         a.width == b.width && a.offset == b.offset;
}

RowMismatch describe(const TableLayout& layout, RowDifference at, const std::byte* recorded,
                     const std::byte* replayed) {
  const RowField& field = layout.fields[at.field];
  RowMismatch mismatch;
  mismatch.time = std::min(time_of(recorded), time_of(replayed));
  mismatch.leaf = leaf_name(field, at.column);
  mismatch.recorded = value_text(field, at.column, recorded);
  mismatch.replayed = value_text(field, at.column, replayed);
  if (field.kind == FieldKind::kReal) {
    mismatch.ulps =
        ulp_distance(number(field, at.column, recorded), number(field, at.column, replayed));
  }
  return mismatch;
}

void note(TableVerdict& verdict, RowMismatch mismatch) {
  if (verdict.different++ == 0) verdict.first = std::move(mismatch);
}

}  // namespace

RowComparison::RowComparison(const Recording& recorded, ComparisonRules rules, RowSink* also)
    : recorded_(&recorded), rules_(std::move(rules)), also_(also) {}

void RowComparison::begin(const RecordingMeta& meta, const std::vector<TableLayout>& tables) {
  pairs_.clear();
  pair_of_.assign(tables.size(), std::nullopt);
  for (const Table& table : recorded_->tables) {
    const TableLayout& layout = table.layout;
    if (rules_.table && !rules_.table(layout)) continue;
    Pair pair;
    pair.recorded = &table;
    pair.verdict.name = layout.name;
    for (const RowField& field : layout.fields) {
      pair.left_out.push_back(rules_.field && !rules_.field(layout, field));
    }
    const auto same = std::find_if(tables.begin(), tables.end(), [&](const TableLayout& other) {
      return other.name == layout.name;
    });
    if (same != tables.end()) {
      require_same_fields(layout, *same);
      pair_of_[static_cast<std::size_t>(same - tables.begin())] = pairs_.size();
    }
    scratch_.resize(std::max(scratch_.size(), layout.row_size));
    pairs_.push_back(std::move(pair));
  }
  if (also_ != nullptr) also_->begin(meta, tables);
}

void RowComparison::require_same_fields(const TableLayout& recorded,
                                        const TableLayout& replayed) const {
  const auto [here, there] =
      std::mismatch(recorded.fields.begin(), recorded.fields.end(), replayed.fields.begin(),
                    replayed.fields.end(), same_shape);
  if (here == recorded.fields.end() && there == replayed.fields.end()) return;
  throw Error(
      ExitCode::kBadInput,
      fmt::format("the table \"{}\" of \"{}\" has other fields than the replay, from {} on, "
                  "so they cannot be compared; replay it without changes to the vehicle, "
                  "with the version that recorded it ({})",
                  recorded.name, recorded_->meta.name,
                  here != recorded.fields.end() ? here->path : there->path,
                  recorded_->meta.program));
}

void RowComparison::skip_uncounted(Pair& pair) const {
  const Table& table = *pair.recorded;
  while (rules_.row && pair.next < table.size() &&
         !rules_.row(table.layout, table.row(pair.next).data())) {
    ++pair.next;
  }
}

void RowComparison::row(std::size_t table, const std::byte* row) {
  if (also_ != nullptr) also_->row(table, row);
  if (pair_of_[table]) compare(pairs_[*pair_of_[table]], row);
}

void RowComparison::compare(Pair& pair, const std::byte* row) {
  const Table& table = *pair.recorded;
  const TableLayout& layout = table.layout;
  ++pair.verdict.replayed;
  skip_uncounted(pair);
  if (pair.next == table.size()) {
    // A recording that was cut off does not say what comes next.
    if (!recorded_->end.complete) return;
    return note(pair.verdict, {time_of(row), layout.name, kNoRow, "a row", std::nullopt});
  }
  const std::byte* const recorded = table.row(pair.next++).data();
  ++pair.verdict.rows;
  if (std::memcmp(recorded, row, layout.row_size) == 0) return;
  // What is left out is made equal; the rest decides.
  std::memcpy(scratch_.data(), recorded, layout.row_size);
  for (std::size_t i = 0; i < layout.fields.size(); ++i) {
    const RowField& field = layout.fields[i];
    if (pair.left_out[i]) {
      std::memcpy(scratch_.data() + field.offset, row + field.offset, field.bytes());
    }
  }
  const std::optional<RowDifference> difference = first_difference(layout, scratch_.data(), row);
  if (difference) note(pair.verdict, describe(layout, *difference, scratch_.data(), row));
}

void RowComparison::blob(std::size_t blob, TimeUs time, std::span<const std::byte> bytes) {
  if (also_ != nullptr) also_->blob(blob, time, bytes);
}

void RowComparison::reached(TimeUs now) {
  if (also_ != nullptr) also_->reached(now);
}

void RowComparison::end(const RecordingEnd& end) {
  // A flight that was broken off is compared as far as it went.
  const TimeUs until = end.complete ? kForever : end.time;
  for (Pair& pair : pairs_) expect_no_more(pair, until);
  if (also_ != nullptr) also_->end(end);
}

void RowComparison::expect_no_more(Pair& pair, TimeUs until) const {
  const Table& table = *pair.recorded;
  for (skip_uncounted(pair); pair.next < table.size(); skip_uncounted(pair)) {
    if (table.time(pair.next) > until) return;
    note(pair.verdict, {table.time(pair.next), table.layout.name, "a row", kNoRow, std::nullopt});
    ++pair.verdict.rows;
    ++pair.next;
  }
}

std::vector<TableVerdict> RowComparison::verdicts() const {
  std::vector<TableVerdict> verdicts;
  for (const Pair& pair : pairs_) verdicts.push_back(pair.verdict);
  return verdicts;
}

}  // namespace tactus
