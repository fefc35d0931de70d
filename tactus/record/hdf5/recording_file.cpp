// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/record/hdf5/recording_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <utility>

#include "tactus/core/error.h"
#include "tactus/record/hdf5/block_ledger.h"
#include "tactus/record/hdf5/hdf5_file.h"
#include "tactus/record/hdf5/recording_file_meta.h"
#include "tactus/record/hdf5/recording_layout.h"

namespace tactus {
namespace {

constexpr std::size_t kReadAtOnce = std::size_t{1} << 22U;  // bytes of one dataset

FieldKind kind_in_file(FieldKind kind) { return kind == FieldKind::kBool ? FieldKind::kU8 : kind; }

/// How many rows a dataset has, which must be what its field says.
std::uint64_t rows_of(const Hdf5Reader& file, const RowField& field) {
  const Hdf5Dataset dataset = file.dataset(field.path);
  if (dataset.kind != kind_in_file(field.kind) || dataset.width != field.width) {
    refuse_altered(file, field.path,
                   fmt::format("has {} of {} and not {} of {}", dataset.width,
                               to_text(dataset.kind), field.width, to_text(field.kind)));
  }
  return dataset.rows;
}

/// What a dataset says about itself to other programs must be what /meta says.
void require_attributes(const Hdf5Reader& file, const TableLayout& table, const RowField& field) {
  for (const auto& [name, text] : layout::attributes(table, field)) {
    const std::string found = file.attribute(field.path, name);
    if (found == text) continue;
    refuse_altered(file, field.path,
                   fmt::format("has the attribute {} \"{}\" and not \"{}\"", name, found, text));
  }
}

void require_flags(const Hdf5Reader& file, const RowField& field,
                   std::span<const std::byte> bytes) {
  const bool right =
      std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b <= std::byte{1}; });
  if (!right) refuse_altered(file, field.path, "has a flag that is neither 0 nor 1");
}

void read_field(const Hdf5Reader& file, const RowField& field, Table& table, std::size_t rows) {
  const std::size_t at_once = std::max<std::size_t>(1, kReadAtOnce / field.bytes());
  std::vector<std::byte> buffer(std::min(at_once, rows) * field.bytes());
  for (std::size_t first = 0; first < rows; first += at_once) {
    const std::size_t count = std::min(at_once, rows - first);
    file.read(field.path, first, count, buffer.data());
    if (field.kind == FieldKind::kBool) require_flags(file, field, {buffer.data(), count});
    const std::byte* from = buffer.data();
    std::byte* to = table.rows.data() + first * table.layout.row_size + field.offset;
    for (std::size_t i = 0; i < count; ++i) {
      std::memcpy(to, from, field.bytes());
      from += field.bytes();
      to += table.layout.row_size;
    }
  }
}

Table read_rows(const Hdf5Reader& file, const TableLayout& layout, std::size_t rows) {
  Table table{layout, {}};
  file.claim(rows, layout.row_size);
  table.rows.resize(rows * layout.row_size);
  for (const RowField& field : layout.fields) {
    require_attributes(file, layout, field);
    read_field(file, field, table, rows);
  }
  return table;
}

/// Time only goes on, in steps where the table has a period.
void require_order(const Hdf5Reader& file, const Table& table) {
  const bool strict = table.layout.period.us != 0 || table.layout.name == "boundary";
  for (std::size_t i = 1; i < table.size(); ++i) {
    const TimeUs before = table.time(i - 1);
    const TimeUs now = table.time(i);
    if (strict ? before < now : before <= now) continue;
    refuse_altered(file, table.layout.fields[0].path,
                   fmt::format("goes from {} to {} us in row {}", before.us, now.us, i));
  }
}

/// The rows of "blocks", each verified; see block_ledger.h.
Table read_blocks(const Hdf5Reader& file, const RecordingHead& head) {
  const TableLayout layout = blocks_table(head.tables.size(), head.meta.blobs.size());
  std::uint64_t shortest = rows_of(file, layout.fields[0]);
  for (const RowField& field : layout.fields) {
    const std::uint64_t rows = rows_of(file, field);
    if (rows != shortest && !file.left_open()) {
      refuse_altered(file, field.path, "has not as many rows as its table");
    }
    shortest = std::min(shortest, rows);
  }
  Table blocks = read_rows(file, layout, shortest);
  require_order(file, blocks);
  const RowField& own = layout.fields.back();
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const std::span<const std::byte> row = blocks.row(i);
    before = digest_of_block(head.digest, before, row);
    if (before != whole_number(own, 0, row.data())) {
      refuse_altered(file, own.path, fmt::format("of row {} is not that of its block", i));
    }
  }
  return blocks;
}

