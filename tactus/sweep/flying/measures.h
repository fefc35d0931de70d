// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Measures of a flight as it is flown. Signals are taken at the ticks of the autopilot, at the end
// and at a crash, so that figures do not depend on how a flight is logged; a vehicle without an
// autopilot is taken at every boundary. Between two of them a signal is a straight line for mean,
// rms, integral and crossings, and holds for percentiles. After a crash nothing is measured.
//
// Memory is bounded: a percentile counts the time spent in each of a fixed set of narrow bins
// (0.1 % of the value wide) and is good to 0.05 %.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "tactus/engine/observer.h"
#include "tactus/signal/bus.h"
#include "tactus/spec/model/spec.h"
#include "tactus/sweep/campaign/campaign_file.h"

namespace tactus::sweep {

class MeasureObserver final : public StageHook {
 public:
  /// Throws PlacedError for a signal that the vehicle does not have.
  MeasureObserver(std::span<const Measure> measures, const Spec& spec);

  [[nodiscard]] bool wants(Stage stage) const override { return stage == Stage::kLog; }
  void after(Stage stage, const BoundaryView& view) override;

  /// By measure; none: there was nothing to measure, or the level was never crossed.
  [[nodiscard]] std::vector<std::optional<double>> results() const;

 private:
  struct State {
    BusLeaf leaf;
    bool started = false;
    TimeUs first;
    TimeUs last;
    double value = 0.0;  ///< at `last`
    double least = 0.0;
    double most = 0.0;
    double integral = 0.0;          ///< of the signal
    double integral_squared = 0.0;  ///< of its square
    std::optional<double> crossed_s;
    std::map<std::uint64_t, std::uint64_t> us_in_bin;
  };

  static void see(const Measure& measure, TimeUs now, double value, State& state);
  static std::optional<double> result(const Measure& measure, const State& state);

  std::span<const Measure> measures_;
  bool at_every_boundary_;
  bool can_crash_;
  bool is_over_ = false;
  std::vector<State> states_;
};

}  // namespace tactus::sweep
