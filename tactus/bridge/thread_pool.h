// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A few threads that share a list of small independent tasks many thousand times a second. Workers
// spin for a short while before they sleep: a step of the bridge takes tens of microseconds, less
// than it takes to wake a thread.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

namespace tactus {

class ThreadPool {
 public:
  /// `threads` counts the caller's; 1: everything happens there.
  explicit ThreadPool(std::size_t threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  [[nodiscard]] std::size_t threads() const { return workers_.size() + 1; }

  /// task(i) for every i < count, each once, and returns when all are done. If some throw, the
  /// error of the smallest i goes on, in whatever order they threw. One call at a time.
  void for_each(std::size_t count, const std::function<void(std::size_t)>& task);

 private:
  struct Failure {
    std::size_t index;
    std::exception_ptr error;
  };

  void end();
  void work(std::size_t worker);
  /// Takes tasks until there are none; the first failure of this thread is kept in `failure`.
  void take_tasks(Failure& failure);
  void rethrow_first();

  int spins_;
  const std::function<void(std::size_t)>* task_ = nullptr;
  std::size_t count_ = 0;
  std::atomic<std::size_t> next_{0};
  std::atomic<std::uint32_t> round_{0};  ///< a new one begins a list
  std::atomic<std::size_t> busy_{0};     ///< workers that have not finished this round
  std::atomic<bool> stop_{false};
  std::vector<Failure> failures_;  ///< one per thread, the caller's last
  std::vector<std::thread> workers_;
};

}  // namespace tactus
