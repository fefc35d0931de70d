// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Mutexes, condition variables, semaphores, reader-writer locks, barriers, one-time initialisation.
//
// Mutexes and reader-writer locks are the C library's, taken without waiting: it knows owners and
// kinds. Who finds one taken waits here. Condition variables and barriers are never the C
// library's; semaphores are counted in their own memory.

#include <pthread.h>
#include <semaphore.h>

#include <cerrno>
#include <cstring>
#include <ctime>

#include "tactus/conductor/clock.h"
#include "tactus/conductor/real.h"
#include "tactus/conductor/scheduler.h"

namespace tactus::conductor {
namespace {

/// Who finds it taken again when it has been woken waits again, behind those that came meanwhile.
template <class Try>
int lock_until(const void* object, WaitFor what, std::int64_t deadline_ns, Try&& try_lock) {
  int result = 0;
  while ((result = try_lock()) == EBUSY) {
    if (wait(what, object, deadline_ns, false) == WaitEnd::kTimedOut) return ETIMEDOUT;
  }
  return result;
}

int lock_mutex(pthread_mutex_t* mutex, std::int64_t deadline_ns) {
  return lock_until(mutex, WaitFor::kMutex, deadline_ns,
                    [mutex] { return ::pthread_mutex_trylock(mutex); });
}

}  // namespace

TACTUS_INTERPOSE int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  if (!self()) return TACTUS_REAL(pthread_mutex_lock)(mutex);
  return lock_mutex(mutex, kNever);
}

TACTUS_INTERPOSE int pthread_mutex_timedlock(pthread_mutex_t* mutex,
                                             const timespec* until) noexcept {
  if (!self()) return TACTUS_REAL(pthread_mutex_timedlock)(mutex, until);
  return lock_mutex(mutex, virtual_ns(CLOCK_REALTIME, *until));
}

TACTUS_INTERPOSE int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock,
                                             const timespec* until) noexcept {
  if (!self()) return TACTUS_REAL(pthread_mutex_clocklock)(mutex, clock, until);
  return lock_mutex(mutex, virtual_ns(clock, *until));
}

TACTUS_INTERPOSE int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
  const int result = TACTUS_REAL(pthread_mutex_unlock)(mutex);
  if (self() && scheduler().mutex_waiters > 0) wake_all(WaitFor::kMutex, mutex);
  return result;
}

TACTUS_INTERPOSE int pthread_spin_lock(pthread_spinlock_t* lock) noexcept {
  if (!self()) return TACTUS_REAL(pthread_spin_lock)(lock);
  return lock_until(const_cast<const int*>(lock), WaitFor::kLock, kNever,
                    [lock] { return ::pthread_spin_trylock(lock); });
}

TACTUS_INTERPOSE int pthread_spin_unlock(pthread_spinlock_t* lock) noexcept {
  const int result = TACTUS_REAL(pthread_spin_unlock)(lock);
  if (self()) wake_all(WaitFor::kLock, const_cast<const int*>(lock));
  return result;
}

// ---- condition variables

namespace {

int wait_condition(pthread_cond_t* condition, pthread_mutex_t* mutex, std::int64_t deadline_ns) {
  pthread_mutex_unlock(mutex);
  // Who is cancelled here owns the mutex when its handlers run.
  const WaitEnd end = wait(WaitFor::kCondition, condition, deadline_ns, false);
  pthread_mutex_lock(mutex);
  pthread_testcancel();
  return end == WaitEnd::kTimedOut ? ETIMEDOUT : 0;
}

}  // namespace

TACTUS_INTERPOSE int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  if (!self()) return TACTUS_REAL(pthread_cond_wait)(condition, mutex);
  return wait_condition(condition, mutex, kNever);
}

TACTUS_INTERPOSE int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                            const timespec* until) {
  if (!self()) return TACTUS_REAL(pthread_cond_timedwait)(condition, mutex, until);
  return wait_condition(condition, mutex, virtual_ns_of_any_clock(*until));
}

TACTUS_INTERPOSE int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                            clockid_t clock, const timespec* until) {
  if (!self()) return TACTUS_REAL(pthread_cond_clockwait)(condition, mutex, clock, until);
  return wait_condition(condition, mutex, virtual_ns(clock, *until));
}

TACTUS_INTERPOSE int pthread_cond_signal(pthread_cond_t* condition) noexcept {
  if (!self()) return TACTUS_REAL(pthread_cond_signal)(condition);
  wake_first(WaitFor::kCondition, condition);
  return 0;
}

TACTUS_INTERPOSE int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
  if (!self()) return TACTUS_REAL(pthread_cond_broadcast)(condition);
  wake_all(WaitFor::kCondition, condition);
  return 0;
}

TACTUS_INTERPOSE int pthread_cond_destroy(pthread_cond_t* condition) noexcept {
  return self() ? 0 : TACTUS_REAL(pthread_cond_destroy)(condition);
}

// ---- semaphores

namespace {

int take_semaphore(sem_t* semaphore, std::int64_t deadline_ns) {
  while (::sem_trywait(semaphore) != 0) {
    if (errno != EAGAIN) return -1;
    const WaitEnd end = wait(WaitFor::kSemaphore, semaphore, deadline_ns);
    if (end == WaitEnd::kWoken) continue;
    errno = end == WaitEnd::kTimedOut ? ETIMEDOUT : EINTR;
    return -1;
  }
  return 0;
}

}  // namespace

TACTUS_INTERPOSE int sem_wait(sem_t* semaphore) {
  return self() ? take_semaphore(semaphore, kNever) : TACTUS_REAL(sem_wait)(semaphore);
}

