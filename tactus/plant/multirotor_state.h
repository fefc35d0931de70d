// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The multirotor's continuous state: one packed array of doubles, of which a vehicle uses the first
// `layout.size`. Packed, so that a solver spends nothing on absent rotors, packs or actuators; the
// layout follows from the counts alone, so the same counts give the same order everywhere.
//
//   position 3 | velocity 3 | attitude 4 | body rate 3 | rotor speed n | state of charge b
//   | RC voltages b·r | motor actuator output n, rate n | servo actuator output s, rate s
//   | bristles 2·g | energy ledger

#include <cstddef>
#include <cstdint>
#include <span>

#include "tactus/core/assert.h"
#include "tactus/core/hd.h"
#include "tactus/core/packed.h"
#include "tactus/core/quat.h"
#include "tactus/plant/actuator.h"
#include "tactus/signal/component.h"
#include "tactus/signal/limits.h"

namespace tactus {

/// Powers that the energy ledger integrates. Sources are positive when they feed the vehicle,
/// losses positive when they drain it.
enum class LedgerEntry : std::uint8_t {
  kChemical,  ///< Σ OCV·I of the packs
  kPackLoss,  ///< Σ r0 I² and v_rc²/R
  kEscLoss,
  kCopperLoss,
  kFrictionLoss,  ///< motor no-load and viscous friction
  kAvionics,
  kRotorAir,  ///< work of the air on rotors and hubs
  kDragAir,   ///< work of the air on the airframe
  kContact,   ///< work of the ground on the gear
  kGravity,
  kImpactLoss,  ///< rotors that jam or stop
  kProjection,  ///< energy added by hard bounds
  kCount,
};
inline constexpr int kLedgerEntries = static_cast<int>(LedgerEntry::kCount);

/// What decides the layout.
struct MultirotorCounts {
  int rotors = 4;
  int servos = 0;
  int packs = 1;
  int buses = 1;
  int rc_pairs = 1;  ///< per pack; packs with fewer leave theirs at zero
  int gear_points = 0;
  int motor_actuator_order = 0;
  int servo_actuator_order = 0;
  bool ledger = false;

  constexpr bool operator==(const MultirotorCounts&) const = default;
};

/// First index of each part.
struct MultirotorLayout {
  int position = 0;
  int velocity = 3;
  int attitude = 6;
  int rate = 10;
  int rotor_speed = 13;
  int charge = 0;
  int rc_voltage = 0;
  int motor_output = 0;
  int motor_rate = 0;
  int servo_output = 0;
  int servo_rate = 0;
  int bristle = 0;
  int ledger = 0;
  int size = 0;
};

TACTUS_HD constexpr MultirotorLayout make_layout(const MultirotorCounts& n) {
  TACTUS_ASSERT(n.rotors >= 0 && n.rotors <= kMaxMotors, "rotors that have room");
  TACTUS_ASSERT(n.servos >= 0 && n.servos <= kMaxServos, "servos that have room");
  TACTUS_ASSERT(n.packs >= 0 && n.packs <= kMaxPacks, "packs that have room");
  TACTUS_ASSERT(n.rc_pairs >= 0 && n.rc_pairs <= kMaxRcPairs, "RC pairs that have room");
  TACTUS_ASSERT(n.gear_points >= 0 && n.gear_points <= kMaxGearPoints, "gear that has room");
  MultirotorLayout at;
  at.charge = at.rotor_speed + n.rotors;
  at.rc_voltage = at.charge + n.packs;
  at.motor_output = at.rc_voltage + n.packs * n.rc_pairs;
  at.motor_rate = at.motor_output + (n.motor_actuator_order >= 1 ? n.rotors : 0);
  at.servo_output = at.motor_rate + (n.motor_actuator_order >= 2 ? n.rotors : 0);
  at.servo_rate = at.servo_output + (n.servo_actuator_order >= 1 ? n.servos : 0);
  at.bristle = at.servo_rate + (n.servo_actuator_order >= 2 ? n.servos : 0);
  at.ledger = at.bristle + 2 * n.gear_points;
  at.size = at.ledger + (n.ledger ? kLedgerEntries : 0);
  return at;
}

inline constexpr int kMultirotorCapacity = make_layout({.rotors = kMaxMotors,
                                                        .servos = kMaxServos,
                                                        .packs = kMaxPacks,
                                                        .buses = kMaxBuses,
                                                        .rc_pairs = kMaxRcPairs,
                                                        .gear_points = kMaxGearPoints,
                                                        .motor_actuator_order = 2,
                                                        .servo_actuator_order = 2,
                                                        .ledger = true})
                                               .size;

struct MultirotorState {
  double x[kMultirotorCapacity] = {};
};

/// The field list of the state: visit(name, unit, owner, span), absent parts as empty spans.
template <class Double, class Visitor>
void visit_state_fields(const MultirotorCounts& n, Double* x, Visitor&& visit) {
  const MultirotorLayout at = make_layout(n);
  const auto part = [x](int begin, int end) {
    TACTUS_ASSERT(begin <= end, "parts lie in the order of the state");
    return std::span<Double>(x + begin, static_cast<std::size_t>(end - begin));
  };
  visit("position_ned_m", "m", Component::kRigidBody, part(at.position, at.velocity));
  visit("velocity_ned_m_s", "m/s", Component::kRigidBody, part(at.velocity, at.attitude));
  visit("attitude_wxyz", "1", Component::kRigidBody, part(at.attitude, at.rate));
  visit("rate_body_rad_s", "rad/s", Component::kRigidBody, part(at.rate, at.rotor_speed));
  visit("rotor_speed_rad_s", "rad/s", Component::kPropulsion, part(at.rotor_speed, at.charge));
  visit("state_of_charge", "1", Component::kBattery, part(at.charge, at.rc_voltage));
  visit("rc_voltage_v", "V", Component::kBattery, part(at.rc_voltage, at.motor_output));
  visit("motor_output", "1", Component::kPropulsion, part(at.motor_output, at.motor_rate));
  visit("motor_output_rate_per_s", "1/s", Component::kPropulsion,
        part(at.motor_rate, at.servo_output));
  visit("servo_output", "1", Component::kPropulsion, part(at.servo_output, at.servo_rate));
  visit("servo_output_rate_per_s", "1/s", Component::kPropulsion, part(at.servo_rate, at.bristle));
  visit("bristle", "1", Component::kContact, part(at.bristle, at.ledger));
  visit("ledger_j", "J", Component::kRigidBody, part(at.ledger, at.size));
}

}  // namespace tactus
