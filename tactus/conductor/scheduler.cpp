// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/conductor/scheduler.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "tactus/conductor/outside.h"
#include "tactus/conductor/switching.h"
#include "tactus/conductor/trace.h"

namespace tactus::conductor {
namespace {

// Initial-exec: it is read at every call, and is swapped with the thread pointer.
__attribute__((tls_model("initial-exec"))) thread_local Thread* current = nullptr;

// A thread that calls without a wait for so long spins: each further call takes some time.
constexpr std::uint32_t kPatientCalls = 10'000;
constexpr std::int64_t kSpin_ns = 1000;

ThreadView unlisted;  // of the threads beyond what the channel shows
std::uint32_t next_number = 0;

bool before(const Thread& a, const Thread& b) {
  return a.priority != b.priority ? a.priority > b.priority : a.since < b.since;
}

void set_state(Thread& thread, ThreadState state) {
  thread.view->state = state;
  thread.view->since_ns = scheduler().now_ns;
  thread.since = ++scheduler().order;
}

bool waits_for(const Thread& thread, WaitFor what, const void* object) {
  const ThreadView& view = *thread.view;
  return view.state == ThreadState::kWaiting && view.wait == what &&
         view.object == reinterpret_cast<std::uint64_t>(object);
}

/// Whether a signal ends it with EINTR.
bool interruptible(WaitFor what) {
  switch (what) {
    case WaitFor::kTime:
    case WaitFor::kFiles:
    case WaitFor::kFile:
    case WaitFor::kSemaphore:
    case WaitFor::kProcess: return true;
    default: return false;
  }
}

}  // namespace

Scheduler& scheduler() {
  static Scheduler* const instance = new Scheduler;  // it outlives all destructors
  return *instance;
}

Thread* self() { return current; }
void set_self(Thread* thread) { current = thread; }

std::int64_t now_ns() { return scheduler().now_ns; }

Thread* add_thread(int priority) {
  auto* thread = new Thread;
  thread->number = next_number++;
  thread->priority = priority;
  thread->view = &unlisted;
  if (thread->number < kThreadViews) {
    thread->view = &channel().thread[thread->number];
    channel().threads.store(thread->number + 1, std::memory_order_release);
  }
  *thread->view = {};
  thread->view->number = thread->number;
  thread->view->deadline_ns = kNever;
  set_state(*thread, ThreadState::kReady);
  scheduler().threads.push_back(thread);
  return thread;
}

void remove_thread(Thread& thread) {
  thread.view->state = ThreadState::kNone;
  wake_all(WaitFor::kThread, &thread);
  std::erase(scheduler().threads, &thread);
  thread.view = &unlisted;
}

Thread* find_thread(pthread_t handle) {
  for (Thread* thread : scheduler().threads) {
    if (::pthread_equal(thread->handle, handle) != 0) return thread;
  }
  return nullptr;
}

WaitEnd wait(WaitFor what, std::uint64_t object, std::int64_t deadline_ns, bool may_end) {
  Thread& thread = *self();
  const int saved_errno = errno;
  if (!(may_end && thread.cancelled && thread.cancel_enabled)) {
    thread.view->wait = what;
    thread.view->object = object;
    thread.view->deadline_ns = deadline_ns;
    thread.timed_out = false;
    thread.interrupted = false;
    set_state(thread, ThreadState::kWaiting);
    if (what == WaitFor::kMutex) ++scheduler().mutex_waiters;
    run_next();
    thread.view->deadline_ns = kNever;
    if (what != WaitFor::kTurn) thread.idle_calls = 0;
  }
  if (thread.pending_call) std::exchange(thread.pending_call, nullptr)(thread.pending_argument);
  errno = saved_errno;
  if (may_end && thread.cancelled && thread.cancel_enabled) end_cancelled();
  if (thread.interrupted) return WaitEnd::kInterrupted;
  return thread.timed_out ? WaitEnd::kTimedOut : WaitEnd::kWoken;
}

void wake(Thread& thread, WaitEnd end) {
  if (thread.view->wait == WaitFor::kMutex) --scheduler().mutex_waiters;
  thread.timed_out = end == WaitEnd::kTimedOut;
  thread.interrupted = end == WaitEnd::kInterrupted;
  set_state(thread, ThreadState::kReady);
}

bool wake_first(WaitFor what, const void* object) {
  Thread* first = nullptr;
  for (Thread* thread : scheduler().threads) {
    if (waits_for(*thread, what, object) && (!first || before(*thread, *first))) first = thread;
  }
  if (first) wake(*first);
  return first != nullptr;
}

void wake_all(WaitFor what, const void* object) {
  while (true) {
    Thread* first = nullptr;
    for (Thread* thread : scheduler().threads) {
      if (waits_for(*thread, what, object) && (!first || thread->since < first->since)) {
        first = thread;
      }
    }
    if (!first) return;
    wake(*first);
  }
}

void yield() {
  const bool spins = ++self()->idle_calls > kPatientCalls;
  wait(WaitFor::kTurn, nullptr, now_ns() + (spins ? kSpin_ns : 0), false);
}

std::int64_t read_clock_ns() {
  Thread* const thread = self();
  if (thread && ++thread->idle_calls > kPatientCalls) {
    wait(WaitFor::kTurn, nullptr, now_ns() + kSpin_ns, false);
  }
  return now_ns();
}

void interrupt(Thread& thread, void (*call)(int), int argument) {
  thread.pending_call = call;
  thread.pending_argument = argument;
  const ThreadView& view = *thread.view;
  if (view.state == ThreadState::kWaiting && interruptible(view.wait)) {
    wake(thread, WaitEnd::kInterrupted);
  }
}

Thread* next_ready() {
  Thread* first = nullptr;
  for (Thread* thread : scheduler().threads) {
    if (thread->view->state == ThreadState::kReady && (!first || before(*thread, *first))) {
      first = thread;
    }
  }
  return first;
}

Thread* earliest_deadline() {
  Thread* first = nullptr;
  for (Thread* thread : scheduler().threads) {
    const ThreadView& view = *thread->view;
    if (view.state != ThreadState::kWaiting || view.deadline_ns == kNever) continue;
    if (!first || view.deadline_ns < first->view->deadline_ns ||
        (view.deadline_ns == first->view->deadline_ns && thread->since < first->since)) {
      first = thread;
    }
  }
  return first;
}

void begin(Thread& thread) {
  set_state(thread, ThreadState::kRunning);
  thread.view->wait = WaitFor::kNothing;
  trace_switch(thread);
}

}  // namespace tactus::conductor
