// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <cstdint>
#include <type_traits>

#include "tactus/core/hd.h"

namespace tactus {

/// The parts of a simulation, and what owns the keys of a spec that belong to none of them.
enum class Component : std::uint8_t {
  kTimeline,  ///< periods, the end
  kRandom,    ///< the seed
  kIntegrator,
  kScenario,
  kWind,
  kEnvironment,
  kBattery,  ///< packs and the power network
  kPropulsion,
  kRigidBody,
  kContact,
  kEstimator,
  kInstruments,
  kLandDetector,
  kAutopilot,
  kLog,
  kText,  ///< name, description, expectations: nothing that flies
  kUnknown,
};

constexpr const char* to_text(Component component) {
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

/// Environment, battery, propulsion, rigid body and contact act on each other within an interval.
constexpr bool is_of_plant(Component component) {
  return component >= Component::kEnvironment && component <= Component::kContact;
}

/// Mark in the field list of discrete states: whose it is.
template <class T>
struct OwnedBy {
  using MarkedMember = T;
  T* member;
  Component owner;

  [[nodiscard]] static constexpr bool in_digest() { return true; }
};

template <class T>
TACTUS_HD constexpr OwnedBy<T> owned(T& member, Component owner) {
  return {&member, owner};
}

template <class T>
inline constexpr bool kIsOwned = false;
template <class T>
inline constexpr bool kIsOwned<OwnedBy<T>> = true;
template <class T>
concept OwnedField = kIsOwned<std::remove_cvref_t<T>>;

}  // namespace tactus
