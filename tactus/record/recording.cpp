// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/record/recording.h"

#include <fmt/format.h>

#include <algorithm>

#include "tactus/core/error.h"
#include "tactus/signal/validator.h"

namespace tactus {

const Table* Recording::find(std::string_view table) const {
  for (const Table& candidate : tables) {
    if (candidate.layout.name == table) return &candidate;
  }
  return nullptr;
}

const Table& Recording::require(std::string_view table) const {
  if (const Table* const found = find(table)) return *found;
  const char* const advice = of_fleet() ? "it is that of a bridge and has events and vehicles"
                             : table == "rhs_trace" ? "record it at tier 2"
                             : table == "log"       ? "record a run that logs (log.period_s > 0)"
                                                    : "record it at tier 1";
  throw Error(ExitCode::kBadInput,
              fmt::format("the recording of \"{}\" (tier {}) has no table \"{}\"; {}", meta.name,
                          static_cast<int>(meta.tier), table, advice));
}

std::string group_of(Signal signal) {
  return fmt::format("{}/{}/", kPlantSignals.has(signal) ? kOutputsGroup : kSignalsGroup,
                     to_text(signal));
}

const Table* Recording::signal(Signal signal) const {
  const std::string group = group_of(signal);
  for (const Table& table : tables) {
    for (const RowField& field : table.layout.fields) {
      if (field.path.starts_with(group)) return &table;
    }
  }
  return nullptr;
}

bool Recording::flown_externally() const {
  return std::any_of(meta.sources.begin(), meta.sources.end(),
                     [](const SourceRecord& source) { return source.name == kExternalSimulator; });
}

bool Recording::commanded_externally() const {
  if (signal(Signal::kCommand) == nullptr) return false;
  return std::none_of(meta.sources.begin(), meta.sources.end(), [](const SourceRecord& source) {
    return signals_from_text(source.writes).has(Signal::kCommand);
  });
}

void MemorySink::begin(const RecordingMeta& meta, const std::vector<TableLayout>& tables) {
  recording_ = std::make_shared<Recording>();
  recording_->meta = meta;
  for (const TableLayout& layout : tables) recording_->tables.push_back({layout, {}});
  for (const std::string& path : meta.blobs) recording_->blobs.push_back({path, {}});
}

void MemorySink::row(std::size_t table, const std::byte* row) {
  Table& into = recording_->tables[table];
  into.rows.insert(into.rows.end(), row, row + into.layout.row_size);
}

void MemorySink::blob(std::size_t blob, TimeUs time, std::span<const std::byte> bytes) {
  recording_->blobs[blob].pieces.push_back({time, {bytes.begin(), bytes.end()}});
}

void MemorySink::reached(TimeUs now) { recording_->end.time = now; }

void MemorySink::end(const RecordingEnd& end) { recording_->end = end; }

}  // namespace tactus