/// Numbers of a row of "blocks"; all are 0 if there is none.
class LastBlock {
 public:
  LastBlock(std::vector<std::byte> row, TableLayout layout)
      : layout_(std::move(layout)), row_(std::move(row)) {
    row_.resize(layout_.row_size);
  }
  [[nodiscard]] std::uint64_t of(const char* path, std::size_t column) const {
    return whole_number(*layout_.find(path), column, row_.data());
  }
  [[nodiscard]] TimeUs time() const {
    return TimeUs(whole_number(layout_.fields[0], 0, row_.data()));
  }
  [[nodiscard]] std::uint64_t digest() const { return of("/blocks/digest", 0); }
  [[nodiscard]] const TableLayout& layout() const { return layout_; }

 private:
  TableLayout layout_;
  std::vector<std::byte> row_;
};

LastBlock last_of(const Table& blocks) {
  std::vector<std::byte> row;
  if (blocks.size() > 0) {
    const std::span<const std::byte> last = blocks.row(blocks.size() - 1);
    row.assign(last.begin(), last.end());
  }
  return {std::move(row), blocks.layout};
}

Table read_table(const Hdf5Reader& file, const TableLayout& layout, std::uint64_t rows) {
  for (const RowField& field : layout.fields) {
    const std::uint64_t there = rows_of(file, field);
    if (there == rows || (there > rows && file.left_open())) continue;
    refuse_altered(file, field.path, fmt::format("has {} rows and not {}", there, rows));
  }
  Table table = read_rows(file, layout, rows);
  require_order(file, table);
  return table;
}

/// A column of a blob: at least so many rows, and exactly so many in a file that was closed.
void require_rows(const Hdf5Reader& file, std::string path, FieldKind kind, std::uint64_t rows) {
  RowField field;
  field.path = std::move(path);
  field.kind = kind;
  const std::uint64_t there = rows_of(file, field);
  if (there == rows || (there > rows && file.left_open())) return;
  refuse_altered(file, field.path, fmt::format("has {} rows and not {}", there, rows));
}

BlobTrack read_blob(const Hdf5Reader& file, const std::string& path, std::uint64_t pieces,
                    std::uint64_t bytes) {
  require_rows(file, path + "/time_us", FieldKind::kU64, pieces);
  require_rows(file, path + "/begin", FieldKind::kU64, pieces);
  require_rows(file, path + "/bytes", FieldKind::kU8, bytes);
  file.claim(pieces, 2 * sizeof(std::uint64_t));
  file.claim(bytes, 1);
  std::vector<std::uint64_t> times(pieces);
  std::vector<std::uint64_t> begins(pieces);
  file.read(path + "/time_us", 0, pieces, times.data());
  file.read(path + "/begin", 0, pieces, begins.data());
  begins.push_back(bytes);
  std::vector<std::byte> all(bytes);
  file.read(path + "/bytes", 0, bytes, all.data());
  BlobTrack track{path, {}};
  for (std::size_t i = 0; i < pieces; ++i) {
    if (begins[i] > begins[i + 1] || begins[i + 1] > bytes || (i == 0 && begins[i] != 0)) {
      refuse_altered(file, path + "/begin", fmt::format("of piece {} is out of place", i));
    }
    const auto piece = std::span(all).subspan(begins[i], begins[i + 1] - begins[i]);
    track.pieces.push_back({TimeUs(times[i]), {piece.begin(), piece.end()}});
  }
  return track;
}

