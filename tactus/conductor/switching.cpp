// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/conductor/switching.h"

#include <sched.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "tactus/conductor/futex.h"
#include "tactus/conductor/outside.h"
#include "tactus/conductor/real.h"

namespace tactus::conductor {
namespace {

bool carrier = false;
std::atomic<std::uint32_t> carrier_go{0};
void* carrier_stack_pointer = nullptr;  ///< of its own loop
unsigned long carrier_thread_pointer = 0;
pid_t leaving = 0;  ///< a kernel thread that is about to end

#if defined(__x86_64__)

// Saves what a function must preserve, changes stack and thread pointer, and returns to where the
// other one was saved.
extern "C" void tactus_conductor_swap(void** save, void* load, unsigned long thread_pointer);
asm(R"(
.text
.globl tactus_conductor_swap
.hidden tactus_conductor_swap
.type tactus_conductor_swap,@function
tactus_conductor_swap:
  .cfi_startproc
  pushq %rbp
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset %rbp, 0
  pushq %rbx
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset %rbx, 0
  pushq %r12
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset %r12, 0
  pushq %r13
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset %r13, 0
  pushq %r14
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset %r14, 0
  pushq %r15
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset %r15, 0
  subq $8, %rsp
  .cfi_adjust_cfa_offset 8
  stmxcsr (%rsp)
  fnstcw 4(%rsp)
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  wrfsbase %rdx
  ldmxcsr (%rsp)
  fldcw 4(%rsp)
  addq $8, %rsp
  .cfi_adjust_cfa_offset -8
  popq %r15
  .cfi_adjust_cfa_offset -8
  .cfi_restore %r15
  popq %r14
  .cfi_adjust_cfa_offset -8
  .cfi_restore %r14
  popq %r13
  .cfi_adjust_cfa_offset -8
  .cfi_restore %r13
  popq %r12
  .cfi_adjust_cfa_offset -8
  .cfi_restore %r12
  popq %rbx
  .cfi_adjust_cfa_offset -8
  .cfi_restore %rbx
  popq %rbp
  .cfi_adjust_cfa_offset -8
  .cfi_restore %rbp
  ret
  .cfi_endproc
.size tactus_conductor_swap,.-tactus_conductor_swap
)");

unsigned long thread_pointer() {
  unsigned long value = 0;
  asm("mov %%fs:0,%0" : "=r"(value));
  return value;
}

/// A saved context that begins with `function` on an empty stack; the zero above it ends a
/// backtrace.
void* fresh_context(char* top, void (*function)()) {
  constexpr std::uint32_t kDefaultMxcsr = 0x1f80;
  constexpr std::uint16_t kDefaultControlWord = 0x37f;
  constexpr int kSavedRegisters = 6;
  constexpr std::uintptr_t kAlignment = 16;
  auto* place = reinterpret_cast<void**>(top - reinterpret_cast<std::uintptr_t>(top) % kAlignment);
  *--place = nullptr;
  *--place = reinterpret_cast<void*>(function);
  for (int i = 0; i < kSavedRegisters; ++i) *--place = nullptr;
  *--place = nullptr;
  std::memcpy(place, &kDefaultMxcsr, sizeof kDefaultMxcsr);
  std::memcpy(reinterpret_cast<char*>(place) + 4, &kDefaultControlWord, sizeof kDefaultControlWord);
  return place;
}

bool carrier_possible() {
  constexpr unsigned long kFsGsBase = 2;  // HWCAP2_FSGSBASE
  return (::getauxval(AT_HWCAP2) & kFsGsBase) != 0;
}

#else

void tactus_conductor_swap(void**, void*, unsigned long) { std::abort(); }
unsigned long thread_pointer() { return 0; }
void* fresh_context(char*, void (*)()) { std::abort(); }
bool carrier_possible() { return false; }

#endif

/// The kernel still takes its thread apart after we have heard the last of it, and what it frees
/// there decides the addresses that others get next.
void await_leaving() {
  if (leaving == 0) return;
  while (TACTUS_REAL(syscall)(SYS_tgkill, ::getpid(), leaving, 0) == 0) TACTUS_REAL(sched_yield)();
  leaving = 0;
}

Thread& pick() {
  Thread* next = nullptr;
  while (!(next = next_ready())) idle();
  begin(*next);
  return *next;
}

/// On the carrier: the next thread that it is to run itself. Native ones go first until their next
/// wait.
Thread& pick_for_carrier() {
  while (true) {
    Thread& next = pick();
    if (!next.native) return next;
    raise_flag(next.go);
    await_flag(carrier_go);
    await_leaving();
  }
}

/// Where the carrier is when what it ran has gone to a kernel thread of its own.
void carrier_loop() {
  while (true) {
    Thread& next = pick_for_carrier();
    tactus_conductor_swap(&carrier_stack_pointer, next.stack_pointer, next.thread_pointer);
  }
}

/// On the carrier, as the thread: from its first to its last line.
void run_function() {
  Thread& thread = *self();
  thread.result = thread.function(thread.argument);
  become_native();
  void* unused = nullptr;
  tactus_conductor_swap(&unused, thread.argument, thread.thread_pointer);  // to kernel_thread()
}

pthread_key_t end_key;
char end_rounds[3];  ///< the value of a thread's key points to how often its end was put off

/// The last that the C library calls in a thread, if it is put off as often as is allowed.
void on_end(void* value) {
  char* const round = static_cast<char*>(value);
  if (round < std::end(end_rounds) - 1) {
    ::pthread_setspecific(end_key, round + 1);
    return;
  }
  Thread& thread = *self();
  remove_thread(thread);
  set_self(nullptr);
  leaving = static_cast<pid_t>(TACTUS_REAL(syscall)(SYS_gettid));
  if (carrier) {
    raise_flag(carrier_go);
  } else {
    raise_flag(pick().go);
  }
}

void* kernel_thread(void* argument) {
  auto& thread = *static_cast<Thread*>(argument);
  set_self(&thread);
  ::pthread_setspecific(end_key, end_rounds);
  if (!carrier) {
    raise_flag(thread.parked);
    await_flag(thread.go);
    await_leaving();
    return thread.function(thread.argument);
  }
  // A handler would run on the stack that the carrier uses.
  sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
  constexpr std::size_t kOwnStack = 16384;
  thread.thread_pointer = thread_pointer();
  thread.stack_pointer =
      fresh_context(static_cast<char*>(__builtin_frame_address(0)) - kOwnStack, run_function);
  raise_flag(thread.parked);
  await_flag(thread.go);
  // It ends: the rest of it, up to here, runs on this kernel thread.
  void* const rest = thread.stack_pointer;
  tactus_conductor_swap(&thread.argument, rest, thread.thread_pointer);
  return thread.result;
}

}  // namespace

void start_switching(ThreadMode mode) {
  ::pthread_key_create(&end_key, on_end);
  carrier = mode != ThreadMode::kNative && carrier_possible();
  channel().mode = carrier ? ThreadMode::kCarrier : ThreadMode::kNative;
  if (!carrier) return;
  self()->native = false;
  self()->thread_pointer = carrier_thread_pointer = thread_pointer();
  constexpr std::size_t kLoopStack = std::size_t{1} << 18U;
  auto* const stack = static_cast<char*>(std::malloc(kLoopStack));
  carrier_stack_pointer = fresh_context(stack + kLoopStack, carrier_loop);
}

void run_next() {
  Thread& thread = *self();
  if (thread.native && carrier) {
    raise_flag(carrier_go);
    await_flag(thread.go);
    return;
  }
  Thread& next = carrier ? pick_for_carrier() : pick();
  if (&next == &thread) return;
  if (carrier) {
    tactus_conductor_swap(&thread.stack_pointer, next.stack_pointer, next.thread_pointer);
  } else {
    raise_flag(next.go);
    await_flag(thread.go);
    await_leaving();
  }
}

int start_thread(Thread& thread, const pthread_attr_t* attributes) {
  constexpr std::size_t kMoreStack = 65536;  // for ours
  pthread_attr_t own;
  ::pthread_attr_init(&own);
  if (attributes != nullptr) {
    std::size_t size = 0;
    ::pthread_attr_getstacksize(attributes, &size);
    ::pthread_attr_setstacksize(&own, size + kMoreStack);
    int detached = 0;
    ::pthread_attr_getdetachstate(attributes, &detached);
    ::pthread_attr_setdetachstate(&own, detached);
  }
  thread.native = !carrier;
  const int result = TACTUS_REAL(pthread_create)(&thread.handle, &own, kernel_thread, &thread);
  ::pthread_attr_destroy(&own);
  if (result == 0) await_flag(thread.parked);
  return result;
}

void become_native() {
  Thread& thread = *self();
  if (thread.native) return;
  thread.native = true;
  wake(thread);
  tactus_conductor_swap(&thread.stack_pointer, carrier_stack_pointer, carrier_thread_pointer);
}

void end_cancelled() {
  become_native();
  TACTUS_REAL(pthread_exit)(PTHREAD_CANCELED);
  __builtin_unreachable();
}

}  // namespace tactus::conductor
