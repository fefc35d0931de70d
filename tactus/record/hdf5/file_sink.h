// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Writes a recording to a file (docs/recording_format.md), on a thread of its own.
//
// The stepping thread only copies rows. They go to the writer in sets: a set closes before the
// first row at or after each multiple of 10 s of flight, or earlier when it has grown large; never
// by wall clock, so the same run with the same program gives the same bytes. A few sets go round:
// if all are on their way, stepping waits. So memory is bounded whatever the length of the flight.
//
// After each set the file holds everything up to there, whatever happens next: killed, full disk.
// What the writer cannot do is thrown by the call that closes the next set, or by end().

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tactus/record/hdf5/block_ledger.h"
#include "tactus/record/hdf5/hdf5_file.h"
#include "tactus/record/recording.h"
#include "tactus/record/write_behind.h"

namespace tactus {

/// A recording replaces nothing, and can be read while it grows.
inline constexpr OutputRules kRecordingRules{.named_early = true};

struct FileSinkOptions {
  /// Seconds on a wall clock: how long each set took is then recorded too, and files differ.
  std::function<double()> wall_clock;
  /// Below /diagnostics: figures of the wall clock, outside every digest and every comparison.
  std::vector<Hdf5NewDataset> diagnostics;
  /// A set that is larger closes at the next boundary.
  std::size_t largest_set_bytes = std::size_t{64} << 20U;
};

class FileSink final : public RowSink {
 public:
  explicit FileSink(std::unique_ptr<OutputFile> file, FileSinkOptions options = {});
  /// Throws Error(kEnvironment): the file exists, or cannot be created.
  explicit FileSink(const std::string& path, FileSinkOptions options = {})
      : FileSink(std::make_unique<OutputFile>(path, kRecordingRules), std::move(options)) {}
  /// Without end() before it the file keeps what was closed and is marked incomplete.
  ~FileSink() override;

  /// Once.
  void begin(const RecordingMeta& meta, const std::vector<TableLayout>& tables) override;
  void row(std::size_t table, const std::byte* row) override;
  void blob(std::size_t blob, TimeUs time, std::span<const std::byte> bytes) override;
  void reached(TimeUs now) override;
  /// Rows of one of the options' diagnostics; they are in the file after end().
  void diagnose(std::size_t diagnostic, std::span<const std::byte> rows);
  void end(const RecordingEnd& end) override;

 private:
  struct Piece {
    std::size_t blob;
    TimeUs time;
    std::size_t size;
  };
  /// What goes to the writer at once.
  struct Set {
    std::vector<std::vector<std::byte>> rows;  ///< of each table
    std::vector<Piece> pieces;
    std::vector<std::byte> piece_bytes;
    std::size_t bytes = 0;
    TimeUs reached;
    double wall_s = 0;
    std::vector<std::vector<std::byte>> diagnostics;  ///< as in the options; with the end
    std::optional<RecordingEnd> end;                  ///< nothing comes after it
  };
  class Writer;  ///< what the thread works with

  void close_set();
  void open_set();

  std::unique_ptr<OutputFile> file_;  ///< until begin()
  FileSinkOptions options_;
  std::vector<std::size_t> row_sizes_;
  TimeUs closes_at_;
  TimeUs reached_;
  double wall_begin_s_ = 0;
  Set* set_ = nullptr;
  std::vector<std::vector<std::byte>> diagnostics_;  ///< as in the options
  std::unique_ptr<Writer> writer_;
  std::unique_ptr<WriteBehind<Set>> thread_;  ///< last: it ends before what it works with
};

}  // namespace tactus
