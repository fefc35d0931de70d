// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What makes a recording file trustworthy up to the instant at which its writer was killed.
//
// Rows reach a file in blocks. After the rows of a block are all in the file, one row follows in
// the table "blocks": the instant reached, how many rows every table has by now, the digest of all
// row bytes of every table so far, the same for the blobs, and a digest over this row itself and
// the row before (the first one: over the digest of the meta data). So a reader
//   takes every table up to the counts of the last row of "blocks": no table runs ahead of another;
//   verifies every byte of it: HDF5's own checksum cannot distinguish a chunk of zeros from a real
//   one.
// The writer feeds a ledger and stores what close() returns; the reader feeds one with what it has
// read and compares.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tactus/core/digest.h"
#include "tactus/core/time.h"
#include "tactus/record/recording.h"

namespace tactus {

/// The table "blocks" of a file with so many tables and blobs. It is stored as any other table, is
/// listed last, and does not count itself.
TableLayout blocks_table(std::size_t tables, std::size_t blobs);

/// Digest of everything that is known when a recording begins: stored as /meta/digest (high, low).
Digest128 digest_of(const RecordingMeta& meta, const std::vector<TableLayout>& tables);

/// Digest of a parameter: stored in /meta/parameters/digest.
std::uint64_t digest_of(const ParameterRecord& parameter);

/// Digest of the end of a recording that was closed properly: stored as /end/digest (high, low).
/// `last_block`: what the last row of "blocks" says, 0 if there is none.
Digest128 digest_of(const RecordingEnd& end, std::uint64_t last_block);

/// Digest of a row of "blocks", which is also its last number: over the row without that number and
/// the digest of the row before (0: there is none).
std::uint64_t digest_of_block(Digest128 meta_digest, std::uint64_t before,
                              std::span<const std::byte> row);

class BlockLedger {
 public:
  BlockLedger(Digest128 meta_digest, std::size_t tables, std::size_t blobs);

  void add_rows(std::size_t table, std::size_t count, std::span<const std::byte> bytes);
  void add_blob(std::size_t blob, TimeUs time, std::span<const std::byte> bytes);

  /// Everything up to `now` has been added: the row of "blocks" for it.
  const std::vector<std::byte>& close(TimeUs now);
  /// The digest of the last row that was closed; 0: none was.
  [[nodiscard]] std::uint64_t last_block() const { return last_; }

 private:
  struct Tally {
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;  ///< of a blob
    Digest digest;
  };
  TableLayout layout_;
  std::vector<std::byte> row_;
  std::vector<Tally> tables_;
  std::vector<Tally> blobs_;
  Digest128 meta_digest_;
  std::uint64_t last_ = 0;
};

}  // namespace tactus
