// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Flight control of a multirotor, from a setpoint in the world to one command per rotor.
//
//   position P → velocity P + disturbance observer → thrust vector (50 Hz, in phase with t = 0)
//   thrust vector and yaw → attitude P, tilt before yaw → rates PD + disturbance observer
//   → allocation (allocation.h) → thrust curve of each rotor (airframe_model.h)   (every tick)
//
// Integral action comes from two observers that compare the motion with what the *allocated* thrust
// and torque explain: m v̇ = −T R e_z + m g + m d and I ω̇ + ω × Iω = τ + d. A limit that cuts the
// demand cuts the explanation too, so nothing winds up. The vertical part of d is the learned hover
// thrust m (g + d_z); what it was in slow vertical motion is kept for flight without height.
// Gains: control_gains.h.
// All values SI, world NED, body FRD. Same bits everywhere; no allocation; state is plain data.

#include <cstdint>

#include "tactus/autopilot/airframe/airframe_model.h"
#include "tactus/autopilot/airframe/allocation.h"
#include "tactus/autopilot/builtin/control_gains.h"
#include "tactus/autopilot/builtin/motor_monitor.h"
#include "tactus/autopilot/parameters/builtin_parameters.h"
#include "tactus/core/fields.h"
#include "tactus/core/math.h"
#include "tactus/core/state_archive.h"
#include "tactus/core/time.h"
#include "tactus/signal/signals.h"

namespace tactus {

/// Where to fly. Down that is NaN, and north and east if either is, are not controlled: there the
/// velocity is the setpoint; elsewhere it is feed-forward, as the acceleration is everywhere.
struct FlightSetpoint {
  Vec3 position_W_m{math::canonical_nan(), math::canonical_nan(), math::canonical_nan()};
  Vec3 velocity_W_m_s;
  Vec3 acceleration_W_m_s2;
  double yaw_rad = 0.0;
  double yaw_rate_rad_s = 0.0;         ///< feed-forward; the setpoint itself if yaw_rad is NaN
  double thrust_limit_weight = 100.0;  ///< cap on the collective, in weights: ramps at takeoff and
                                       ///< after touchdown; 0: motors idle
  bool horizontal = true;              ///< false: stay level, north and east are not known
  bool vertical = true;   ///< false: thrust of a hover plus the acceleration, down is not known
  bool grounded = false;  ///< gear touches: the observers do not learn
  bool settling = false;  ///< touched down: the jolts of the gear are not fought
  bool idle = false;      ///< motors at minimum, all states at rest

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("position_ned_m", "m", self.position_W_m, "NaN: not controlled");
    visit("velocity_ned_m_s", "m/s", self.velocity_W_m_s, "setpoint, or feed-forward");
    visit("acceleration_ned_m_s2", "m/s^2", self.acceleration_W_m_s2, "feed-forward");
    visit("yaw_rad", "rad", self.yaw_rad, "heading, NaN: turn at yaw_rate_rad_s");
    visit("yaw_rate_rad_s", "rad/s", self.yaw_rate_rad_s, "feed-forward or setpoint");
    visit("thrust_limit_weight", "1", self.thrust_limit_weight, "cap on collective over weight");
    visit("horizontal", "", self.horizontal, "false: stay level");
    visit("vertical", "", self.vertical, "false: thrust of a hover");
    visit("grounded", "", self.grounded, "gear touches");
    visit("settling", "", self.settling, "touched down");
    visit("idle", "", self.idle, "motors at minimum");
  }
};
static_assert(lists_every_field<FlightSetpoint>());

/// An attitude to hold, for tests and for callers that fly by attitude.
struct AttitudeSetpoint {
  Quat attitude;
  double yaw_rate_rad_s = 0.0;  ///< feed-forward
  double thrust_n = 0.0;        ///< along body up
};

/// What the controller may know, valid during one step.
struct ControlInput {
  TimeUs now;
  const Estimate& estimate;
  const BatteryStatus (&battery)[kMaxPacks];
  const EscStatus (&esc)[kMaxMotors];
};

