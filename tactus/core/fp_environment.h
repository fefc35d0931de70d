// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Will this process, on this machine, compute the bits that every other one does (contract C4)?
// The answer is measured, not assumed: a library loaded later can set flush-to-zero, a debugger can
// change the rounding mode, a consumer can be built with other flags, a compiler can be wrong.

#pragma once

#include "tactus/core/digest.h"

namespace tactus {

/// Rounding to nearest, no flush-to-zero, no denormals-are-zero on the calling thread, and no
/// translation unit of this process built with contraction or unsafe mathematics.
/// Throws Error(kEnvironment) that says what is wrong and what to do.
void check_floating_point();

/// Digest of a sweep over every elementary function, Philox and rotation arithmetic (below 1 ms).
Digest128 known_answer();

/// What `known_answer` must be, on every machine.
extern const Digest128 kKnownAnswer;

/// Compares the two, once per process. Throws Error(kEnvironment).
void run_known_answer_probe();

/// Both of the above: the one call at the start of a run, on every worker, and after each dlopen.
void require_same_bits();

}  // namespace tactus
