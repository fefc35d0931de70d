// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Loops over entries of a state, two at a time. Every x86-64 and ARM core computes a pair of
// doubles as fast as one, but the vectoriser of g++ is off because it breaks the floating-point
// contract (cmake/floating_point_contract.cmake). Here every entry sees the same operations in the
// same order as alone, so the bits are the same. nvcc, where each thread has its own state, takes
// one entry at a time.

#include <cstring>

#include "tactus/core/hd.h"

namespace tactus {

#if !defined(__CUDACC__)
using DoublePair = double __attribute__((vector_size(2 * sizeof(double))));
#endif

template <class Lane>
TACTUS_HD inline Lane load_lane(const double* from) {
  Lane lane;
  std::memcpy(&lane, from, sizeof lane);
  return lane;
}

template <class Lane>
TACTUS_HD inline void store_lane(Lane lane, double* to) {
  std::memcpy(to, &lane, sizeof lane);
}

/// Sets out[i] for all i < n. `entry` is called as entry.template operator()<Lane>(i) and gives the
/// value at i, or the pair of values at i and i + 1.
template <class Entry>
TACTUS_HD inline void for_each_lane(int n, double* out, const Entry& entry) {
  int i = 0;
#if !defined(__CUDACC__)
  for (; i + 2 <= n; i += 2) store_lane(entry.template operator()<DoublePair>(i), out + i);
#endif
  for (; i < n; ++i) out[i] = entry.template operator()<double>(i);
}

}  // namespace tactus
