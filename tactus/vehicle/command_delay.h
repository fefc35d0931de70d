// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Motors whose command acts later (a fault): a short history of what was commanded and when. The
// instants at which an old command becomes effective are boundaries of their own. It remembers
// kCapacity changes; the scenario limits the delay to (kCapacity - 1) autopilot periods.

#include <cstddef>
#include <cstdint>
#include <limits>

#include "tactus/core/assert.h"
#include "tactus/core/state_archive.h"
#include "tactus/core/time.h"
#include "tactus/signal/limits.h"

namespace tactus {

class CommandDelay {
 public:
  static constexpr int kCapacity = 256;

  /// Remembers the commands in force from `now` on, if they changed.
  void push(TimeUs now, const double (&motor)[kMaxMotors]) {
    TACTUS_ASSERT(count_ == 0 || entry(count_ - 1).since <= now, "commands in the order of time");
    if (count_ > 0 && equal(entry(count_ - 1).motor, motor)) return;
    if (count_ > 0 && entry(count_ - 1).since == now) --count_;
    if (count_ == kCapacity) {
      forgets_ = true;
      first_ = (first_ + 1) % kCapacity;
      --count_;
    }
    TACTUS_ASSERT(count_ >= 0 && count_ < kCapacity, "room for one more");
    Entry& added = entry(count_++);
    added.since = now;
    for (int i = 0; i < kMaxMotors; ++i) added.motor[i] = motor[i];
  }

  /// Command of motor i that acts at `now` when it is `delay_us` late; 0 before the first.
  [[nodiscard]] double at(TimeUs now, int motor, std::uint32_t delay_us) const {
    TACTUS_ASSERT(motor >= 0 && motor < kMaxMotors, "a motor that there can be");
    TACTUS_ASSERT(delay_us > 0, "a command that is late");
    for (int k = count_ - 1; k >= 0; --k) {
      if (entry(k).since.us + delay_us <= now.us) return entry(k).motor[motor];
    }
    TACTUS_ASSERT(!forgets_, "the delay reaches beyond the commands remembered");
    return 0.0;
  }

  /// The next instant after `now` at which a command that is `delay_us` late becomes effective.
  [[nodiscard]] TimeUs next_after(TimeUs now, std::uint32_t delay_us) const {
    for (int k = 0; k < count_; ++k) {
      if (entry(k).since.us + delay_us > now.us) return TimeUs(entry(k).since.us + delay_us);
    }
    return TimeUs(std::numeric_limits<std::uint64_t>::max());
  }

  /// When the newest command came; 0 without any.
  [[nodiscard]] TimeUs latest() const { return count_ == 0 ? TimeUs() : entry(count_ - 1).since; }

  void save(StateWriter& to) const {
    to.begin("command delay");
    to.add(forgets_);
    to.add(count_);
    for (int k = 0; k < count_; ++k) {
      to.add(entry(k).since);
      for (const double command : entry(k).motor) to.add(command);
    }
  }
  void load(StateReader& from) {
    from.begin("command delay");
    forgets_ = from.get<bool>();
    first_ = 0;
    count_ = from.get_count(kCapacity);
    for (int k = 0; k < count_; ++k) {
      entry(k).since = from.get_time();
      if (k > 0 && entry(k).since <= entry(k - 1).since) {
        from.refuse("holds commands that are not in the order of time");
      }
      for (double& command : entry(k).motor) command = from.get<double>();
    }
  }

 private:
  struct Entry {
    TimeUs since;
    double motor[kMaxMotors] = {};
  };

  static bool equal(const double (&a)[kMaxMotors], const double (&b)[kMaxMotors]) {
    for (int i = 0; i < kMaxMotors; ++i) {
      if (a[i] != b[i]) return false;
    }
    return true;
  }
  [[nodiscard]] std::size_t place(int k) const {
    return static_cast<std::size_t>(first_ + k) % kCapacity;
  }
  [[nodiscard]] const Entry& entry(int k) const { return entries_[place(k)]; }
  [[nodiscard]] Entry& entry(int k) { return entries_[place(k)]; }

  Entry entries_[kCapacity];
  int first_ = 0;
  int count_ = 0;
  bool forgets_ = false;  ///< a command has been dropped
};

}  // namespace tactus
