// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/plant/motor.h"

#include <fmt/format.h>

#include "tactus/core/assert.h"
#include "tactus/core/checks.h"

namespace tactus {

void validate(const MotorParameters& p, std::string_view where) {
  require_positive(where, "kv_rpm_per_v", p.kv_rpm_per_v);
  require_positive(where, "resistance_ohm", p.resistance_ohm);
  require_not_negative(where, "no_load_current_a", p.no_load_current_a);
  require_not_negative(where, "viscous_friction_nm_s", p.viscous_friction_nm_s);
  require_positive(where, "rotor_inertia_kg_m2", p.rotor_inertia_kg_m2);
  require_positive(where, "phase_current_limit_a", p.phase_current_limit_a);
  require_positive(where, "bus_current_limit_a", p.bus_current_limit_a);
  require_positive(where, "efficiency", p.efficiency);
  require_within(where, "efficiency", p.efficiency, 0.0, 1.0);
  require_within(where, "dead_zone", p.dead_zone, 0.0, 1.0);
  if (p.no_load_current_a >= p.phase_current_limit_a) {
    refuse(where, "no_load_current_a", p.no_load_current_a,
           fmt::format("must be less than phase_current_limit_a = {}, or the motor can never start",
                       p.phase_current_limit_a));
  }
}

Motor make_motor(const MotorParameters& p, std::string_view where) {
  validate(p, where);
  const double torque_constant = 60.0 / (math::kTwoPi * p.kv_rpm_per_v);
  TACTUS_ASSERT(p.efficiency > 0.0 && p.efficiency <= 1.0, "a controller that makes no power");
  return {.torque_constant_nm_a = torque_constant,
          .resistance_ohm = p.resistance_ohm,
          .conductance_s = 1.0 / p.resistance_ohm,
          .coulomb_torque_nm = torque_constant * p.no_load_current_a,
          .viscous_friction_nm_s = p.viscous_friction_nm_s,
          .rotor_inertia_kg_m2 = p.rotor_inertia_kg_m2,
          .inverse_inertia = 1.0 / p.rotor_inertia_kg_m2,
          .phase_current_limit_a = p.phase_current_limit_a,
          .bus_current_limit_a = p.bus_current_limit_a,
          .efficiency = p.efficiency,
          .inverse_efficiency = 1.0 / p.efficiency,
          .dead_zone = p.dead_zone,
          .mode = p.mode,
          .stop = p.stop};
}

}  // namespace tactus
