// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Chunks of a dataset as they lie in the file: shuffled, deflated, with a checksum at the end.
//
// The HDF5 library would undo this by itself, but it never asks whether a chunk that came out is as
// long as one has to be: where a damaged index names the chunk of another dataset, it reads past
// the end of its memory.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tactus {

/// What was done to a chunk.
struct ChunkFilters {
  std::size_t element_size = 1;  ///< what shuffling took apart
  bool shuffled = true;
  bool deflated = true;  ///< chunks that do not get smaller are left as they are
};

/// The most bytes in a file of a chunk of `size` bytes.
std::uint64_t most_stored(std::uint64_t size);

/// Whether `stored` is a chunk of exactly the size of `into`; fills it if so.
bool restore_chunk(std::span<const std::byte> stored, const ChunkFilters& filters,
                   std::span<std::byte> into);

}  // namespace tactus
