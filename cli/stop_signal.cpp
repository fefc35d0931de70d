// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/stop_signal.h"

#include <csignal>
#include <ctime>

#include "tactus/core/output_file.h"

namespace tactus::cli {
namespace {

std::atomic<bool> listening{false};
std::atomic<bool> stop_asked{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler writes it");

/// Seconds of a steady clock; may be called in a signal handler.
double clock_s() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Tools such as timeout send a signal twice at once, which is one wish; a person who asks again
/// does not want to wait.
bool is_taken_as_wish() {
  constexpr double kSameWish_s = 0.5;
  static double asked_at_s = 0.0;
  if (!listening.load(std::memory_order_relaxed)) return false;
  if (!stop_asked.exchange(true, std::memory_order_relaxed)) {
    asked_at_s = clock_s();
    return true;
  }
  return clock_s() - asked_at_s <= kSameWish_s;
}

void on_ending_signal(int signal) {
  OutputFile::remove_unfinished();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void on_stop_signal(int signal) {
  if (!is_taken_as_wish()) on_ending_signal(signal);
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

void handle_unless_ignored(int signal, void (*handler)(int)) {
  struct sigaction before = {};
  // A sanitizer has its own handler.
  if (sigaction(signal, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) return;
  struct sigaction action = {};
  action.sa_handler = handler;
  sigaction(signal, &action, nullptr);
}

}  // namespace

void handle_signals() {
  struct sigaction action = {};
  action.sa_handler = on_stop_signal;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  handle_unless_ignored(SIGHUP, on_stop_signal);  // nohup
  for (int signal = 1; signal <= SIGRTMAX; ++signal) {
    if (ends_by_default(signal)) handle_unless_ignored(signal, on_ending_signal);
  }
}

void listen_to_ctrl_c() { listening.store(true, std::memory_order_relaxed); }

bool asked_to_stop() { return stop_asked.load(std::memory_order_relaxed); }

const std::atomic<bool>& stop_flag() { return stop_asked; }

}  // namespace tactus::cli
