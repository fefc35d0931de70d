// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Plays chosen signals of a recording back in place of the source that wrote them: scenario, wind,
// estimator or autopilot. At any instant a signal has its last recorded value at or before it; an
// instant before the first one stops the run. Where a value changes there is a boundary, whether
// an axis ticks there or not, so inputs change exactly when they did.
//
// A replay of the scenario stage also brings back every boundary that was scheduled or found, and
// ends the run where a complete recording ended: the rest of the flight then has the same
// boundaries and, with the same solver, the same bits.

#include <array>
#include <cstddef>
#include <memory>
#include <string>

#include "tactus/engine/source.h"
#include "tactus/record/memory_recorder.h"

namespace tactus {

class ReplaySource final : public Source {
 public:
  /// Throws Error(kBadInput) if a chosen signal was not recorded.
  ReplaySource(std::shared_ptr<const MemoryRecording> recording, Stage stage, SignalSet signals);

  [[nodiscard]] SourceInfo info() const override;
  void update(SourceContext& context) override;
  [[nodiscard]] std::unique_ptr<Source> clone() const override;

 private:
  template <Signal signal>
  void play(SourceContext& context);
  void bring_back_instants(SourceContext& context);

  std::shared_ptr<const MemoryRecording> recording_;
  Stage stage_;
  SignalSet signals_;
  std::shared_ptr<const std::string> name_;   ///< shared: info() of every copy points into it
  std::array<std::size_t, kSignals> next_{};  ///< first sample that has not been played
  std::size_t next_instant_ = 0;
};

}  // namespace tactus
