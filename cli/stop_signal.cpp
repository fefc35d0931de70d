// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/stop_signal.h"

#include <csignal>
#include <ctime>

#include "tactus/record/output_file.h"

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
void on_stop_signal(int signal) {
  constexpr double kSameWish_s = 0.5;
  static double asked_at_s = 0.0;
  if (listening.load(std::memory_order_relaxed)) {
    if (!stop_asked.exchange(true, std::memory_order_relaxed)) {
      asked_at_s = clock_s();
      return;
    }
    if (clock_s() - asked_at_s <= kSameWish_s) return;
  }
  OutputFile::remove_unfinished();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

void handle_signals() {
  struct sigaction action = {};
  action.sa_handler = on_stop_signal;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  struct sigaction before = {};
  sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);  // nohup
}

void listen_to_ctrl_c() { listening.store(true, std::memory_order_relaxed); }

bool asked_to_stop() { return stop_asked.load(std::memory_order_relaxed); }

const std::atomic<bool>& stop_flag() { return stop_asked; }

}  // namespace tactus::cli
