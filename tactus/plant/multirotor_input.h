// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What the multirotor is given, held constant over an interval (contract C2), and its
// own discrete modes, which change only at boundaries.

#include <cstdint>

#include "tactus/core/bits.h"
#include "tactus/core/fields.h"
#include "tactus/core/vec.h"
#include "tactus/plant/battery.h"
#include "tactus/signal/component.h"
#include "tactus/signal/limits.h"

namespace tactus {

/// Inputs held on [t_k, t_k+1). Wind may ramp linearly: wind(t) = wind_W + (t − t_k)·wind_slope_W.
struct MultirotorInput {
  double motor_command[kMaxMotors] = {};  ///< per rotor, [0, 1]
  double servo_command[kMaxServos] = {};  ///< [−1, 1]
  Vec3 wind_W_m_s{};
  Vec3 wind_slope_W_m_s2{};
  std::uint32_t motor_off_mask = 0;  ///< bit i: rotor i gets no drive
  double thrust_scale[kMaxMotors] = {1, 1, 1, 1, 1, 1,
                                     1, 1, 1, 1, 1, 1};  ///< blade loss: 1 = whole
  PackFault pack[kMaxPacks];

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("motor_command", "1", self.motor_command, "drive per rotor, 0 to 1");
    visit("servo_command", "1", self.servo_command, "deflection per servo, -1 to 1");
    visit("wind_ned_m_s", "m/s", self.wind_W_m_s, "velocity of the air at the interval start");
    visit("wind_slope_ned_m_s2", "m/s^2", self.wind_slope_W_m_s2, "its rate of change");
    visit("motor_off_mask", "", self.motor_off_mask, "bit i: rotor i gets no drive");
    visit("thrust_scale", "1", self.thrust_scale, "remaining blade effect per rotor");
    visit("pack", "", self.pack, "condition of each pack");
  }
};
static_assert(lists_every_field<MultirotorInput>());

/// Discrete state: one bit per rotor, gear point, pack or bus.
struct MultirotorModes {
  std::uint32_t rotor_stopped = 0;  ///< held by static friction at zero speed
  std::uint32_t rotor_jammed = 0;   ///< locked to the airframe by a fault; implies stopped
  std::uint32_t gear_touching = 0;
  std::uint32_t pack_empty = 0;    ///< cut off at zero charge
  std::uint32_t bus_down = 0;      ///< browned out: ESCs coast, avionics off
  std::uint32_t bus_escs_off = 0;  ///< up again, but its ESCs stay off (EscBrownOut::kStaysOff)
  std::uint32_t bus_overvoltage = 0;
  std::uint32_t bus_restarting = 0;              ///< down, and its restart delay runs
  std::uint64_t bus_restart_us[kMaxBuses] = {};  ///< when a restarting bus is up again

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("rotor_stopped", "", owned(self.rotor_stopped, Component::kPropulsion),
          "bit i: rotor i is held by static friction");
    visit("rotor_jammed", "", owned(self.rotor_jammed, Component::kPropulsion),
          "bit i: rotor i is locked");
    visit("gear_touching", "", owned(self.gear_touching, Component::kContact),
          "bit i: gear point i touches the ground");
    visit("pack_empty", "", owned(self.pack_empty, Component::kBattery),
          "bit j: pack j is cut off, empty");
    visit("bus_down", "", owned(self.bus_down, Component::kBattery), "bit k: bus k is browned out");
    visit("bus_escs_off", "", owned(self.bus_escs_off, Component::kBattery),
          "bit k: ESCs of bus k stay off");
    visit("bus_overvoltage", "", owned(self.bus_overvoltage, Component::kBattery),
          "bit k: bus k is above its limit");
    visit("bus_restarting", "", owned(self.bus_restarting, Component::kBattery),
          "bit k: the restart delay of bus k runs");
    visit("bus_restart_us", "us", owned(self.bus_restart_us, Component::kBattery),
          "when a restarting bus is up again");
  }
};
static_assert(lists_every_field<MultirotorModes>());

}  // namespace tactus
