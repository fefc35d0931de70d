// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/bridge/thread_pool.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "tactus/core/assert.h"

namespace tactus {
namespace {

/// Some 30 us. More threads than processors only get in each other's way by it.
constexpr int kSpins = 1000;
constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Until the value is another one.
template <class T>
void await_change(const std::atomic<T>& value, T old, int spins) {
  for (int i = 0; i < spins; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
    relax();
  }
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

ThreadPool::ThreadPool(std::size_t threads)
    : spins_(threads <= std::thread::hardware_concurrency() ? kSpins : 0),
      failures_(threads, {kNone, {}}) {
  TACTUS_ASSERT(threads >= 1, "the thread of the caller");
  try {
    for (std::size_t i = 1; i < threads; ++i) {
      workers_.emplace_back([this, i] { work(i - 1); });
    }
  } catch (...) {  // no destructor runs for what was not constructed
    end();
    throw;
  }
}

ThreadPool::~ThreadPool() { end(); }

void ThreadPool::end() {
  stop_ = true;
  ++round_;
  round_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::for_each(std::size_t count, const std::function<void(std::size_t)>& task) {
  TACTUS_ASSERT(task_ == nullptr && busy_ == 0, "one call at a time");
  task_ = &task;
  count_ = count;
  next_.store(0, std::memory_order_relaxed);
  for (Failure& failure : failures_) failure = {kNone, {}};
  if (!workers_.empty() && count > 1) {
    busy_.store(workers_.size(), std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    take_tasks(failures_.back());
    for (std::size_t busy = busy_.load(std::memory_order_acquire); busy != 0;
         busy = busy_.load(std::memory_order_acquire)) {
      await_change(busy_, busy, spins_);
    }
  } else {
    take_tasks(failures_.back());
  }
  TACTUS_ASSERT(busy_ == 0 && next_ >= count_, "every task was taken, and all are back");
  task_ = nullptr;
  rethrow_first();
}

void ThreadPool::take_tasks(Failure& failure) {
  for (std::size_t i = next_++; i < count_; i = next_++) {
    try {
      (*task_)(i);
    } catch (...) {
      if (failure.index == kNone) failure = {i, std::current_exception()};
    }
  }
}

void ThreadPool::rethrow_first() {
  const auto first =
      std::min_element(failures_.begin(), failures_.end(),
                       [](const Failure& a, const Failure& b) { return a.index < b.index; });
  if (first->index != kNone) std::rethrow_exception(std::exchange(first->error, {}));
}

void ThreadPool::work(std::size_t worker) {
  std::uint32_t seen = 0;
  while (true) {
    await_change(round_, seen, spins_);
    // One that slept through the end of a round sees only the newest; it was waited for, so none
    // is ever missed.
    seen = round_.load(std::memory_order_acquire);
    if (stop_) return;
    TACTUS_ASSERT(worker + 1 < failures_.size(), "a place for each worker's failure");
    take_tasks(failures_[worker]);
    busy_.fetch_sub(1, std::memory_order_release);
    busy_.notify_all();
  }
}

}  // namespace tactus