struct MultirotorControlState {
  TimeUs next_position_step;
  Quat attitude_setpoint;
  double thrust_n = 0.0;        ///< collective wanted
  double yaw_rate_rad_s = 0.0;  ///< setpoint after its limits
  Vec3 velocity_observed_W_m_s;
  Vec3 disturbance_W_m_s2;
  double hover_disturbance_m_s2 = 0.0;  ///< its vertical part when it neither climbs nor sinks
  Vec3 rate_observed_B_rad_s;
  Vec3 disturbance_B_rad_s2;
  bool settling = false;  ///< no rate damping, rotors below their share of a hover
  Vec3 torque_B_nm;       ///< of the rotors by now, by their lag
  double lift_n = 0.0;
  double yaw_slow_nm = 0.0;      ///< slow part of the yaw demand
  double yaw_given_nm = 0.0;     ///< allocated at the last tick
  double bus_v[kMaxBuses] = {};  ///< filtered, the last good one while a bus is dead
  std::uint32_t dead_bus_mask = 0;
  double max_thrust_n[kMaxMotors] = {};
  bool running = false;
  MotorMonitorState monitor;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("next_position_step_us", "us", self.next_position_step, "when the slow loops are due");
    visit("attitude_setpoint", "1", self.attitude_setpoint, "attitude wanted");
    visit("thrust_n", "N", self.thrust_n, "collective wanted");
    visit("yaw_rate_rad_s", "rad/s", self.yaw_rate_rad_s, "yaw rate wanted, limited");
    visit("velocity_observed_ned_m_s", "m/s", self.velocity_observed_W_m_s, "observer");
    visit("disturbance_ned_m_s2", "m/s^2", self.disturbance_W_m_s2, "acceleration not explained");
    visit("hover_disturbance_m_s2", "m/s^2", self.hover_disturbance_m_s2,
          "vertical part of the disturbance while it neither climbs nor sinks");
    visit("rate_observed_body_rad_s", "rad/s", self.rate_observed_B_rad_s, "observer");
    visit("disturbance_body_rad_s2", "rad/s^2", self.disturbance_B_rad_s2,
          "angular acceleration not explained");
    visit("settling", "", self.settling, "touched down");
    visit("torque_body_nm", "N*m", self.torque_B_nm, "torque of the rotors by their model");
    visit("lift_n", "N", self.lift_n, "thrust of the rotors by their model");
    visit("yaw_slow_nm", "N*m", self.yaw_slow_nm, "slow part of the yaw demand");
    visit("yaw_given_nm", "N*m", self.yaw_given_nm, "yaw moment allocated");
    visit("bus_v", "V", self.bus_v, "bus voltages, filtered");
    visit("dead_bus_mask", "", self.dead_bus_mask, "bit b: bus b has no supply");
    visit("max_thrust_n", "N", self.max_thrust_n, "of each rotor at this voltage");
    visit("running", "", self.running, "observers and loops are initialised");
    visit("monitor", "", self.monitor, "motor monitor");
  }
};
static_assert(lists_every_field<MultirotorControlState>());

class MultirotorControl {
 public:
  /// `period` is that of the ticks at which it will be stepped.
  MultirotorControl(const Multirotor& vehicle, const BuiltinParameters& parameters,
                    DurationUs period);

  /// New limits and scales in flight; the state stays.
  void set_parameters(const BuiltinParameters& parameters);

  /// One tick. Writes the motors of `command`, and of `status` the attitude, rate, acceleration and
  /// thrust setpoints, hover_thrust, motor_lost_mask and yaw_given_up.
  void step(const ControlInput& input, const FlightSetpoint& setpoint, Command& command,
            AutopilotStatus& status);
  void step_attitude(const ControlInput& input, const AttitudeSetpoint& setpoint, Command& command,
                     AutopilotStatus& status);

  /// Motors off, all states at rest, lost motors forgotten: what disarming does.
  void stop(Command& command);

  [[nodiscard]] std::uint32_t motor_lost_mask() const { return state_.monitor.lost_mask; }
  /// When the first motor was taken for lost; meaningless without one.
  [[nodiscard]] TimeUs motor_lost_at() const { return state_.monitor.lost_at; }
  /// False after a loss that leaves a hover without roll and pitch: it falls.
  [[nodiscard]] bool tilt_controlled() const { return allocation_.controls_tilt; }
  /// False after a loss that leaves no yaw torque of both signs in a hover.
  [[nodiscard]] bool yaw_controlled() const { return allocation_.controls_yaw; }
  /// Mean motor command that carries the weight, as learned.
  [[nodiscard]] double hover_thrust() const;
  [[nodiscard]] const AirframeModel& model() const { return model_; }
  [[nodiscard]] const ControlGains& gains() const { return gains_; }
  [[nodiscard]] const MultirotorControlState& state() const { return state_; }

  void save(StateWriter& to) const;
  /// What follows from parameters is made anew from those in force here.
  void load(StateReader& from);

 private:
  /// Which parts of the disturbance may change.
  struct Learning {
    bool horizontal;
    bool vertical;
    bool rates;
  };

  [[nodiscard]] bool has_lost(int rotor) const {
    return ((state_.monitor.lost_mask >> rotor) & 1U) != 0;
  }
  void begin(const ControlInput& input, const Command& command);
  void read_supply(const BatteryStatus (&battery)[kMaxPacks]);
  void rest(const Estimate& estimate, Command& command, AutopilotStatus& status);
  void learn(const Estimate& estimate, const Learning& on);
  void learn_rates(const Estimate& estimate);
  void position_step(const Estimate& estimate, const FlightSetpoint& setpoint,
                     AutopilotStatus& status);
  [[nodiscard]] Vec3 velocity_setpoint(const Estimate& estimate,
                                       const FlightSetpoint& setpoint) const;
  [[nodiscard]] Vec3 acceleration_setpoint(const Estimate& estimate, const FlightSetpoint& setpoint,
                                           Vec3 velocity_W_m_s) const;
  [[nodiscard]] Vec3 specific_force(Vec3 wanted_W_m_s2, bool horizontal) const;
  double yaw_rate_setpoint(double error_rad, bool heading, double feed_forward_rad_s);
  void inner_step(const ControlInput& input, bool heading, double yaw_feed_forward_rad_s,
                  Command& command, AutopilotStatus& status);
  double without_lead(double yaw_nm);
  void drive(const Wrench& demand, const EscStatus (&esc)[kMaxMotors], Command& command);
  [[nodiscard]] double mean_command(double lift_n) const;
  void report(Vec3 rate_B_rad_s, AutopilotStatus& status) const;

  AirframeModel model_;
  BuiltinParameters parameters_;
  DurationUs period_;
  ControlGains gains_;
  Allocation allocation_;  ///< follows motor_lost_mask
  MultirotorControlState state_;
};

}  // namespace tactus
