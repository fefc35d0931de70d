// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <cstdio>
#include <cstdlib>

#include "tactus/core/hd.h"

namespace tactus {

/// Prints what failed and aborts. Called by TACTUS_ASSERT only.
[[noreturn]] inline void assertion_failed(const char* condition, const char* why, const char* file,
                                          int line) {
  std::fprintf(stderr, "%s:%d: assertion failed: %s (%s)\n", file, line, why, condition);
  std::abort();
}

}  // namespace tactus

/// An assertion is a statement about this program, never about its input: if it fails there is a
/// bug, and going on would produce a flight that means nothing. Hence it stays on in release
/// builds. Usable in constexpr functions (a failing one does not compile) and on the device (it
/// traps).
#if defined(__CUDA_ARCH__)
#define TACTUS_ASSERT(condition, why) ((condition) ? void(0) : __trap())
#else
#define TACTUS_ASSERT(condition, why) \
  ((condition) ? void(0) : ::tactus::assertion_failed(#condition, why, __FILE__, __LINE__))
#endif
