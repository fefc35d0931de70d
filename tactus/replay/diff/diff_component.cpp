// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/diff/diff_component.h"

#include "tactus/signal/signal_table.h"
#include "tactus/spec/vehicle/vehicle_type.h"

namespace tactus {
namespace {

struct LeafRule {
  std::string_view prefix;
  Component owner;
  Phase phase;
};

/// What neither a vehicle type (state) nor the table of signals knows. The first prefix that fits
/// decides.
constexpr LeafRule kLeafRules[] = {
    {"boundary.end", Component::kTimeline, Phase::kLog},  // an action may have asked for it
    {"boundary.", Component::kTimeline, Phase::kBoundary},
};

bool is_of_state(std::string_view leaf) {
  return leaf.starts_with("state.") || leaf.starts_with("modes.");
}

const LeafRule* rule_for(std::string_view leaf) {
  for (const LeafRule& rule : kLeafRules) {
    if (leaf.starts_with(rule.prefix)) return &rule;
  }
  return nullptr;
}

Phase phase_of(Stage stage) {
  switch (stage) {
    case Stage::kScenario: return Phase::kScenario;
    case Stage::kWind: return Phase::kWind;
    case Stage::kOutputs: return Phase::kOutputs;
    case Stage::kSensors: return Phase::kSensors;
    case Stage::kAutopilot: return Phase::kAutopilot;
    case Stage::kTelemetry:
    case Stage::kDiscontinuities:
    case Stage::kLog:
    case Stage::kIntegrate: break;
  }
  return Phase::kLog;
}

}  // namespace

Component owner_of_leaf(std::string_view leaf) {
  if (is_of_state(leaf)) return owner_of_state(leaf);
  const LeafRule* const rule = rule_for(leaf);
  if (rule != nullptr) return rule->owner;
  const Component of_part = part_of_leaf(leaf).owner;
  const SignalFacts* const facts = facts_of_leaf(leaf);
  return of_part != Component::kUnknown || facts == nullptr ? of_part : facts->owner;
}

Phase phase_of_leaf(std::string_view leaf) {
  if (is_of_state(leaf) || part_of_leaf(leaf).of_state) return Phase::kState;
  const LeafRule* const rule = rule_for(leaf);
  if (rule != nullptr) return rule->phase;
  const SignalFacts* const facts = facts_of_leaf(leaf);
  return facts == nullptr ? Phase::kLog : phase_of(facts->stage);
}

}  // namespace tactus
