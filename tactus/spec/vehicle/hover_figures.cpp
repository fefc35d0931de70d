// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/spec/vehicle/hover_figures.h"

namespace tactus {
namespace {

double hover_current_a(const PowerNetworkParameters& power, const Multirotor& vehicle,
                       const SteadyRotors& hover) {
  double current_a = 0.0;
  for (int i = 0; i < vehicle.counts.rotors; ++i) {
    const Motor& motor = vehicle.rotor[i].motor;
    const MotorElectrical at = motor_electrical(motor, hover.command, hover.speed_rad_s[i]);
    current_a +=
        bus_current(motor, at, motor_current(motor, at, hover.bus_v[vehicle.rotor[i].bus]));
  }
  for (int b = 0; b < power.bus_count; ++b) {
    if (hover.bus_v[b] > 0.0) current_a += power.bus[b].avionics_power_w / hover.bus_v[b];
  }
  return current_a;
}

}  // namespace

double HoverFigures::endurance_s() const {
  return current_a > 0.0 ? 3600.0 * charge_ah / current_a : 0.0;
}

HoverFigures hover_figures(const MultirotorParameters& parameters, const Multirotor& vehicle) {
  HoverFigures figures;
  figures.weight_n = weight_n(vehicle.world, vehicle.body.mass_kg, Vec3{});
  figures.full = steady_rotors(vehicle, 1.0);
  const PowerNetworkParameters& power = parameters.power;
  for (int j = 0; j < power.pack_count; ++j) {
    figures.charge_ah += power.pack[j].capacity_ah * power.pack[j].soc0;
  }
  if (!(figures.weight_n > 0.0) || !(figures.full.lift_n > figures.weight_n)) return figures;
  figures.hover = hover_rotors(vehicle);
  figures.current_a = hover_current_a(power, vehicle, *figures.hover);
  return figures;
}

}  // namespace tactus
