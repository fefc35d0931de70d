// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/vehicle/held_input.h"

#include "tactus/core/assert.h"

namespace tactus {

void read_input(const Bus& bus, const Multirotor& vehicle, const CommandDelay& delay,
                MultirotorInput& input) {
  TACTUS_ASSERT(bus.wind.since <= bus.time, "a wind that has begun");
  const Faults& faults = bus.faults;
  for (int i = 0; i < vehicle.counts.rotors; ++i) {
    const double commanded = faults.motor_delay_us[i] == 0
                                 ? bus.command.motor[i]
                                 : delay.at(bus.time, i, faults.motor_delay_us[i]);
    input.motor_command[i] =
        has_bit(faults.motor_stuck_mask, i) ? faults.motor_stuck[i] : commanded;
    input.thrust_scale[i] = faults.thrust_scale[i];
  }
  for (int i = 0; i < vehicle.counts.servos; ++i) {
    input.servo_command[i] =
        has_bit(faults.servo_stuck_mask, i) ? faults.servo_stuck[i] : bus.command.servo[i];
  }
  for (int j = 0; j < vehicle.counts.packs; ++j) input.pack[j] = faults.pack[j];
  input.motor_off_mask = faults.motor_off_mask;
  input.wind_W_m_s = bus.wind.velocity_W_m_s +
                     to_seconds(bus.time - bus.wind.since) * bus.wind.slope_W_m_s2 +
                     bus.disturbance.wind_W_m_s;
  input.wind_slope_W_m_s2 = bus.wind.slope_W_m_s2;
}

bool same_input(const MultirotorInput& a, const MultirotorInput& b, const Multirotor& vehicle) {
  for (int i = 0; i < vehicle.counts.rotors; ++i) {
    if (a.motor_command[i] != b.motor_command[i]) return false;
    if (a.thrust_scale[i] != b.thrust_scale[i]) return false;
  }
  for (int i = 0; i < vehicle.counts.servos; ++i) {
    if (a.servo_command[i] != b.servo_command[i]) return false;
  }
  for (int j = 0; j < vehicle.counts.packs; ++j) {
    if (a.pack[j].connected != b.pack[j].connected) return false;
    if (a.pack[j].resistance_scale != b.pack[j].resistance_scale) return false;
    if (a.pack[j].voltage_offset_v != b.pack[j].voltage_offset_v) return false;
  }
  return a.motor_off_mask == b.motor_off_mask && a.wind_W_m_s == b.wind_W_m_s &&
         a.wind_slope_W_m_s2 == b.wind_slope_W_m_s2;
}

}  // namespace tactus
