// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/flight/pace/pacer.h"

#include <utility>

namespace tactus {

Pacer::Pacer(const TimeMode& mode, std::function<bool()> stop)
    : mode_(mode), stop_(std::move(stop)), clock_(steady_wall_clock()), pace_(*clock_) {
  validate(mode);
}

void Pacer::after(Stage /*stage*/, const BoundaryView& view) {
  if (!std::exchange(started_, true)) pace_.anchor(view.due.time, mode_);
  pace_.wait_for(view.due.time, stop_);
}

}  // namespace tactus
