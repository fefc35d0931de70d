// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include <cstdio>

#include "tactus/core/error.h"
#include "tactus/core/fp_environment.h"
#include "tactus/core/math.h"
#include "tactus/core/version.h"

// Header code of the installed library, compiled here, must give the library's bits; the probe of
// this translation unit tells whether the flags of the contract arrived.
int main() {
  try {
    tactus::require_same_bits();
  } catch (const tactus::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return static_cast<int>(error.code());
  }
  std::printf("tactus %s: sin(1) = %.17g\n", tactus::kVersion, tactus::math::sin(1.0));
  return 0;
}
