// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Stands between the recorder of a branch and its new recording: what lies before the instant of
// the branch must be what the parent holds, to the bit. After it the first difference is kept.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tactus/record/recording.h"

namespace tactus {

class BranchSink final : public RowSink {
 public:
  /// `meta` is that of the branch. The flight is flown from `from` on; what the parent holds up to
  /// there is copied. `out` null: nothing is recorded, only checked.
  BranchSink(const Recording& parent, RecordingMeta meta, TimeUs from, TimeUs at, RowSink* out);

  void begin(const RecordingMeta& meta, const std::vector<TableLayout>& tables) override;
  /// Throws Error(kDifferent) at the first number that the parent has otherwise.
  void row(std::size_t table, const std::byte* row) override;
  void blob(std::size_t blob, TimeUs time, std::span<const std::byte> bytes) override;
  void reached(TimeUs now) override;
  void end(const RecordingEnd& end) override;

  /// Throws Error(kDifferent) unless all that the parent holds before the instant was met.
  void require_all_met() const;

  /// The first instant, up to the end of the parent, at which a row is not the parent's.
  [[nodiscard]] std::optional<TimeUs> first_difference() const { return first_difference_; }

 private:
  /// A field that both have.
  struct Pair {
    const RowField* here;
    const RowField* parent;
  };
  struct Track {
    const Table* parent = nullptr;  ///< null: the parent has no such table
    std::vector<Pair> pairs;
    bool whole = false;    ///< the parent has every field
    std::size_t next = 0;  ///< row of the parent that comes next
  };

  void copy_beginning();
  void copy_rows(std::size_t table, TimeUs boundary);
  /// What the parent has otherwise; empty: nothing.
  [[nodiscard]] static std::string difference(const Track& track, const TableLayout& layout,
                                              const std::byte* row);
  [[noreturn]] void differs(TimeUs time, const std::string& what) const;

  const Recording* parent_;
  RecordingMeta meta_;
  TimeUs from_;
  TimeUs at_;
  RowSink* out_;
  std::vector<TableLayout> layouts_;
  std::vector<Track> tracks_;
  std::optional<TimeUs> first_difference_;
};

}  // namespace tactus
