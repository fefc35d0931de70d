// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/run/observers.h"

#include <fmt/format.h>

#include <utility>

#include "tactus/core/time.h"
#include "tactus/flight/names.h"

namespace tactus::cli {

using Clock = std::chrono::steady_clock;

ProgressLine::ProgressLine(const Spec& spec, bool quiet)
    : line_(quiet), end_s_(to_seconds(spec.timeline.end)) {}

void ProgressLine::after(Stage /*stage*/, const BoundaryView& view) {
  constexpr std::uint64_t kLookedAt = 16;  // boundaries; asking the clock is not free
  if (view.boundary % kLookedAt != 0) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  const double t_s = to_seconds(view.due.time);
  line_.show(fmt::format("{:8.2f} s  {:3.0f} %  height {:6.1f} m  {}", t_s,
                         end_s_ > 0.0 ? 100.0 * t_s / end_s_ : 100.0, view.bus.truth.height_m,
                         to_text(view.bus.autopilot.mode)));
}

Pacer::Pacer(double factor, std::function<bool()> stop)
    : factor_(factor), stop_(std::move(stop)), clock_(steady_wall_clock()), pace_(*clock_) {}

void Pacer::after(Stage /*stage*/, const BoundaryView& view) {
  if (!std::exchange(started_, true)) pace_.anchor(view.due.time, TimeMode::scaled(factor_));
  pace_.wait_for(view.due.time, stop_);
}

}  // namespace tactus::cli
