// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Holds one run back: the observer that keeps a flight to its time mode.

#include <functional>
#include <memory>

#include "tactus/engine/observer.h"
#include "tactus/flight/pace/time_mode.h"

namespace tactus {

class Pacer final : public StageHook {
 public:
  /// `stop`: asked while waiting. Throws Error(kBadInput) if the factor is no number within the
  /// limits.
  Pacer(const TimeMode& mode, std::function<bool()> stop);

  /// Lockstep with nothing outside is as fast as it goes.
  [[nodiscard]] bool holds_back() const { return mode_.kind != TimeMode::Kind::kLockstep; }
  [[nodiscard]] bool wants(Stage stage) const override { return stage == Stage::kLog; }
  void after(Stage stage, const BoundaryView& view) override;

 private:
  TimeMode mode_;
  std::function<bool()> stop_;
  std::shared_ptr<WallClock> clock_;
  Pace pace_;
  bool started_ = false;
};

}  // namespace tactus
