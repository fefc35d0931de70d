// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Sobol' sequence in base 2, in the order of the Gray code, with the direction numbers of Joe and
// Kuo, "Constructing Sobol sequences with better two-dimensional projections", SIAM J. Sci. Comput.
// 30 (2008), file new-joe-kuo-6: any point is a function of its index.
//
// Scrambling: nested uniform (Owen, "Randomly permuted (t,m,s)-nets and (t,s)-sequences", 1995).
// Each bit is flipped or not by a random bit that depends on the key and on all bits above it, a
// hash of both, so that nothing is stored. The 20 bits below the 32 of the sequence are random.
// A scrambled point is uniform over the cube; the first 2^m points of a dimension still have one
// point in each interval of length 2^-m.

#pragma once

#include <cstddef>
#include <cstdint>

namespace tactus::sweep {

inline constexpr std::size_t kSobolDimensions = 128;
inline constexpr std::uint64_t kSobolPoints = std::uint64_t{1} << 32;

/// Coordinate `dimension` of point `index`, in units of 2^-32.
[[nodiscard]] std::uint32_t sobol_bits(std::uint64_t index, std::size_t dimension);

/// The same scrambled, in (0, 1).
[[nodiscard]] double scrambled_sobol(std::uint64_t index, std::size_t dimension, std::uint64_t key);

}  // namespace tactus::sweep
