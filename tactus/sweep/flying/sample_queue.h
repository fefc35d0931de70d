// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Which samples are still to be flown, and threads that fly them. Results come to the caller's own
// thread in the order in which flights end; what is waiting there is bounded.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace tactus::sweep {

/// Every `shards`-th sample from `shard` on (from 0): the parts of a campaign that is cut up.
struct Shard {
  std::uint64_t shard = 0;
  std::uint64_t shards = 1;

  [[nodiscard]] bool has(std::uint64_t index) const { return index % shards == shard; }
  bool operator==(const Shard&) const = default;
};

/// Numbers that were taken before, as ranges: few, as samples are taken in order.
class DoneSamples {
 public:
  explicit DoneSamples(Shard shard = {}) : shard_(shard) {}

  /// Rising.
  void add(std::uint64_t index);
  [[nodiscard]] bool has(std::uint64_t index) const;
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  /// Positions within the shard, `end` excluded.
  struct Range {
    std::uint64_t begin;
    std::uint64_t end;
  };
  Shard shard_;
  std::vector<Range> ranges_;
  std::uint64_t count_ = 0;
};

/// The samples below `size` of a shard that are not done. Threads may take from it.
class SampleSource {
 public:
  /// From `first` on, which is of the shard.
  SampleSource(std::uint64_t size, Shard shard, DoneSamples done, std::uint64_t first)
      : size_(size), shard_(shard), done_(std::move(done)), next_(first) {}
  SampleSource(std::uint64_t size, Shard shard, DoneSamples done)
      : SampleSource(size, shard, std::move(done), shard.shard) {}

  /// None: there are no more.
  [[nodiscard]] std::optional<std::uint64_t> take();
  /// Nothing is handed out any more.
  void stop();

 private:
  std::mutex mutex_;
  std::uint64_t size_;
  Shard shard_;
  DoneSamples done_;
  std::uint64_t next_;
};

/// How many threads fly: as many as asked for, or one per processor; not more than flights.
std::size_t thread_count(std::size_t jobs, std::uint64_t flights);

template <class Result>
class SampleThreads {
 public:
  using Interrupted = std::function<bool()>;
  /// On a thread. None: it was interrupted.
  using Fly = std::function<std::optional<Result>(std::uint64_t index, int worker,
                                                  const Interrupted& interrupted)>;

  SampleThreads(SampleSource& source, Fly fly, Interrupted interrupted)
      : source_(&source), fly_(std::move(fly)), interrupted_(std::move(interrupted)) {}

  /// Until all samples are flown or it is interrupted. `take` gets every result, `idle` is called
  /// ten times a second. An error of either ends all flights and goes on to the caller.
  void run(std::size_t threads, const std::function<void(Result&&)>& take,
           const std::function<void()>& idle) {
    std::vector<std::jthread> workers;
    start(threads, workers);
    try {
      collect(take, idle);
    } catch (...) {
      end();
      throw;  // the threads are joined on the way
    }
  }

 private:
  static constexpr std::size_t kMostWaiting = 4096;

  void start(std::size_t threads, std::vector<std::jthread>& workers) {
    workers.reserve(threads);
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < threads; ++i) {
      try {
        workers.emplace_back([this, i] { work(static_cast<int>(i)); });
        ++working_;
      } catch (const std::system_error&) {  // those that could be started do it all
        if (workers.empty()) throw;
        break;
      }
    }
  }

  void work(int worker) {
    const Interrupted interrupted = [this] { return is_over(); };
    try {
      while (!is_over()) {
        const std::optional<std::uint64_t> index = source_->take();
        if (!index) break;
        std::optional<Result> result = fly_(*index, worker, interrupted);
        if (result) put(*std::move(result));
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      over_ = true;
    }
    const std::lock_guard lock(mutex_);
    --working_;
    changed_.notify_all();
  }

  void put(Result&& result) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return results_.size() < kMostWaiting || over_; });
    results_.push_back(std::move(result));
    changed_.notify_all();
  }

  void collect(const std::function<void(Result&&)>& take, const std::function<void()>& idle) {
    using namespace std::chrono_literals;
    for (bool working = true; working;) {
      std::deque<Result> ready;
      {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, 100ms, [this] { return working_ == 0; });
        ready.swap(results_);
        working = working_ > 0;
        changed_.notify_all();
      }
      for (Result& result : ready) take(std::move(result));
      idle();
    }
    if (failure_) std::rethrow_exception(failure_);
  }

  void end() {
    source_->stop();
    const std::lock_guard lock(mutex_);
    over_ = true;
    changed_.notify_all();
  }

  [[nodiscard]] bool is_over() {
    if (interrupted_ && interrupted_()) return true;
    return over_;
  }

  SampleSource* source_;
  Fly fly_;
  Interrupted interrupted_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Result> results_;
  std::size_t working_ = 0;
  std::atomic<bool> over_{false};
  std::exception_ptr failure_;
};

}  // namespace tactus::sweep
