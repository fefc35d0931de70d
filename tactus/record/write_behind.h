// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A thread that writes behind the stepping thread. Blocks go round: the stepping thread fills one,
// gives it away, and takes an empty one; if all are on their way it waits, and nothing is dropped.
// What the work throws comes out of the next call; after that the thread only empties blocks.

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace tactus {

template <class Block>
class WriteBehind {
 public:
  /// `work` is called on the thread, block by block, in order; it leaves the block empty.
  /// `prepare` is called once for each block, to make room.
  WriteBehind(std::size_t blocks, std::function<void(Block&)> work,
              const std::function<void(Block&)>& prepare = {})
      : blocks_(blocks), work_(std::move(work)) {
    if (prepare) std::for_each(blocks_.begin(), blocks_.end(), prepare);
    free_.reserve(blocks);
    given_.reserve(blocks);
    for (Block& block : blocks_) free_.push_back(&block);
    thread_ = std::thread([this] { run(); });
  }
  WriteBehind(const WriteBehind&) = delete;
  WriteBehind& operator=(const WriteBehind&) = delete;
  ~WriteBehind() { stop(); }

  /// An empty block.
  Block& take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !free_.empty(); });
    rethrow();
    return *first_of(free_);
  }

  void give(Block& block) {
    const std::lock_guard lock(mutex_);
    given_.push_back(&block);
    changed_.notify_all();
  }

  /// Waits until everything is written; the last call.
  void finish() {
    stop();
    rethrow();
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return stopping_ || !given_.empty(); });
      if (given_.empty()) return;
      Block* const block = first_of(given_);
      const bool failed = error_ != nullptr;
      lock.unlock();
      std::exception_ptr error;
      try {
        if (failed) {
          *block = Block();
        } else {
          work_(*block);
        }
      } catch (...) {
        error = std::current_exception();
      }
      lock.lock();
      if (error) error_ = error;
      free_.push_back(block);
      changed_.notify_all();
    }
  }

  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
      changed_.notify_all();
    }
    if (thread_.joinable()) thread_.join();
  }

  static Block* first_of(std::vector<Block*>& queue) {
    Block* const block = queue.front();
    queue.erase(queue.begin());
    return block;
  }

  void rethrow() {
    if (error_) std::rethrow_exception(error_);
  }

  std::vector<Block> blocks_;
  std::function<void(Block&)> work_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Block*> free_;  ///< as given_: short, and never longer than `blocks_`
  std::vector<Block*> given_;
  std::exception_ptr error_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace tactus
