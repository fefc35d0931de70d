// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What a user sets on the built-in autopilot. Every default suits every aircraft: gains are derived
// from the aircraft's parameters, and a user only scales them. Rovers use the speeds, the return,
// the acceptance radius and the battery actions, and ignore what concerns flying.

#include <cstdint>
#include <string_view>

#include "tactus/core/fields.h"
#include "tactus/core/math.h"
#include "tactus/core/time.h"

namespace tactus {

/// What a battery warning makes the autopilot do.
enum class BatteryAction : std::uint8_t { kNone, kReturn, kLand };

struct BuiltinParameters {
  double cruise_speed_m_s = 5.0;
  double climb_speed_m_s = 3.0;
  double takeoff_speed_m_s = 1.5;
  double descend_speed_m_s = 1.5;
  double land_speed_m_s = 0.7;
  double max_acceleration_m_s2 = 3.0;
  double max_jerk_m_s3 = 6.0;
  double max_tilt_rad = 35.0 * math::kDegToRad;
  double max_yaw_rate_rad_s = 45.0 * math::kDegToRad;
  double takeoff_height_m = 2.5;
  double return_height_m = 10.0;
  double acceptance_radius_m = 1.0;
  double estimator_loss_descent_m_s = 0.7;
  double rate_gain_scale = 1.0;
  double attitude_gain_scale = 1.0;
  double velocity_gain_scale = 1.0;
  double position_gain_scale = 1.0;
  DurationUs estimate_delay{10'000};
  DurationUs disarm_delay{2'000'000};
  BatteryAction low_battery_action = BatteryAction::kReturn;
  BatteryAction critical_battery_action = BatteryAction::kLand;
  bool detect_motor_loss = true;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("cruise_speed_m_s", "m/s", self.cruise_speed_m_s, "horizontal speed between waypoints");
    visit("climb_speed_m_s", "m/s", self.climb_speed_m_s, "fastest climb");
    visit("takeoff_speed_m_s", "m/s", self.takeoff_speed_m_s, "climb to the takeoff height");
    visit("descend_speed_m_s", "m/s", self.descend_speed_m_s, "fastest descent");
    visit("land_speed_m_s", "m/s", self.land_speed_m_s, "descent near the ground");
    visit("max_acceleration_m_s2", "m/s^2", self.max_acceleration_m_s2, "of planned motion");
    visit("max_jerk_m_s3", "m/s^3", self.max_jerk_m_s3, "of planned motion");
    visit("max_tilt_rad", "rad", self.max_tilt_rad, "largest tilt commanded");
    visit("max_yaw_rate_rad_s", "rad/s", self.max_yaw_rate_rad_s, "fastest turn");
    visit("takeoff_height_m", "m", self.takeoff_height_m,
          "height above home of a takeoff that names none");
    visit("return_height_m", "m", self.return_height_m, "least height above home of a return");
    visit("acceptance_radius_m", "m", self.acceptance_radius_m,
          "a waypoint is reached this near, unless it says otherwise");
    visit("estimator_loss_descent_m_s", "m/s", self.estimator_loss_descent_m_s,
          "descent when the position is lost");
    visit("rate_gain_scale", "1", self.rate_gain_scale, "factor on the derived rate gains");
    visit("attitude_gain_scale", "1", self.attitude_gain_scale, "factor on the attitude gains");
    visit("velocity_gain_scale", "1", self.velocity_gain_scale, "factor on the velocity gains");
    visit("position_gain_scale", "1", self.position_gain_scale, "factor on the position gains");
    visit("estimate_delay_us", "us", self.estimate_delay,
          "delay of the estimate that the derived gains allow for");
    visit("disarm_delay_us", "us", self.disarm_delay, "from landed to motors off");
    visit("low_battery_action", "", self.low_battery_action, "none, return or land");
    visit("critical_battery_action", "", self.critical_battery_action, "none, return or land");
    visit("detect_motor_loss", "", self.detect_motor_loss,
          "take a rotor that does not follow its command out of the allocation");
  }
};
static_assert(lists_every_field<BuiltinParameters>());

/// Throws Error that names the field, its value and the reason when a value is out of range.
void validate(const BuiltinParameters& parameters, std::string_view where);

}  // namespace tactus
