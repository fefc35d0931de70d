// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// HDF5 files with what recordings need of them and nothing else; no other source includes hdf5.h.
//
// Every dataset is a list of rows that can grow: [N], or [N, width] for several numbers per row.
// Text is of fixed length, filled up with zeros. All of them are chunked, shuffled, deflated and
// have a checksum per chunk, and the file is of the format of HDF5 1.10, where metadata have
// checksums too: so a flipped bit is an error and not a wrong number. No time of day is stored.
//
// A file is written in the mode "single writer, multiple readers" (SWMR): after start_swmr()
// nothing can be created any more, and at every instant what has been flushed is readable, also
// after the process was killed.
//
// A reader takes everything from the one file: links, also inside it, are refused, and so are
// layouts whose data may lie elsewhere.
//
// Everything throws Error that names file and dataset: kEnvironment when the machine refuses,
// kBadInput when a file is not what it should be. Nothing is ever printed. Safe to use from several
// threads as long as each object is used by one at a time.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/files/output_file.h"
#include "tactus/record/table.h"

namespace tactus {

/// A dataset as it is to be created.
struct Hdf5NewDataset {
  std::string path;  ///< groups on the way are created
  FieldKind kind = FieldKind::kReal;
  std::size_t width = 1;  ///< numbers per row; of text: length of each, at least 1
  std::size_t chunk_rows = 1;
};

/// A new file that is being written.
class Hdf5Writer {
 public:
  using Dataset = std::size_t;  ///< in order of creation

  /// Throws Error(kEnvironment) if it cannot be written.
  explicit Hdf5Writer(std::unique_ptr<OutputFile> file);
  /// Closes the file as it is; removes one that cannot be opened.
  ~Hdf5Writer();
  Hdf5Writer(const Hdf5Writer&) = delete;
  Hdf5Writer& operator=(const Hdf5Writer&) = delete;

  Dataset create(const Hdf5NewDataset& dataset);
  /// Text; may be empty.
  void add_attribute(Dataset dataset, const std::string& name, std::string_view text);
  /// Everything has been created: the file can be read from now on.
  void start_swmr();

  void append(Dataset dataset, const void* rows, std::size_t count);
  /// The first `count` rows, which are there already.
  void overwrite(Dataset dataset, const void* rows, std::size_t count);
  /// Everything so far is readable from now on.
  void flush();
  /// The same for one dataset.
  void flush(Dataset dataset);
  /// The file is whole. Throws Error(kEnvironment) if it is not where it should be.
  void close();

  [[nodiscard]] const std::string& path() const { return disk_->path(); }

 private:
  struct Open {
    std::string path;
    std::int64_t id = -1;
    std::int64_t type = -1;
    std::uint64_t rows = 0;
    std::size_t width = 1;  ///< columns
  };

  void create_groups_of(const std::string& dataset_path);
  void write(Open& dataset, std::uint64_t first, const void* rows, std::size_t count);
  void close_datasets();
  /// Throws if the disk has failed, or else if the library says that it has.
  void require(bool ok, std::string_view doing, std::string_view what) const;

  std::unique_ptr<OutputFile> disk_;
  std::int64_t file_ = -1;
  std::vector<std::string> groups_;
  std::vector<Open> datasets_;
};

/// A dataset as it is in a file.
struct Hdf5Dataset {
  FieldKind kind = FieldKind::kReal;  ///< flags are read as kU8
  std::uint64_t rows = 0;
  std::size_t width = 1;           ///< numbers per row; of text: length of each
  std::uint64_t stored_bytes = 0;  ///< what it takes in the file
  std::size_t row_bytes = 0;       ///< in memory
};

/// A file that is being read.
class Hdf5Reader {
 public:
  /// Also opens a file that its writer never closed. Throws Error(kEnvironment) if there is no such
  /// file or it may not be read, Error(kBadInput) if it is no plain file, not HDF5 or altered.
  explicit Hdf5Reader(std::string path);
  ~Hdf5Reader();
  Hdf5Reader(const Hdf5Reader&) = delete;
  Hdf5Reader& operator=(const Hdf5Reader&) = delete;

  /// Its writer never closed it: it was killed, or is still at work.
  [[nodiscard]] bool left_open() const { return left_open_; }
  [[nodiscard]] const std::string& path() const { return path_; }

  /// Throws Error(kBadInput) if a link is on the way.
  [[nodiscard]] bool has(const std::string& path) const;
  /// Memory that is about to be filled from this file; all of it is counted. Throws Error:
  /// kBadInput if no file of this size can hold as much, kEnvironment if the machine cannot.
  void claim(std::uint64_t count, std::uint64_t bytes_each) const;
  /// Names of what is in a group, sorted.
  [[nodiscard]] std::vector<std::string> list(const std::string& group) const;

  /// Throws Error(kBadInput) if it is missing or of a type that no recording has, or if it claims
  /// more data than its bytes in the file can hold.
  [[nodiscard]] Hdf5Dataset dataset(const std::string& path) const;
  /// `count` rows from `first` on: row_bytes each, as in the file.
  void read(const std::string& path, std::uint64_t first, std::uint64_t count, void* into) const;
  /// The whole dataset as `count` numbers of a kind (width times rows).
  template <class T>
  [[nodiscard]] std::vector<T> numbers(const std::string& path, FieldKind kind) const {
    std::vector<T> values(whole_size(path, kind, sizeof(T)));
    if (!values.empty()) read_whole(path, values.data());
    return values;
  }
  /// The whole dataset, without the zeros at the end of each.
  [[nodiscard]] std::vector<std::string> texts(const std::string& path) const;
  [[nodiscard]] std::string attribute(const std::string& path, const std::string& name) const;

 private:
  [[nodiscard]] std::size_t whole_size(const std::string& path, FieldKind kind,
                                       std::size_t element_size) const;
  void read_whole(const std::string& path, void* into) const;
  [[noreturn]] void fail(std::string_view what, std::string_view where) const;

  std::string path_;
  std::int64_t file_ = -1;
  bool left_open_ = false;
  mutable std::uint64_t claimed_ = 0;
};

}  // namespace tactus
