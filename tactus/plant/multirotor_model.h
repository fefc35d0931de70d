// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Parameters of a multirotor, and the same prepared for flight in a world: validated, with
// everything computed that does not change.

#include <cstdint>
#include <limits>

#include "tactus/core/fields.h"
#include "tactus/core/hd.h"
#include "tactus/core/time.h"
#include "tactus/core/vec.h"
#include "tactus/plant/actuator.h"
#include "tactus/plant/contact.h"
#include "tactus/plant/motor.h"
#include "tactus/plant/multirotor_state.h"
#include "tactus/plant/power_network.h"
#include "tactus/plant/propeller.h"
#include "tactus/plant/rigid_body.h"
#include "tactus/plant/rotor_axis.h"
#include "tactus/solver/config.h"
#include "tactus/solver/system.h"
#include "tactus/world/world.h"

namespace tactus {

struct RotorParameters {
  Vec3 position_B_m;
  Vec3 axis_B{0.0, 0.0, 1.0};
  int reaction_sign = 1;
  MotorParameters motor;
  PropellerParameters propeller;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("position_body_m", "m", self.position_B_m, "hub from the centre of mass, body axes");
    visit("axis_body", "1", self.axis_B, "unit axis; (0, 0, 1) lifts");
    visit("reaction_sign", "", self.reaction_sign, "sign of the torque on the body about the axis");
    visit("motor", "", self.motor, "motor and speed controller");
    visit("propeller", "", self.propeller, "propeller");
  }
};
static_assert(lists_every_field<RotorParameters>());

struct MultirotorParameters {
  int rotor_count = 4;
  int servo_count = 0;
  RotorParameters rotor[kMaxMotors];
  RigidBodyParameters body;
  ActuatorParameters motor_actuator;
  ActuatorParameters servo_actuator;
  PowerNetworkParameters power;
  GearParameters gear;
  bool ledger = false;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("rotor_count", "", self.rotor_count, "number of rotors");
    visit("servo_count", "", self.servo_count, "number of servos");
    visit("rotor", "", self.rotor, "rotors");
    visit("body", "", self.body, "airframe");
    visit("motor_actuator", "", self.motor_actuator, "command path of the motors");
    visit("servo_actuator", "", self.servo_actuator, "servos");
    visit("power", "", self.power, "packs and buses");
    visit("gear", "", self.gear, "landing gear");
    visit("ledger", "", self.ledger, "integrate the energy ledger");
  }
};
static_assert(lists_every_field<MultirotorParameters>());

struct Rotor {
  Vec3 position_B_m;
  Vec3 axis_B;
  double spin = 1.0;  ///< sense of rotation about the axis, opposite to the reaction on the body
  int bus = 0;
  Motor motor;
  Propeller propeller;
};

/// Longest fixed step that a vehicle allows, and what would break beyond it.
struct StepLimit {
  std::uint64_t step_us = std::numeric_limits<std::uint64_t>::max();
  const char* what = "";
};

struct Multirotor {
  MultirotorCounts counts;
  MultirotorLayout layout;
  StateGroups groups;
  RigidBodyParameters body;
  Mat3 all_turning_inertia_inverse;
  Rotor rotor[kMaxMotors];
  ActuatorParameters motor_actuator;
  ActuatorParameters servo_actuator;
  PowerNetwork network;
  GearParameters gear;
  World world;
  StepLimit euler_step_limit;
  StepLimit rk4_step_limit;
  MultirotorState initial;  ///< over the origin, level; ground just touched, if there is some
};

/// Validates and prepares. Throws Error that names the parameter, its value and the reason.
Multirotor make_multirotor(const MultirotorParameters& parameters,
                           const World& world = make_world({}));

/// Refuses a fixed step that cannot resolve the actuators or a landing (contract C7).
void require_step_resolves(const Multirotor& vehicle, const SolverConfig& config,
                           DurationUs longest_interval);

/// A sentence for the user if the motors have a lag besides their rotors' inertia, else empty.
const char* motor_lag_note(const MultirotorParameters& parameters);

