// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// How one thread stops and another goes on.
//
// Native: every thread has its kernel thread, and all but one wait at a futex.
//
// Carrier (x86-64 with FSGSBASE): one kernel thread, that of main(), runs them all; it swaps stack,
// callee-saved registers, floating-point control and thread pointer. The kernel threads to which
// stacks and thread-local storage belong are parked. So a switch costs some nanoseconds instead of
// two visits to the kernel. A thread that ends moves back to its own kernel thread first, so that
// its stack is unwound and its thread-local objects are destroyed where the C library expects it.

#include <pthread.h>

#include "tactus/conductor/channel.h"
#include "tactus/conductor/scheduler.h"

namespace tactus::conductor {

/// Once, by the first thread.
void start_switching(ThreadMode mode);

/// The calling thread, which is no longer running, stops until it is picked again.
void run_next();

/// Starts the kernel thread of `thread`, which becomes ready. Returns an error number.
int start_thread(Thread& thread, const pthread_attr_t* attributes);

/// The calling thread moves to its own kernel thread.
void become_native();
/// Ends the calling thread, as cancelled.
[[noreturn]] void end_cancelled();

}  // namespace tactus::conductor
