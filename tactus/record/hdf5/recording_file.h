// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Recordings in files: reading, and how they lie there. file_sink.h writes them, repair.h makes
// those whole that were cut off, docs/recording_format.md says what is where.
//
// What is read is what was written, to the bit, or an error. All that a Recording holds is covered
// by digests that are stored with it (block_ledger.h), besides the checksums of HDF5; attributes
// of datasets must be what /meta says. A file whose
// writer was killed, or is still at work, gives everything up to its last closed block; its end
// then says complete = false and how far it goes.
//
// A file that cannot be opened is Error(kEnvironment); one that is not a recording, of another
// version, or altered is Error(kBadInput) that names file, dataset, reason and what to do.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tactus/record/recording.h"

namespace tactus {

std::shared_ptr<const Recording> read_recording(const std::string& path);

/// Otherwise its writer was killed before the first block.
bool has_rows(const Recording& recording);

/// How a recording lies in its file, in bytes there.
struct RecordingStorage {
  std::uint64_t file = 0;
  std::vector<std::uint64_t> tables;  ///< as Recording::tables
  std::vector<std::uint64_t> blobs;   ///< as Recording::blobs
  bool left_open = false;             ///< by a writer that was killed or is still at work
};
RecordingStorage storage_of(const std::string& path, const Recording& recording);

}  // namespace tactus
