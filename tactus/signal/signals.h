// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Every signal that couples the parts of a run, as plain data. The bus (bus.h) holds one of each.
// Frames: world NED, body FRD, attitude body to world; SI units. Bit i of a mask is rotor, pack or
// bus i, counted from 0 in the order of the spec. What a fault does is in docs/faults.md.

#include <cstdint>

#include "tactus/core/fields.h"
#include "tactus/core/quat.h"
#include "tactus/core/time.h"
#include "tactus/core/vec.h"
#include "tactus/signal/instrument_signals.h"
#include "tactus/signal/limits.h"
#include "tactus/signal/part_facts.h"

namespace tactus {

/// What the autopilot commands, held until its next tick. A rover drives its left and right wheels
/// through servo channels 0 and 1, which know reverse.
struct Command {
  double motor[kMaxMotors] = {};  ///< [0, 1]
  double servo[kMaxServos] = {};  ///< [−1, 1]

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("motor", "1",
          marked(self.motor, {.length = count_of<CountOf::kMotors>, .range = {0.0, 1.0}}),
          "drive per rotor, 0 to 1");
    visit("servo", "1",
          marked(self.servo, {.length = count_of<CountOf::kServos>, .range = {-1.0, 1.0}}),
          "deflection or drive per servo channel, -1 to 1");
  }
};
static_assert(lists_every_field<Command>());

/// What a pilot or a ground station wants. Levels, not edges: the autopilot reacts when `count`
/// changes.
enum class FlightMode : std::uint8_t { kNone, kTakeoff, kMission, kHold, kReturn, kLand };

const char* to_text(FlightMode mode);

struct HighLevelCommand {
  bool armed = false;
  FlightMode mode = FlightMode::kNone;
  std::uint32_t count = 0;  ///< number of requests so far

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("armed", "", self.armed, "motors may turn");
    visit("mode", "", self.mode, "requested mode: none, takeoff, mission, hold, return or land");
    visit("count", "", self.count, "number of requests so far");
  }
};
static_assert(lists_every_field<HighLevelCommand>());

/// A parameter of the autopilot that is changed in flight.
struct ParameterChange {
  std::int32_t index = -1;  ///< in the autopilot's own list of parameters
  std::uint32_t count = 0;  ///< number of changes so far
  double value = 0.0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("index", "", self.index, "position in the autopilot's list of parameters, -1 none");
    visit("count", "", self.count, "number of changes so far");
    visit("value", "", self.value, "new value, in the parameter's unit");
  }
};
static_assert(lists_every_field<ParameterChange>());

/// A note of the scenario for readers of the log.
struct Marker {
  std::uint32_t count = 0;
  std::int32_t event = -1;
  std::uint64_t fired_mask = 0;  ///< bit i: event i has acted; for the first 64 events

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("count", "", self.count, "number of markers so far");
    visit("event", "", self.event, "position of the event that set the last one, -1 none");
    visit("fired_mask", "", self.fired_mask, "bit i: event i has acted, of the first 64");
  }
};
static_assert(lists_every_field<Marker>());

/// Base wind from the wind source: value at `since`, then along the slope until the next tick.
struct WindSignal {
  Vec3 velocity_W_m_s;
  Vec3 slope_W_m_s2;
  TimeUs since;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("velocity_ned_m_s", "m/s", self.velocity_W_m_s, "velocity of the air at the tick");
    visit("slope_ned_m_s2", "m/s^2", self.slope_W_m_s2, "its rate until the next tick");
    visit("since_us", "us", self.since, "instant of the tick");
  }
};
static_assert(lists_every_field<WindSignal>());

/// What the scenario adds to the wind (steps and gusts, superposed).
struct Disturbance {
  Vec3 wind_W_m_s;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("wind_ned_m_s", "m/s", self.wind_W_m_s, "added to the wind");
  }
};
static_assert(lists_every_field<Disturbance>());

