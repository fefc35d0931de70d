// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Hooks of `tactus run` that know the clock on the wall: a line of progress, and pacing.

#include <chrono>
#include <functional>
#include <memory>

#include "cli/common/status_line.h"
#include "tactus/bridge/time_mode.h"
#include "tactus/engine/observer.h"
#include "tactus/spec/model/spec.h"

namespace tactus::cli {

/// Simulated time, part done, height and mode on one line of stderr, ten times a second; wiped at
/// the end. Only if stderr is a terminal.
class ProgressLine final : public StageHook {
 public:
  ProgressLine(const Spec& spec, bool quiet);

  [[nodiscard]] bool shown() const { return line_.shown(); }
  [[nodiscard]] bool wants(Stage stage) const override { return stage == Stage::kLog; }
  void after(Stage stage, const BoundaryView& view) override;

 private:
  StatusLine line_;
  double end_s_;
  std::chrono::steady_clock::time_point next_;
};

/// Holds the run back so that it is not faster than `factor` times real time.
class Pacer final : public StageHook {
 public:
  /// `stop`: asked while waiting.
  Pacer(double factor, std::function<bool()> stop);

  [[nodiscard]] bool wants(Stage stage) const override { return stage == Stage::kLog; }
  void after(Stage stage, const BoundaryView& view) override;

 private:
  double factor_;
  std::function<bool()> stop_;
  std::shared_ptr<WallClock> clock_;
  Pace pace_;
  bool started_ = false;
};

}  // namespace tactus::cli
