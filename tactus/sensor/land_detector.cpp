// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sensor/land_detector.h"

#include "tactus/core/checks.h"
#include "tactus/core/math.h"

namespace tactus {
namespace {

double mean_motor_thrust(const Command& command, const LandedVehicle& vehicle) {
  double sum = 0.0;
  for (int i = 0; i < vehicle.motors; ++i) {
    sum += thrust_of_command(command.motor[i], vehicle.thrust_curve);
  }
  return sum / vehicle.motors;
}

bool is_low(const LandDetectorParameters& p, const Command& command, const LandedVehicle& vehicle,
            double hover_thrust) {
  if (vehicle.motors == 0) return true;
  return mean_motor_thrust(command, vehicle) <=
         low_command_limit(p, thrust_of_command(hover_thrust, vehicle.thrust_curve));
}

/// Is the condition true now, and has it been for `hold`?
bool update(HeldCondition& condition, bool holds, DurationUs hold, TimeUs now) {
  if (holds && !condition.holds) condition.since = now;
  condition.reached = holds && (condition.reached || now - condition.since >= hold);
  condition.holds = holds;
  return condition.reached;
}

}  // namespace

void validate(const LandDetectorParameters& p, std::string_view where) {
  require_positive(where, "vertical_speed_max_m_s", p.vertical_speed_max_m_s);
  require_positive(where, "horizontal_speed_max_m_s", p.horizontal_speed_max_m_s);
  require_positive(where, "rate_max_rad_s", p.rate_max_rad_s);
  require_within(where, "thrust_min", p.thrust_min, 0.0, 1.0);
  require_positive(where, "standing_speed_max_m_s", p.standing_speed_max_m_s);
  constexpr double kLongest_s = 60.0;
  require_within(where, "maybe_landed_hold_s", to_seconds(p.maybe_landed_hold), 0.0, kLongest_s);
  require_within(where, "landed_hold_s", to_seconds(p.landed_hold), 0.0, kLongest_s);
}

double thrust_of_command(double command, double thrust_curve) {
  if (!(command > 0.0) || !(thrust_curve > 0.0)) return command;
  return thrust_curve * command * command + (1.0 - thrust_curve) * command;
}

double low_command_limit(const LandDetectorParameters& p, double hover_thrust) {
  const double least = math::min(p.thrust_min, hover_thrust);
  return least + 0.3 * (hover_thrust - least);
}

LandStatus step_land_detector(const LandDetectorParameters& p, TimeUs now, const Truth& truth,
                              const VehicleLoads& loads, const Command& command,
                              const LandedVehicle& vehicle, double hover_thrust,
                              LandDetectorState& state) {
  const Vec3 v = truth.velocity_W_m_s;
  const bool turns_slowly = norm(truth.rate_B_rad_s) < p.rate_max_rad_s;
  bool contact = true;
  bool settled = false;  // condition of the second stage
  bool still = false;    // and, on top of it, of the third
  if (!vehicle.flies) {
    settled = turns_slowly && norm(v) < p.standing_speed_max_m_s;
    still = settled;
  } else {
    contact = loads.gear_touching_mask != 0;
    const bool low_command = is_low(p, command, vehicle, hover_thrust);
    settled = contact && math::abs(v.z) < p.vertical_speed_max_m_s && low_command;
    still = turns_slowly && math::hypot(v.x, v.y) < p.horizontal_speed_max_m_s;
  }
  const bool maybe_landed = update(state.maybe_landed, settled, p.maybe_landed_hold, now);
  const bool landed = update(state.landed, maybe_landed && still, p.landed_hold, now);
  return {contact, landed};
}

}  // namespace tactus
