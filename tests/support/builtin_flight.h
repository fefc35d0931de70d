// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The built-in autopilot in closed loop with the plant, on the true state, in calm air: what its
// tests share.

#include <functional>
#include <memory>
#include <vector>

#include "tactus/autopilot/builtin/builtin.h"
#include "tactus/sensor/land_detector.h"
#include "tests/support/autopilot_input.h"
#include "tests/support/controlled_flight.h"

namespace tactus::testing {

inline Leg takeoff_leg(double height_m) {
  Leg leg;
  leg.kind = LegKind::kTakeoff;
  leg.position_W_m.z = -height_m;
  return leg;
}

inline Leg leg_at(LegKind kind, double north_m, double east_m, double height_m) {
  Leg leg;
  leg.kind = kind;
  leg.has_place = true;
  leg.position_W_m = {north_m, east_m, -height_m};
  return leg;
}

inline Leg waypoint(double north_m, double east_m, double height_m, double hold_s = 0.0) {
  Leg leg = leg_at(LegKind::kWaypoint, north_m, east_m, height_m);
  leg.hold = duration_from_seconds(hold_s, "hold");
  return leg;
}

inline std::vector<Leg> square(double hold_s) {
  return {takeoff_leg(12.0),
          waypoint(12.0, 12.0, 12.0, hold_s),
          waypoint(12.0, -12.0, 12.0, hold_s),
          waypoint(-12.0, -12.0, 12.0, hold_s),
          waypoint(-12.0, 12.0, 12.0, hold_s),
          leg_at(LegKind::kLand, 0.0, 0.0, 0.0)};
}

inline std::shared_ptr<const FlightPlan> plan_of(std::vector<Leg> legs) {
  FlightPlan plan;
  plan.legs = std::move(legs);
  return std::make_shared<const FlightPlan>(plan);
}

/// Plant, land detector and autopilot, without the engine.
class Flight {
 public:
  explicit Flight(std::vector<Leg> legs, const BuiltinParameters& parameters = {},
                  double height_m = 0.0, const MultirotorParameters& vehicle = iris_parameters())
      : world(vehicle, height_m),
        autopilot(parameters, world.vehicle, plan_of(std::move(legs)), world.period) {
    if (height_m > 0.0) detector_.maybe_landed = detector_.landed = {false, false, {}};
  }

  void order(FlightMode mode, bool armed = true) {
    high_level.armed = armed;
    high_level.mode = mode;
    ++high_level.count;
  }

  void tick() {
    world.tick([&](const ControlInput& in) {
      sense();
      if (estimate_lost) {
        Estimate& e = world.estimate;
        e.horizontal_valid = false;
        e.vertical_valid = !vertical_lost;
        e.position_W_m = {1e3, -1e3, vertical_lost ? 50.0 : e.position_W_m.z};
        e.velocity_W_m_s = {9.0, -9.0, vertical_lost ? 9.0 : e.velocity_W_m_s.z};
      } else {
        world.estimate.horizontal_valid = world.estimate.vertical_valid = true;
      }
      autopilot.step(
          without_instruments(in.now, in.estimate, land, high_level, parameter, in.battery, in.esc),
          out);
      world.command = out.command;
    });
    look();
  }

  /// Until the condition holds; false if that takes longer.
  bool until(const std::function<bool()>& done, double seconds) {
    const TimeUs end = world.flight.now + duration_from_seconds(seconds, "seconds");
    while (world.flight.now < end) {
      tick();
      if (done()) return true;
    }
    return false;
  }
  void run(double seconds) {
    until([] { return false; }, seconds);
  }
  bool until_disarmed(double seconds) {
    return until([&] { return !out.status.armed; }, seconds);
  }

  [[nodiscard]] double height() const { return -world.position().z; }
  [[nodiscard]] const AutopilotStatus& status() const { return out.status; }
  [[nodiscard]] double now_s() const { return to_seconds(world.flight.now); }

  ControlledFlight world;
  BuiltinAutopilot autopilot;
  AutopilotOutput out;
  HighLevelCommand high_level;
  ParameterChange parameter;
  LandStatus land;
  bool estimate_lost = false;
  bool vertical_lost = false;
  double touchdown_speed = 0.0;
  double top_speed = 0.0;
  double worst_tracking = 0.0;
  std::vector<double> reached_s;  ///< when each item was done

 private:
  void sense() {
    Truth truth;
    truth.velocity_W_m_s = world.velocity();
    truth.attitude = world.attitude();
    truth.rate_B_rad_s = world.estimate.rate_B_rad_s;
    VehicleLoads loads;
    loads.gear_touching_mask = world.flight.modes.gear_touching;
    const bool touched = land.ground_contact;
    land = step_land_detector({}, world.flight.now, truth, loads, world.command,
                              {.flies = true, .motors = world.vehicle.counts.rotors},
                              out.status.hover_thrust, detector_);
    if (!touched && land.ground_contact) {
      touchdown_speed = math::max(touchdown_speed, truth.velocity_W_m_s.z);
    }
  }

  void look() {
    top_speed = math::max(top_speed, norm(world.velocity()));
    if (is_finite(out.status.position_setpoint_W_m) && !land.ground_contact) {
      worst_tracking = math::max(
          worst_tracking, norm(out.status.position_setpoint_W_m - world.estimate.position_W_m));
    }
    while (static_cast<int>(reached_s.size()) < out.status.items_reached) {
      reached_s.push_back(now_s());
    }
  }

  LandDetectorState detector_;
};

}  // namespace tactus::testing