/// Bits of `EstimatorFault::sensor_mask`. Each says what the estimator loses (sensor/estimator.h).
enum class SensorBit : std::uint8_t {
  kGyroscope,         ///< rates and angular acceleration stand; attitude not valid
  kAccelerometer,     ///< acceleration stands
  kMagnetometer,      ///< heading drifts with the rate error; still called valid
  kBarometer,         ///< height and climb rate stand; vertical not valid
  kGps,               ///< horizontal velocity stands, position goes on with it; not valid
  kEstimatorFreeze,   ///< the estimate stands and says it is fresh and valid, which is wrong
  kEstimatorDropout,  ///< no estimate arrives: the last one grows old, nothing is valid
  kCount,
};
constexpr std::uint32_t sensor_bit(SensorBit which) {
  return std::uint32_t{1} << static_cast<unsigned>(which);
}

struct EstimatorFault {
  std::uint32_t sensor_mask = 0;
  std::uint32_t extra_delay_us = 0;  ///< on top of the estimator's own
  Vec3 position_bias_W_m;
  Vec3 velocity_bias_W_m_s;
  Vec3 attitude_bias_rad;  ///< rotation vector in world axes
  Vec3 rate_bias_B_rad_s;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("sensor_mask", "", self.sensor_mask, "bits: see docs/faults.md");
    visit("extra_delay_us", "us", self.extra_delay_us, "on top of the estimator's own delay");
    visit("position_bias_ned_m", "m", self.position_bias_W_m, "added to the position");
    visit("velocity_bias_ned_m_s", "m/s", self.velocity_bias_W_m_s, "added to the velocity");
    visit("attitude_bias_rad", "rad", self.attitude_bias_rad, "rotation vector, world axes");
    visit("rate_bias_body_rad_s", "rad/s", self.rate_bias_B_rad_s, "added to the body rates");
  }
};
static_assert(lists_every_field<EstimatorFault>());

/// Condition of one pack.
struct PackFault {
  bool connected = true;
  double resistance_scale = 1.0;  ///< ≥ 1
  double voltage_offset_v = 0.0;  ///< ≤ 0: lost cell

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("connected", "", self.connected, "false: the plug is open");
    visit("resistance_scale", "1", self.resistance_scale, "factor on r0_ohm");
    visit("voltage_offset_v", "V", self.voltage_offset_v, "added to the open-circuit voltage");
  }
};
static_assert(lists_every_field<PackFault>());

struct Faults {
  std::uint32_t motor_off_mask = 0;    ///< no drive
  std::uint32_t motor_stuck_mask = 0;  ///< drive held at motor_stuck
  std::uint32_t rotor_jam_mask = 0;    ///< rotor locked to the airframe
  std::uint32_t servo_stuck_mask = 0;  ///< servo held at servo_stuck
  double motor_stuck[kMaxMotors] = {};
  double thrust_scale[kMaxMotors] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  std::uint32_t motor_delay_us[kMaxMotors] = {};  ///< the command acts this much later
  double servo_stuck[kMaxServos] = {};
  PackFault pack[kMaxPacks];
  EstimatorFault estimator;
  InstrumentFault instrument[kInstrumentCount];  ///< by Instrument

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("motor_off_mask", "", self.motor_off_mask, "bit i: rotor i gets no drive");
    visit("motor_stuck_mask", "", self.motor_stuck_mask, "bit i: drive of rotor i is stuck");
    visit("rotor_jam_mask", "", self.rotor_jam_mask, "bit i: rotor i is locked");
    visit("servo_stuck_mask", "", self.servo_stuck_mask, "bit i: servo i is stuck");
    visit("motor_stuck", "1", marked(self.motor_stuck, {.length = count_of<CountOf::kMotors>}),
          "where a stuck drive stands");
    visit("thrust_scale", "1", marked(self.thrust_scale, {.length = count_of<CountOf::kMotors>}),
          "remaining blade effect per rotor");
    visit("motor_delay_us", "us",
          marked(self.motor_delay_us, {.length = count_of<CountOf::kMotors>}),
          "command of each rotor acts later");
    visit("servo_stuck", "1", marked(self.servo_stuck, {.length = count_of<CountOf::kServos>}),
          "where a stuck servo stands");
    visit("pack", "", marked(self.pack, {.length = count_of<CountOf::kPacks>}),
          "condition of each pack");
    visit("estimator", "", self.estimator, "what the estimator suffers");
    visit("instrument", "", marked(self.instrument, {.length = told_instruments}),
          "condition of each instrument");
  }
};
static_assert(lists_every_field<Faults>());

