// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The scenario of a vehicle that flies in an external simulator: what the pilot wants, from
// the events of its spec. Conditions see what the frames carry; what would break something is
// refused, because there is nothing of ours to break.

#include <vector>

#include "tactus/bridge/vehicle.h"
#include "tactus/scenario/scenario_source.h"
#include "tactus/signal/bus.h"
#include "tactus/signal/schedule.h"
#include "tactus/spec/model/spec.h"

namespace tactus {

class ScenarioOrders final : public VehicleScenario {
 public:
  /// Throws Error(kBadInput) that names an event that cannot be played.
  explicit ScenarioOrders(const Spec& spec);
  void play(SensorFrame& frame) override;
  void take_notes(std::vector<Note>& notes) override { source_.take_notes(notes); }

 private:
  Bus bus_;
  Schedule schedule_;
  ScenarioSource source_;
  std::uint64_t boundary_ = 0;
};

}  // namespace tactus
