// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// A program that is about to fly: it asks first. Always built with the right flags; model.cpp is
// the part that is built with wrong ones.

#include <cstdio>

#include "tactus/core/error.h"
#include "tactus/core/fp_environment.h"

double thrust_of_model(double speed_rad_s);

int main() {
  try {
    tactus::require_same_bits();
  } catch (const tactus::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return static_cast<int>(error.code());
  }
  std::printf("%a\n", thrust_of_model(500.0));
  return 0;
}
