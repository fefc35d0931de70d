// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The line of progress of `tactus run`.

#include <chrono>

#include "cli/common/status_line.h"
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

}  // namespace tactus::cli
