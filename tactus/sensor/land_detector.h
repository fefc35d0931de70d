// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Land detector: has the vehicle come to rest on the ground? Three stages, as PX4's multicopter
// land detector has them; each must hold for its time before the next can begin, and all end at
// once when the condition of one breaks (lift-off above all):
//
//   ground contact   a gear point touches                                   at once
//   maybe landed     contact, vertical speed and motor command low          for maybe_landed_hold
//   landed           maybe landed, horizontal speed and body rates low      for landed_hold
//   low command:     mean motor thrust ≤ m + 0.3 (hover − m),  m = min(thrust_min, hover)
// The thrust of a command u is f u² + (1 − f) u with f of LandedVehicle, as a share of the
// greatest; without f it is the command itself. The rule of the low command is PX4's for
// MPC_THR_MIN = thrust_min; the minimum with `hover` keeps it meaningful for a vehicle that hovers
// below thrust_min. The default limits are a little stricter than PX4's LNDMC_Z_VEL_MAX 0.25 m/s,
// LNDMC_XY_VEL_MAX 1.5 m/s, LNDMC_ROT_MAX 20 deg/s. One without motors comes to rest without a
// condition on its command. A vehicle that does not fly (a rover) is always in contact and counts
// as landed while it stands still: speed below standing_speed_max_m_s and body rates low, for the
// sum of both times. It reads the true motion, so that noise of the estimator does not decide when
// a flight ends. Times are integers; SI units.

#include <cstdint>
#include <string_view>

#include "tactus/core/fields.h"
#include "tactus/core/time.h"
#include "tactus/signal/signals.h"

namespace tactus {

struct LandDetectorParameters {
  double vertical_speed_max_m_s = 0.2;
  double horizontal_speed_max_m_s = 1.0;
  double rate_max_rad_s = 0.3;
  double thrust_min = 0.12;
  double standing_speed_max_m_s = 0.05;
  DurationUs maybe_landed_hold{300'000};
  DurationUs landed_hold{300'000};

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("vertical_speed_max_m_s", "m/s", self.vertical_speed_max_m_s, "at rest below this");
    visit("horizontal_speed_max_m_s", "m/s", self.horizontal_speed_max_m_s, "at rest below this");
    visit("rate_max_rad_s", "rad/s", self.rate_max_rad_s, "at rest below this");
    visit("thrust_min", "1", self.thrust_min, "motor command of least thrust in flight");
    visit("standing_speed_max_m_s", "m/s", self.standing_speed_max_m_s,
          "vehicle that drives: it stands below this");
    visit("maybe_landed_hold_us", "us", self.maybe_landed_hold,
          "how long contact, vertical speed and command must hold");
    visit("landed_hold_us", "us", self.landed_hold, "how long everything must hold after that");
  }
};
static_assert(lists_every_field<LandDetectorParameters>());

/// Throws Error naming `where`, the field and its value.
void validate(const LandDetectorParameters& parameters, std::string_view where);

/// A condition that must hold for some time. It starts as reached.
struct HeldCondition {
  bool holds = true;
  bool reached = true;
  TimeUs since;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("holds", "", self.holds, "true at the last tick");
    visit("reached", "", self.reached, "has held long enough");
    visit("since_us", "us", self.since, "tick at which it began to hold");
  }
};
static_assert(lists_every_field<HeldCondition>());

/// Copyable. A default one is a vehicle that has been standing for long.
struct LandDetectorState {
  HeldCondition maybe_landed;
  HeldCondition landed;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("maybe_landed", "", self.maybe_landed, "second stage");
    visit("landed", "", self.landed, "third stage");
  }
};
static_assert(lists_every_field<LandDetectorState>());

/// What the rules ask of a vehicle.
struct LandedVehicle {
  bool flies = true;  ///< else it drives
  int motors = 0;     ///< of which each has a command
  /// THR_MDL_FAC of an autopilot that wants thrusts, of which the commands were made; 0: it wants
  /// commands.
  double thrust_curve = 0.0;
};

/// Thrust of a motor command, 0 to 1, as a share of the greatest.
double thrust_of_command(double command, double thrust_curve);

/// Mean motor thrust up to which a landed vehicle is assumed to rest.
double low_command_limit(const LandDetectorParameters& parameters, double hover_thrust);

/// The status at `now`. `hover_thrust` is the mean motor command of a hover; 0: not known, then
/// only motors that stand count as low.
LandStatus step_land_detector(const LandDetectorParameters& parameters, TimeUs now,
                              const Truth& truth, const VehicleLoads& loads, const Command& command,
                              const LandedVehicle& vehicle, double hover_thrust,
                              LandDetectorState& state);

}  // namespace tactus
