// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The part of a recording file that is written when it begins: meta data and layouts of all tables.

#include <string>
#include <string_view>
#include <vector>

#include "tactus/core/digest.h"
#include "tactus/record/hdf5/hdf5_file.h"
#include "tactus/record/recording.h"

namespace tactus {

struct RecordingHead {
  RecordingMeta meta;
  std::vector<TableLayout> tables;
  Digest128 digest;  ///< of both
};

/// Throws Error(kBadInput): not a recording, of another version, or altered.
RecordingHead read_recording_head(const Hdf5Reader& file);

/// Error(kBadInput) that names file and dataset.
[[noreturn]] void refuse_recording(const Hdf5Reader& file, std::string_view dataset,
                                   std::string_view why);
/// The same, with the advice for a file that is not as it was written.
[[noreturn]] void refuse_altered(const Hdf5Reader& file, std::string_view dataset,
                                 std::string_view why);

/// Two numbers, high and low.
Digest128 read_digest(const Hdf5Reader& file, const std::string& dataset);

/// A dataset that holds one number.
template <class T>
T read_number(const Hdf5Reader& file, const std::string& dataset, FieldKind kind) {
  const std::vector<T> numbers = file.numbers<T>(dataset, kind);
  if (numbers.size() != 1) refuse_altered(file, dataset, "is not one number");
  return numbers[0];
}

}  // namespace tactus
