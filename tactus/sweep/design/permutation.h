// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// A random permutation of 0 … count - 1 that is never stored: any entry is a function of
// (count, key, index). A Feistel network over the next even number of bits, walked until it comes
// back into the range (Black and Rogaway, "Ciphers with arbitrary finite domains", 2002): less than
// four steps on average.

#pragma once

#include <bit>
#include <cstdint>

#include "tactus/core/assert.h"
#include "tactus/core/random.h"

namespace tactus::sweep {

[[nodiscard]] inline std::uint64_t permuted_index(std::uint64_t index, std::uint64_t count,
                                                  std::uint64_t key) {
  TACTUS_ASSERT(index < count && count <= std::uint64_t{1} << 62, "an entry of the permutation");
  constexpr std::uint64_t kRounds = 10;
  const int half_bits = count < 3 ? 1 : (static_cast<int>(std::bit_width(count - 1)) + 1) / 2;
  const std::uint64_t mask = (std::uint64_t{1} << half_bits) - 1;
  std::uint64_t x = index;
  do {
    std::uint64_t left = x >> half_bits;
    std::uint64_t right = x & mask;
    for (std::uint64_t round = 0; round < kRounds; ++round) {
      // Eight bits are free for the round: a half has at most 31.
      const std::uint64_t mixed = mix_bits(key ^ mix_bits((right << 8) | round)) & mask;
      const std::uint64_t next = left ^ mixed;
      left = right;
      right = next;
    }
    x = (left << half_bits) | right;
  } while (x >= count);
  return x;
}

}  // namespace tactus::sweep
