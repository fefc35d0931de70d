// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/record/hdf5/file_sink.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "tactus/record/hdf5/recording_layout.h"
#include "tactus/record/hdf5/write_head.h"

namespace tactus {
namespace {

/// One being filled, the others on their way.
constexpr std::size_t kSets = 3;

constexpr std::size_t kBlobChunkBytes = 65536;
constexpr std::size_t kMostRoom = std::size_t{8} << 20U;

/// Rows of a chunk: those of a set where they are known, so that every chunk is written once.
std::size_t chunk_rows(const TableLayout& table) {
  constexpr std::size_t kFew = 64;
  constexpr std::size_t kMany = 4096;
  if (table.period.us != 0) {
    return std::clamp<std::size_t>(layout::kSetPeriod / table.period, kFew, kMany);
  }
  return table.rule == Rule::kSampled ? kMany / 4 : kFew;
}

/// Rows to make room for, so that stepping does not allocate: as many as a set has, where that is
/// known; boundaries are about as many as the fastest axis has ticks. A trace of evaluations grows.
std::size_t rows_of_set(const std::vector<TableLayout>& tables, const TableLayout& table) {
  constexpr std::size_t kSpare = 64;
  if (table.name == "rhs_trace") return 0;
  if (table.period.us != 0) return layout::kSetPeriod / table.period + kSpare;
  if (table.rule != Rule::kSampled) return kSpare;  // on change
  std::size_t most = 0;
  for (const TableLayout& other : tables) {
    if (other.period.us != 0) most = std::max<std::size_t>(most, layout::kSetPeriod / other.period);
  }
  return most + most / 2 + kSpare;
}

/// A table as datasets.
struct TableFile {
  TableLayout layout;
  std::vector<Hdf5Writer::Dataset> datasets;  ///< as layout.fields
};

TableFile create_table(Hdf5Writer& file, const TableLayout& fields, std::size_t chunk) {
  TableFile table{fields, {}};
  for (const RowField& field : table.layout.fields) {
    const Hdf5Writer::Dataset dataset = file.create({field.path, field.kind, field.width, chunk});
    for (const auto& [name, text] : layout::attributes(table.layout, field)) {
      file.add_attribute(dataset, name, text);
    }
    table.datasets.push_back(dataset);
  }
  return table;
}

/// A dataset of zeros, to be overwritten.
template <class T>
Hdf5Writer::Dataset create_small(Hdf5Writer& file, const char* path, FieldKind kind,
                                 std::size_t rows) {
  const Hdf5Writer::Dataset dataset = file.create({path, kind, 1, rows});
  const std::vector<T> zeros(rows);
  file.append(dataset, zeros.data(), rows);
  return dataset;
}

/// The values of one field, row after row.
void take_column(const TableLayout& layout, const RowField& field, std::span<const std::byte> rows,
                 std::vector<std::byte>& column) {
  const std::size_t size = field.bytes();
  const std::size_t count = rows.size() / layout.row_size;
  column.resize(count * size);
  const std::byte* from = rows.data() + field.offset;
  std::byte* to = column.data();
  for (std::size_t i = 0; i < count; ++i) {
    // A size that the compiler knows makes this a move.
    if (size == sizeof(double)) {
      std::memcpy(to, from, sizeof(double));
    } else {
      std::memcpy(to, from, size);
    }
    from += layout.row_size;
    to += size;
  }
}

/// A blob as datasets.
struct BlobFile {
  Hdf5Writer::Dataset time;
  Hdf5Writer::Dataset begin;
  Hdf5Writer::Dataset bytes;
  std::uint64_t size = 0;
};

BlobFile create_blob(Hdf5Writer& file, const std::string& path) {
  BlobFile blob{};
  blob.time = file.create({layout::blob_time(path), FieldKind::kU64, 1, 64});
  blob.begin = file.create({layout::blob_begin(path), FieldKind::kU64, 1, 64});
  blob.bytes = file.create({layout::blob_bytes(path), FieldKind::kU8, 1, kBlobChunkBytes});
  return blob;
}

}  // namespace

class FileSink::Writer {
 public:
  Writer(std::unique_ptr<OutputFile> file, const RecordingMeta& meta,
         std::vector<TableLayout> tables, const FileSinkOptions& options)
      : file_(std::move(file)),
        meta_(meta),
        layouts_(std::move(tables)),
        wall_time_wanted_(options.wall_clock != nullptr),
        diagnostics_wanted_(options.diagnostics) {}

  void write(Set& set);

