// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What the tests of the elementary functions share: special numbers, random bits, bitwise equality.

#include <gtest/gtest.h>

#include <cstdint>
#include <ios>
#include <limits>

#include "tactus/core/math_basic.h"

namespace tactus::testing {

inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kMax = std::numeric_limits<double>::max();
inline constexpr double kTiny = std::numeric_limits<double>::denorm_min();

/// Bitwise, so that -0 is not 0 and NaN is the canonical one.
inline ::testing::AssertionResult same(double a, double b) {
  if (math::to_bits(a) == math::to_bits(b)) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << std::hexfloat << a << " is not " << b;
}

inline std::uint64_t next_bits(std::uint64_t& state) {  // splitmix64
  std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace tactus::testing