/// Feeds everything that was read to a ledger, which must then say the same as the last block.
void verify(const Hdf5Reader& file, const RecordingHead& head, const Recording& recording,
            const LastBlock& last) {
  BlockLedger ledger(head.digest, recording.tables.size(), recording.blobs.size());
  for (std::size_t i = 0; i < recording.tables.size(); ++i) {
    ledger.add_rows(i, recording.tables[i].size(), recording.tables[i].rows);
  }
  for (std::size_t i = 0; i < recording.blobs.size(); ++i) {
    for (const BlobTrack::Piece& piece : recording.blobs[i].pieces) {
      ledger.add_blob(i, piece.time, piece.bytes);
    }
  }
  const LastBlock read(ledger.close(last.time()), last.layout());
  for (std::size_t i = 0; i < recording.tables.size(); ++i) {
    if (read.of("/blocks/table_digests", i) != last.of("/blocks/table_digests", i)) {
      refuse_altered(file, "table " + recording.tables[i].layout.name, "has another digest");
    }
  }
  for (std::size_t i = 0; i < recording.blobs.size(); ++i) {
    if (read.of("/blocks/blob_digests", i) != last.of("/blocks/blob_digests", i)) {
      refuse_altered(file, recording.blobs[i].path, "has another digest");
    }
  }
}

/// Of a file that was closed what was written last; otherwise what the last block says.
RecordingEnd read_end(const Hdf5Reader& file, TimeUs reached, std::uint64_t last_block) {
  const auto written = read_number<std::uint8_t>(file, layout::kComplete, FieldKind::kU8);
  if (written > 1) refuse_altered(file, layout::kComplete, "is neither 0 nor 1");
  const bool flag = written == 1;
  const Digest128 digest = read_digest(file, layout::kEndDigest);
  RecordingEnd end;
  end.time = reached;
  if (digest == Digest128{}) {
    if (flag) refuse_altered(file, layout::kEndDigest, "is missing");
    return end;
  }
  end.time = TimeUs(read_number<std::uint64_t>(file, layout::kEndTime, FieldKind::kU64));
  end.flight_digest = read_digest(file, layout::kEndFlightDigest);
  end.complete = true;
  // The flag is written after the digest: a writer may have been killed between the two.
  const bool complete = digest_of(end, last_block) == digest && (flag || file.left_open());
  end.complete = complete;
  if (!complete && (flag || digest_of(end, last_block) != digest)) {
    refuse_altered(file, layout::kEndDigest, "is not that of what /end holds");
  }
  return end;
}

std::shared_ptr<const Recording> read(const Hdf5Reader& file) {
  RecordingHead head = read_recording_head(file);
  const LastBlock last = last_of(read_blocks(file, head));
  auto recording = std::make_shared<Recording>();
  for (std::size_t i = 0; i < head.tables.size(); ++i) {
    recording->tables.push_back(read_table(file, head.tables[i], last.of("/blocks/rows", i)));
  }
  for (std::size_t i = 0; i < head.meta.blobs.size(); ++i) {
    recording->blobs.push_back(read_blob(file, head.meta.blobs[i], last.of("/blocks/pieces", i),
                                         last.of("/blocks/blob_bytes", i)));
  }
  if (last.digest() != 0) verify(file, head, *recording, last);
  recording->end = read_end(file, last.time(), last.digest());
  recording->meta = std::move(head.meta);
  return recording;
}

}  // namespace

bool has_rows(const Recording& recording) {
  return std::any_of(recording.tables.begin(), recording.tables.end(),
                     [](const Table& table) { return table.size() > 0; });
}

std::shared_ptr<const Recording> read_recording(const std::string& path) {
  return read(Hdf5Reader(path));
}

RecordingStorage storage_of(const std::string& path, const Recording& recording) {
  const Hdf5Reader file(path);
  RecordingStorage storage;
  std::error_code error;
  storage.file = std::filesystem::file_size(path, error);
  storage.left_open = file.left_open();
  for (const Table& table : recording.tables) {
    std::uint64_t bytes = 0;
    for (const RowField& field : table.layout.fields)
      bytes += file.dataset(field.path).stored_bytes;
    storage.tables.push_back(bytes);
  }
  for (const BlobTrack& blob : recording.blobs) {
    std::uint64_t bytes = 0;
    for (const char* column : {"/time_us", "/begin", "/bytes"}) {
      bytes += file.dataset(blob.path + column).stored_bytes;
    }
    storage.blobs.push_back(bytes);
  }
  return storage;
}

}  // namespace tactus
