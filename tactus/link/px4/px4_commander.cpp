// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/px4/px4_commander.h"

#include <algorithm>

namespace tactus {
namespace {

/// Steeper than 60 degrees it does not stand.
constexpr double kUpright = 0.5;

bool has_position(const AutopilotInput& input) {
  return is_usable(input.estimate, input.now) && input.estimate.horizontal_valid &&
         input.estimate.vertical_valid;
}

ArmingRefusal why_not_arm(const AutopilotInput& input) {
  if (!has_position(input)) return ArmingRefusal::kEstimate;
  for (const BatteryStatus& pack : input.battery) {
    if (!pack.connected) {  // an empty pack cuts itself off
      return pack.remaining > 0.0 ? ArmingRefusal::kNoBattery : ArmingRefusal::kBatteryCritical;
    }
  }
  if (worst_warning(input.battery) >= BatteryWarning::kCritical) {
    return ArmingRefusal::kBatteryCritical;
  }
  const Vec3 down_W = rotate(input.estimate.attitude, {0.0, 0.0, 1.0});
  return down_W.z < kUpright ? ArmingRefusal::kOverturned : ArmingRefusal::kNone;
}

Px4NavState nav_state_of(FlightMode mode) {
  switch (mode) {
    case FlightMode::kTakeoff: return Px4NavState::kTakeoff;
    case FlightMode::kMission: return Px4NavState::kMission;
    case FlightMode::kHold: return Px4NavState::kLoiter;
    case FlightMode::kReturn: return Px4NavState::kReturn;
    case FlightMode::kLand: return Px4NavState::kLand;
    case FlightMode::kNone: break;
  }
  return Px4NavState::kManual;
}

}  // namespace

FlightMode mode_of(Px4NavState nav_state) {
  switch (nav_state) {
    case Px4NavState::kMission: return FlightMode::kMission;
    case Px4NavState::kLoiter: return FlightMode::kHold;
    case Px4NavState::kReturn: return FlightMode::kReturn;
    case Px4NavState::kTakeoff: return FlightMode::kTakeoff;
    case Px4NavState::kDescend:
    case Px4NavState::kLand: return FlightMode::kLand;
    case Px4NavState::kManual: break;
  }
  return FlightMode::kNone;
}

BatteryWarning worst_warning(const BatteryStatus (&battery)[kMaxPacks]) {
  BatteryWarning worst = BatteryWarning::kNone;
  for (const BatteryStatus& pack : battery) {
    if (pack.connected) worst = std::max(worst, pack.warning);
  }
  return worst;
}

Px4Commander::Px4Commander(const Px4LibrarySettings& settings, bool ignore_old_orders)
    : com_low_bat_act_(settings.com_low_bat_act), disarm_delay_(settings.disarm_delay) {
  inbox_.ignore_old = ignore_old_orders;
}

void Px4Commander::step(const AutopilotInput& input, const Px4Report& px4) {
  watch_ground(input);
  take_order(input);
  try_arming(input);
  if (!armed_) return;
  follow_px4(px4);
  try_mode(px4);
  watch_battery(input);
  watch_estimate(input);
}

void Px4Commander::take_order(const AutopilotInput& input) {
  if (!inbox_.take(input.high_level)) return;
  refusal_ = ArmingRefusal::kNone;
  wants_armed_ = input.high_level.armed && !armed_;
  if (input.high_level.armed) {
    wanted_mode_ = input.high_level.mode;
  } else if (armed_ && airborne_ && !input.land.landed) {
    refusal_ = ArmingRefusal::kInTheAir;
  } else if (armed_) {
    disarm();
  }
}

void Px4Commander::try_arming(const AutopilotInput& input) {
  if (!wants_armed_) return;
  refusal_ = why_not_arm(input);
  if (refusal_ != ArmingRefusal::kNone) return;
  armed_ = true;
  wants_armed_ = false;
  airborne_ = !input.land.landed;
  handled_ = BatteryWarning::kNone;
  mission_finished_ = false;
  enter(airborne_ ? Px4NavState::kLoiter : Px4NavState::kManual);
}

void Px4Commander::try_mode(const Px4Report& px4) {
  if (wanted_mode_ == FlightMode::kNone) return;
  if (wanted_mode_ == FlightMode::kMission) {
    if (!px4.mission_loaded) {
      refusal_ = ArmingRefusal::kNoMission;
      wanted_mode_ = FlightMode::kNone;
      return;
    }
    if (!px4.mission_valid) return;
    mission_finished_ = false;
  }
  enter(nav_state_of(wanted_mode_));
  wanted_mode_ = FlightMode::kNone;
}

void Px4Commander::follow_px4(const Px4Report& px4) {
  const bool ends = nav_state_ == Px4NavState::kMission || nav_state_ == Px4NavState::kTakeoff;
  if (!ends) return;
  // What was finished before this mode began is still reported in its first steps.
  running_ = running_ || !px4.finished;
  if (nav_state_ == Px4NavState::kMission && px4.return_requested) {
    enter(Px4NavState::kReturn);
  } else if (nav_state_ == Px4NavState::kMission && px4.land_requested) {
    enter(Px4NavState::kLand);
  } else if (running_ && px4.finished) {
    mission_finished_ = nav_state_ == Px4NavState::kMission;
    enter(Px4NavState::kLoiter);
  }
}

void Px4Commander::watch_battery(const AutopilotInput& input) {
  const BatteryWarning worst = worst_warning(input.battery);
  if (worst <= handled_ || !airborne_) return;
  handled_ = worst;
  if (worst < BatteryWarning::kCritical || com_low_bat_act_ == 0) return;
  const bool land = com_low_bat_act_ == 2 || worst >= BatteryWarning::kEmergency;
  if (nav_state_ == Px4NavState::kLand || nav_state_ == Px4NavState::kDescend) return;
  enter(land ? Px4NavState::kLand : Px4NavState::kReturn);
  failsafe_ = Failsafe::kBatteryCritical;
}

void Px4Commander::watch_estimate(const AutopilotInput& input) {
  if (!airborne_ || nav_state_ == Px4NavState::kDescend || has_position(input)) return;
  enter(Px4NavState::kDescend);
  failsafe_ = Failsafe::kEstimatorLost;
}

void Px4Commander::watch_ground(const AutopilotInput& input) {
  if (input.land.landed && !landed_) landed_since_ = input.now;
  landed_ = input.land.landed;
  if (!armed_) return;
  if (!landed_) {
    if (!airborne_ && nav_state_ == Px4NavState::kManual) enter(Px4NavState::kLoiter);
    airborne_ = true;
  } else if (airborne_ && input.now - landed_since_ >= disarm_delay_) {
    disarm();
  }
}

void Px4Commander::enter(Px4NavState nav_state) {
  nav_state_ = nav_state;
  failsafe_ = Failsafe::kNone;
  running_ = false;
}

void Px4Commander::disarm() {
  armed_ = false;
  airborne_ = false;
  wanted_mode_ = FlightMode::kNone;
  nav_state_ = Px4NavState::kManual;
}

}  // namespace tactus
