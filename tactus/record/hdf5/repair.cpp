// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/record/hdf5/repair.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/files/output_file.h"
#include "tactus/record/hdf5/file_sink.h"
#include "tactus/record/hdf5/recording_file.h"
#include "tactus/record/hdf5/recording_layout.h"

namespace tactus {
namespace {

constexpr std::size_t kCopiedAtOnce = std::size_t{1} << 20U;

/// A copy of a file that has been read, and so verified, as it is.
void copy_bytes(const std::string& path, OutputFile& file) {
  std::ifstream from(path, std::ios::binary);
  std::vector<char> buffer(kCopiedAtOnce);
  while (from.read(buffer.data(), std::ssize(buffer)) || from.gcount() > 0) {
    file.append({buffer.data(), static_cast<std::size_t>(from.gcount())});
  }
  if (!from.eof()) {
    throw Error(ExitCode::kEnvironment,
                fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
  }
  file.require_written();
  file.publish();
}

/// What of a recording was not given yet.
class Cursor {
 public:
  explicit Cursor(const Recording& recording)
      : recording_(recording), rows_(recording.tables.size()), pieces_(recording.blobs.size()) {}

  /// The earliest instant that is left.
  [[nodiscard]] std::optional<TimeUs> next() const {
    std::optional<TimeUs> earliest;
    const auto consider = [&earliest](TimeUs time) {
      if (!earliest || time < *earliest) earliest = time;
    };
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (rows_[i] < recording_.tables[i].size()) consider(recording_.tables[i].time(rows_[i]));
    }
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      const std::vector<BlobTrack::Piece>& track = recording_.blobs[i].pieces;
      if (pieces_[i] < track.size()) consider(track[pieces_[i]].time);
    }
    return earliest;
  }

  /// Gives all whose time is wanted; returns the latest of them.
  template <class Wanted>
  TimeUs give_while(const Wanted& wanted, RowSink& sink) {
    TimeUs latest;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const Table& table = recording_.tables[i];
      for (; rows_[i] < table.size() && wanted(table.time(rows_[i])); ++rows_[i]) {
        sink.row(i, table.row(rows_[i]).data());
        latest = std::max(latest, table.time(rows_[i]));
      }
    }
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      const std::vector<BlobTrack::Piece>& track = recording_.blobs[i].pieces;
      for (; pieces_[i] < track.size() && wanted(track[pieces_[i]].time); ++pieces_[i]) {
        sink.blob(i, track[pieces_[i]].time, track[pieces_[i]].bytes);
        latest = std::max(latest, track[pieces_[i]].time);
      }
    }
    return latest;
  }

 private:
  const Recording& recording_;
  std::vector<std::size_t> rows_;
  std::vector<std::size_t> pieces_;
};

}  // namespace

void copy_recording(const Recording& recording, RowSink& sink) {
  std::vector<TableLayout> layouts;
  for (const Table& table : recording.tables) layouts.push_back(table.layout);
  sink.begin(recording.meta, layouts);
  Cursor cursor(recording);
  while (const std::optional<TimeUs> next = cursor.next()) {
    // One set of the file after another.
    const std::uint64_t set = next->us / layout::kSetPeriod.us;
    const auto in_set = [set](TimeUs time) { return time.us / layout::kSetPeriod.us <= set; };
    sink.reached(cursor.give_while(in_set, sink));
  }
  sink.reached(recording.end.time);
  sink.end(recording.end);
}

RepairResult repair_recording(const std::string& path, const std::string& out) {
  const bool in_place = out.empty();
  const bool left_open = Hdf5Reader(path).left_open();
  if (left_open && OutputFile::is_being_written(path)) {
    throw Error(ExitCode::kBadInput,
                fmt::format("{}: is being recorded at this moment; wait for the end", path));
  }
  // Before it is read: from here on no other program repairs it.
  std::unique_ptr<OutputFile> file;
  if (left_open || !in_place) {
    const OutputRules rules{.replaces = in_place, .synced = true};
    file = std::make_unique<OutputFile>(in_place ? path : out, rules);
  }
  const std::shared_ptr<const Recording> recording = read_recording(path);
  const RepairResult result{storage_of(path, *recording).left_open, has_rows(*recording),
                            recording->end};
  if (result.was_left_open) {
    FileSink sink(std::move(file));
    copy_recording(*recording, sink);
  } else if (!in_place) {
    copy_bytes(path, *file);
  }
  return result;
}

}  // namespace tactus