/// The vehicle's true motion.
struct Truth {
  Vec3 position_W_m;
  Vec3 velocity_W_m_s;
  Quat attitude;
  Vec3 rate_B_rad_s;
  double height_m = 0.0;   ///< above the ground plane
  double speed_m_s = 0.0;  ///< over ground, all axes
  double tilt_rad = 0.0;   ///< between body down and world down
  Vec3 acceleration_W_m_s2;
  Vec3 angular_acceleration_B_rad_s2;
  Vec3 specific_force_B_m_s2;
  Vec3 air_velocity_B_m_s;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("position_ned_m", "m", marked(self.position_W_m, {.of_state = true}),
          "from the world origin");
    visit("velocity_ned_m_s", "m/s", marked(self.velocity_W_m_s, {.of_state = true}),
          "over ground");
    visit("attitude", "1", marked(self.attitude, {.of_state = true}), "body to world");
    visit("rate_body_rad_s", "rad/s", marked(self.rate_B_rad_s, {.of_state = true}),
          "angular velocity");
    visit("height_m", "m", marked(self.height_m, {.of_state = true}), "above the ground plane");
    visit("speed_m_s", "m/s", marked(self.speed_m_s, {.of_state = true}), "length of the velocity");
    visit("tilt_rad", "rad", marked(self.tilt_rad, {.of_state = true, .range = {0.0, math::kPi}}),
          "angle between body down and world down");
    visit("acceleration_ned_m_s2", "m/s^2", self.acceleration_W_m_s2, "of the centre of mass");
    visit("angular_acceleration_body_rad_s2", "rad/s^2", self.angular_acceleration_B_rad_s2,
          "rate of change of the body rates");
    visit("specific_force_body_m_s2", "m/s^2", self.specific_force_B_m_s2,
          "what an ideal accelerometer reads");
    visit("air_velocity_body_m_s", "m/s", self.air_velocity_B_m_s, "air relative to the vehicle");
  }
};
static_assert(lists_every_field<Truth>());

struct Environment {
  double density_kg_m3 = 1.225;
  double pressure_pa = 101325.0;
  double temperature_k = 288.15;
  Vec3 wind_W_m_s;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("density_kg_m3", "kg/m^3", self.density_kg_m3, "air density at the vehicle");
    visit("pressure_pa", "Pa", self.pressure_pa, "static pressure at the vehicle");
    visit("temperature_k", "K", self.temperature_k, "air temperature at the vehicle");
    visit("wind_ned_m_s", "m/s", self.wind_W_m_s, "wind the plant holds now, disturbance included");
  }
};
static_assert(lists_every_field<Environment>());

enum class BatteryWarning : std::uint8_t { kNone, kLow, kCritical, kEmergency };

/// What a battery monitor reports.
struct BatteryStatus {
  bool connected = true;
  BatteryWarning warning = BatteryWarning::kNone;
  double voltage_v = 12.0;
  double current_a = 0.0;  ///< positive discharges
  double remaining = 1.0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("connected", "", self.connected, "the pack is on its bus");
    visit("warning", "", self.warning, "none, low, critical or emergency");
    visit("voltage_v", "V", self.voltage_v, "at the terminals");
    visit("current_a", "A", self.current_a, "positive discharges");
    visit("remaining", "1", marked(self.remaining, {.of_state = true, .range = {0.0, 1.0}}),
          "state of charge");
  }
};
static_assert(lists_every_field<BatteryStatus>());

struct PowerStatus {
  double bus_v[kMaxBuses] = {};
  double bus_current_a[kMaxBuses] = {};
  std::uint32_t bus_down_mask = 0;
  bool autopilot_powered = true;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("bus_v", "V", marked(self.bus_v, {.length = count_of<CountOf::kBuses>}),
          "voltage of each bus");
    visit("bus_current_a", "A", marked(self.bus_current_a, {.length = count_of<CountOf::kBuses>}),
          "load current of each bus");
    visit("bus_down_mask", "", self.bus_down_mask, "bit k: bus k is browned out");
    visit("autopilot_powered", "", self.autopilot_powered, "false: the autopilot is off");
  }
};
static_assert(lists_every_field<PowerStatus>());

