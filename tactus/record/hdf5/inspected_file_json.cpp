// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include <nlohmann/json.hpp>

#include "tactus/core/json_text.h"
#include "tactus/record/hdf5/inspected_file.h"

namespace tactus {
namespace {

Json tables_json(const InspectedFile& file) {
  Json tables = Json::array();
  for (std::size_t i = 0; i < file.recording->tables.size(); ++i) {
    const Table& table = file.recording->tables[i];
    Json fields = Json::array();
    for (const RowField& field : table.layout.fields) {
      fields.push_back({{"path", field.path},
                        {"kind", to_text(field.kind)},
                        {"width", field.width},
                        {"unit", field.unit},
                        {"labels", field.labels}});
    }
    tables.push_back({{"name", table.layout.name},
                      {"rows", table.size()},
                      {"rule", to_text(table.layout.rule)},
                      {"period_us", table.layout.period.us},
                      {"axis", table.layout.fields[0].path},
                      {"row_bytes", table.layout.row_size},
                      {"file_bytes", file.storage.tables[i]},
                      {"fields", fields}});
  }
  return tables;
}

Json events_json(const Recording& recording) {
  Json list = Json::array();
  for (const RecordedEvent& event : recorded_events(recording)) {
    list.push_back({{"t_us", event.time.us},
                    {"what", event.what},
                    {"detail", event.detail},
                    {"who", event.who},
                    {"index", event.index}});
  }
  return list;
}

Json sources_json(const RecordingMeta& meta) {
  Json list = Json::array();
  for (const SourceRecord& source : meta.sources) {
    list.push_back({{"name", source.name},
                    {"stage", source.stage},
                    {"mode", source.mode},
                    {"reads", source.reads},
                    {"writes", source.writes}});
  }
  return list;
}

Json parent_json(const RecordingMeta& meta) {
  if (!meta.parent) return {};
  return {{"name", meta.parent->name},
          {"flight_digest", to_hex(meta.parent->flight_digest)},
          {"at_us", meta.parent->at.us},
          {"changes", meta.parent->changes}};
}

Json document_of(const InspectedFile& file) {
  const RecordingMeta& meta = file.recording->meta;
  const RecordingEnd& end = file.recording->end;
  Json blobs = Json::array();
  for (std::size_t i = 0; i < file.recording->blobs.size(); ++i) {
    blobs.push_back({{"path", file.recording->blobs[i].path},
                     {"pieces", file.recording->blobs[i].pieces.size()},
                     {"file_bytes", file.storage.blobs[i]}});
  }
  Json attached = Json::array();
  for (const AttachedFile& carried : meta.files) {
    attached.push_back({{"name", carried.name}, {"bytes", carried.content.size()}});
  }
  return {{"schema", kInspectSchema},
          {"file", file.path},
          {"name", meta.name},
          {"complete", end.complete},
          {"left_open", file.storage.left_open},
          {"repaired", file.repaired()},
          {"end_t_us", end.time.us},
          {"flight_digest",
           end.flight_digest == Digest128{} ? Json() : Json(to_hex(end.flight_digest))},
          {"spec_digest", to_hex(meta.spec_digest)},
          {"seed", meta.seed},
          {"tier", static_cast<int>(meta.tier)},
          {"recording_version", meta.version},
          {"bus_version", meta.bus_version},
          {"program", meta.program},
          {"commit", meta.commit},
          {"compiler", meta.compiler},
          {"vehicle",
           {{"motors", meta.counts.motors},
            {"servos", meta.counts.servos},
            {"packs", meta.counts.packs},
            {"buses", meta.counts.buses},
            {"gear_points", meta.counts.gear_points}}},
          {"parameters", meta.parameters.size()},
          {"chain_links", file.rows("chain")},
          {"file_bytes", file.storage.file},
          {"bytes_per_minute", file.bytes_per_minute()},
          {"parent", parent_json(meta)},
          {"sources", sources_json(meta)},
          {"files", attached},
          {"tables", tables_json(file)},
          {"blobs", blobs},
          {"events", events_json(*file.recording)}};
}

}  // namespace

std::string inspected_json(const InspectedFile& file) { return json_text(document_of(file)); }

}  // namespace tactus
