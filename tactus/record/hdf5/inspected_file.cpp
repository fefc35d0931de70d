// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/record/hdf5/inspected_file.h"

#include "tactus/record/table.h"

namespace tactus {
namespace {

RecordedEvent event_at(const Table& events, std::size_t i) {
  const std::byte* const row = events.row(i).data();
  const auto value = [&](const char* path) {
    const RowField* const field = events.layout.find(path);
    return field == nullptr ? "" : value_text(*field, 0, row);
  };
  return {events.time(i), value("/events/what"), value("/events/detail"), value("/events/who"),
          value("/events/index")};
}

}  // namespace

double InspectedFile::bytes_per_minute() const {
  const double minutes = to_seconds(recording->end.time) / 60.0;
  return minutes > 0.0 ? static_cast<double>(storage.file) / minutes : 0.0;
}

bool InspectedFile::repaired() const {
  const RecordingEnd& end = recording->end;
  return !storage.left_open && !end.complete && end.flight_digest == Digest128{};
}

std::size_t InspectedFile::rows(const char* table) const {
  const Table* const found = recording->find(table);
  return found == nullptr ? 0 : found->size();
}

InspectedFile inspect_file(const std::string& path) {
  InspectedFile file{path, read_recording(path), {}};
  file.storage = storage_of(path, *file.recording);
  return file;
}

std::vector<RecordedEvent> recorded_events(const Recording& recording) {
  std::vector<RecordedEvent> list;
  const Table* const events = recording.find("events");
  for (std::size_t i = 0; events != nullptr && i < events->size(); ++i) {
    list.push_back(event_at(*events, i));
  }
  return list;
}

}  // namespace tactus