 private:
  void create();
  void write_rows(const Set& set);
  void write_pieces(const Set& set);
  void write_block(const Set& set);
  void append_rows(const TableFile& table, std::span<const std::byte> rows);
  void write_diagnostics(const Set& set);
  void finish(const RecordingEnd& end);

  Hdf5Writer file_;
  RecordingMeta meta_;
  std::vector<TableLayout> layouts_;
  bool wall_time_wanted_;
  std::vector<Hdf5NewDataset> diagnostics_wanted_;

  bool created_ = false;
  std::vector<TableFile> tables_;
  std::vector<BlobFile> blobs_;
  TableFile blocks_;
  std::optional<BlockLedger> ledger_;
  Hdf5Writer::Dataset complete_ = 0;
  Hdf5Writer::Dataset end_time_ = 0;
  Hdf5Writer::Dataset end_flight_digest_ = 0;
  Hdf5Writer::Dataset end_digest_ = 0;
  Hdf5Writer::Dataset wall_time_ = 0;
  std::vector<Hdf5Writer::Dataset> diagnostics_;
  std::vector<std::byte> column_;
};

void FileSink::Writer::create() {
  const Digest128 digest = digest_of(meta_, layouts_);
  write_head(file_, meta_, layouts_, digest);
  for (const TableLayout& table : layouts_) {
    tables_.push_back(create_table(file_, table, chunk_rows(table)));
  }
  for (const std::string& path : meta_.blobs) blobs_.push_back(create_blob(file_, path));
  blocks_ = create_table(file_, blocks_table(tables_.size(), blobs_.size()), 64);
  ledger_.emplace(digest, tables_.size(), blobs_.size());
  if (wall_time_wanted_) wall_time_ = file_.create({layout::kWallTime, FieldKind::kReal, 1, 64});
  for (const Hdf5NewDataset& one : diagnostics_wanted_) diagnostics_.push_back(file_.create(one));
  complete_ = create_small<std::uint8_t>(file_, layout::kComplete, FieldKind::kU8, 1);
  end_time_ = create_small<std::uint64_t>(file_, layout::kEndTime, FieldKind::kU64, 1);
  end_flight_digest_ =
      create_small<std::uint64_t>(file_, layout::kEndFlightDigest, FieldKind::kU64, 2);
  end_digest_ = create_small<std::uint64_t>(file_, layout::kEndDigest, FieldKind::kU64, 2);
  file_.start_swmr();
  created_ = true;
}

void FileSink::Writer::write(Set& set) {
  if (!created_) create();
  if (set.bytes > 0) {
    write_rows(set);
    write_pieces(set);
    if (wall_time_wanted_) file_.append(wall_time_, &set.wall_s, 1);
    file_.flush();
    write_block(set);
  }
  if (set.end) {
    write_diagnostics(set);
    finish(*set.end);
  }
  for (std::vector<std::byte>& rows : set.rows) rows.clear();
  set.pieces.clear();
  set.piece_bytes.clear();
  set.bytes = 0;
}

void FileSink::Writer::append_rows(const TableFile& table, std::span<const std::byte> rows) {
  const std::size_t count = rows.size() / table.layout.row_size;
  if (count == 0) return;
  for (std::size_t i = 0; i < table.datasets.size(); ++i) {
    take_column(table.layout, table.layout.fields[i], rows, column_);
    file_.append(table.datasets[i], column_.data(), count);
  }
}

void FileSink::Writer::write_rows(const Set& set) {
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    append_rows(tables_[i], set.rows[i]);
    ledger_->add_rows(i, set.rows[i].size() / tables_[i].layout.row_size, set.rows[i]);
  }
}

void FileSink::Writer::write_pieces(const Set& set) {
  for (std::size_t i = 0; i < blobs_.size(); ++i) {
    BlobFile& blob = blobs_[i];
    std::vector<std::uint64_t> times;
    std::vector<std::uint64_t> begins;
    column_.clear();
    const std::byte* from = set.piece_bytes.data();
    for (const Piece& piece : set.pieces) {
      if (piece.blob == i) {
        times.push_back(piece.time.us);
        begins.push_back(blob.size + column_.size());
        column_.insert(column_.end(), from, from + piece.size);
        ledger_->add_blob(i, piece.time, {from, piece.size});
      }
      from += piece.size;
    }
    file_.append(blob.time, times.data(), times.size());
    file_.append(blob.begin, begins.data(), begins.size());
    file_.append(blob.bytes, column_.data(), column_.size());
    blob.size += column_.size();
  }
}

