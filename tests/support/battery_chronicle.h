// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What became of a battery in a flight, and what the autopilot did about it.

#include <optional>
#include <vector>

#include "tactus/engine/observer.h"

namespace tactus::testing {

/// When each warning and each mode of the autopilot came first.
class BatteryChronicle final : public StageHook {
 public:
  [[nodiscard]] bool wants(Stage stage) const override { return stage == Stage::kLog; }
  void after(Stage /*stage*/, const BoundaryView& view) override {
    const auto w = static_cast<std::size_t>(view.bus.battery[0].warning);
    if (!warned[w]) warned[w] = view.bus.time;
    if (!failsafe && view.bus.autopilot.failsafe == Failsafe::kBatteryCritical) {
      failsafe = view.bus.time;
    }
    if (!modes.empty() && modes.back().mode == view.bus.autopilot.mode) return;
    modes.push_back({view.bus.time, view.bus.autopilot.mode});
  }
  [[nodiscard]] FlightMode mode_at(TimeUs time) const {
    FlightMode mode = FlightMode::kNone;
    for (const Change& change : modes) {
      if (change.since <= time) mode = change.mode;
    }
    return mode;
  }
  [[nodiscard]] std::optional<TimeUs> first(FlightMode mode) const {
    for (const Change& change : modes) {
      if (change.mode == mode) return change.since;
    }
    return std::nullopt;
  }
  [[nodiscard]] std::optional<TimeUs> at(BatteryWarning warning) const {
    return warned[static_cast<std::size_t>(warning)];
  }

  struct Change {
    TimeUs since;
    FlightMode mode = FlightMode::kNone;
  };
  std::vector<Change> modes;
  std::optional<TimeUs> warned[4];
  std::optional<TimeUs> failsafe;  ///< of a critical battery
};

}  // namespace tactus::testing
