// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Brushless motor with its electronic speed controller, averaged over the switching period.
//
//   Ke = Kt = 60 / (2π Kv)                    [V·s/rad = N·m/A]
//   I = clamp((d V − Ke Ω) / R, lower, upper)  duty d, bus voltage V, speed Ω ≥ 0, no inductance
//   upper = min(phase limit, bus limit / d)    lower = 0 (`drive`) or −upper (`damped`)
//   I_bus = d I / η motoring (I ≥ 0),  d I η regenerating (I < 0)
//   J Ω̇ = Kt I − Kt I0 − b Ω − Q              while turning; Q is the propeller's torque
//
// A command below the dead zone stops the motor: `coast` opens the windings (I = 0), `brake` shorts
// them (I = −Ke Ω / R within the phase limit), in both modes. The no-load current I0 is Coulomb
// friction Kt I0, so a rotor without drive slows down and stops; where I ≥ I0 this is the common
// law τ = Kt max(0, I − I0) to the last term. A current limiter drops the voltage it withholds,
// dV − Ke Ω − R I, at the current I inside the controller. So every loss has its own law, none is
// negative in either direction of power, and V I_bus = conversion + limiter + copper + Kt I Ω.
// Rotors turn one way. The stopped rotor is a discrete mode of the plant: it leaves it when
// `break_away_excess` becomes positive, and enters it when Ω reaches zero.
// Reference: Drela, "First-Order DC Electric Motor Model", MIT 2007. Valid: |dV| up to tens of
// volts, switching and electrical time constants (< 0.1 ms) far below the rotor's (tens of ms).

#include <cstdint>
#include <string_view>

#include "tactus/core/assert.h"
#include "tactus/core/fields.h"
#include "tactus/core/hd.h"
#include "tactus/core/math.h"
#include "tactus/plant/load_curve.h"

namespace tactus {

enum class MotorMode : std::uint8_t {
  kDrive,   ///< motor current never negative: the rotor slows by its own drag
  kDamped,  ///< complementary switching: current of both signs, braking feeds the bus
};

enum class MotorStop : std::uint8_t {
  kCoast,  ///< windings open
  kBrake,  ///< windings shorted
};

/// Parameters of one motor with its speed controller and everything that turns with it. The
/// defaults are an 850 rpm/V motor of stator size 2212 to 2216 on a 20 A controller, turning an APC
/// 10x4.7SF.
struct MotorParameters {
  double kv_rpm_per_v = 850.0;
  double resistance_ohm = 0.18;         ///< winding, leads and switches
  double no_load_current_a = 0.5;       ///< Coulomb friction Kt·I0
  double viscous_friction_nm_s = 1e-6;  ///< b
  double rotor_inertia_kg_m2 = 4.7e-5;  ///< motor bell and propeller
  double phase_current_limit_a = 30.0;  ///< on |I|
  double bus_current_limit_a = 20.0;    ///< on d·|I|
  double efficiency = 0.95;             ///< η of the controller, both directions
  double dead_zone = 0.02;              ///< duty below this is zero
  MotorMode mode = MotorMode::kDrive;
  MotorStop stop = MotorStop::kCoast;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("kv_rpm_per_v", "rpm/V", self.kv_rpm_per_v, "speed constant");
    visit("resistance_ohm", "ohm", self.resistance_ohm, "winding, leads and switches");
    visit("no_load_current_a", "A", self.no_load_current_a, "Coulomb friction as a current");
    visit("viscous_friction_nm_s", "N*m*s", self.viscous_friction_nm_s, "friction per speed");
    visit("rotor_inertia_kg_m2", "kg*m^2", self.rotor_inertia_kg_m2, "motor bell and propeller");
    visit("phase_current_limit_a", "A", self.phase_current_limit_a, "limit of the motor current");
    visit("bus_current_limit_a", "A", self.bus_current_limit_a, "limit of duty times current");
    visit("efficiency", "1", self.efficiency, "of the controller, in both directions");
    visit("dead_zone", "1", self.dead_zone, "a smaller command stops the motor");
    visit("mode", "", self.mode, "drive or damped");
    visit("stop", "", self.stop, "coast or brake");
  }
};
static_assert(lists_every_field<MotorParameters>());