void FileSink::Writer::write_block(const Set& set) {
  append_rows(blocks_, ledger_->close(set.reached));
  for (const Hdf5Writer::Dataset dataset : blocks_.datasets) file_.flush(dataset);
}

void FileSink::Writer::write_diagnostics(const Set& set) {
  for (std::size_t i = 0; i < set.diagnostics.size(); ++i) {
    const Hdf5NewDataset& one = diagnostics_wanted_[i];
    const std::vector<std::byte>& rows = set.diagnostics[i];
    file_.append(diagnostics_[i], rows.data(), rows.size() / (one.width * size_of(one.kind)));
  }
}

void FileSink::Writer::finish(const RecordingEnd& end) {
  // How the run ended is not known of a recording whose writer was killed: /end stays empty.
  if (!end.complete && end.flight_digest == Digest128{}) return file_.close();
  const auto put_digest = [this](Hdf5Writer::Dataset dataset, Digest128 digest) {
    const std::array<std::uint64_t, 2> halves{digest.high, digest.low};
    file_.overwrite(dataset, halves.data(), halves.size());
  };
  file_.overwrite(end_time_, &end.time.us, 1);
  put_digest(end_flight_digest_, end.flight_digest);
  file_.flush();
  put_digest(end_digest_, digest_of(end, ledger_->last_block()));
  file_.flush(end_digest_);
  const auto flag = static_cast<std::uint8_t>(end.complete ? 1 : 0);
  file_.overwrite(complete_, &flag, 1);
  file_.close();
}

FileSink::FileSink(std::unique_ptr<OutputFile> file, FileSinkOptions options)
    : file_(std::move(file)), options_(std::move(options)) {}

FileSink::~FileSink() = default;

void FileSink::begin(const RecordingMeta& meta, const std::vector<TableLayout>& tables) {
  row_sizes_.clear();
  for (const TableLayout& table : tables) row_sizes_.push_back(table.row_size);
  if (options_.wall_clock) wall_begin_s_ = options_.wall_clock();
  closes_at_ = TimeUs() + layout::kSetPeriod;
  writer_ = std::make_unique<Writer>(std::move(file_), meta, tables, options_);
  diagnostics_.assign(options_.diagnostics.size(), {});
  thread_ = std::make_unique<WriteBehind<Set>>(
      kSets, [this](Set& set) { writer_->write(set); },
      [&tables](Set& set) {
        set.rows.resize(tables.size());
        for (std::size_t i = 0; i < tables.size(); ++i) {
          const std::size_t bytes = rows_of_set(tables, tables[i]) * tables[i].row_size;
          set.rows[i].reserve(std::min(bytes, kMostRoom));
        }
      });
  // A first set with nothing in it: everything is created while the run begins.
  open_set();
  close_set();
}

void FileSink::open_set() {
  set_ = &thread_->take();
  set_->rows.resize(row_sizes_.size());
}

void FileSink::close_set() {
  set_->reached = reached_;
  if (options_.wall_clock) set_->wall_s = options_.wall_clock() - wall_begin_s_;
  thread_->give(*std::exchange(set_, nullptr));
  open_set();
}

void FileSink::row(std::size_t table, const std::byte* row) {
  const TimeUs time = time_of(row);
  if (time >= closes_at_) {
    close_set();
    closes_at_ = TimeUs() + layout::kSetPeriod * (time.us / layout::kSetPeriod.us + 1);
  }
  std::vector<std::byte>& rows = set_->rows[table];
  rows.insert(rows.end(), row, row + row_sizes_[table]);
  set_->bytes += row_sizes_[table];
}

void FileSink::blob(std::size_t blob, TimeUs time, std::span<const std::byte> bytes) {
  set_->pieces.push_back({blob, time, bytes.size()});
  set_->piece_bytes.insert(set_->piece_bytes.end(), bytes.begin(), bytes.end());
  set_->bytes += sizeof(Piece) + bytes.size();
}

void FileSink::reached(TimeUs now) {
  reached_ = now;
  if (set_->bytes >= options_.largest_set_bytes) close_set();
}

void FileSink::diagnose(std::size_t diagnostic, std::span<const std::byte> rows) {
  diagnostics_[diagnostic].insert(diagnostics_[diagnostic].end(), rows.begin(), rows.end());
}

void FileSink::end(const RecordingEnd& end) {
  // Null after the writer has failed, which then was thrown already.
  if (set_ == nullptr) return;
  set_->reached = reached_;
  set_->diagnostics = std::move(diagnostics_);
  set_->end = end;
  thread_->give(*std::exchange(set_, nullptr));
  thread_->finish();
}

}  // namespace tactus
