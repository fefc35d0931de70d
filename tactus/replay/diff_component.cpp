// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/diff_component.h"

#include "tactus/signal/signal_table.h"

namespace tactus {
namespace {

struct LeafRule {
  std::string_view prefix;
  Component owner;
  Phase phase;
};

/// The first prefix that fits decides; of signals that are not here the table of signals knows.
constexpr LeafRule kLeafRules[] = {
    {"boundary.end", Component::kTimeline, Phase::kLog},  // an action may have asked for it
    {"boundary.", Component::kTimeline, Phase::kBoundary},
    {"state.state_of_charge", Component::kBattery, Phase::kState},
    {"state.rc_voltage_v", Component::kBattery, Phase::kState},
    {"state.rotor_speed", Component::kPropulsion, Phase::kState},
    {"state.motor_output", Component::kPropulsion, Phase::kState},
    {"state.servo_output", Component::kPropulsion, Phase::kState},
    {"state.left_speed", Component::kPropulsion, Phase::kState},
    {"state.right_speed", Component::kPropulsion, Phase::kState},
    {"state.bristle", Component::kContact, Phase::kState},
    {"state.", Component::kRigidBody, Phase::kState},
    {"modes.rotor_", Component::kPropulsion, Phase::kState},
    {"modes.gear_", Component::kContact, Phase::kState},
    {"modes.", Component::kBattery, Phase::kState},
    {"loads.gear_", Component::kContact, Phase::kOutputs},
    {"loads.impact_", Component::kContact, Phase::kOutputs},
};

struct KeyRule {
  std::string_view first;
  Component owner;
};

constexpr KeyRule kKeyRules[] = {
    {"seed", Component::kRandom},
    {"time", Component::kTimeline},
    {"solver", Component::kIntegrator},
    {"event", Component::kScenario},
    {"wind", Component::kWind},
    {"world", Component::kEnvironment},
    {"pack", Component::kBattery},
    {"bus", Component::kBattery},
    {"motor", Component::kPropulsion},
    {"propeller", Component::kPropulsion},
    {"rotor", Component::kPropulsion},
    {"motor_actuator", Component::kPropulsion},
    {"servo_actuator", Component::kPropulsion},
    {"rover", Component::kRigidBody},
    {"vehicle", Component::kRigidBody},
    {"body", Component::kRigidBody},
    {"initial", Component::kRigidBody},
    {"gear", Component::kContact},
    {"estimator", Component::kEstimator},
    {"sensors", Component::kInstruments},
    {"land_detector", Component::kLandDetector},
    {"autopilot", Component::kAutopilot},
    {"log", Component::kLog},
};

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
  const LeafRule* const rule = rule_for(leaf);
  if (rule != nullptr) return rule->owner;
  const SignalFacts* const facts = facts_of_leaf(leaf);
  return facts == nullptr ? Component::kUnknown : facts->owner;
}

Component owner_of_key(std::string_view key) {
  const std::string_view first = key.substr(0, key.find('.'));
  for (const KeyRule& rule : kKeyRules) {
    if (first == rule.first) return rule.owner;
  }
  return Component::kText;
}

Phase phase_of_leaf(std::string_view leaf) {
  if (follows_from_state(leaf)) return Phase::kState;
  const LeafRule* const rule = rule_for(leaf);
  if (rule != nullptr) return rule->phase;
  const SignalFacts* const facts = facts_of_leaf(leaf);
  return facts == nullptr ? Phase::kLog : phase_of(facts->stage);
}

}  // namespace tactus
