// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Finds motors that do not follow their command, from the speed and current that the ESCs report.
//
// Each rotor's speed is predicted by its own motor equation with the command and the bus voltage,
//   J Ω̇ = Kt clamp((d V − Ke Ω) / R) − Kt I0 − b Ω − kQ Ω²,
// a step per tick, implicit in Ω so that any tick is stable. A motor is lost when for 100 ms on end
//   Ω < 0.7 of the prediction (no drive, jammed rotor), or
//   Ω > 1.6 of it while the motor draws current (stuck at a high drive; one that windmills in a
//   gust from below draws none),
// while the prediction is above 0.4 of the hover speed, or when its bus has no supply. Ordinary
// inflow changes the speed at a given command by less than a tenth.
//
// When more than half of those that can be judged are wrong, the supply is meant and none is
// reported. After an interruption a controller may start again for up to 2 s: until it draws
// current its prediction is the measured speed, so the spin-up is not taken for a loss.
// A lost motor is commanded to idle. It is back when it has followed that and drawn the current of
// it for 1 s on end; twice as long after each further loss, up to 16 s, so it cannot flap.

#include <cstdint>

#include "tactus/autopilot/airframe/airframe_model.h"
#include "tactus/core/fields.h"
#include "tactus/core/time.h"
#include "tactus/signal/signals.h"

namespace tactus {

struct MotorMonitorState {
  double expected_rad_s[kMaxMotors] = {};
  double command[kMaxMotors] = {};  ///< in force since the last tick, after the command path
  std::uint32_t suspect_us[kMaxMotors] = {};    ///< how long it has not followed
  std::uint32_t following_us[kMaxMotors] = {};  ///< how long a lost one has followed
  std::uint32_t starting_us[kMaxMotors] = {};   ///< how long its controller may still be starting
  std::uint32_t losses[kMaxMotors] = {};        ///< how often it was taken for lost
  std::uint32_t lost_mask = 0;
  TimeUs lost_at;  ///< of the first one

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("expected_rad_s", "rad/s", self.expected_rad_s, "speed by the motor's equation");
    visit("command", "1", self.command, "behind the command path");
    visit("suspect_us", "us", self.suspect_us, "how long the rotor has not followed");
    visit("following_us", "us", self.following_us, "how long a lost rotor has followed");
    visit("starting_us", "us", self.starting_us, "how long it may still be starting");
    visit("losses", "", self.losses, "how often the rotor was taken for lost");
    visit("lost_mask", "", self.lost_mask, "bit i: rotor i is lost");
    visit("lost_at_us", "us", self.lost_at, "when the first one was found");
  }
};
static_assert(lists_every_field<MotorMonitorState>());

/// What the battery monitors report about the buses.
struct SupplyView {
  const double* bus_v = nullptr;  ///< of each bus, the last good one while it is dead
  std::uint32_t dead_mask = 0;    ///< bit b: bus b has no supply
};

/// One tick: predicts with the command that was in force, then compares. Returns whether the set of
/// lost rotors changed.
bool monitor_motors(const AirframeModel& model, TimeUs now, DurationUs period,
                    const EscStatus (&esc)[kMaxMotors], const Command& command,
                    const SupplyView& supply, MotorMonitorState& state);

}  // namespace tactus
