// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/run/observers.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "tactus/core/time.h"
#include "tactus/flight/names.h"

namespace tactus::cli {

using Clock = std::chrono::steady_clock;

ProgressLine::ProgressLine(const Spec& spec, bool quiet)
    : shown_(!quiet && isatty(STDERR_FILENO) == 1), end_s_(to_seconds(spec.timeline.end)) {}

ProgressLine::~ProgressLine() {
  if (shown_) std::fputs("\r\x1b[2K", stderr);
}

void ProgressLine::after(Stage /*stage*/, const BoundaryView& view) {
  constexpr std::uint64_t kLookedAt = 16;  // boundaries; asking the clock is not free
  if (view.boundary % kLookedAt != 0) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  const double t_s = to_seconds(view.due.time);
  std::fprintf(stderr, "\r\x1b[2K%8.2f s  %3.0f %%  height %6.1f m  %s", t_s,
               end_s_ > 0.0 ? 100.0 * t_s / end_s_ : 100.0, view.bus.truth.height_m,
               to_text(view.bus.autopilot.mode));
}

Pacer::Pacer(double factor, std::function<bool()> stop)
    : factor_(factor), stop_(std::move(stop)), clock_(steady_wall_clock()), pace_(*clock_) {}

void Pacer::after(Stage /*stage*/, const BoundaryView& view) {
  if (!std::exchange(started_, true)) pace_.anchor(view.due.time, TimeMode::scaled(factor_));
  pace_.wait_for(view.due.time, stop_);
}

}  // namespace tactus::cli
