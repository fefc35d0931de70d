// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/record/hdf5/block_ledger.h"

#include <cstring>
#include <utility>

namespace tactus {
namespace {

void add_counted(TableLayout& table, std::string path, std::string meaning, std::size_t width) {
  if (width == 0) return;
  RowField field;
  field.path = std::move(path);
  field.meaning = std::move(meaning);
  field.kind = FieldKind::kU64;
  field.width = width;
  for (std::size_t i = 0; width > 1 && i < width; ++i) {
    field.labels += (i == 0 ? "" : ",") + std::to_string(i);
  }
  add_field(table, std::move(field));
}

void add(Digest& digest, const TableLayout& table) {
  digest.add(table.name);
  digest.add(table.rule);
  digest.add(table.period);
  digest.add(table.row_size);
  digest.add(table.fields.size());
  for (const RowField& field : table.fields) {
    for (const std::string* text :
         {&field.path, &field.unit, &field.meaning, &field.frame, &field.labels}) {
      digest.add(*text);
    }
    digest.add(field.kind);
    digest.add(field.width);
    digest.add(field.offset);
  }
}

void add(Digest& digest, Digest128 other) {
  digest.add(other.high);
  digest.add(other.low);
}

void add_parent(Digest& digest, const std::optional<ParentRecord>& parent) {
  digest.add(parent.has_value());
  if (!parent) return;
  digest.add(parent->name);
  add(digest, parent->flight_digest);
  digest.add(parent->at);
  digest.add(parent->changes);
}

}  // namespace

TableLayout blocks_table(std::size_t tables, std::size_t blobs) {
  TableLayout table = make_table("blocks", Rule::kSampled);
  add_counted(table, "/blocks/rows", "rows of each table by then", tables);
  add_counted(table, "/blocks/table_digests", "XXH3 of all rows of each table so far", tables);
  add_counted(table, "/blocks/pieces", "pieces of each blob by then", blobs);
  add_counted(table, "/blocks/blob_digests", "XXH3 of all pieces of each blob so far", blobs);
  add_counted(table, "/blocks/blob_bytes", "length of all of them together", blobs);
  add_counted(table, "/blocks/digest", "of this row and the one before", 1);
  return table;
}

Digest128 digest_of(const RecordingMeta& meta, const std::vector<TableLayout>& tables) {
  Digest digest;
  digest.add(meta.version);
  digest.add(meta.bus_version);
  for (const std::string* text :
       {&meta.program, &meta.commit, &meta.compiler, &meta.name, &meta.spec}) {
    digest.add(*text);
  }
  digest.add(meta.files.size());
  for (const AttachedFile& file : meta.files) {
    digest.add(file.name);
    digest.add(file.content);
  }
  add(digest, meta.spec_digest);
  digest.add(meta.parameters.size());
  for (const ParameterRecord& parameter : meta.parameters) {
    digest.add(parameter.key);
    digest.add(parameter.value);
    digest.add(parameter.unit);
  }
  digest.add(meta.seed);
  digest.add(meta.tier);
  for_each_told_count(meta.counts, [&](int count) { digest.add(count); });
  digest.add(meta.sources.size());
  for (const SourceRecord& source : meta.sources) {
    for (const std::string* text :
         {&source.name, &source.stage, &source.mode, &source.reads, &source.writes}) {
      digest.add(*text);
    }
  }
  for (const std::vector<std::string>* list : {&meta.event_ids, &meta.blobs}) {
    digest.add(list->size());
    for (const std::string& text : *list) digest.add(text);
  }
  digest.add(meta.log_interpolates);
  add_parent(digest, meta.parent);
  digest.add(tables.size());
  for (const TableLayout& table : tables) add(digest, table);
  return digest.result();
}

std::uint64_t digest_of(const ParameterRecord& parameter) {
  Digest digest;
  digest.add(parameter.key);
  digest.add(parameter.value);
  digest.add(parameter.unit);
  return digest.result().low;
}

Digest128 digest_of(const RecordingEnd& end, std::uint64_t last_block) {
  Digest digest;
  digest.add(end.time);
  add(digest, end.flight_digest);
  digest.add(end.complete);
  digest.add(last_block);
  return digest.result();
}

std::uint64_t digest_of_block(Digest128 meta_digest, std::uint64_t before,
                              std::span<const std::byte> row) {
  Digest digest;
  add(digest, meta_digest);
  digest.add(before);
  digest.add_bytes(row.first(row.size() - sizeof before));
  return digest.result().low;
}

BlockLedger::BlockLedger(Digest128 meta_digest, std::size_t tables, std::size_t blobs)
    : layout_(blocks_table(tables, blobs)),
      row_(layout_.row_size),
      tables_(tables),
      blobs_(blobs),
      meta_digest_(meta_digest) {}

void BlockLedger::add_rows(std::size_t table, std::size_t count, std::span<const std::byte> bytes) {
  tables_[table].count += count;
  tables_[table].digest.add_bytes(bytes);
}

void BlockLedger::add_blob(std::size_t blob, TimeUs time, std::span<const std::byte> bytes) {
  Tally& tally = blobs_[blob];
  ++tally.count;
  tally.bytes += bytes.size();
  tally.digest.add(time);
  tally.digest.add(bytes.size());
  tally.digest.add_bytes(bytes);
}

const std::vector<std::byte>& BlockLedger::close(TimeUs now) {
  std::byte* to = row_.data();
  const auto put_next = [&to](std::uint64_t value) {
    std::memcpy(to, &value, sizeof value);
    to += sizeof value;
  };
  put_next(now.us);
  for (const std::vector<Tally>* tallies : {&tables_, &blobs_}) {
    for (const Tally& tally : *tallies) put_next(tally.count);
    for (const Tally& tally : *tallies) put_next(tally.digest.result().low);
  }
  for (const Tally& blob : blobs_) put_next(blob.bytes);
  last_ = digest_of_block(meta_digest_, last_, row_);
  put_next(last_);
  return row_;
}

}  // namespace tactus
