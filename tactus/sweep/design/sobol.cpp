// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sweep/design/sobol.h"

#include <array>
#include <bit>

#include "tactus/core/assert.h"
#include "tactus/core/random.h"
#include "tactus/sweep/design/sobol_table.h"

namespace tactus::sweep {
namespace {

constexpr std::size_t kBits = 32;
using Directions = std::array<std::array<std::uint32_t, kBits>, kSobolDimensions>;

/// v_i = m_i / 2^i, in units of 2^-32. Beyond the numbers of the table the polynomial
/// x^s + a_1 x^(s-1) + ... + 1 gives m_i = 2 a_1 m_(i-1) + ... + 2^s m_(i-s) + m_(i-s), sums
/// without carry.
Directions make_directions() {
  Directions v{};
  // The first dimension has no polynomial: every m_i is 1.
  for (std::size_t i = 0; i < kBits; ++i) v[0][i] = std::uint32_t{1} << (kBits - 1 - i);
  for (std::size_t d = 1; d < kSobolDimensions; ++d) {
    const SobolEntry& entry = kSobolTable[d - 1];
    const auto degree = static_cast<std::size_t>(std::bit_width(entry.polynomial)) - 1;
    for (std::size_t i = 0; i < kBits; ++i) {
      if (i < degree) {
        v[d][i] = std::uint32_t{entry.m[i]} << (kBits - 1 - i);
        continue;
      }
      v[d][i] = v[d][i - degree] ^ (v[d][i - degree] >> degree);
      for (std::size_t k = 1; k < degree; ++k) {
        if (((entry.polynomial >> (degree - k)) & 1u) != 0) v[d][i] ^= v[d][i - k];
      }
    }
  }
  return v;
}

const Directions& directions() {
  static const Directions kDirections = make_directions();
  return kDirections;
}

}  // namespace

std::uint32_t sobol_bits(std::uint64_t index, std::size_t dimension) {
  TACTUS_ASSERT(index < kSobolPoints && dimension < kSobolDimensions, "within the sequence");
  const auto& v = directions()[dimension];
  std::uint32_t x = 0;
  std::size_t bit = 0;
  for (std::uint64_t gray = index ^ (index >> 1); gray != 0; gray >>= 1, ++bit) {
    if ((gray & 1u) != 0) x ^= v[bit];
  }
  return x;
}

double scrambled_sobol(std::uint64_t index, std::size_t dimension, std::uint64_t key) {
  const std::uint32_t x = sobol_bits(index, dimension);
  std::uint64_t flips = 0;
  for (unsigned bit = 0; bit < kBits; ++bit) {
    // All bits above this one, behind a one that tells how many they are.
    const std::uint64_t above = (std::uint64_t{1} << bit) | (std::uint64_t{x} >> (kBits - bit));
    flips = (flips << 1) | (mix_bits(key ^ mix_bits(above)) >> 63);
  }
  const std::uint64_t below = mix_bits(key ^ mix_bits((std::uint64_t{1} << kBits) | x)) >> 44;
  const std::uint64_t all = ((x ^ flips) << 20) | below;
  return (static_cast<double>(all) + 0.5) * 0x1p-52;
}

}  // namespace tactus::sweep
