// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Threads of the program: create, end, join, cancel, names, priorities.

#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <cstring>

#include "tactus/conductor/real.h"
#include "tactus/conductor/scheduler.h"
#include "tactus/conductor/switching.h"

namespace tactus::conductor {
namespace {

int priority_of(const pthread_attr_t* attributes) {
  sched_param parameters{};
  if (attributes) ::pthread_attr_getschedparam(attributes, &parameters);
  return parameters.sched_priority;
}

void name_thread(Thread& thread, const char* name) {
  std::strncpy(thread.view->name, name, kNameBytes - 1);
}

}  // namespace

TACTUS_INTERPOSE int pthread_create(pthread_t* handle, const pthread_attr_t* attributes,
                                    void* (*function)(void*), void* argument) noexcept {
  if (!self()) return TACTUS_REAL(pthread_create)(handle, attributes, function, argument);
  Thread* const thread = add_thread(priority_of(attributes));
  thread->function = function;
  thread->argument = argument;
  std::memcpy(thread->view->name, self()->view->name, kNameBytes);
  const int error = start_thread(*thread, attributes);
  if (error != 0) {
    remove_thread(*thread);
    return error;
  }
  *handle = thread->handle;
  return 0;
}

TACTUS_INTERPOSE void pthread_exit(void* result) {
  if (Thread* const thread = self()) {
    // The stack of main() cannot be left: the others go on, and the process ends with exit().
    while (thread->number == 0) wait(WaitFor::kThread, std::uint64_t{0}, kNever, false);
    become_native();
  }
  TACTUS_REAL(pthread_exit)(result);
  __builtin_unreachable();
}

TACTUS_INTERPOSE int pthread_join(pthread_t handle, void** result) {
  if (self()) {
    while (Thread* const thread = find_thread(handle)) {
      if (thread == self()) return EDEADLK;
      wait(WaitFor::kThread, thread);
    }
  }
  return TACTUS_REAL(pthread_join)(handle, result);
}

TACTUS_INTERPOSE int pthread_tryjoin_np(pthread_t handle, void** result) noexcept {
  if (self() && find_thread(handle)) {
    read_clock_ns();  // a loop that tries it makes progress
    return EBUSY;
  }
  return TACTUS_REAL(pthread_join)(handle, result);
}

TACTUS_INTERPOSE int pthread_cancel(pthread_t handle) {
  if (!self()) return TACTUS_REAL(pthread_cancel)(handle);
  Thread* const thread = find_thread(handle);
  if (!thread) return ESRCH;
  thread->cancelled = true;
  if (thread->view->state == ThreadState::kWaiting && thread->cancel_enabled &&
      thread->view->wait != WaitFor::kMutex) {
    wake(*thread);
  }
  return 0;
}

TACTUS_INTERPOSE void pthread_testcancel() {
  const Thread* const thread = self();
  if (thread && thread->cancelled && thread->cancel_enabled) end_cancelled();
}

TACTUS_INTERPOSE int pthread_setcancelstate(int state, int* before) {
  Thread* const thread = self();
  if (!thread) return TACTUS_REAL(pthread_setcancelstate)(state, before);
  if (before) *before = thread->cancel_enabled ? PTHREAD_CANCEL_ENABLE : PTHREAD_CANCEL_DISABLE;
  thread->cancel_enabled = state == PTHREAD_CANCEL_ENABLE;
  return 0;
}

TACTUS_INTERPOSE int pthread_setname_np(pthread_t handle, const char* name) noexcept {
  if (Thread* const thread = self() ? find_thread(handle) : nullptr) name_thread(*thread, name);
  return TACTUS_REAL(pthread_setname_np)(handle, name);
}

TACTUS_INTERPOSE int pthread_getname_np(pthread_t handle, char* name, size_t size) noexcept {
  Thread* const thread = self() ? find_thread(handle) : nullptr;
  if (!thread || size < kNameBytes) return TACTUS_REAL(pthread_getname_np)(handle, name, size);
  std::memcpy(name, thread->view->name, kNameBytes);
  return 0;
}

TACTUS_INTERPOSE int prctl(int option, ...) noexcept {
  va_list list;
  va_start(list, option);
  void* values[4];
  for (void*& value : values) value = va_arg(list, void*);
  va_end(list);
  Thread* const thread = self();
  if (thread && option == PR_SET_NAME) {
    return pthread_setname_np(thread->handle, static_cast<const char*>(values[0]));
  }
  if (thread && option == PR_GET_NAME) {
    std::memcpy(values[0], thread->view->name, kNameBytes);
    return 0;
  }
  return TACTUS_REAL(prctl)(option, values[0], values[1], values[2], values[3]);
}

// Priorities order our threads; the kernel is not told, so that none needs a right.

TACTUS_INTERPOSE int pthread_setschedparam(pthread_t handle, int policy,
                                           const sched_param* parameters) noexcept {
  if (!self()) return TACTUS_REAL(pthread_setschedparam)(handle, policy, parameters);
  if (Thread* const thread = find_thread(handle)) thread->priority = parameters->sched_priority;
  return 0;
}

TACTUS_INTERPOSE int pthread_getschedparam(pthread_t handle, int* policy,
                                           sched_param* parameters) noexcept {
  Thread* const thread = self() ? find_thread(handle) : nullptr;
  if (!thread) return TACTUS_REAL(pthread_getschedparam)(handle, policy, parameters);
  *policy = thread->priority > 0 ? SCHED_FIFO : SCHED_OTHER;
  parameters->sched_priority = thread->priority;
  return 0;
}

TACTUS_INTERPOSE int pthread_setschedprio(pthread_t handle, int priority) noexcept {
  const sched_param parameters{priority};
  return pthread_setschedparam(handle, SCHED_FIFO, &parameters);
}

TACTUS_INTERPOSE int sched_setscheduler(pid_t process, int policy,
                                        const sched_param* parameters) noexcept {
  if (!self()) return TACTUS_REAL(sched_setscheduler)(process, policy, parameters);
  if (process == 0 || process == ::getpid()) self()->priority = parameters->sched_priority;
  return 0;
}

TACTUS_INTERPOSE int sched_yield() noexcept {
  if (!self()) return TACTUS_REAL(sched_yield)();
  yield();
  return 0;
}

TACTUS_INTERPOSE int pthread_yield() noexcept { return sched_yield(); }

// One processor, whatever the machine has: programs choose numbers of threads by it.

TACTUS_INTERPOSE int get_nprocs() noexcept { return 1; }
TACTUS_INTERPOSE int get_nprocs_conf() noexcept { return 1; }

TACTUS_INTERPOSE long sysconf(int name) noexcept {
  if (self() && (name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF)) return 1;
  return TACTUS_REAL(sysconf)(name);
}

// NOLINTNEXTLINE(readability-identifier-naming): a name of the C library
TACTUS_INTERPOSE long __sysconf(int name) noexcept { return sysconf(name); }

TACTUS_INTERPOSE int sched_getaffinity(pid_t process, size_t size, cpu_set_t* set) noexcept {
  if (!self()) return TACTUS_REAL(sched_getaffinity)(process, size, set);
  CPU_ZERO_S(size, set);
  CPU_SET_S(0, size, set);
  return 0;
}

TACTUS_INTERPOSE int sched_setaffinity(pid_t process, size_t size, const cpu_set_t* set) noexcept {
  return self() ? 0 : TACTUS_REAL(sched_setaffinity)(process, size, set);
}

TACTUS_INTERPOSE int pthread_setaffinity_np(pthread_t handle, size_t size,
                                            const cpu_set_t* set) noexcept {
  return self() ? 0 : TACTUS_REAL(pthread_setaffinity_np)(handle, size, set);
}

TACTUS_INTERPOSE int sched_getcpu() noexcept { return self() ? 0 : TACTUS_REAL(sched_getcpu)(); }

}  // namespace tactus::conductor
