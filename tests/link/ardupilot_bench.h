// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The Iris on the ground with an ArduPilot, or what looks like one, and no engine between.

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tactus/core/digest.h"
#include "tactus/link/ardupilot/ardupilot_parameters.h"
#include "tactus/link/ardupilot/ardupilot_sitl.h"
#include "tactus/plant/iris.h"
#include "tactus/signal/bus.h"
#include "tactus/vehicle/multirotor_flight.h"

namespace tactus::testing {

inline constexpr DurationUs kFrame{1000};

/// Path of the ArduPilot-like program of the tests; empty: TACTUS_DOUBLES does not say where.
inline std::string ardupilot_double() {
  const char* folder = std::getenv("TACTUS_DOUBLES");
  return folder == nullptr ? "" : std::string(folder) + "/double_ardupilot_client";
}

/// Sets an order to the double until the end of its scope.
class DoubleOrder {
 public:
  explicit DoubleOrder(const std::string& order) {
    ::setenv("TACTUS_ARDUPILOT_DOUBLE", order.c_str(), 1);
  }
  ~DoubleOrder() { ::unsetenv("TACTUS_ARDUPILOT_DOUBLE"); }
  DoubleOrder(const DoubleOrder&) = delete;
  DoubleOrder& operator=(const DoubleOrder&) = delete;
};

class ArdupilotBench {
 public:
  explicit ArdupilotBench(const MultirotorParameters& parameters = iris_parameters())
      : vehicle(make_multirotor(parameters)), origin(vehicle.world.origin) {
    flight = start_flight(vehicle, input, vehicle.initial);
    solver.method = Method::kRk4;
    solver.step_us = kFrame.us;
  }

  [[nodiscard]] ArdupilotFlight plan(std::shared_ptr<const Mission> mission = {}) const {
    ArdupilotFlight plan;
    plan.emitted = ardupilot_parameters(vehicle, {.autopilot_period = kFrame, .gps_delay = {}});
    plan.mission = std::move(mission);
    plan.home = origin;
    plan.period = kFrame;
    return plan;
  }

  [[nodiscard]] std::unique_ptr<ArdupilotSitl> pilot(const ArdupilotParameters& parameters,
                                                     const LinkParameters& link = {},
                                                     Interrupted interrupted = {}) const {
    return std::make_unique<ArdupilotSitl>(parameters, link, vehicle, plan(),
                                           std::move(interrupted));
  }

  /// One frame, then the plant. The digest gets every command.
  void tick(Autopilot& autopilot) {
    sense();
    const AutopilotInput seen{.now = flight.now,
                              .estimate = unused_.estimate,
                              .land = unused_.land,
                              .high_level = wanted,
                              .parameter = parameter,
                              .battery = battery,
                              .esc = unused_.esc,
                              .imu = unused_.imu,
                              .magnetometer = unused_.magnetometer,
                              .barometer = unused_.barometer,
                              .gps = unused_.gps,
                              .airspeed = unused_.airspeed,
                              .range_finder = unused_.range_finder,
                              .truth = &truth};
    autopilot.step(seen, output);
    for (int i = 0; i < vehicle.counts.rotors; ++i) {
      input.motor_command[i] = output.command.motor[i];
      commands.add(output.command.motor[i]);
    }
    fly(vehicle, solver, input, flight.now + kFrame, flight);
  }

  void run(Autopilot& autopilot, double seconds) {
    const TimeUs end = flight.now + duration_from_seconds(seconds, "seconds");
    while (flight.now < end) tick(autopilot);
  }

  void want(FlightMode mode, bool armed = true) {
    wanted = {.armed = armed, .mode = mode, .count = wanted.count + 1};
  }

  [[nodiscard]] double height_m() const { return -truth.position_W_m.z; }

  Multirotor vehicle;
  WorldOrigin origin;
  MultirotorInput input;
  MultirotorFlight flight;
  SolverConfig solver;
  HighLevelCommand wanted;
  ParameterChange parameter;
  Truth truth;
  BatteryStatus battery[kMaxPacks];
  AutopilotOutput output;
  Digest commands;

 private:
  void sense() {
    const MultirotorOutputs out = outputs(vehicle, input, flight);
    const double* x = flight.state.x;
    truth.position_W_m = load_vec3(x + vehicle.layout.position);
    truth.velocity_W_m_s = load_vec3(x + vehicle.layout.velocity);
    truth.attitude = load_quat(x + vehicle.layout.attitude);
    truth.rate_B_rad_s = load_vec3(x + vehicle.layout.rate);
    truth.specific_force_B_m_s2 = out.specific_force_B_m_s2;
    battery[0].voltage_v = out.power.bus_v[0];
    battery[0].current_a = out.power.load_current_a[0];
  }

  Bus unused_;  ///< what it does not read
};

}  // namespace tactus::testing
