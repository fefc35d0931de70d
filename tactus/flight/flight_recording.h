// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The files that a flight writes as it goes: its recording and its log.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/core/time.h"
#include "tactus/record/csv_log.h"
#include "tactus/record/hdf5/file_sink.h"
#include "tactus/record/recording_meta.h"
#include "tactus/record/stream_recorder.h"
#include "tactus/spec/reader/load_spec.h"

namespace tactus {

struct RecordOptions {
  std::unique_ptr<OutputFile> file;  ///< null: nothing is recorded
  Tier tier = Tier::kPlant;
  DurationUs snapshots;  ///< time between two; 0: none
  BuildIdentity build;   ///< of the program that flies
};

/// Throws Error(kBadInput) if a run of that spec ends before the first one.
void require_snapshots(DurationUs period, const Spec& spec);

/// A recording that was written.
struct RecordedFile {
  std::string path;
  Tier tier = Tier::kPlant;
  std::uint64_t bytes = 0;  ///< 0: the file is gone

  [[nodiscard]] double kb_per_minute(TimeUs end) const;
};

/// As it lies on the disk now.
RecordedFile recorded_file(const std::string& path, Tier tier);

/// The recording of a flight. A file whose last bytes cannot be written, or that is gone by then,
/// does not take the outcome of the flight away.
struct RecordingToTheEnd final : RowSink {
  explicit RecordingToTheEnd(std::unique_ptr<OutputFile> disk) : file(std::move(disk)) {}

  void begin(const RecordingMeta& meta, const std::vector<TableLayout>& tables) override {
    file.begin(meta, tables);
  }
  void row(std::size_t table, const std::byte* row) override { file.row(table, row); }
  void blob(std::size_t blob, TimeUs time, std::span<const std::byte> bytes) override {
    file.blob(blob, time, bytes);
  }
  void reached(TimeUs now) override { file.reached(now); }
  void end(const RecordingEnd& end) override;

  FileSink file;
  std::optional<Error> error;
};

/// The same for a log.
struct LogToTheEnd final : LogSink {
  LogToTheEnd(std::unique_ptr<OutputFile> disk, std::optional<LogProvenance> provenance)
      : log(std::move(disk), std::move(provenance)) {}

  void begin(const VehicleCounts& counts) override { log.begin(counts); }
  void row(const LogRow& row) override { log.row(row); }
  void end(Digest128 flight_digest, bool complete) override;

  CsvLog log;
  std::optional<Error> error;
};

class FlightRecording {
 public:
  FlightRecording(const LoadedSpec& loaded, RecordOptions options);

  [[nodiscard]] Recorder& recorder() { return recorder_; }
  /// What went wrong when the file was closed after a complete flight.
  [[nodiscard]] const std::optional<Error>& error() const { return sink_.error; }
  /// After the flight.
  [[nodiscard]] RecordedFile file() const { return recorded_file(path_, tier_); }

 private:
  std::string path_;
  Tier tier_;
  RecordingToTheEnd sink_;
  StreamRecorder recorder_;
};

}  // namespace tactus