TACTUS_INTERPOSE int sem_timedwait(sem_t* semaphore, const timespec* until) {
  if (!self()) return TACTUS_REAL(sem_timedwait)(semaphore, until);
  return take_semaphore(semaphore, virtual_ns(CLOCK_REALTIME, *until));
}

TACTUS_INTERPOSE int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* until) {
  if (!self()) return TACTUS_REAL(sem_clockwait)(semaphore, clock, until);
  return take_semaphore(semaphore, virtual_ns(clock, *until));
}

TACTUS_INTERPOSE int sem_post(sem_t* semaphore) noexcept {
  const int result = TACTUS_REAL(sem_post)(semaphore);
  if (self() && result == 0) wake_first(WaitFor::kSemaphore, semaphore);
  return result;
}

// ---- reader-writer locks

TACTUS_INTERPOSE int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
  if (!self()) return TACTUS_REAL(pthread_rwlock_rdlock)(lock);
  return lock_until(lock, WaitFor::kLock, kNever,
                    [lock] { return ::pthread_rwlock_tryrdlock(lock); });
}

TACTUS_INTERPOSE int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept {
  if (!self()) return TACTUS_REAL(pthread_rwlock_wrlock)(lock);
  return lock_until(lock, WaitFor::kLock, kNever,
                    [lock] { return ::pthread_rwlock_trywrlock(lock); });
}

TACTUS_INTERPOSE int pthread_rwlock_unlock(pthread_rwlock_t* lock) noexcept {
  const int result = TACTUS_REAL(pthread_rwlock_unlock)(lock);
  if (self()) wake_all(WaitFor::kLock, lock);
  return result;
}

// ---- barriers: their own memory counts who is there

namespace {

struct Barrier {
  unsigned needed;
  unsigned arrived;
};
static_assert(sizeof(Barrier) <= sizeof(pthread_barrier_t));

}  // namespace

TACTUS_INTERPOSE int pthread_barrier_init(pthread_barrier_t* barrier,
                                          const pthread_barrierattr_t* attributes,
                                          unsigned count) noexcept {
  if (!self()) return TACTUS_REAL(pthread_barrier_init)(barrier, attributes, count);
  if (count == 0) return EINVAL;
  const Barrier own{count, 0};
  std::memcpy(barrier, &own, sizeof own);
  return 0;
}

TACTUS_INTERPOSE int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept {
  if (!self()) return TACTUS_REAL(pthread_barrier_wait)(barrier);
  auto* const own = reinterpret_cast<Barrier*>(barrier);
  if (++own->arrived < own->needed) {
    wait(WaitFor::kLock, barrier, kNever, false);
    return 0;
  }
  own->arrived = 0;
  wake_all(WaitFor::kLock, barrier);
  return PTHREAD_BARRIER_SERIAL_THREAD;
}

TACTUS_INTERPOSE int pthread_barrier_destroy(pthread_barrier_t* barrier) noexcept {
  return self() ? 0 : TACTUS_REAL(pthread_barrier_destroy)(barrier);
}

// ---- what is done once

namespace {

enum Once : int { kNew = 0, kUnderWay = 1, kDone = 2 };  // the last one is the C library's

/// If the function leaves by an exception or by the end of its thread, the next one tries again.
class OnceGuard {
 public:
  explicit OnceGuard(pthread_once_t* control) : control_(control) { *control_ = kUnderWay; }
  ~OnceGuard() {
    *control_ = done_ ? kDone : kNew;
    wake_all(WaitFor::kOnce, control_);
  }
  OnceGuard(const OnceGuard&) = delete;
  OnceGuard& operator=(const OnceGuard&) = delete;
  void done() { done_ = true; }

 private:
  pthread_once_t* control_;
  bool done_ = false;
};

}  // namespace

TACTUS_INTERPOSE int pthread_once(pthread_once_t* control, void (*function)()) {
  if (!self()) return TACTUS_REAL(pthread_once)(control, function);
  while (*control == kUnderWay) wait(WaitFor::kOnce, control, kNever, false);
  if (*control == kDone) return 0;
  OnceGuard guard(control);
  function();
  guard.done();
  return 0;
}

// Statics of functions: first byte 1 when done, second byte 1 while one thread is at it, as the
// Itanium C++ ABI leaves it to the implementation.

// NOLINTBEGIN(readability-identifier-naming): names of the C library
TACTUS_INTERPOSE int __cxa_guard_acquire(std::uint64_t* guard) {
  auto* const byte = reinterpret_cast<volatile unsigned char*>(guard);
  while (byte[0] == 0 && byte[1] != 0) {
    if (!self()) return 0;
    wait(WaitFor::kOnce, guard, kNever, false);
  }
  if (byte[0] != 0) return 0;
  byte[1] = 1;
  return 1;
}

TACTUS_INTERPOSE void __cxa_guard_release(std::uint64_t* guard) {
  auto* const byte = reinterpret_cast<volatile unsigned char*>(guard);
  byte[1] = 0;
  __atomic_store_n(const_cast<unsigned char*>(byte), 1, __ATOMIC_RELEASE);
  if (self()) wake_all(WaitFor::kOnce, guard);
}

TACTUS_INTERPOSE void __cxa_guard_abort(std::uint64_t* guard) {
  reinterpret_cast<volatile unsigned char*>(guard)[1] = 0;
  if (self()) wake_all(WaitFor::kOnce, guard);
}
// NOLINTEND(readability-identifier-naming)

}  // namespace tactus::conductor
