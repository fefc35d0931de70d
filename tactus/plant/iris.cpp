// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/plant/iris.h"

namespace tactus {
namespace {

// Motor: 2212 to 2216 class, 850 rpm/V. Values typical of the class, not of one data sheet.
MotorParameters iris_motor() {
  MotorParameters m;
  m.kv_rpm_per_v = 850.0;
  m.resistance_ohm = 0.18;         // winding 0.13, leads and switches 0.05
  m.no_load_current_a = 0.5;       // 0.4 to 0.6 A at 10 V in this class
  m.viscous_friction_nm_s = 1e-6;  // windage of the bell
  m.rotor_inertia_kg_m2 =
      4.7e-5;  // tapered 11 g blade pair of 10 in: 4.3e-5; 25 g bell at 12.5 mm: 0.4e-5
  m.phase_current_limit_a = 30.0;
  m.bus_current_limit_a = 20.0;  // 20 A controllers
  m.efficiency = 0.95;
  m.dead_zone = 0.02;
  m.mode = MotorMode::kDrive;
  return m;
}

// Pack: 3S 5.1 Ah lithium polymer. Cell curve at rest, resistances typical of 12 mΩ per cell with
// leads.
PackParameters iris_pack() {
  PackParameters p;
  p.capacity_ah = 5.1;
  p.cell_count = 3;
  const double soc[] = {0.0, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0};
  const double cell_v[] = {3.27, 3.61, 3.69, 3.73, 3.79, 3.87, 4.02, 4.10, 4.19};
  p.ocv_count = 9;
  for (int i = 0; i < p.ocv_count; ++i) {
    p.ocv_soc[i] = soc[i];
    p.ocv_v[i] = 3.0 * cell_v[i];
  }
  p.r0_ohm = 0.035;
  p.rc_count = 1;
  p.rc[0] = {0.015, 2000.0};  // 30 s
  return p;
}

}  // namespace

MultirotorParameters iris_parameters() {
  MultirotorParameters p;
  p.rotor_count = 4;
  p.body.mass_kg = 1.5;                                                   // ready to fly, with pack
  p.body.inertia_kg_m2 = Mat3::diagonal({0.029125, 0.029125, 0.055225});  // the common Iris model
  p.body.drag_area_m2 = {0.012, 0.012,
                         0.030};  // hull 12 cm × 7 cm frontal, 30 cm × 10 cm plan, Cd ≈ 1
  const Vec3 hubs[4] = {{0.1515, 0.2450, 0.0},
                        {-0.1515, -0.1875, 0.0},
                        {0.1515, -0.2450, 0.0},
                        {-0.1515, 0.1875, 0.0}};
  const int reactions[4] = {1, 1, -1, -1};
  for (int i = 0; i < 4; ++i) {
    p.rotor[i].position_B_m = hubs[i];
    p.rotor[i].reaction_sign = reactions[i];
    p.rotor[i].motor = iris_motor();
    p.rotor[i].propeller = {};  // APC Slow Flyer 10x4.7, UIUC data: the defaults of propeller.h
  }
  p.power.pack[0] = iris_pack();
  p.power.bus[0].avionics_power_w = 6.0;  // autopilot, radio and receiver at 5 V
  const Vec3 feet[4] = {
      {0.10, 0.12, 0.12}, {-0.10, -0.12, 0.12}, {0.10, -0.12, 0.12}, {-0.10, 0.12, 0.12}};
  p.gear.count = 4;
  for (int i = 0; i < 4; ++i) p.gear.position_B_m[i] = feet[i];
  return p;
}

MultirotorParameters iris_quadratic_parameters() {
  MultirotorParameters p = iris_parameters();
  for (RotorParameters& rotor : p.rotor) rotor.propeller.kind = PropellerKind::kQuadratic;
  return p;
}

}  // namespace tactus
