// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The upper half of the built-in autopilot: what the vehicle does now, as a setpoint for
// MultirotorControl. At every tick:
//
//   orders     a new `count` of the high-level command is obeyed once: arm, disarm, change the mode
//   failsafes  battery, estimator, motors: may change the mode; only a new count overrides one
//   progress   is the phase of the current leg done? then the next phase, leg, or the end
//   reference  one tick of the limited trajectory (trajectory.h) along the phase's path
// Whatever flies is a leg (flight_plan.h): an item of the mission, or the one leg that a mode
// (takeoff, hold, return, land) amounts to. A leg passes through phases:
//   takeoff   spool, climb, travel     waypoint  travel, stay       loiter  travel, stay or circle
//   return    climb, travel, descend   land      travel, descend    delay   stay    yaw  turn
//
// Home is where the vehicle was armed. Arming needs a valid estimate and, for every pack, a
// connection and no critical warning, and on the ground less than 60° of tilt; it may happen in the
// air (a spec that starts there, or a restart after a brown-out), then the vehicle holds. Disarming
// by command needs the ground. A new request for the mission goes on with the item that was
// interrupted. An order that is not obeyed sets `refusal`. Battery: the worst warning of the
// connected packs; each step up acts once, as COM_LOW_BAT_ACT of PX4 (low: return, critical and
// emergency: land, both selectable). Estimator: horizontal lost or older than 0.5 s: level descent;
// vertical lost as well: thrust below hover. Motors: a loss that costs control of the tilt: land.
// Crash: for 0.5 s on the ground with more than 60° of tilt, or for 3 s on the ground when it
// should fly: motors off. Units SI, world NED. All times are integers. State is plain data; a step
// does not allocate.

#include <cstdint>
#include <memory>

#include "tactus/autopilot/builtin/multirotor_control.h"
#include "tactus/autopilot/builtin/trajectory.h"
#include "tactus/autopilot/input_checks.h"
#include "tactus/autopilot/mission/flight_plan.h"
#include "tactus/autopilot/mission/mission_progress.h"
#include "tactus/autopilot/parameters/builtin_parameters.h"
#include "tactus/core/fields.h"
#include "tactus/core/state_archive.h"
#include "tactus/core/time.h"
#include "tactus/signal/signals.h"

namespace tactus {

/// What the navigator may know, valid during one step.
struct NavigatorInput {
  TimeUs now;
  const Estimate& estimate;
  const LandStatus& land;
  const HighLevelCommand& high_level;
  const BatteryStatus (&battery)[kMaxPacks];
  int pack_count = 0;
  bool tilt_controlled = true;  ///< false: too many motors are lost
  bool yaw_controlled = true;   ///< false: the heading is given up
};

/// Part of a leg that is being flown.
enum class Phase : std::uint8_t {
  kGround,   ///< motors idle
  kSpool,    ///< thrust rises to the weight
  kClimb,    ///< up to the height of the path
  kTravel,   ///< along the line
  kStay,     ///< at the end of the line, for some time or for ever
  kCircle,   ///< around `centre`
  kTurn,     ///< on the spot
  kDescend,  ///< until the ground stops it
};

struct NavigatorState {
  bool armed = false;
  bool airborne = false;
  FlightMode mode = FlightMode::kNone;
  Failsafe failsafe = Failsafe::kNone;
  ArmingRefusal refusal = ArmingRefusal::kNone;
  OrderInbox inbox;
  BatteryWarning battery_handled = BatteryWarning::kNone;

  bool home_in_air = false;  ///< armed in flight: how far the ground is, is not known
  Vec3 home_W_m;

  MissionProgress mission;
  Leg leg;
  Phase phase = Phase::kGround;
  TimeUs phase_since;
  Line line;
  Vec3 target_W_m;  ///< where the leg leads
  double swept_rad = 0.0;
  double turn_left_rad = 0.0;  ///< kTurn

  bool reference_valid = false;
  Trajectory reference;
  YawTrajectory yaw;
  double yaw_target_rad = 0.0;
  double thrust_cap_weight = 0.0;
  bool touched = false;  ///< the ground, in this landing, last at `touched_at`
  TimeUs touched_at;

  bool at_rest = false;  ///< landed since `at_rest_since`
  TimeUs at_rest_since;

