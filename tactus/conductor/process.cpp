// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The program as a process: its beginning and end, child processes, signals, bare system calls.

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdlib>
#include <cstring>

#include "tactus/conductor/children.h"
#include "tactus/conductor/outside.h"
#include "tactus/conductor/random.h"
#include "tactus/conductor/real.h"
#include "tactus/conductor/scheduler.h"
#include "tactus/conductor/switching.h"
#include "tactus/conductor/trace.h"

namespace tactus::conductor {
namespace {

/// Before everything of the program itself.
__attribute__((constructor(101))) void begin_program() {
  if (!attach_channel()) return;
  start_trace();
  Thread* const thread = add_thread(0);
  thread->handle = ::pthread_self();
  std::strncpy(thread->view->name, "main", kNameBytes - 1);
  thread->view->state = ThreadState::kRunning;
  set_self(thread);
  start_switching(channel().mode);
  channel().state.store(ProgramState::kConducted, std::memory_order_release);
}

__attribute__((destructor(101))) void end_program() {
  if (!self()) return;
  flush_trace();
  channel().state.store(ProgramState::kLeaving, std::memory_order_release);
}

/// Those that come from elsewhere; the others are faults of the program and stay where they are.
bool is_asynchronous(int number) {
  switch (number) {
    case SIGSEGV:
    case SIGBUS:
    case SIGFPE:
    case SIGILL:
    case SIGTRAP:
    case SIGABRT:
    case SIGSYS: return false;
    default: return true;
  }
}

using Handler = void (*)(int);

bool is_function(Handler handler) {
  return handler != SIG_DFL && handler != SIG_IGN && handler != SIG_ERR;
}

std::array<struct sigaction, 65> given{};  // what the program has set

}  // namespace

TACTUS_INTERPOSE int sigaction(int number, const struct sigaction* action,
                               struct sigaction* before) noexcept {
  if (!self() || !is_asynchronous(number) || number < 1 ||
      static_cast<std::size_t>(number) >= given.size()) {
    return TACTUS_REAL(sigaction)(number, action, before);
  }
  struct sigaction& known = given[static_cast<std::size_t>(number)];
  const struct sigaction old = known;
  if (action) {
    struct sigaction own = *action;
    const bool function = is_function(action->sa_handler);
    if (function) {
      own.sa_handler = note_signal;
      own.sa_flags &= ~(SA_SIGINFO | SA_RESTART | SA_RESETHAND);
    }
    if (TACTUS_REAL(sigaction)(number, &own, nullptr) != 0) return -1;
    set_signal_handler(number, function ? action->sa_handler : nullptr);
    known = *action;
  }
  if (before) *before = old;
  return 0;
}

TACTUS_INTERPOSE Handler signal(int number, Handler handler) noexcept {
  if (!self()) return TACTUS_REAL(signal)(number, handler);
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = handler;
  return sigaction(number, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}

/// To one of its own threads: handled at the end of that thread's wait.
TACTUS_INTERPOSE int pthread_kill(pthread_t handle, int number) noexcept {
  if (!self()) return TACTUS_REAL(pthread_kill)(handle, number);
  Thread* const thread = find_thread(handle);
  if (!thread) return ESRCH;
  if (number != 0 && signal_handler(number)) interrupt(*thread, signal_handler(number), number);
  return 0;
}

TACTUS_INTERPOSE int pause() {
  if (!self()) return TACTUS_REAL(pause)();
  wait(WaitFor::kTime, std::uint64_t{0}, kNever);
  errno = EINTR;
  return -1;
}

TACTUS_INTERPOSE int system(const char* command) {
  if (!self() || !command) return TACTUS_REAL(system)(command);
  return run_command(command);
}

/// The child is a process of its own, which is not conducted.
TACTUS_INTERPOSE pid_t fork() noexcept {
  const pid_t child = TACTUS_REAL(fork)();
  if (child == 0) set_self(nullptr);
  return child;
}

TACTUS_INTERPOSE pid_t gettid() noexcept {
  const Thread* const thread = self();
  if (!thread) return static_cast<pid_t>(TACTUS_REAL(syscall)(SYS_gettid));
  return ::getpid() + static_cast<pid_t>(thread->number);
}

TACTUS_INTERPOSE long syscall(long number, ...) noexcept {
  va_list list;
  va_start(list, number);
  void* values[6];
  for (void*& value : values) value = va_arg(list, void*);
  va_end(list);
  if (self()) {
    switch (number) {
      case SYS_gettid: return gettid();
      case SYS_getrandom:
        fill_random(values[0], reinterpret_cast<std::size_t>(values[1]));
        return reinterpret_cast<long>(values[1]);
      case SYS_clock_gettime:
        return ::clock_gettime(static_cast<clockid_t>(reinterpret_cast<long>(values[0])),
                               static_cast<timespec*>(values[1]));
      case SYS_futex: fail("it makes the system call futex itself, which cannot be put in order");
      default: break;
    }
  }
  return TACTUS_REAL(syscall)(number, values[0], values[1], values[2], values[3], values[4],
                              values[5]);
}

}  // namespace tactus::conductor
