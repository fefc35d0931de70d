// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/common/stop_signal.h"

#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <ctime>

#include "tactus/files/output_file.h"

namespace tactus::cli {
namespace {

std::atomic<bool> listening{false};
std::atomic<bool> stop_asked{false};
std::atomic<std::int64_t> first_request_ns{0};  ///< 0: there was none
static_assert(std::atomic<bool>::is_always_lock_free &&
                  std::atomic<std::int64_t>::is_always_lock_free,
              "a signal handler writes them");

/// Of a steady clock, greater than 0; may be called in a signal handler.
std::int64_t clock_ns() {
  constexpr std::int64_t kNsPerS = 1'000'000'000;
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return kNsPerS * now.tv_sec + now.tv_nsec + 1;
}

/// Whether a signal asks the flight to stop by itself. Tools such as timeout send two at once, to
/// any of the threads; a person who asks again later does not want to wait.
bool asks_to_stop() {
  constexpr std::int64_t kSameRequest_ns = 500'000'000;
  if (!listening.load(std::memory_order_relaxed)) return false;
  const std::int64_t now_ns = clock_ns();
  std::int64_t first_ns = 0;
  if (first_request_ns.compare_exchange_strong(first_ns, now_ns)) first_ns = now_ns;
  stop_asked.store(true, std::memory_order_relaxed);
  return now_ns - first_ns <= kSameRequest_ns;
}

void on_ending_signal(int signal) {
  OutputFile::remove_unfinished();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void on_stop_signal(int signal) {
  if (!asks_to_stop()) on_ending_signal(signal);
}

bool ends_by_default(int signal) {
  switch (signal) {
    case SIGKILL:
    case SIGSTOP:  // cannot be handled
    case SIGCHLD:
    case SIGURG:
    case SIGWINCH:
    case SIGCONT:
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU: return false;
    default: return true;
  }
}

/// A handler needs a stack of its own where the usual one has overflowed.
void use_separate_stack() {
  constexpr std::size_t kBytes = 65536;
  static std::byte memory[kBytes];
  stack_t stack = {};
  stack.ss_sp = memory;
  stack.ss_size = kBytes;
  sigaltstack(&stack, nullptr);
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_ONSTACK;
  sigaction(signal, &action, nullptr);
}

void handle_unless_ignored(int signal, void (*handler)(int)) {
  struct sigaction before = {};
  // A sanitizer has its own handler.
  if (sigaction(signal, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) return;
  handle(signal, handler);
}

}  // namespace

void handle_signals() {
  use_separate_stack();
  handle(SIGINT, on_stop_signal);
  handle(SIGTERM, on_stop_signal);
  handle_unless_ignored(SIGHUP, on_stop_signal);  // nohup
  for (int signal = 1; signal <= SIGRTMAX; ++signal) {
    if (ends_by_default(signal)) handle_unless_ignored(signal, on_ending_signal);
  }
}

void listen_to_stop_signals() { listening.store(true, std::memory_order_relaxed); }

bool asked_to_stop() { return stop_asked.load(std::memory_order_relaxed); }

}  // namespace tactus::cli
