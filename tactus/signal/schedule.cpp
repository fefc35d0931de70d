// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/signal/schedule.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "tactus/core/assert.h"
#include "tactus/core/state_archive.h"

namespace tactus {
namespace {

constexpr TimeUs kNever{std::numeric_limits<std::uint64_t>::max()};
constexpr std::size_t kReservedInstants = 1024;
constexpr int kMostInstants = 1'000'000;

}  // namespace

Schedule::Schedule(TimeUs end) : end_(end) {
  for (TimeUs& tick : next_tick_) tick = kNever;
  instants_.reserve(kReservedInstants);
  current_.end = end.us == 0;
}

void Schedule::set_period(Axis axis, DurationUs period) {
  TACTUS_ASSERT(axis != Axis::kEveryBoundary, "this axis has no period");
  TACTUS_ASSERT(current_.time.us == 0, "periods are set before the run");
  TACTUS_ASSERT(static_cast<int>(axis) < kAxes, "an axis that exists");
  const auto i = static_cast<std::size_t>(axis);
  period_[i] = period;
  next_tick_[i] = period.us == 0 ? kNever : TimeUs{} + period;
  const auto bit = static_cast<std::uint16_t>(1U << i);
  current_.axes =
      static_cast<std::uint16_t>(period.us == 0 ? current_.axes & ~bit : current_.axes | bit);
}

DurationUs Schedule::period(Axis axis) const {
  TACTUS_ASSERT(static_cast<int>(axis) < kAxes, "an axis that exists");
  return period_[static_cast<std::size_t>(axis)];
}

void Schedule::insert(TimeUs instant) {
  TACTUS_ASSERT(instant >= current_.time, "an instant in the past");
  if (instant == current_.time || instant >= end_) return;
  instants_.push_back(instant);
  std::push_heap(instants_.begin(), instants_.end(), std::greater<>());
  TACTUS_ASSERT(instants_.front() > current_.time && instants_.front() <= instant,
                "the first of the heap is the earliest instant, and it is to come");
}

void Schedule::end_at(TimeUs end) {
  TACTUS_ASSERT(end >= current_.time, "an end in the past");
  end_ = end;
  current_.end = current_.time == end;
}

TimeUs Schedule::next() const {
  TimeUs next = end_;
  for (const TimeUs tick : next_tick_) next = std::min(next, tick);
  if (!instants_.empty()) next = std::min(next, instants_.front());
  TACTUS_ASSERT(next > current_.time || current_.end, "there is a boundary to come, or the end");
  return next;
}

void Schedule::advance_to(TimeUs instant) {
  TACTUS_ASSERT(instant > current_.time && instant <= next(), "boundaries are strictly ordered");
  current_ = {};
  current_.time = instant;
  current_.end = instant == end_;
  for (std::size_t i = 0; i < kAxes; ++i) {
    if (next_tick_[i] != instant) continue;
    current_.axes = static_cast<std::uint16_t>(current_.axes | (1U << i));
    TACTUS_ASSERT(period_[i].us > 0, "an axis that ticks");
    next_tick_[i] += period_[i];
  }
  while (!instants_.empty() && instants_.front() == instant) {
    current_.instant = true;
    std::pop_heap(instants_.begin(), instants_.end(), std::greater<>());
    instants_.pop_back();
  }
  TACTUS_ASSERT(instants_.empty() || instants_.front() > instant, "no instant was left behind");
}

void Schedule::save(StateWriter& to) const {
  to.begin("schedule");
  for (const DurationUs period : period_) to.add(period.us);
  to.add(end_);
  to.add(current_.time);
  to.add(current_.axes);
  to.add(current_.instant);
  to.add(static_cast<int>(instants_.size()));
  for (const TimeUs instant : instants_) to.add(instant);
}

void Schedule::load(StateReader& from) {
  from.begin("schedule");
  for (std::size_t i = 0; i < kAxes; ++i) {
    const std::string what =
        std::string("the period of the ") + to_text(static_cast<Axis>(i)) + " axis in us";
    from.require_same(what, period_[i].us);
  }
  const TimeUs end = from.get_time();
  if (!from.changed()) end_ = end;
  current_.time = from.get_time();
  current_.axes = from.get<std::uint16_t>();
  current_.instant = from.get<bool>();
  current_.end = current_.time == end_;
  if (current_.time > end_) {
    from.refuse("is that of " + to_text(current_.time) + ", after the end at " + to_text(end_));
  }
  instants_.resize(static_cast<std::size_t>(from.get_count(kMostInstants)));
  for (TimeUs& instant : instants_) {
    instant = from.get_time();
    if (instant <= current_.time) from.refuse("waits for an instant in the past");
  }
  std::make_heap(instants_.begin(), instants_.end(), std::greater<>());
  for (std::size_t i = 0; i < kAxes; ++i) {
    if (period_[i].us == 0) continue;
    next_tick_[i] = TimeUs((current_.time.us / period_[i].us + 1) * period_[i].us);
    if (next_tick_[i] <= current_.time) from.refuse("stands beyond the end of the clock");
  }
}

}  // namespace tactus