/// What speed controllers report.
struct EscStatus {
  double speed_rad_s = 0.0;
  double current_a = 0.0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("speed_rad_s", "rad/s", marked(self.speed_rad_s, {.of_state = true}), "rotor speed");
    visit("current_a", "A", self.current_a, "drawn from the bus");
  }
};
static_assert(lists_every_field<EscStatus>());

/// Forces inside the vehicle: for logs and expectations, never for an autopilot.
struct VehicleLoads {
  double thrust_n[kMaxMotors] = {};
  double torque_nm[kMaxMotors] = {};
  double duty[kMaxMotors] = {};
  double servo_output[kMaxServos] = {};
  double gear_force_n[kMaxGearPoints] = {};
  std::uint32_t gear_touching_mask = 0;
  double impact_speed_m_s = 0.0;  ///< fastest first touch so far, along the ground's normal

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("thrust_n", "N", marked(self.thrust_n, {.length = count_of<CountOf::kMotors>}),
          "of each rotor");
    visit("torque_nm", "N*m", marked(self.torque_nm, {.length = count_of<CountOf::kMotors>}),
          "air torque on each rotor");
    visit("duty", "1",
          marked(self.duty, {.length = count_of<CountOf::kMotors>, .range = {0.0, 1.0}}),
          "of each motor, after its command path");
    visit("servo_output", "1", marked(self.servo_output, {.length = count_of<CountOf::kServos>}),
          "of each servo, after its command path");
    visit("gear_force_n", "N",
          marked(self.gear_force_n,
                 {.length = count_of<CountOf::kGearPoints>, .owner = Component::kContact}),
          "normal force on each gear point");
    visit("gear_touching_mask", "", marked(self.gear_touching_mask, {.owner = Component::kContact}),
          "bit i: gear point i touches");
    visit("impact_speed_m_s", "m/s", marked(self.impact_speed_m_s, {.owner = Component::kContact}),
          "hardest touch so far");
  }
};
static_assert(lists_every_field<VehicleLoads>());

/// What the autopilot gets as its state.
struct Estimate {
  Vec3 position_W_m;
  Vec3 velocity_W_m_s;
  Quat attitude;
  Vec3 rate_B_rad_s;
  Vec3 acceleration_W_m_s2;
  Vec3 angular_acceleration_B_rad_s2;
  TimeUs measured_at;  ///< instant the values belong to
  bool horizontal_valid = true;
  bool vertical_valid = true;
  bool attitude_valid = true;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("position_ned_m", "m", self.position_W_m, "from the world origin");
    visit("velocity_ned_m_s", "m/s", self.velocity_W_m_s, "over ground");
    visit("attitude", "1", self.attitude, "body to world");
    visit("rate_body_rad_s", "rad/s", self.rate_B_rad_s, "angular velocity");
    visit("acceleration_ned_m_s2", "m/s^2", self.acceleration_W_m_s2, "of the centre of mass");
    visit("angular_acceleration_body_rad_s2", "rad/s^2", self.angular_acceleration_B_rad_s2,
          "rate of change of the body rates");
    visit("measured_at_us", "us", self.measured_at, "instant the values belong to");
    visit("horizontal_valid", "", self.horizontal_valid, "north and east can be trusted");
    visit("vertical_valid", "", self.vertical_valid, "down can be trusted");
    visit("attitude_valid", "", self.attitude_valid, "attitude and rates can be trusted");
  }
};
static_assert(lists_every_field<Estimate>());

struct LandStatus {
  bool ground_contact = false;
  bool landed = false;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("ground_contact", "", self.ground_contact, "the gear touches");
    visit("landed", "", self.landed, "at rest on the ground with a low command");
  }
};
static_assert(lists_every_field<LandStatus>());

