// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Random numbers without state: a value is a pure function of (seed, stream, tick, channel), so a
// noise source can be added, removed or sampled at another rate without shifting any other, a run
// can be copied or entered in the middle, and threads and devices agree.
//
// Generator: Philox4x32-10, Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2,
// 3", SC11 (2011). It permutes a 128-bit counter under a 64-bit key:
//   key     = mix(seed) XOR hash(stream name)
//   counter = tick (words 0 and 1), channel (word 2), block (word 3)
// A channel numbers the independent values that a stream draws at one tick.
// `mix` is a permutation of 64 bits and hash is 64-bit FNV-1a. Hence for one seed two streams share
// a key only if the hashes of their names are equal (2^-64 per pair), and for one stream two seeds
// never do; for one key distinct (tick, channel, block) are distinct counters, whose outputs differ
// because Philox is a permutation. `mix` spreads the seeds 0, 1, 2 … of a sweep over 64 bits, so
// that seed XOR seed' does not cancel hash XOR hash'. A channel owns all its blocks.
//
// Normal: Box and Muller (1958) with the elementary functions of core/math.h. The tails end at
// sqrt(2 * 53 * ln 2) = 8.57 standard deviations.
//
// In device code a RandomStream is constexpr or made on the host and passed in: hashing a name at
// run time needs the host's string functions.

#pragma once

#include <cstdint>
#include <string_view>

#include "tactus/core/hd.h"
#include "tactus/core/math.h"
#include "tactus/core/vec.h"

namespace tactus {

/// Four 32-bit words: the counter or the output of Philox.
struct PhiloxBlock {
  std::uint32_t word[4];
};

/// The Philox4x32 permutation with ten rounds.
TACTUS_HD constexpr PhiloxBlock philox4x32_10(PhiloxBlock counter, std::uint32_t key0,
                                              std::uint32_t key1) {
  PhiloxBlock c = counter;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{0xD2511F53u} * c.word[0];
    const std::uint64_t p1 = std::uint64_t{0xCD9E8D57u} * c.word[2];
    const auto high0 = static_cast<std::uint32_t>(p0 >> 32);
    const auto high1 = static_cast<std::uint32_t>(p1 >> 32);
    c = PhiloxBlock{{high1 ^ c.word[1] ^ key0, static_cast<std::uint32_t>(p1),
                     high0 ^ c.word[3] ^ key1, static_cast<std::uint32_t>(p0)}};
    key0 += 0x9E3779B9u;  // Weyl sequence: golden ratio and sqrt(3) - 1
    key1 += 0xBB67AE85u;
  }
  return c;
}

/// 64-bit FNV-1a of a stream name.
TACTUS_HD constexpr std::uint64_t stream_hash(std::string_view name) {
  std::uint64_t hash = 0xCBF29CE484222325u;
  for (const char letter : name) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001B3u;
  }
  return hash;
}

/// A permutation of 64 bits that spreads small numbers (finaliser of SplitMix64, Steele et al.
/// 2014).
TACTUS_HD constexpr std::uint64_t mix_bits(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

/// One named noise source of a run. Plain data: sixteen copies in sixteen threads agree.
struct RandomStream {
  std::uint64_t key = 0;

  constexpr RandomStream() = default;
  TACTUS_HD constexpr RandomStream(std::uint64_t seed, std::string_view name)
      : key(mix_bits(seed) ^ stream_hash(name)) {}

  /// 128 random bits.
  [[nodiscard]] TACTUS_HD constexpr PhiloxBlock bits(std::uint64_t tick, std::uint32_t channel,
                                                     std::uint32_t block = 0) const {
    return philox4x32_10(PhiloxBlock{{static_cast<std::uint32_t>(tick),
                                      static_cast<std::uint32_t>(tick >> 32), channel, block}},
                         static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32));
  }

  /// Uniform in [0, 1): multiples of 2^-53.
  [[nodiscard]] TACTUS_HD constexpr double uniform(std::uint64_t tick,
                                                   std::uint32_t channel = 0) const {
    const PhiloxBlock b = bits(tick, channel);
    return static_cast<double>(join(b.word[0], b.word[1]) >> 11) * 0x1p-53;
  }

  /// Uniform in (0, 1), symmetric about one half: odd multiples of 2^-53.
  [[nodiscard]] TACTUS_HD constexpr double uniform_open(std::uint64_t tick,
                                                        std::uint32_t channel = 0) const {
    const PhiloxBlock b = bits(tick, channel);
    return (static_cast<double>(join(b.word[0], b.word[1]) >> 12) + 0.5) * 0x1p-52;
  }

  /// Two independent standard normal values.
  TACTUS_HD void normal_pair(std::uint64_t tick, std::uint32_t channel, double& a,
                             double& b) const {
    normal_pair_of(bits(tick, channel), a, b);
  }

  /// A standard normal value; the first of the pair.
  [[nodiscard]] TACTUS_HD double normal(std::uint64_t tick, std::uint32_t channel = 0) const {
    double a = 0.0;
    double b = 0.0;
    normal_pair(tick, channel, a, b);
    return a;
  }

  /// Three independent standard normal values. The first two are the pair of the same channel.
  [[nodiscard]] TACTUS_HD Vec3 normal3(std::uint64_t tick, std::uint32_t channel = 0) const {
    Vec3 v{};
    double unused = 0.0;
    normal_pair_of(bits(tick, channel, 0), v.x, v.y);
    normal_pair_of(bits(tick, channel, 1), v.z, unused);
    return v;
  }

 private:
  TACTUS_HD static constexpr std::uint64_t join(std::uint32_t low, std::uint32_t high) {
    return (std::uint64_t{high} << 32) | low;
  }

  TACTUS_HD static void normal_pair_of(const PhiloxBlock& block, double& a, double& b) {
    // In (0, 1], so that the logarithm exists.
    const double u =
        (static_cast<double>(join(block.word[0], block.word[1]) >> 11) + 1.0) * 0x1p-53;
    const double turn = static_cast<double>(join(block.word[2], block.word[3]) >> 11) * 0x1p-53;
    const double radius = math::sqrt(-2.0 * math::log(u));
    double sine = 0.0;
    double cosine = 0.0;
    math::sincos(math::kTwoPi * turn, &sine, &cosine);
    a = radius * cosine;
    b = radius * sine;
  }
};

}  // namespace tactus
