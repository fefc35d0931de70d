// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/autopilot/builtin/builtin_rover.h"

#include <utility>

#include "tactus/autopilot/builtin/trajectory.h"
#include "tactus/autopilot/parameters/parameter_change.h"
#include "tactus/core/assert.h"

namespace tactus {

namespace {

constexpr double kNan = math::canonical_nan();
/// Nearer than this it stands where it should: wheels cannot correct sideways.
constexpr double kParkingRadius_m = 0.05;

/// Share of the speed at which a heading error, or a corner, is driven: 0 from 60° on.
double share_at(double cosine) { return math::clamp(2.0 * (cosine - 0.5), 0.0, 1.0); }

}  // namespace

BuiltinRover::BuiltinRover(const BuiltinParameters& parameters, const RoverParameters& rover,
                           std::shared_ptr<const FlightPlan> plan, DurationUs period)
    : given_(parameters),
      parameters_(parameters),
      rover_(rover),
      plan_(std::move(plan)),
      control_(rover, period) {
  TACTUS_ASSERT(plan_ != nullptr, "an autopilot needs a plan, if only an empty one");
  validate(parameters, "autopilot");
  validate(rover, "rover");
}

void BuiltinRover::step(const AutopilotInput& input, AutopilotOutput& output) {
  take_parameter(input.parameter);
  const bool known = is_usable(input.estimate, input.now) && input.estimate.horizontal_valid;
  obey(input, known);
  if (s_.armed && !known) s_.failsafe = Failsafe::kEstimatorLost;
  if (s_.armed && known && s_.failsafe == Failsafe::kNone) progress(input);
  RoverSetpoint setpoint{0.0, s_.heading_rad};
  if (s_.armed) {
    if (s_.failsafe == Failsafe::kNone) setpoint = drive(input.estimate);
    control_.step(input.estimate, setpoint, deceleration_m_s2(), output.command);
  } else {
    control_.stop(output.command);
  }
  report(setpoint, output.status);
}

void BuiltinRover::take_parameter(const ParameterChange& change) {
  if (change.count == changes_seen_) return;
  changes_seen_ = change.count;
  parameters_ = with_parameter(parameters_, change.index, change.value);
}

void BuiltinRover::set_plan(std::shared_ptr<const FlightPlan> plan) {
  TACTUS_ASSERT(plan != nullptr, "an autopilot needs a plan, if only an empty one");
  plan_ = std::move(plan);
  s_.mission = {};
}

void BuiltinRover::set_item(int item) {
  start_mission(*plan_, s_.mission, item);
  if (s_.mode == FlightMode::kMission) s_.mode = FlightMode::kNone;
}

void BuiltinRover::obey(const AutopilotInput& input, bool known) {
  const HighLevelCommand& wanted = input.high_level;
  if (!s_.inbox.take(wanted)) return;
  const bool refuses = wanted.armed && !s_.armed && !known;
  s_.refusal = refuses ? ArmingRefusal::kEstimate : ArmingRefusal::kNone;
  if (!wanted.armed) {
    disarm();
    return;
  }
  if (!known) return;
  if (!s_.armed) {
    const OrderInbox inbox = s_.inbox;
    s_ = {};
    s_.inbox = inbox;
    s_.armed = true;
    s_.home_W_m = input.estimate.position_W_m;
    halt(input);
  }
  if (wanted.mode != FlightMode::kNone) set_mode(input, wanted.mode);
}

void BuiltinRover::disarm() {
  s_.armed = false;
  s_.mode = FlightMode::kNone;
}

void BuiltinRover::set_mode(const AutopilotInput& input, FlightMode mode) {
  if (s_.mode == mode && s_.failsafe == Failsafe::kNone) return;
  if (mode == FlightMode::kTakeoff) mode = FlightMode::kHold;
  if (mode == FlightMode::kMission) {
    if (s_.mission.item < 0 || s_.mission.finished) start_mission(*plan_, s_.mission);
    const Leg* leg = current_leg(*plan_, s_.mission);
    if (leg == nullptr) {
      s_.refusal = ArmingRefusal::kNoMission;
      return;
    }
    s_.mode = mode;
    start_leg(input, *leg);
  } else {
    s_.mode = mode;
    Leg leg;
    leg.kind = mode == FlightMode::kReturn ? LegKind::kReturn : LegKind::kLoiter;
    start_leg(input, leg);
  }
  s_.failsafe = Failsafe::kNone;
}

void BuiltinRover::halt(const AutopilotInput& input) {
  s_.heading_rad = yaw_of(input.estimate.attitude);
  s_.start_W_m = s_.target_W_m = input.estimate.position_W_m;
  s_.corner_speed_m_s = 0.0;
  s_.arrived = s_.parked = true;
  s_.arrived_at = input.now;
}

void BuiltinRover::start_leg(const AutopilotInput& input, const Leg& leg) {
  s_.leg = leg;
  s_.at_rest = false;
  if (leg.kind != LegKind::kReturn && !leg.has_place) {
    halt(input);
    return;
  }
  s_.start_W_m = horizontal(input.estimate.position_W_m);
  s_.target_W_m = horizontal(leg.kind == LegKind::kReturn ? s_.home_W_m : leg.position_W_m);
  s_.arrived = s_.parked = false;
  s_.corner_speed_m_s = 0.0;
  const bool passes =
      s_.mode == FlightMode::kMission && leg.kind == LegKind::kWaypoint && leg.hold.us == 0;
  const Leg* next = passes && leg.autocontinue ? following_leg(*plan_, s_.mission) : nullptr;
  if (next == nullptr || !next->has_place) return;
  const Vec3 before = s_.target_W_m - s_.start_W_m;
  const Vec3 after = horizontal(next->position_W_m) - s_.target_W_m;
  const double sizes = norm(before) * norm(after);
  if (sizes > 1e-6) s_.corner_speed_m_s = cruise_m_s() * share_at(dot(before, after) / sizes);
}

void BuiltinRover::progress(const AutopilotInput& input) {
  const Vec3 to_go = horizontal(s_.target_W_m - input.estimate.position_W_m);
  const double distance = norm(to_go);
  if (!s_.arrived && distance <= acceptance_m()) {
    s_.arrived = true;
    s_.arrived_at = input.now;
  }
  const bool beyond = dot(to_go, s_.target_W_m - s_.start_W_m) <= 0.0;
  if (distance <= kParkingRadius_m || (s_.arrived && beyond)) s_.parked = true;
  const bool leaves = s_.mode == FlightMode::kReturn || s_.mode == FlightMode::kLand ||
                      s_.leg.kind == LegKind::kReturn;
  if (leaves) {
    rest(input);
    return;
  }
  if (s_.mode != FlightMode::kMission || !s_.arrived) return;
  const bool forever = s_.leg.kind == LegKind::kLoiter && s_.leg.until == LoiterUntil::kForever;
  // What is reached to stay at is driven to until it is parked.
  const bool stays = s_.leg.hold.us != 0 && !s_.parked;
  if (stays) s_.arrived_at = input.now;
  if (!forever && !stays && input.now - s_.arrived_at >= s_.leg.hold) finish_leg(input);
}

void BuiltinRover::finish_leg(const AutopilotInput& input) {
  const bool goes_on = s_.leg.autocontinue;
  complete_leg(*plan_, s_.mission);
  const Leg* next = current_leg(*plan_, s_.mission);
  if (next != nullptr && goes_on) {
    start_leg(input, *next);
    return;
  }
  // It comes to rest at the last waypoint, not beside it.
  s_.mode = FlightMode::kHold;
  s_.leg.kind = LegKind::kLoiter;
  s_.leg.until = LoiterUntil::kForever;
}

/// Parked and at rest for long enough: off.
void BuiltinRover::rest(const AutopilotInput& input) {
  if (!s_.parked || !input.land.landed) {
    s_.at_rest = false;
    return;
  }
  if (!s_.at_rest) {
    s_.at_rest = true;
    s_.at_rest_since = input.now;
    if (s_.mode == FlightMode::kMission && !s_.mission.finished) complete_leg(*plan_, s_.mission);
  }
  if (input.now - s_.at_rest_since >= parameters_.disarm_delay) disarm();
}

double BuiltinRover::cruise_m_s() const {
  double speed = parameters_.cruise_speed_m_s;
  if (s_.mode == FlightMode::kMission && s_.mission.speed_m_s[0] > 0.0) {
    speed = s_.mission.speed_m_s[0];
  }
  return math::min(speed, control_.top_speed_m_s());
}

/// What the lag of the wheels lets it follow, at most what was asked for.
double BuiltinRover::deceleration_m_s2() const {
  return math::min(parameters_.max_acceleration_m_s2,
                   0.5 * rover_.max_speed_m_s * control_.gain_per_s());
}

double BuiltinRover::acceptance_m() const {
  return s_.leg.acceptance_m > 0.0 ? s_.leg.acceptance_m : parameters_.acceptance_radius_m;
}

/// Steers for a point ahead on the line; the speed follows from heading error and distance to go.
RoverSetpoint BuiltinRover::drive(const Estimate& estimate) {
  s_.abreast_W_m = s_.target_W_m;
  if (s_.parked) return {0.0, s_.heading_rad};
  const Vec3 here = horizontal(estimate.position_W_m);
  const Vec3 to_go = s_.target_W_m - here;
  const double distance = norm(to_go);
  const Vec3 along = s_.target_W_m - s_.start_W_m;
  const double length = norm(along);
  const Vec3 u = length > 1e-6 ? along / length : Vec3{};
  const double ahead = math::max(1.5 * rover_.track_m, cruise_m_s() / control_.gain_per_s());
  const double to_end = dot(to_go, u);
  const double left = math::max(to_end - ahead, 0.0);
  s_.abreast_W_m = s_.target_W_m - math::clamp(to_end, 0.0, length) * u;
  const Vec3 aim = s_.target_W_m - left * u - here;
  s_.heading_rad = math::atan2(aim.y, aim.x);

  const double stop =
      closing_rate(distance, deceleration_m_s2() * kBrakingShare, 0.5 * control_.gain_per_s());
  const double corner = s_.arrived ? 0.0 : s_.corner_speed_m_s;
  const double speed = math::min(cruise_m_s(), math::sqrt(stop * stop + corner * corner));
  const double error = s_.heading_rad - yaw_of(estimate.attitude);
  return {speed * share_at(math::cos(error)), s_.heading_rad};
}

void BuiltinRover::report(const RoverSetpoint& setpoint, AutopilotStatus& status) const {
  status = {};
  status.armed = s_.armed;
  status.mode = s_.mode;
  status.failsafe = s_.failsafe;
  status.refusal = s_.refusal;
  status.mission_finished = s_.mission.finished;
  status.mission_count = static_cast<std::int32_t>(plan_->legs.size());
  status.mission_item =
      s_.mode == FlightMode::kMission ? static_cast<std::int32_t>(s_.mission.item) : -1;
  status.items_reached = s_.mission.items_reached;
  const Vec3 unused{kNan, kNan, kNan};
  double sine = 0.0, cosine = 1.0;
  math::sincos(setpoint.heading_rad, &sine, &cosine);
  status.position_setpoint_W_m = s_.armed ? s_.abreast_W_m : unused;
  status.velocity_setpoint_W_m_s = s_.armed ? setpoint.speed_m_s * Vec3{cosine, sine, 0.0} : unused;
  status.yaw_setpoint_rad = s_.armed ? setpoint.heading_rad : kNan;
  status.acceleration_setpoint_W_m_s2 = unused;
  status.yaw_rate_setpoint_rad_s = kNan;
  status.attitude_setpoint = {kNan, kNan, kNan, kNan};
  status.rate_setpoint_B_rad_s = unused;
}

void BuiltinRover::restart() {
  s_ = {};
  s_.inbox.ignore_old = true;
  Command off;
  control_.stop(off);
}

void BuiltinRover::save(StateWriter& to) const {
  save_parameters(given_, parameters_, to);
  to.begin("builtin rover");
  to.add(changes_seen_);
  to.add(static_cast<int>(plan_->legs.size()));
  to.add(plan_->jump_count);
  to.add_fields("rover navigator", s_);
  control_.save(to);
}

void BuiltinRover::load(StateReader& from) {
  parameters_ = load_parameters(given_, from);
  from.begin("builtin rover");
  changes_seen_ = from.get<std::uint32_t>();
  from.require_same("the number of mission items", static_cast<int>(plan_->legs.size()));
  from.require_same("the number of jumps in the mission", plan_->jump_count);
  from.get_fields("rover navigator", s_);
  control_.load(from);
}

std::unique_ptr<Autopilot> BuiltinRover::clone() const {
  return std::make_unique<BuiltinRover>(*this);
}

}  // namespace tactus
