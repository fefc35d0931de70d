// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/record/repair.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/record/file_sink.h"
#include "tactus/record/output_file.h"
#include "tactus/record/recording_file.h"
#include "tactus/record/recording_layout.h"

namespace tactus {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kCopiedAtOnce = std::size_t{1} << 20U;

/// Whether anybody has the file open for writing, where the system can tell.
bool is_being_written(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  // A read lease is refused while there is a writer, and is gone with the descriptor.
  const bool refused = ::fcntl(file, F_SETLEASE, F_RDLCK) != 0 && errno == EAGAIN;
  ::close(file);
  return refused;
}

[[noreturn]] void fail(const std::string& path, const char* doing, const std::string& why) {
  throw Error(ExitCode::kEnvironment,
              fmt::format("{}: cannot {}: {}; the recording is as it was", path, doing, why));
}

/// On disk, not only on its way there.
void sync(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool done = file >= 0 && ::fsync(file) == 0;
  const int error = errno;
  if (file >= 0) ::close(file);
  if (!done) fail(path, "be written to disk", std::strerror(error));
}

/// A file that is removed again unless it is kept.
class Draft {
 public:
  explicit Draft(std::string path) : path_(std::move(path)) {
    if (fs::exists(fs::symlink_status(path_))) {
      throw Error(ExitCode::kEnvironment,
                  fmt::format("{}: exists already; remove it or choose another name", path_));
    }
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  ~Draft() {
    std::error_code ignored;
    if (!kept_) fs::remove(path_, ignored);
  }
  [[nodiscard]] const std::string& path() const { return path_; }
  void keep() { kept_ = true; }

 private:
  std::string path_;
  bool kept_ = false;
};

/// A copy of a file that has been read, and so verified, as it is.
void copy_bytes(const std::string& path, const std::string& out) {
  std::ifstream from(path, std::ios::binary);
  OutputFile file(out);
  std::vector<char> buffer(kCopiedAtOnce);
  while (from.read(buffer.data(), std::ssize(buffer)) || from.gcount() > 0) {
    file.append({buffer.data(), static_cast<std::size_t>(from.gcount())});
  }
  if (!from.eof()) fail(path, "be read", std::strerror(errno));
  file.require_written();
  file.publish();
  sync(out);
}

/// Replaces `path` by the draft in one step, with the permissions of the old file.
void put_in_place(Draft& draft, const fs::path& path) {
  std::error_code error;
  fs::permissions(draft.path(), fs::status(path).permissions(), error);
  if (!error) fs::rename(draft.path(), path, error);
  if (error) fail(draft.path(), "take the place of the recording", error.message());
  draft.keep();
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
  const std::shared_ptr<const Recording> recording = read_recording(path);
  const RepairResult result{storage_of(path, *recording).left_open, has_rows(*recording),
                            recording->end};
  if (!result.was_left_open && out.empty()) return result;
  if (!result.was_left_open) {
    copy_bytes(path, out);
    return result;
  }
  if (is_being_written(path)) {
    throw Error(ExitCode::kBadInput,
                fmt::format("{}: is being recorded at this moment; wait for the end", path));
  }
  const fs::path place = fs::canonical(path);
  Draft draft(out.empty() ? place.string() + ".repaired" : out);
  FileSink sink(draft.path());
  copy_recording(*recording, sink);
  sync(draft.path());
  if (out.empty()) put_in_place(draft, place);
  draft.keep();
  return result;
}

}  // namespace tactus