/// Why the autopilot does what it does.
enum class Failsafe : std::uint8_t {
  kNone,
  kBatteryLow,
  kBatteryCritical,
  kEstimatorLost,
  kMotorLost,
  kCrashed,  ///< it lies on the ground and does not fly: motors off
};

const char* to_text(Failsafe failsafe);

/// Why it did not obey the last order.
enum class ArmingRefusal : std::uint8_t {
  kNone,
  kEstimate,         ///< no recent, valid estimate
  kNoBattery,        ///< a pack is not connected
  kBatteryCritical,  ///< a pack is nearly empty
  kOverturned,       ///< it lies on its side
  kInTheAir,         ///< does not disarm in flight
  kNoMission,        ///< no mission is loaded
  kNoTakeoff,        ///< stands on the ground, and the mission does not start with a takeoff
};

const char* to_text(ArmingRefusal refusal);

/// The autopilot's report. Setpoints that it does not use are NaN.
struct AutopilotStatus {
  bool armed = false;
  FlightMode mode = FlightMode::kNone;
  Failsafe failsafe = Failsafe::kNone;
  ArmingRefusal refusal = ArmingRefusal::kNone;
  bool yaw_given_up = false;  ///< the rotors that are left do not hold a heading
  bool mission_finished = false;
  std::int32_t mission_item = -1;  ///< being flown, −1: none
  std::int32_t mission_count = 0;
  std::int32_t items_reached = 0;
  std::uint32_t motor_lost_mask = 0;  ///< as yaw_given_up it stays until the next arming
  Vec3 position_setpoint_W_m;
  Vec3 velocity_setpoint_W_m_s;
  Vec3 acceleration_setpoint_W_m_s2;
  double yaw_setpoint_rad = 0.0;
  double yaw_rate_setpoint_rad_s = 0.0;
  Quat attitude_setpoint;
  Vec3 rate_setpoint_B_rad_s;
  double thrust_setpoint = 0.0;  ///< collective, 0 to 1
  double hover_thrust = 0.0;     ///< what it has learned

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("armed", "", self.armed, "motors may turn");
    visit("mode", "", self.mode, "none, takeoff, mission, hold, return or land");
    visit("failsafe", "", self.failsafe,
          "why it left its orders: none, battery low, battery critical, estimator lost, motor "
          "lost, crashed");
    visit("refusal", "", self.refusal,
          "why it did not obey: none; to arm: estimate, no battery, battery critical, overturned; "
          "to disarm: in the air; to fly the mission: no mission, no takeoff");
    visit("yaw_given_up", "", self.yaw_given_up, "the rotors left do not hold a heading");
    visit("mission_finished", "", self.mission_finished, "the last item is done");
    visit("mission_item", "", self.mission_item, "being flown, -1 none");
    visit("mission_count", "", self.mission_count, "items in the mission");
    visit("items_reached", "", self.items_reached, "items done so far");
    visit("motor_lost_mask", "", self.motor_lost_mask, "bit i: rotor i is taken for lost");
    visit("position_setpoint_ned_m", "m", self.position_setpoint_W_m, "position wanted");
    visit("velocity_setpoint_ned_m_s", "m/s", self.velocity_setpoint_W_m_s, "velocity wanted");
    visit("acceleration_setpoint_ned_m_s2", "m/s^2", self.acceleration_setpoint_W_m_s2,
          "acceleration wanted");
    visit("yaw_setpoint_rad", "rad", self.yaw_setpoint_rad, "heading wanted");
    visit("yaw_rate_setpoint_rad_s", "rad/s", self.yaw_rate_setpoint_rad_s, "turn rate wanted");
    visit("attitude_setpoint", "1", self.attitude_setpoint, "attitude wanted");
    visit("rate_setpoint_body_rad_s", "rad/s", self.rate_setpoint_B_rad_s, "body rates wanted");
    visit("thrust_setpoint", "1", self.thrust_setpoint, "collective wanted, 0 to 1");
    visit("hover_thrust", "1", self.hover_thrust, "collective of a hover, learned");
  }
};
static_assert(lists_every_field<AutopilotStatus>());

}  // namespace tactus
