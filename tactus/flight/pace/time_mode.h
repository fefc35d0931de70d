// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// How simulated time follows the clock on the wall. In every mode time goes on in the same whole
// steps, so the mode never changes a flight:
//   lockstep      as fast as all simulators deliver
//   free_running  not faster than the wall; simulators that are late are not waited for
//   scaled        not faster than `factor` times the wall

#include <cstdint>
#include <functional>
#include <memory>

#include "tactus/core/time.h"

namespace tactus {

/// Slower, a second takes an hour; faster, nothing can be held back.
inline constexpr double kSlowestFactor = 0.001;
inline constexpr double kFastestFactor = 1e6;

struct TimeMode {
  enum class Kind : std::uint8_t { kLockstep, kFreeRunning, kScaled };
  Kind kind = Kind::kLockstep;
  double factor = 1.0;  ///< kScaled

  static TimeMode lockstep() { return {}; }
  static TimeMode free_running() { return {Kind::kFreeRunning, 1.0}; }
  static TimeMode scaled(double factor) { return {Kind::kScaled, factor}; }
};

const char* to_text(TimeMode::Kind kind);

/// Where no mode was asked for: real time with a ground station, as people live in it; else
/// lockstep.
TimeMode usual_mode(bool with_ground_station);

/// Throws Error(kBadInput) if the factor is no number within the limits.
void validate(const TimeMode& mode);

/// The clock on the wall, or one of a test.
class WallClock {
 public:
  virtual ~WallClock() = default;
  [[nodiscard]] virtual std::uint64_t now_ns() const = 0;
  virtual void sleep_until_ns(std::uint64_t instant_ns) = 0;
};

/// Monotonic; sleeps in short pieces.
std::shared_ptr<WallClock> steady_wall_clock();

/// Holds a run back. Everything is counted from one anchor, so that no fraction is ever lost.
class Pace {
 public:
  explicit Pace(WallClock& clock) : clock_(&clock) {}

  /// From now on, at simulated time `now`, in this mode.
  void anchor(TimeUs now, const TimeMode& mode);
  /// The wall must have reached this before time `next` begins; 0: at once.
  [[nodiscard]] std::uint64_t due_ns(TimeUs next) const;
  /// Returns early when `stop` says so.
  void wait_for(TimeUs next, const std::function<bool()>& stop) const;

 private:
  WallClock* clock_;
  TimeMode mode_;
  TimeUs anchor_;
  std::uint64_t anchor_ns_ = 0;
};

}  // namespace tactus
