// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace tactus::testing {

/// Long counts run in full with TACTUS_TEST_ALL=1 (`./test --all`) and at a twentieth otherwise.
inline long scaled(long full) {
  const char* all = std::getenv("TACTUS_TEST_ALL");
  const bool run_all = all != nullptr && std::strcmp(all, "1") == 0;
  return run_all ? full : std::max(1L, full / 20);
}

}  // namespace tactus::testing
