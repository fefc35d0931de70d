// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The kernel's waits, beneath everything that is conducted.

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <ctime>

#include "tactus/conductor/real.h"

namespace tactus::conductor {

/// Until `word` is no longer `value`, or something else wakes us. Shared between processes.
inline void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t value,
                       const timespec* longest = nullptr) {
  TACTUS_REAL(syscall)
  (SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAIT, value, longest, nullptr, 0);
}

inline void futex_wake(std::atomic<std::uint32_t>& word) {
  TACTUS_REAL(syscall)
  (SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

/// A flag that one thread raises and another awaits and lowers.
inline void await_flag(std::atomic<std::uint32_t>& flag) {
  while (flag.load(std::memory_order_acquire) == 0) futex_wait(flag, 0);
  flag.store(0, std::memory_order_relaxed);
}

inline void raise_flag(std::atomic<std::uint32_t>& flag) {
  flag.store(1, std::memory_order_release);
  futex_wake(flag);
}

}  // namespace tactus::conductor
