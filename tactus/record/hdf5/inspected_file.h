// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What a recording in a file holds and in which state the file is. Reading it verifies every byte.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "tactus/record/hdf5/recording_file.h"
#include "tactus/record/recording.h"

namespace tactus {

inline constexpr char kInspectSchema[] = "tactus.inspect/1";

struct InspectedFile {
  std::string path;
  std::shared_ptr<const Recording> recording;
  RecordingStorage storage;

  /// Of simulated time; 0: it has none.
  [[nodiscard]] double bytes_per_minute() const;
  /// Its writer was killed, and it was closed later: what a run does at its end is missing.
  [[nodiscard]] bool repaired() const;
  /// Of a table; 0 also if there is none of this name.
  [[nodiscard]] std::size_t rows(const char* table) const;
};

/// Throws as read_recording().
InspectedFile inspect_file(const std::string& path);

/// One row of the table of events.
struct RecordedEvent {
  TimeUs time;
  std::string what;
  std::string detail;
  std::string who;
  std::string index;
};
std::vector<RecordedEvent> recorded_events(const Recording& recording);

/// Everything but the numbers themselves.
std::string inspected_json(const InspectedFile& file);

}  // namespace tactus