/// Throws `Error` that names the field, its value and the reason when a parameter is impossible.
void validate(const MotorParameters& parameters, std::string_view where);

/// Parameters with everything computed that does not change in flight: what hot code uses.
struct Motor {
  double torque_constant_nm_a = 0.0;  ///< Kt = Ke
  double resistance_ohm = 0.0;
  double conductance_s = 0.0;
  double coulomb_torque_nm = 0.0;  ///< Kt·I0: friction while turning, break-away torque at rest
  double viscous_friction_nm_s = 0.0;
  double rotor_inertia_kg_m2 = 0.0;
  double inverse_inertia = 0.0;
  double phase_current_limit_a = 0.0;
  double bus_current_limit_a = 0.0;
  double efficiency = 1.0;
  double inverse_efficiency = 1.0;
  double dead_zone = 0.0;
  MotorMode mode = MotorMode::kDrive;
  MotorStop stop = MotorStop::kCoast;
};

/// Validates and prepares.
Motor make_motor(const MotorParameters& parameters, std::string_view where);

/// One motor at one instant, all but the bus voltage known. No initialisers: there is one of these
/// for every motor that a vehicle could have.
struct MotorElectrical {
  double duty;  ///< after clamp and dead zone
  double back_emf_v;
  double lower_a;  ///< range of the motor current
  double upper_a;
};

/// A controller without power opens its switches: no current, whatever the command.
TACTUS_HD inline MotorElectrical motor_electrical(const Motor& motor, double command,
                                                  double speed_rad_s, bool powered = true) {
  const double duty = math::clamp(command, 0.0, 1.0);
  const double limit_a = motor.phase_current_limit_a;
  MotorElectrical e{};
  e.back_emf_v = motor.torque_constant_nm_a * speed_rad_s;
  if (!powered) return e;
  if (duty > 0.0 && duty >= motor.dead_zone) {
    e.duty = duty;
    // The division is spent only where the bus limit is the tighter one.
    e.upper_a =
        duty * limit_a > motor.bus_current_limit_a ? motor.bus_current_limit_a / duty : limit_a;
    e.lower_a = motor.mode == MotorMode::kDamped ? -e.upper_a : 0.0;
  } else if (motor.stop == MotorStop::kBrake) {
    e.lower_a = -limit_a;
  }
  return e;
}

/// Winding current; positive drives the rotor.
TACTUS_HD inline double motor_current(const Motor& motor, const MotorElectrical& e, double bus_v) {
  return math::clamp((e.duty * bus_v - e.back_emf_v) * motor.conductance_s, e.lower_a, e.upper_a);
}

/// Current drawn from the bus at this winding current; negative feeds the bus.
TACTUS_HD inline double bus_current(const Motor& motor, const MotorElectrical& e,
                                    double current_a) {
  return e.duty * current_a * (current_a < 0.0 ? motor.efficiency : motor.inverse_efficiency);
}