  TimeUs not_overturned_at;  ///< last instant at which it did not lie on its side
  TimeUs not_stranded_at;    ///< last instant at which it flew, or was meant to stand

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("armed", "", self.armed);
    visit("airborne", "", self.airborne);
    visit("mode", "", self.mode);
    visit("failsafe", "", self.failsafe);
    visit("refusal", "", self.refusal);
    visit("inbox", "", self.inbox);
    visit("battery_handled", "", self.battery_handled);
    visit("home_in_air", "", self.home_in_air);
    visit("home_ned_m", "m", self.home_W_m);
    visit("mission", "", self.mission);
    visit("leg", "", self.leg);
    visit("phase", "", self.phase);
    visit("phase_since_us", "us", self.phase_since);
    visit("line", "", self.line);
    visit("target_ned_m", "m", self.target_W_m);
    visit("swept_rad", "rad", self.swept_rad);
    visit("turn_left_rad", "rad", self.turn_left_rad);
    visit("reference_valid", "", self.reference_valid);
    visit("reference", "", self.reference);
    visit("yaw", "", self.yaw);
    visit("yaw_target_rad", "rad", self.yaw_target_rad);
    visit("thrust_cap_weight", "1", self.thrust_cap_weight);
    visit("touched", "", self.touched);
    visit("touched_at_us", "us", self.touched_at);
    visit("at_rest", "", self.at_rest);
    visit("at_rest_since_us", "us", self.at_rest_since);
    visit("not_overturned_at_us", "us", self.not_overturned_at);
    visit("not_stranded_at_us", "us", self.not_stranded_at);
  }
};
static_assert(lists_every_field<NavigatorState>());

class Navigator {
 public:
  Navigator(std::shared_ptr<const FlightPlan> plan, DurationUs period);

  /// One tick. `setpoint.idle` while armed on the ground; meaningless while disarmed.
  void step(const NavigatorInput& input, const BuiltinParameters& parameters,
            FlightSetpoint& setpoint);

  /// After power-up. Orders given before are not obeyed.
  void restart();

  [[nodiscard]] const FlightPlan& plan() const { return *plan_; }
  /// As BuiltinVehicle.
  void set_plan(std::shared_ptr<const FlightPlan> plan);
  void set_item(int item);

  /// Its part of the autopilot's report.
  void report(const FlightSetpoint& setpoint, AutopilotStatus& status) const;

  [[nodiscard]] const NavigatorState& state() const { return s_; }

  void save(StateWriter& to) const;
  /// The plan must have as many items as that of the saved one.
  void load(StateReader& from);

 private:
  /// What one step passes around.
  struct Tick {
    const NavigatorInput& in;
    const BuiltinParameters& parameters;
    double dt_s = 0.0;
    bool horizontal_known = true;
    bool vertical_known = true;
  };

  // Orders and failsafes: navigator.cpp.
  void obey(const Tick& tick);
  [[nodiscard]] static ArmingRefusal refusal(const Tick& tick);
  void arm(const Tick& tick);
  void disarm();
  void set_mode(const Tick& tick, FlightMode mode);
  void set_mission(const Tick& tick);
  void watch(const Tick& tick);
  void watch_crash(const Tick& tick);
  void watch_battery(const Tick& tick);
  void raise(const Tick& tick, Failsafe failsafe, FlightMode mode);
  void write_setpoint(const Tick& tick, FlightSetpoint& setpoint) const;

  // Legs and their phases: navigator_legs.cpp.
  void start_leg(const Tick& tick, const Leg& leg);
  void start_return(const Tick& tick);
  void start_loiter(const Tick& tick);
  void start_turn(const Tick& tick);
  void enter(const Tick& tick, Phase phase);
  void stay(const Tick& tick);
  void climb(const Tick& tick, double down_m);
  void travel(const Tick& tick, Vec3 start, Vec3 end);
  void plan_corner(const Tick& tick);
  void finish_leg(const Tick& tick);
  void progress(const Tick& tick);
  void progress_on_ground(const Tick& tick);
  void after_climb(const Tick& tick);
  void after_travel(const Tick& tick);
  void rest(const Tick& tick);
  [[nodiscard]] bool arrived(const Tick& tick) const;
  [[nodiscard]] Vec3 place_of(const Leg& leg) const;
  [[nodiscard]] double acceptance_m(const BuiltinParameters& parameters) const;

  // The reference: navigator_reference.cpp.
  void reset_reference(const Tick& tick);
  void move_reference(const Tick& tick);
  void move_yaw(const Tick& tick);
  void move_thrust_cap(const Tick& tick);
  [[nodiscard]] bool settling(const Tick& tick) const;
  Steering steer_circle(const TrajectoryLimits& limit, double pace, double dt_s);
  [[nodiscard]] Steering steer_down(const BuiltinParameters& parameters,
                                    const TrajectoryLimits& limit, double pace) const;
  [[nodiscard]] TrajectoryLimits limits(const BuiltinParameters& parameters) const;

  std::shared_ptr<const FlightPlan> plan_;
  DurationUs period_;
  NavigatorState s_;
};

}  // namespace tactus