/// Which entries of the state the solvers treat alike.
TACTUS_HD constexpr StateGroups make_groups(const MultirotorLayout& at) {
  StateGroups groups;
  groups.add(ErrorGroup::kPosition, at.position, 3);
  groups.add(ErrorGroup::kVelocity, at.velocity, 3);
  groups.add(ErrorGroup::kAttitude, at.attitude, 4, at.rate);
  groups.add(ErrorGroup::kRate, at.rate, 3);
  groups.add(ErrorGroup::kRotor, at.rotor_speed, at.charge - at.rotor_speed);
  groups.add(ErrorGroup::kCharge, at.charge, at.rc_voltage - at.charge);
  groups.add(ErrorGroup::kPolarisation, at.rc_voltage, at.motor_output - at.rc_voltage);
  groups.add(ErrorGroup::kActuator, at.motor_output, at.motor_rate - at.motor_output);
  groups.add(ErrorGroup::kActuatorRate, at.motor_rate, at.servo_output - at.motor_rate);
  groups.add(ErrorGroup::kActuator, at.servo_output, at.servo_rate - at.servo_output);
  groups.add(ErrorGroup::kActuatorRate, at.servo_rate, at.bristle - at.servo_rate);
  groups.add(ErrorGroup::kOther, at.bristle, at.size - at.bristle);
  return groups;
}

/// Counts and layout read from the vehicle at run time.
struct RunTimeShape {
  static constexpr int kCapacity = kMultirotorCapacity;
  const Multirotor* vehicle;
  TACTUS_HD const MultirotorCounts& counts() const { return vehicle->counts; }
  TACTUS_HD const MultirotorLayout& layout() const { return vehicle->layout; }
  TACTUS_HD const StateGroups& groups() const { return vehicle->groups; }
  TACTUS_HD const PowerNetwork& network() const { return vehicle->network; }
  TACTUS_HD const Rotor& rotor(int i) const { return vehicle->rotor[i]; }
  TACTUS_HD Vec3 axis_B(int i) const { return vehicle->rotor[i].axis_B; }
};

/// Which models a fixed shape uses.
struct RotorModels {
  PropellerKind propeller = PropellerKind::kQuadratic;
  MotorMode mode = MotorMode::kDrive;
  MotorStop stop = MotorStop::kCoast;
  bool upright = false;  ///< all axes are (0, 0, 1); false: they may be any
};

/// Counts and models known to the compiler, for the GPU batch and the commonest vehicles: every
/// loop unrolls, and what is not used costs no registers. The same bits. One bus only.
/// `capacity`: of the state arrays; larger than needed where they are shared with other shapes.
template <MultirotorCounts kCounts, RotorModels kModels = RotorModels{},
          int capacity = make_layout(kCounts).size>
struct FixedShape {
  static_assert(kCounts.buses == 1);
  static_assert(capacity >= make_layout(kCounts).size);
  static constexpr int kCapacity = capacity;
  const Multirotor* vehicle;

  TACTUS_HD static constexpr MultirotorCounts counts() { return kCounts; }
  TACTUS_HD static constexpr MultirotorLayout layout() { return make_layout(kCounts); }
#if defined(__CUDACC__)  // where a constant of the host has no address
  TACTUS_HD static constexpr StateGroups groups() {
    constexpr StateGroups kGroups = make_groups(make_layout(kCounts));
    return kGroups;
  }
#else
  static constexpr StateGroups kGroups = make_groups(make_layout(kCounts));
  static constexpr const StateGroups& groups() { return kGroups; }
#endif
  TACTUS_HD static constexpr auto network() {
    return SingleBusNetwork<kCounts.packs, kCounts.rotors>{};
  }
  /// With the choices known to the compiler (`fits` has checked). On a device it is a copy, of
  /// which only what is read is ever loaded; there a reference would be read again and again.
#if defined(__CUDACC__)
  TACTUS_HD Rotor rotor(int i) const {
    Rotor rotor = vehicle->rotor[i];
    rotor.propeller.kind = kModels.propeller;
    rotor.motor.mode = kModels.mode;
    rotor.motor.stop = kModels.stop;
    return rotor;
  }
#else
  const Rotor& rotor(int i) const {
    const Rotor& rotor = vehicle->rotor[i];
    if (rotor.propeller.kind != kModels.propeller) __builtin_unreachable();
    if (rotor.motor.mode != kModels.mode) __builtin_unreachable();
    if (rotor.motor.stop != kModels.stop) __builtin_unreachable();
    return rotor;
  }
#endif
  TACTUS_HD auto axis_B(int i) const {
    if constexpr (kModels.upright) {
      return UprightAxis{};
    } else {
      return vehicle->rotor[i].axis_B;
    }
  }

  /// Whether a vehicle may be flown with this shape.
  static bool fits(const Multirotor& vehicle) {
    bool fits = vehicle.counts == kCounts;
    for (int i = 0; i < kCounts.rotors; ++i) {
      const Rotor& rotor = vehicle.rotor[i];
      fits = fits && (!kModels.upright || rotor.axis_B == Vec3{0.0, 0.0, 1.0}) &&
             rotor.propeller.kind == kModels.propeller && rotor.motor.mode == kModels.mode &&
             rotor.motor.stop == kModels.stop;
    }
    return fits;
  }
};

}  // namespace tactus
