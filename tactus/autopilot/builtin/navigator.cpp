// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/autopilot/builtin/navigator.h"

#include <utility>

#include "tactus/core/assert.h"

namespace tactus {

namespace {

constexpr double kNan = math::canonical_nan();
constexpr double kNoThrustCap_weight = 100.0;
constexpr double kLeastUpright = 0.5;  // cosine of the tilt
constexpr DurationUs kOverturnedTime{500'000};
constexpr DurationUs kStrandedTime{3'000'000};

Leg leg_of(FlightMode mode, const BuiltinParameters& parameters) {
  Leg leg;
  switch (mode) {
    case FlightMode::kTakeoff:
      leg.kind = LegKind::kTakeoff;
      leg.position_W_m.z = -parameters.takeoff_height_m;
      break;
    case FlightMode::kReturn: leg.kind = LegKind::kReturn; break;
    case FlightMode::kLand: leg.kind = LegKind::kLand; break;
    case FlightMode::kHold:
    case FlightMode::kMission:
    case FlightMode::kNone: leg.kind = LegKind::kLoiter; break;
  }
  return leg;
}

FlightMode mode_of(BatteryAction action) {
  return action == BatteryAction::kReturn ? FlightMode::kReturn : FlightMode::kLand;
}

bool is_overturned(const Estimate& estimate) {
  return rotation_matrix(estimate.attitude).m[2][2] < kLeastUpright;
}

BatteryWarning worst_warning(const NavigatorInput& input) {
  BatteryWarning worst = BatteryWarning::kNone;
  for (int i = 0; i < input.pack_count; ++i) {
    const BatteryStatus& pack = input.battery[i];
    if (pack.connected && pack.warning > worst) worst = pack.warning;
  }
  return worst;
}

}  // namespace

Navigator::Navigator(std::shared_ptr<const FlightPlan> plan, DurationUs period)
    : plan_(std::move(plan)), period_(period) {
  TACTUS_ASSERT(plan_ != nullptr, "a navigator needs a plan, if only an empty one");
}

void Navigator::restart() {
  s_ = {};
  s_.inbox.ignore_old = true;
}

void Navigator::step(const NavigatorInput& input, const BuiltinParameters& parameters,
                     FlightSetpoint& setpoint) {
  const Estimate& e = input.estimate;
  const bool usable = is_usable(e, input.now);
  const Tick tick{input, parameters, to_seconds(period_), usable && e.horizontal_valid,
                  usable && e.vertical_valid};
  obey(tick);
  watch(tick);
  if (s_.armed) progress(tick);
  if (s_.armed && s_.phase != Phase::kGround) {
    move_reference(tick);
    move_yaw(tick);
    move_thrust_cap(tick);
  }
  write_setpoint(tick, setpoint);
}

void Navigator::set_plan(std::shared_ptr<const FlightPlan> plan) {
  TACTUS_ASSERT(plan != nullptr, "a navigator needs a plan, if only an empty one");
  plan_ = std::move(plan);
  s_.mission = {};
}

void Navigator::set_item(int item) {
  start_mission(*plan_, s_.mission, item);
  // An order to fly the mission is no news to one that flies it.
  if (s_.mode == FlightMode::kMission) s_.mode = FlightMode::kNone;
}

void Navigator::obey(const Tick& tick) {
  const HighLevelCommand& wanted = tick.in.high_level;
  if (!s_.inbox.take(wanted)) return;
  s_.refusal = wanted.armed && !s_.armed ? refusal(tick) : ArmingRefusal::kNone;
  if (!wanted.armed) {
    if (s_.armed && s_.airborne && !tick.in.land.landed) {
      s_.refusal = ArmingRefusal::kInTheAir;
    } else if (s_.armed) {
      disarm();
    }
    return;
  }
  if (!s_.armed && s_.refusal == ArmingRefusal::kNone) arm(tick);
  if (s_.armed && wanted.mode != FlightMode::kNone) set_mode(tick, wanted.mode);
}

ArmingRefusal Navigator::refusal(const Tick& tick) {
  if (!tick.horizontal_known || !tick.vertical_known) return ArmingRefusal::kEstimate;
  for (int i = 0; i < tick.in.pack_count; ++i) {
    const BatteryStatus& pack = tick.in.battery[i];
    if (!pack.connected) {  // an empty pack cuts itself off
      return pack.remaining > 0.0 ? ArmingRefusal::kNoBattery : ArmingRefusal::kBatteryCritical;
    }
  }
  if (worst_warning(tick.in) >= BatteryWarning::kCritical) return ArmingRefusal::kBatteryCritical;
  const bool overturned = tick.in.land.landed && is_overturned(tick.in.estimate);
  return overturned ? ArmingRefusal::kOverturned : ArmingRefusal::kNone;
}

void Navigator::arm(const Tick& tick) {
  const OrderInbox inbox = s_.inbox;
  s_ = {};
  s_.inbox = inbox;
  s_.armed = true;
  s_.home_W_m = tick.in.estimate.position_W_m;
  s_.home_in_air = s_.airborne = !tick.in.land.landed;
  s_.not_overturned_at = s_.not_stranded_at = tick.in.now;
  s_.battery_handled = worst_warning(tick.in);  // a low battery is known: only worse ones act
  reset_reference(tick);
  if (s_.airborne) {
    s_.thrust_cap_weight = kNoThrustCap_weight;
    set_mode(tick, FlightMode::kHold);
  } else {
    enter(tick, Phase::kGround);
  }
}

void Navigator::disarm() {
  s_.armed = false;
  s_.airborne = false;
  s_.mode = FlightMode::kNone;
  s_.phase = Phase::kGround;
}

void Navigator::set_mode(const Tick& tick, FlightMode mode) {
  if (s_.mode == mode && s_.failsafe == Failsafe::kNone) return;
  if (mode == FlightMode::kMission) {
    set_mission(tick);
    return;
  }
  if (mode == FlightMode::kTakeoff && s_.airborne) mode = FlightMode::kHold;
  s_.failsafe = Failsafe::kNone;
  s_.mode = mode;
  start_leg(tick, leg_of(mode, tick.parameters));
}

void Navigator::set_mission(const Tick& tick) {
  MissionProgress progress = s_.mission;
  if (progress.item < 0 || progress.finished) start_mission(*plan_, progress);
  const Leg* leg = current_leg(*plan_, progress);
  if (leg == nullptr) {
    s_.refusal = ArmingRefusal::kNoMission;
    return;
  }
  const bool from_ground = leg->kind == LegKind::kTakeoff || leg->kind == LegKind::kDelay;
  if (!s_.airborne && !from_ground) {
    s_.refusal = ArmingRefusal::kNoTakeoff;
    return;
  }
  s_.mission = progress;
  s_.failsafe = Failsafe::kNone;
  s_.mode = FlightMode::kMission;
  start_leg(tick, *leg);
}

void Navigator::watch(const Tick& tick) {
  if (!s_.armed) return;
  watch_crash(tick);
  if (!tick.in.tilt_controlled) raise(tick, Failsafe::kMotorLost, FlightMode::kLand);
  if (!tick.horizontal_known || !tick.vertical_known) {
    raise(tick, Failsafe::kEstimatorLost, FlightMode::kLand);
  }
  watch_battery(tick);
}

/// Motors that turn after a crash do only harm. Waits for unbroken contact: bounces come first.
void Navigator::watch_crash(const Tick& tick) {
  const TimeUs now = tick.in.now;
  const bool down = s_.airborne && tick.in.land.ground_contact;
  const bool may_stand = s_.phase == Phase::kSpool || s_.phase == Phase::kDescend;
  const Estimate& e = tick.in.estimate;
  if (!down || !e.attitude_valid || !is_overturned(e)) s_.not_overturned_at = now;
  if (!down || may_stand) s_.not_stranded_at = now;
  if (now - s_.not_overturned_at < kOverturnedTime && now - s_.not_stranded_at < kStrandedTime) {
    return;
  }
  s_.failsafe = Failsafe::kCrashed;
  disarm();
}

void Navigator::watch_battery(const Tick& tick) {
  const BatteryWarning worst = worst_warning(tick.in);
  if (worst <= s_.battery_handled) return;
  s_.battery_handled = worst;
  const bool low = worst == BatteryWarning::kLow;
  const BatteryAction action =
      low ? tick.parameters.low_battery_action : tick.parameters.critical_battery_action;
  if (action == BatteryAction::kNone) return;
  raise(tick, low ? Failsafe::kBatteryLow : Failsafe::kBatteryCritical, mode_of(action));
}

void Navigator::raise(const Tick& tick, Failsafe failsafe, FlightMode mode) {
  if (!s_.armed || failsafe <= s_.failsafe) return;
  s_.failsafe = failsafe;
  if (!s_.airborne) {
    disarm();
    return;
  }
  if (mode == FlightMode::kReturn && s_.phase == Phase::kDescend) return;  // landing already
  s_.mode = mode;
  start_leg(tick, leg_of(mode, tick.parameters));
}

void Navigator::write_setpoint(const Tick& tick, FlightSetpoint& setpoint) const {
  setpoint = {};
  setpoint.idle = s_.phase == Phase::kGround;
  setpoint.yaw_rad = s_.yaw.yaw_rad;
  if (setpoint.idle) return;
  setpoint.position_W_m = s_.reference.position_W_m;
  setpoint.velocity_W_m_s = s_.reference.velocity_W_m_s;
  setpoint.acceleration_W_m_s2 = s_.reference.acceleration_W_m_s2;
  setpoint.yaw_rate_rad_s = s_.yaw.rate_rad_s;
  setpoint.thrust_limit_weight = s_.thrust_cap_weight;
  setpoint.grounded = tick.in.land.ground_contact;
  setpoint.settling = settling(tick);
  // On the ground a position loop would tip the vehicle over.
  const bool touching = setpoint.grounded && s_.phase == Phase::kDescend;
  if (!tick.horizontal_known || !tick.vertical_known || touching) {
    setpoint.horizontal = false;
    setpoint.position_W_m = {kNan, kNan, kNan};
    setpoint.velocity_W_m_s = {0.0, 0.0, tick.parameters.estimator_loss_descent_m_s};
    setpoint.acceleration_W_m_s2 = {};
  }
  if (!tick.vertical_known) {
    // The learned hover thrust may be some percent off either way, so the sink starts gently and
    // grows; the drag of the rotors keeps it below 3 m/s.
    constexpr double kFirstSink_m_s2 = 0.3;
    constexpr double kMostSink_m_s2 = 0.9;
    constexpr double kSinkGrowth_m_s3 = 0.05;
    const double elapsed_s = to_seconds(tick.in.now - s_.phase_since);
    const double sink = kFirstSink_m_s2 + kSinkGrowth_m_s3 * elapsed_s;
    setpoint.vertical = false;
    setpoint.velocity_W_m_s = {};
    setpoint.acceleration_W_m_s2.z = math::min(sink, kMostSink_m_s2);
  }
}

void Navigator::report(const FlightSetpoint& setpoint, AutopilotStatus& status) const {
  status.armed = s_.armed;
  status.mode = s_.mode;
  status.failsafe = s_.failsafe;
  status.refusal = s_.refusal;
  status.mission_finished = s_.mission.finished;
  status.mission_count = static_cast<std::int32_t>(plan_->legs.size());
  status.mission_item = s_.mode == FlightMode::kMission && !s_.mission.finished
                            ? static_cast<std::int32_t>(s_.mission.item)
                            : -1;
  status.items_reached = s_.mission.items_reached;
  const bool flies = s_.armed && !setpoint.idle;
  const Vec3 unused{kNan, kNan, kNan};
  status.position_setpoint_W_m = flies ? setpoint.position_W_m : unused;
  status.yaw_setpoint_rad = flies ? setpoint.yaw_rad : kNan;
  if (flies) return;  // the rest is what MultirotorControl made of it
  status.velocity_setpoint_W_m_s = unused;
  status.acceleration_setpoint_W_m_s2 = unused;
  status.yaw_rate_setpoint_rad_s = kNan;
  status.attitude_setpoint = {kNan, kNan, kNan, kNan};
  status.rate_setpoint_B_rad_s = unused;
  status.thrust_setpoint = 0.0;
}

void Navigator::save(StateWriter& to) const {
  to.begin("navigator");
  to.add(static_cast<int>(plan_->legs.size()));
  to.add(plan_->jump_count);
  to.add_fields("navigator state", s_);
}

void Navigator::load(StateReader& from) {
  from.begin("navigator");
  from.require_same("the number of mission items", static_cast<int>(plan_->legs.size()));
  from.require_same("the number of jumps in the mission", plan_->jump_count);
  from.get_fields("navigator state", s_);
}

}  // namespace tactus
