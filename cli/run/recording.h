// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The recording that `tactus run --record` writes.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "tactus/core/error.h"
#include "tactus/core/time.h"
#include "tactus/record/file_sink.h"
#include "tactus/record/stream_recorder.h"
#include "tactus/scenario/load_spec.h"

namespace tactus::cli {

struct RecordOptions {
  std::unique_ptr<OutputFile> file;  ///< null: nothing is recorded
  Tier tier = Tier::kPlant;
  DurationUs snapshots;  ///< time between two; 0: none
};

/// A recording that was written.
struct RecordedFile {
  std::string path;
  Tier tier = Tier::kPlant;
  std::uint64_t bytes = 0;

  [[nodiscard]] double kb_per_minute(TimeUs end) const;
};

class FlightRecording {
 public:
  FlightRecording(const LoadedSpec& loaded, RecordOptions options);

  [[nodiscard]] Recorder& recorder() { return recorder_; }
  /// What went wrong when the file was closed after a complete flight.
  [[nodiscard]] const std::optional<Error>& error() const { return sink_.error; }
  /// After the flight.
  [[nodiscard]] RecordedFile file() const;

 private:
  /// A file whose last bytes cannot be written does not take the outcome of a flight away.
  struct ToTheEnd final : RowSink {
    explicit ToTheEnd(std::unique_ptr<OutputFile> disk) : file(std::move(disk)) {}

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

  std::string path_;
  Tier tier_;
  ToTheEnd sink_;
  StreamRecorder recorder_;
};

}  // namespace tactus::cli
