// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/record/hdf5/hdf5_file_chunk.h"

#include <zlib.h>

#include <algorithm>

namespace tactus {
namespace {

constexpr std::size_t kChecksumSize = 4;

std::uint32_t byte_at(std::span<const std::byte> bytes, std::size_t i) {
  return std::to_integer<std::uint32_t>(bytes[i]);
}

/// Fletcher's sum as HDF5 has it: over numbers of 16 bits, the high byte first; a byte that is left
/// over counts as a high one.
std::uint32_t fletcher32(std::span<const std::byte> bytes) {
  constexpr std::size_t kBeforeOverflow = 360;
  std::uint32_t sum = 0;
  std::uint32_t sum_of_sums = 0;
  const auto fold = [](std::uint32_t x) { return (x & 0xffffU) + (x >> 16U); };
  for (std::size_t i = 0; i < bytes.size();) {
    for (std::size_t n = 0; n < kBeforeOverflow && i < bytes.size(); ++n, i += 2) {
      sum += byte_at(bytes, i) << 8U;
      if (i + 1 < bytes.size()) sum += byte_at(bytes, i + 1);
      sum_of_sums += sum;
    }
    sum = fold(sum);
    sum_of_sums = fold(sum_of_sums);
  }
  return (fold(sum_of_sums) << 16U) | fold(sum);
}

/// Little endian.
std::uint32_t number_at(std::span<const std::byte> bytes) {
  return byte_at(bytes, 0) | byte_at(bytes, 1) << 8U | byte_at(bytes, 2) << 16U |
         byte_at(bytes, 3) << 24U;
}

bool inflate_exactly(std::span<const std::byte> from, std::span<std::byte> into) {
  uLongf written = into.size();
  uLong taken = from.size();
  const int result = uncompress2(reinterpret_cast<Bytef*>(into.data()), &written,
                                 reinterpret_cast<const Bytef*>(from.data()), &taken);
  return result == Z_OK && written == into.size() && taken == from.size();
}

/// All first bytes of the elements, then all second ones, and so on: back in order.
void unshuffle(std::span<const std::byte> from, std::size_t element_size,
               std::span<std::byte> into) {
  const std::size_t count = into.size() / element_size;
  for (std::size_t byte = 0; byte < element_size; ++byte) {
    const std::byte* const plane = from.data() + byte * count;
    for (std::size_t i = 0; i < count; ++i) into[i * element_size + byte] = plane[i];
  }
}

}  // namespace

std::uint64_t most_stored(std::uint64_t size) {
  // HDF5 keeps what another zlib makes of a chunk up to a thousandth more than the chunk.
  return std::max<std::uint64_t>(compressBound(size), size + size / 1000 + 13) + kChecksumSize;
}

bool restore_chunk(std::span<const std::byte> stored, const ChunkFilters& filters,
                   std::span<std::byte> into) {
  if (stored.size() < kChecksumSize || into.size() % filters.element_size != 0) return false;
  const auto body = stored.first(stored.size() - kChecksumSize);
  if (number_at(stored.last(kChecksumSize)) != fletcher32(body)) return false;
  if (!filters.deflated && body.size() != into.size()) return false;

  std::vector<std::byte> inflated;
  std::span<const std::byte> plain = body;
  if (filters.deflated) {
    inflated.resize(into.size());
    if (!inflate_exactly(body, inflated)) return false;
    plain = inflated;
  }
  if (filters.shuffled) {
    unshuffle(plain, filters.element_size, into);
  } else {
    std::copy(plain.begin(), plain.end(), into.begin());
  }
  return true;
}

}  // namespace tactus
