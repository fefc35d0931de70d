// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/diff_component.h"

namespace tactus {
namespace {

struct LeafRule {
  std::string_view prefix;
  Component owner;
  Phase phase;
};

/// The first prefix that fits decides.
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
    {"high_level.", Component::kScenario, Phase::kScenario},
    {"parameter.", Component::kScenario, Phase::kScenario},
    {"marker.", Component::kScenario, Phase::kScenario},
    {"faults.", Component::kScenario, Phase::kScenario},
    {"disturbance.", Component::kScenario, Phase::kScenario},
    {"wind.", Component::kWind, Phase::kWind},
    {"truth.acceleration", Component::kRigidBody, Phase::kOutputs},
    {"truth.angular_acceleration", Component::kRigidBody, Phase::kOutputs},
    {"truth.specific_force", Component::kRigidBody, Phase::kOutputs},
    {"truth.air_velocity", Component::kRigidBody, Phase::kOutputs},
    {"truth.", Component::kRigidBody, Phase::kState},
    {"environment.", Component::kEnvironment, Phase::kOutputs},
    {"battery.", Component::kBattery, Phase::kOutputs},
    {"battery[", Component::kBattery, Phase::kOutputs},
    {"power.", Component::kBattery, Phase::kOutputs},
    {"esc.", Component::kPropulsion, Phase::kOutputs},
    {"esc[", Component::kPropulsion, Phase::kOutputs},
    {"loads.gear_", Component::kContact, Phase::kOutputs},
    {"loads.impact_", Component::kContact, Phase::kOutputs},
    {"loads.", Component::kPropulsion, Phase::kOutputs},
    {"estimate.", Component::kEstimator, Phase::kSensors},
    {"imu[", Component::kInstruments, Phase::kSensors},
    {"magnetometer[", Component::kInstruments, Phase::kSensors},
    {"barometer[", Component::kInstruments, Phase::kSensors},
    {"gps[", Component::kInstruments, Phase::kSensors},
    {"airspeed[", Component::kInstruments, Phase::kSensors},
    {"range_finder[", Component::kInstruments, Phase::kSensors},
    {"land.", Component::kLandDetector, Phase::kSensors},
    {"command.", Component::kAutopilot, Phase::kAutopilot},
    {"autopilot.", Component::kAutopilot, Phase::kAutopilot},
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

}  // namespace

const char* to_text(Component component) {
  switch (component) {
    case Component::kTimeline: return "timeline";
    case Component::kRandom: return "random streams";
    case Component::kIntegrator: return "integrator";
    case Component::kScenario: return "scenario";
    case Component::kWind: return "wind";
    case Component::kEnvironment: return "environment";
    case Component::kBattery: return "battery";
    case Component::kPropulsion: return "propulsion";
    case Component::kRigidBody: return "rigid body";
    case Component::kContact: return "contact";
    case Component::kEstimator: return "estimator";
    case Component::kInstruments: return "instruments";
    case Component::kLandDetector: return "land detector";
    case Component::kAutopilot: return "autopilot";
    case Component::kLog: return "log";
    case Component::kText: return "not simulated";
    case Component::kUnknown: break;
  }
  return "not known";
}

bool is_of_plant(Component component) {
  return component >= Component::kEnvironment && component <= Component::kContact;
}

Component owner_of_leaf(std::string_view leaf) {
  const LeafRule* const rule = rule_for(leaf);
  return rule == nullptr ? Component::kUnknown : rule->owner;
}

Component owner_of_key(std::string_view key) {
  const std::string_view first = key.substr(0, key.find('.'));
  for (const KeyRule& rule : kKeyRules) {
    if (first == rule.first) return rule.owner;
  }
  return Component::kText;
}

Phase phase_of_leaf(std::string_view leaf) {
  // Rotor speed and charge are state that is published with the reports they belong to.
  if (leaf.ends_with("].speed_rad_s") || leaf.ends_with("].remaining")) return Phase::kState;
  const LeafRule* const rule = rule_for(leaf);
  return rule == nullptr ? Phase::kLog : rule->phase;
}

}  // namespace tactus
