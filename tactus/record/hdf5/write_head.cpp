// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/record/hdf5/write_head.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "tactus/record/hdf5/block_ledger.h"
#include "tactus/record/hdf5/recording_layout.h"

namespace tactus {
namespace {

constexpr std::size_t kLongestChunk = 65536;

template <class T>
void write_numbers(Hdf5Writer& file, const char* path, FieldKind kind,
                   const std::vector<T>& values) {
  const std::size_t chunk = std::clamp<std::size_t>(values.size(), 1, kLongestChunk);
  const Hdf5Writer::Dataset dataset = file.create({path, kind, 1, chunk});
  file.append(dataset, values.data(), values.size());
}

void write_texts(Hdf5Writer& file, const char* path, const std::vector<std::string_view>& texts) {
  std::size_t width = 1;
  for (const std::string_view text : texts) width = std::max(width, text.size());
  std::string all(width * texts.size(), '\0');
  for (std::size_t i = 0; i < texts.size(); ++i) texts[i].copy(all.data() + i * width, width);
  const Hdf5Writer::Dataset dataset =
      file.create({path, FieldKind::kText, width, std::max<std::size_t>(texts.size(), 1)});
  file.append(dataset, all.data(), texts.size());
}

/// One text of each object.
template <class Object, class Get>
void write_texts_of(Hdf5Writer& file, const char* path, const std::vector<Object>& objects,
                    Get get) {
  std::vector<std::string_view> texts;
  texts.reserve(objects.size());
  for (const Object& object : objects) texts.emplace_back(get(object));
  write_texts(file, path, texts);
}

/// One number of each object.
template <class T, class Object, class Get>
void write_numbers_of(Hdf5Writer& file, const char* path, FieldKind kind,
                      const std::vector<Object>& objects, Get get) {
  std::vector<T> values;
  values.reserve(objects.size());
  for (const Object& object : objects) values.push_back(static_cast<T>(get(object)));
  write_numbers(file, path, kind, values);
}

void write_scalars(Hdf5Writer& file, const RecordingMeta& meta, Digest128 digest) {
  const auto u32 = [&](const char* path, std::uint32_t value) {
    write_numbers<std::uint32_t>(file, path, FieldKind::kU32, {value});
  };
  u32(layout::kMetaVersion, meta.version);
  u32(layout::kMetaBusVersion, meta.bus_version);
  u32(layout::kMetaTier, static_cast<std::uint32_t>(meta.tier));
  write_numbers<std::uint64_t>(file, layout::kMetaDigest, FieldKind::kU64,
                               {digest.high, digest.low});
  write_numbers<std::uint64_t>(file, layout::kMetaSeed, FieldKind::kU64, {meta.seed});
  std::vector<std::int32_t> counts;
  for_each_told_count(meta.counts, [&](int count) { counts.push_back(count); });
  write_numbers<std::int32_t>(file, layout::kMetaCounts, FieldKind::kI32, counts);
  write_numbers<std::uint8_t>(file, layout::kMetaLogInterpolates, FieldKind::kU8,
                              {static_cast<std::uint8_t>(meta.log_interpolates ? 1 : 0)});
}

void write_files(Hdf5Writer& file, const std::vector<AttachedFile>& files) {
  std::vector<std::uint64_t> begins;
  std::vector<std::uint8_t> bytes;
  for (const AttachedFile& attached : files) {
    begins.push_back(bytes.size());
    bytes.insert(bytes.end(), attached.content.begin(), attached.content.end());
  }
  write_texts_of(file, layout::kFileName, files,
                 [](const AttachedFile& f) -> std::string_view { return f.name; });
  write_numbers(file, layout::kFileBegin, FieldKind::kU64, begins);
  write_numbers(file, layout::kFileBytes, FieldKind::kU8, bytes);
}

void write_parameters(Hdf5Writer& file, const std::vector<ParameterRecord>& parameters) {
  using P = ParameterRecord;
  const auto texts = [&](const char* path, std::string P::*text) {
    write_texts_of(file, path, parameters,
                   [text](const P& p) -> std::string_view { return p.*text; });
  };
  texts(layout::kParameterKey, &P::key);
  texts(layout::kParameterValue, &P::value);
  texts(layout::kParameterUnit, &P::unit);
  write_numbers_of<std::uint64_t>(file, layout::kParameterDigest, FieldKind::kU64, parameters,
                                  [](const P& p) { return digest_of(p); });
}

void write_sources(Hdf5Writer& file, const std::vector<SourceRecord>& sources) {
  using S = SourceRecord;
  const auto texts = [&](const char* path, std::string S::*text) {
    write_texts_of(file, path, sources, [text](const S& s) -> std::string_view { return s.*text; });
  };
  texts(layout::kSourceName, &S::name);
  texts(layout::kSourceStage, &S::stage);
  texts(layout::kSourceMode, &S::mode);
  texts(layout::kSourceReads, &S::reads);
  texts(layout::kSourceWrites, &S::writes);
}

void write_parent(Hdf5Writer& file, const ParentRecord& parent) {
  write_texts(file, layout::kParentName, {parent.name});
  write_numbers<std::uint64_t>(file, layout::kParentFlightDigest, FieldKind::kU64,
                               {parent.flight_digest.high, parent.flight_digest.low});
  write_numbers<std::uint64_t>(file, layout::kParentAt, FieldKind::kU64, {parent.at.us});
  write_texts(file, layout::kParentChanges, {parent.changes});
}

void write_tables(Hdf5Writer& file, const std::vector<TableLayout>& tables) {
  using T = TableLayout;
  write_texts_of(file, layout::kTableName, tables,
                 [](const T& t) -> std::string_view { return t.name; });
  write_texts_of(file, layout::kTableRule, tables, [](const T& t) { return to_text(t.rule); });
  write_numbers_of<std::uint64_t>(file, layout::kTablePeriod, FieldKind::kU64, tables,
                                  [](const T& t) { return t.period.us; });
  write_numbers_of<std::uint64_t>(file, layout::kTableRowSize, FieldKind::kU64, tables,
                                  [](const T& t) { return t.row_size; });
}

void write_fields(Hdf5Writer& file, const std::vector<TableLayout>& tables) {
  using F = RowField;
  std::vector<std::uint32_t> owners;
  std::vector<const F*> fields;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    owners.insert(owners.end(), tables[i].fields.size(), static_cast<std::uint32_t>(i));
    for (const F& field : tables[i].fields) fields.push_back(&field);
  }
  const auto texts = [&](const char* path, std::string F::*text) {
    write_texts_of(file, path, fields, [text](const F* f) -> std::string_view { return f->*text; });
  };
  write_numbers(file, layout::kFieldTable, FieldKind::kU32, owners);
  texts(layout::kFieldPath, &F::path);
  texts(layout::kFieldUnit, &F::unit);
  texts(layout::kFieldMeaning, &F::meaning);
  texts(layout::kFieldFrame, &F::frame);
  texts(layout::kFieldLabels, &F::labels);
  write_texts_of(file, layout::kFieldKind, fields, [](const F* f) { return to_text(f->kind); });
  write_numbers_of<std::uint64_t>(file, layout::kFieldWidth, FieldKind::kU64, fields,
                                  [](const F* f) { return f->width; });
  write_numbers_of<std::uint64_t>(file, layout::kFieldOffset, FieldKind::kU64, fields,
                                  [](const F* f) { return f->offset; });
}

}  // namespace

void write_head(Hdf5Writer& file, const RecordingMeta& meta, const std::vector<TableLayout>& tables,
                Digest128 digest) {
  write_scalars(file, meta, digest);
  write_texts(file, layout::kMetaProgram, {meta.program});
  write_texts(file, layout::kMetaCommit, {meta.commit});
  write_texts(file, layout::kMetaCompiler, {meta.compiler});
  write_texts(file, layout::kMetaName, {meta.name});
  write_texts(file, layout::kMetaSpec, {meta.spec});
  const std::string spec_digest = to_hex(meta.spec_digest);
  write_texts(file, layout::kMetaSpecDigest, {spec_digest});
  const auto as_is = [](const std::string& text) -> std::string_view { return text; };
  write_texts_of(file, layout::kMetaEventIds, meta.event_ids, as_is);
  write_texts_of(file, layout::kMetaBlobs, meta.blobs, as_is);
  write_files(file, meta.files);
  write_parameters(file, meta.parameters);
  write_sources(file, meta.sources);
  if (meta.parent) write_parent(file, *meta.parent);
  write_tables(file, tables);
  write_fields(file, tables);
}

}  // namespace tactus
