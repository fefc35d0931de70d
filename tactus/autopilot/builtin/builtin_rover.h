// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The built-in autopilot of rovers: follows the lines between waypoints by steering for a point
// ahead on the line, turns on the spot where the heading is far off, slows down before stops and
// corners. Modes: mission, hold (stop), return (drive home, stop, disarm), land (stop, disarm);
// takeoff counts as hold. Home is where it was armed. Without a position it stops and waits.
// A loiter is a stop: circles are for what cannot stand still.

#include <cstdint>
#include <memory>

#include "tactus/autopilot/builtin/builtin_vehicle.h"
#include "tactus/autopilot/builtin/rover_control.h"
#include "tactus/autopilot/input_checks.h"
#include "tactus/autopilot/mission/flight_plan.h"
#include "tactus/autopilot/mission/mission_progress.h"
#include "tactus/autopilot/parameters/builtin_parameters.h"
#include "tactus/plant/rover.h"

namespace tactus {

struct RoverNavigatorState {
  bool armed = false;
  FlightMode mode = FlightMode::kNone;
  Failsafe failsafe = Failsafe::kNone;
  ArmingRefusal refusal = ArmingRefusal::kNone;
  OrderInbox inbox;
  Vec3 home_W_m;
  MissionProgress mission;
  Leg leg;
  Vec3 start_W_m;
  Vec3 target_W_m;
  Vec3 abreast_W_m;               ///< point of the line that it is abreast of
  double corner_speed_m_s = 0.0;  ///< at the target; 0: it stops there
  bool arrived = false;           ///< within the acceptance radius since `arrived_at`
  bool parked = false;            ///< stands where it should
  TimeUs arrived_at;
  bool at_rest = false;
  TimeUs at_rest_since;
  double heading_rad = 0.0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("armed", "", self.armed);
    visit("mode", "", self.mode);
    visit("failsafe", "", self.failsafe);
    visit("refusal", "", self.refusal);
    visit("inbox", "", self.inbox);
    visit("home_ned_m", "m", self.home_W_m);
    visit("mission", "", self.mission);
    visit("leg", "", self.leg);
    visit("start_ned_m", "m", self.start_W_m);
    visit("target_ned_m", "m", self.target_W_m);
    visit("abreast_ned_m", "m", self.abreast_W_m);
    visit("corner_speed_m_s", "m/s", self.corner_speed_m_s);
    visit("arrived", "", self.arrived);
    visit("parked", "", self.parked);
    visit("arrived_at_us", "us", self.arrived_at);
    visit("at_rest", "", self.at_rest);
    visit("at_rest_since_us", "us", self.at_rest_since);
    visit("heading_rad", "rad", self.heading_rad);
  }
};
static_assert(lists_every_field<RoverNavigatorState>());

class BuiltinRover final : public BuiltinVehicle {
 public:
  BuiltinRover(const BuiltinParameters& parameters, const RoverParameters& rover,
               std::shared_ptr<const FlightPlan> plan, DurationUs period);

  [[nodiscard]] const char* name() const override { return "builtin rover"; }
  void step(const AutopilotInput& input, AutopilotOutput& output) override;
  void restart() override;
  [[nodiscard]] std::unique_ptr<Autopilot> clone() const override;
  void save(StateWriter& to) const override;
  void load(StateReader& from) override;

  [[nodiscard]] const BuiltinParameters& parameters() const override { return parameters_; }
  void set_parameters(const BuiltinParameters& parameters) override { parameters_ = parameters; }
  [[nodiscard]] const FlightPlan& plan() const override { return *plan_; }
  void set_plan(std::shared_ptr<const FlightPlan> plan) override;
  void set_item(int item) override;
  [[nodiscard]] Vec3 home() const override { return s_.home_W_m; }

  [[nodiscard]] const RoverNavigatorState& navigator() const { return s_; }

 private:
  void take_parameter(const ParameterChange& change);
  void obey(const AutopilotInput& input, bool known);
  void set_mode(const AutopilotInput& input, FlightMode mode);
  void start_leg(const AutopilotInput& input, const Leg& leg);
  void halt(const AutopilotInput& input);
  void progress(const AutopilotInput& input);
  void finish_leg(const AutopilotInput& input);
  void rest(const AutopilotInput& input);
  void disarm();
  RoverSetpoint drive(const Estimate& estimate);
  [[nodiscard]] double cruise_m_s() const;
  [[nodiscard]] double deceleration_m_s2() const;
  [[nodiscard]] double acceptance_m() const;
  void report(const RoverSetpoint& setpoint, AutopilotStatus& status) const;

  BuiltinParameters given_;       ///< before the drive
  BuiltinParameters parameters_;  ///< in force
  RoverParameters rover_;
  std::shared_ptr<const FlightPlan> plan_;
  std::uint32_t changes_seen_ = 0;
  RoverNavigatorState s_;
  RoverControl control_;
};

}  // namespace tactus
