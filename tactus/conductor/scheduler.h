// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Which thread runs, and what time it is. docs/conductor.md gives the rules and their reasons.
//
//   * One thread runs at a time, until a call that blocks.
//   * Of those that are ready the highest priority runs first, then the one that is ready longest.
//   * Virtual time stands while a thread is ready. When none is, it goes to the earliest deadline
//     that is within the limit; several at one instant end in the order in which they began.
//   * When nothing ends within the limit, idle() of `outside.h` says what happens next.

#include <poll.h>
#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tactus/conductor/channel.h"

namespace tactus::conductor {

/// A thread of the program.
struct Thread {
  std::uint32_t number = 0;  ///< by order of creation
  pthread_t handle = 0;
  int priority = 0;
  ThreadView* view = nullptr;     ///< its state; never null
  std::uint64_t since = 0;        ///< order in which it came into its state
  bool timed_out = false;         ///< how its last wait ended
  bool interrupted = false;       ///< likewise: by a signal
  const pollfd* files = nullptr;  ///< what it waits for in poll()
  nfds_t file_count = 0;
  std::uint32_t idle_calls = 0;         ///< yields and looks at the clock since it last waited
  void (*pending_call)(int) = nullptr;  ///< a signal handler that it is to run
  int pending_argument = 0;
  bool cancelled = false;
  bool cancel_enabled = true;

  // How it is run; see `switching.h`.
  bool native = true;                ///< on a kernel thread of its own; else on the carrier
  std::atomic<std::uint32_t> go{0};  ///< futex of its kernel thread
  std::atomic<std::uint32_t> parked{0};
  void* stack_pointer = nullptr;  ///< saved, while it does not run
  unsigned long thread_pointer = 0;
  void* (*function)(void*) = nullptr;
  void* argument = nullptr;
  void* result = nullptr;
};

/// All of it is touched by the running thread only.
struct Scheduler {
  std::vector<Thread*> threads;  ///< that have not ended, by number
  std::int64_t now_ns = 1'000'000'000;
  std::int64_t limit_ns = 1'000'000'000;
  std::int64_t alarm_ns = kNever;  ///< of alarm()
  std::uint64_t order = 0;
  std::uint32_t mutex_waiters = 0;
};

Scheduler& scheduler();

/// The calling thread; null: it is not conducted, and all calls are the C library's.
Thread* self();
void set_self(Thread* thread);

/// Enters it into the table. `priority` orders it.
Thread* add_thread(int priority);
void remove_thread(Thread& thread);
Thread* find_thread(pthread_t handle);

enum class WaitEnd : std::uint8_t { kWoken, kTimedOut, kInterrupted };

/// The calling thread waits until wake() or the deadline. A thread that was cancelled meanwhile
/// leaves with pthread_exit if `may_end`.
WaitEnd wait(WaitFor what, std::uint64_t object, std::int64_t deadline_ns, bool may_end = true);
inline WaitEnd wait(WaitFor what, const void* object, std::int64_t deadline_ns = kNever,
                    bool may_end = true) {
  return wait(what, reinterpret_cast<std::uint64_t>(object), deadline_ns, may_end);
}

/// It becomes ready.
void wake(Thread& thread, WaitEnd end = WaitEnd::kWoken);
/// Of the threads that wait for this object, the first by priority and order; false: there is none.
bool wake_first(WaitFor what, const void* object);
/// All of them, in the order in which they began to wait.
void wake_all(WaitFor what, const void* object);

/// The calling thread gives way to all others that are ready.
void yield();
/// The time that the program reads. A loop that reads it until it has passed sees it pass.
std::int64_t read_clock_ns();
/// `call` is made by the thread at the end of its wait, which this interrupts.
void interrupt(Thread& thread, void (*call)(int), int argument);

/// The thread that runs next; null: none is ready.
Thread* next_ready();
/// Of those that wait with a deadline.
Thread* earliest_deadline();
/// `thread` begins to run.
void begin(Thread& thread);

/// Virtual time, ns since a start at 1 s.
std::int64_t now_ns();

}  // namespace tactus::conductor
