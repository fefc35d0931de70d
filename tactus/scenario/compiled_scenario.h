// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The events of a scenario with names resolved and ranges checked: const, shared by all copies of
// a run.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tactus/scenario/motor_noise.h"
#include "tactus/scenario/scenario_source.h"
#include "tactus/signal/bus.h"
#include "tactus/spec/schema/actions.h"

namespace tactus {

struct CompiledEvent {
  std::string id;
  Digest128 definition;  ///< of trigger and action
  TriggerKind kind = TriggerKind::kAtTime;
  TriggerMode mode = TriggerMode::kOnce;
  TimeUs at;
  DurationUs every;
  std::uint64_t step = 0;
  BusLeaf leaf;
  bool known_at_start = true;  ///< the signal has its value before the first scenario stage
  double sign = 1.0;           ///< the condition holds if sign · (value − threshold) ≥ 0
  double threshold = 0.0;
  double back = 0.0;  ///< where a repeating condition is armed again
  std::optional<Watch> watch;
  int after = -1;
  DurationUs delay;
  bool snap = false;
  ResolvedAction action;
  MotorNoise noise;  ///< of a motor_noise
  std::string place;

  [[nodiscard]] bool holds(const Bus& bus) const {
    return sign * (leaf.value(bus) - threshold) >= 0.0;
  }
  [[nodiscard]] bool is_back(const Bus& bus) const {
    const double distance = -sign * (leaf.value(bus) - back);
    return back == threshold ? distance > 0.0 : distance >= 0.0;
  }
};

struct CompiledScenario {
  std::vector<CompiledEvent> events;
  std::vector<int> conditions;  ///< positions of `when` events
  std::vector<int> steps;       ///< positions of `at_step` events
  int repeating_conditions = 0;
  DurationUs autopilot_period;
  bool reads_outputs = false;  ///< some condition is on what the plant derives from its inputs
};

/// Throws Error(kBadInput) that names the event and where it stands.
std::shared_ptr<const CompiledScenario> compile(const ScenarioSetup& setup);

}  // namespace tactus
