// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/run/observers.h"

#include <fmt/format.h>

#include "tactus/core/time.h"
#include "tactus/flight/names.h"

namespace tactus::cli {

using Clock = std::chrono::steady_clock;

ProgressLine::ProgressLine(const Spec& spec, bool quiet)
    : line_(quiet), end_s_(to_seconds(spec.timeline.end)) {}

void ProgressLine::after(Stage /*stage*/, const BoundaryView& view) {
  constexpr std::uint64_t kApart = 16;  // boundaries; asking the clock is not free
  if (view.boundary % kApart != 0) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  const double t_s = to_seconds(view.due.time);
  line_.show(fmt::format("{:8.2f} s  {:3.0f} %  height {:6.1f} m  {}", t_s,
                         end_s_ > 0.0 ? 100.0 * t_s / end_s_ : 100.0, view.bus.truth.height_m,
                         to_text(view.bus.autopilot.mode)));
}

}  // namespace tactus::cli
