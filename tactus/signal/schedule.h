// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// When the next boundary is: the union of periodic axes, instants inserted before or during the
// run, and the end (contract C2).
//
// The k-th tick of an axis is k · period, computed with integers, so an axis neither drifts nor
// needs a list; inserted instants wait in a heap. Finding the next boundary costs the number of
// axes plus O(log n) for n waiting instants, and memory does not grow with the length of the run.
// Copyable (contract C9).

#include <cstdint>
#include <vector>

#include "tactus/core/time.h"
#include "tactus/signal/axis.h"

namespace tactus {

class StateWriter;
class StateReader;

/// What a boundary is for.
struct Due {
  TimeUs time;
  std::uint16_t axes = 0;  ///< bit per axis
  bool instant = false;    ///< an inserted instant
  bool end = false;        ///< the last boundary

  [[nodiscard]] constexpr bool on(Axis axis) const {
    return axis == Axis::kEveryBoundary || ((axes >> static_cast<unsigned>(axis)) & 1U) != 0;
  }
};

class Schedule {
 public:
  explicit Schedule(TimeUs end);

  /// Ticks at 0, period, 2·period … up to the end. Period 0: the axis has no ticks.
  void set_period(Axis axis, DurationUs period);
  [[nodiscard]] DurationUs period(Axis axis) const;
  [[nodiscard]] TimeUs end() const { return end_; }

  /// Adds a boundary. One before the current instant is a bug of the caller; at the current instant
  /// or after the end it does nothing.
  void insert(TimeUs instant);

  /// Moves the end to the current instant or a later one.
  void end_at(TimeUs end);

  /// The boundary we stand at.
  [[nodiscard]] const Due& current() const { return current_; }
  /// Instant of the next boundary; at the end: the end.
  [[nodiscard]] TimeUs next() const;
  /// Goes to `instant`, which is next() or, for a found event, an instant before it.
  void advance_to(TimeUs instant);

  /// Where it stands and which instants wait. The periods must be those of the saved one; so must
  /// the end, unless it goes into a changed run, which keeps its own.
  void save(StateWriter& to) const;
  void load(StateReader& from);

 private:
  TimeUs end_;
  DurationUs period_[kAxes];
  TimeUs next_tick_[kAxes];       ///< first tick after the current boundary
  std::vector<TimeUs> instants_;  ///< min-heap
  Due current_;
};

}  // namespace tactus