/// `bus_current(motor_current(V))` for all V at once.
TACTUS_HD inline void motor_load_curve(const Motor& motor, const MotorElectrical& e,
                                       LoadCurve& curve) {
  if (e.duty <= 0.0) {
    curve = {.count = 1, .break_v = {}, .slope_a_per_v = {}, .offset_a = {}};
    return;
  }
  curve.slope_a_per_v[0] = 0.0;
  curve.offset_a[0] = 0.0;
  const double inverse_duty = 1.0 / e.duty;
  const double slope = e.duty * e.duty * motor.conductance_s;
  const double offset = -e.duty * e.back_emf_v * motor.conductance_s;
  const double motoring_v = e.back_emf_v * inverse_duty;
  const double limited_v = (e.back_emf_v + motor.resistance_ohm * e.upper_a) * inverse_duty;
  const auto set = [&curve](int k, double from_v, double slope_a_per_v, double offset_a) {
    curve.break_v[k - 1] = from_v;
    curve.slope_a_per_v[k] = slope_a_per_v;
    curve.offset_a[k] = offset_a;
  };
  // Constant indices, so that a device can keep the curve in registers.
  if (e.lower_a < 0.0) {
    curve.count = 4;
    curve.offset_a[0] = bus_current(motor, e, e.lower_a);
    set(1, (e.back_emf_v + motor.resistance_ohm * e.lower_a) * inverse_duty,
        slope * motor.efficiency, offset * motor.efficiency);
    set(2, motoring_v, slope * motor.inverse_efficiency, offset * motor.inverse_efficiency);
    set(3, limited_v, 0.0, bus_current(motor, e, e.upper_a));
  } else {
    curve.count = 3;
    set(1, motoring_v, slope * motor.inverse_efficiency, offset * motor.inverse_efficiency);
    set(2, limited_v, 0.0, bus_current(motor, e, e.upper_a));
  }
}

/// Torque on the rotor from the motor, friction included. At rest friction holds whatever acts, so
/// the answer is zero; the plant releases the rotor by `break_away_excess`.
TACTUS_HD inline double motor_torque(const Motor& motor, double current_a, double speed_rad_s,
                                     bool stopped) {
  if (stopped) return 0.0;
  return motor.torque_constant_nm_a * current_a - motor.coulomb_torque_nm -
         motor.viscous_friction_nm_s * speed_rad_s;
}

/// Torque beyond break-away, N·m: a stopped rotor starts when this becomes positive (a guard).
TACTUS_HD inline double break_away_excess(const Motor& motor, double current_a,
                                          double load_torque_nm) {
  return motor.torque_constant_nm_a * current_a - load_torque_nm - motor.coulomb_torque_nm;
}

/// Where the electrical power goes, W. Losses are ≥ 0; shaft power is Kt·I·Ω before friction.
/// Exception: friction_loss_w is the work of the friction that `motor_torque` applies, which is
/// that of a rotor turning forward. Where a stage has carried Ω a little below zero, before the
/// event that stops the rotor, it is negative; clamped, the power balance would not close.
struct MotorPower {
  double conversion_loss_w = 0.0;  ///< controller, efficiency η
  double limiter_loss_w = 0.0;     ///< controller, voltage withheld by a current limit
  double copper_loss_w = 0.0;
  double friction_loss_w = 0.0;
  double shaft_w = 0.0;
};

TACTUS_HD inline MotorPower motor_power(const Motor& motor, const MotorElectrical& e, double bus_v,
                                        double current_a, double speed_rad_s) {
  TACTUS_ASSERT(!(current_a < e.lower_a) && !(current_a > e.upper_a),
                "a current within its limits");
  MotorPower p;
  const double terminal_w = e.duty * bus_v * current_a;
  p.conversion_loss_w = current_a < 0.0 ? terminal_w * (motor.efficiency - 1.0)
                                        : terminal_w * (motor.inverse_efficiency - 1.0);
  // Exactly zero inside the limits: the difference there would be rounding of either sign.
  if (current_a == e.lower_a || current_a == e.upper_a) {
    const double withheld_v = e.duty * bus_v - e.back_emf_v - motor.resistance_ohm * current_a;
    p.limiter_loss_w = math::max(0.0, withheld_v * current_a);
  }
  p.copper_loss_w = motor.resistance_ohm * current_a * current_a;
  p.friction_loss_w =
      (motor.coulomb_torque_nm + motor.viscous_friction_nm_s * speed_rad_s) * speed_rad_s;
  p.shaft_w = e.back_emf_v * current_a;
  TACTUS_ASSERT(!(p.conversion_loss_w < 0.0) || bus_v < 0.0,
                "the controller takes power in both directions");
  return p;
}

}  // namespace tactus
