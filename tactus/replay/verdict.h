// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Compares a flight with a recording while it is flown, row by row and bit by bit. Rows are
// compared as they come and not kept, so the second flight costs no memory.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tactus/core/time.h"
#include "tactus/record/recording.h"

namespace tactus {

/// Where a table differs first.
struct RowMismatch {
  TimeUs time;
  std::string leaf;  ///< "wind.velocity_ned_m_s.x"
  std::string recorded;
  std::string replayed;
  std::optional<std::uint64_t> ulps;  ///< real numbers: how many doubles they are apart
};

struct TableVerdict {
  std::string name;
  std::size_t rows = 0;       ///< of the recording, without those that do not count
  std::size_t replayed = 0;   ///< of the replay
  std::size_t different = 0;  ///< rows that are not equal, missing and extra ones included
  std::optional<RowMismatch> first;

  [[nodiscard]] bool equal() const { return different == 0; }
};

/// What takes part; an empty function: everything.
struct ComparisonRules {
  std::function<bool(const TableLayout& table)> table;
  std::function<bool(const TableLayout& table, const RowField& field)> field;
  /// Asked for rows of the recording: one that does not count has none to match it.
  std::function<bool(const TableLayout& table, const std::byte* row)> row;
};

class RowComparison final : public RowSink {
 public:
  /// Rows also go to `also`, if given. The recording must outlive this.
  RowComparison(const Recording& recorded, ComparisonRules rules, RowSink* also = nullptr);

  /// Throws Error(kBadInput) if a table has other fields than the recorded one.
  void begin(const RecordingMeta& meta, const std::vector<TableLayout>& tables) override;
  void row(std::size_t table, const std::byte* row) override;
  void blob(std::size_t blob, TimeUs time, std::span<const std::byte> bytes) override;
  void reached(TimeUs now) override;
  void end(const RecordingEnd& end) override;

  /// By table of the recording, in its order. To be asked after the flight.
  [[nodiscard]] std::vector<TableVerdict> verdicts() const;

 private:
  /// A table of the recording on its way.
  struct Pair {
    const Table* recorded = nullptr;
    std::vector<bool> left_out;  ///< by field; empty: none
    std::size_t next = 0;        ///< row of the recording
    TableVerdict verdict;
  };

  void require_same_fields(const TableLayout& recorded, const TableLayout& replayed) const;
  void skip_uncounted(Pair& pair) const;
  void compare(Pair& pair, const std::byte* row);
  void expect_no_more(Pair& pair, TimeUs until) const;

  const Recording* recorded_;
  ComparisonRules rules_;
  RowSink* also_;
  std::vector<Pair> pairs_;
  std::vector<std::optional<std::size_t>> pair_of_;  ///< by table of the flight
  std::vector<std::byte> scratch_;
};

}  // namespace tactus
