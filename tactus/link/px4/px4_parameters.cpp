// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/px4/px4_parameters.h"

#include <fmt/format.h>

#include <cstdint>

#include "tactus/autopilot/airframe/rate_gains.h"
#include "tactus/core/error.h"
#include "tactus/core/math.h"
#include "tactus/link/px4/px4_mix.h"

namespace tactus {
namespace {

using Parameters = std::vector<EmittedParameter>;

// PX4's defaults for what is kept in proportion to them.
constexpr double kTiltIOverP = 0.2 / 0.15;
constexpr double kYawIOverP = 0.1 / 0.2;
constexpr double kHighestYawP = 0.6;
constexpr double kThrustMin = 0.12;
constexpr double kYawAngleP = 2.8;
constexpr double kGyroRateMax_hz = 800.0;
constexpr std::uint64_t kOrdinaryStepUs = 4000;  // PX4's start script counts on 250 Hz

void add(Parameters& to, std::string name, double value, const char* why) {
  to.push_back({.name = std::move(name), .value = value, .why = why});
}

void add_integer(Parameters& to, std::string name, double value, const char* why) {
  to.push_back({.name = std::move(name), .value = value, .integer = true, .why = why});
}

void add_sitl(Parameters& to, std::string name, double value, bool integer, const char* why) {
  to.push_back(
      {.name = std::move(name), .value = value, .integer = integer, .why = why, .sitl_only = true});
}

Px4Geometry make_geometry(const Multirotor& vehicle, const EmissionPlant& plant) {
  Px4Geometry geometry;
  geometry.rotor_count = vehicle.counts.rotors;
  double strength_sum = 0.0;
  for (int i = 0; i < vehicle.counts.rotors; ++i) strength_sum += plant.thrust_slope_n[i];
  for (int i = 0; i < vehicle.counts.rotors; ++i) {
    const Rotor& rotor = vehicle.rotor[i];
    Px4Rotor& to = geometry.rotor[i];
    to.position_m = rotor.position_B_m;
    to.axis = Vec3{} - rotor.axis_B;  // no negative zeros for people to wonder about
    to.moment_ratio_m = -rotor.spin * plant.hover.torque_nm[i] / plant.hover.thrust_n[i];
    const double relative = plant.thrust_slope_n[i] * vehicle.counts.rotors / strength_sum;
    if (math::abs(relative - 1.0) > 1e-6) to.thrust *= relative;
  }
  return geometry;
}

void add_geometry(Parameters& to, const Px4Geometry& geometry) {
  add_integer(to, "CA_AIRFRAME", 0.0, "multirotor");
  add_integer(to, "CA_ROTOR_COUNT", geometry.rotor_count, "rotors of the aircraft");
  for (int i = 0; i < geometry.rotor_count; ++i) {
    const Px4Rotor& rotor = geometry.rotor[i];
    const auto name = [i](const char* part) { return fmt::format("CA_ROTOR{}_{}", i, part); };
    add(to, name("PX"), rotor.position_m.x, "m forward of the centre of mass");
    add(to, name("PY"), rotor.position_m.y, "m to the right of it");
    add(to, name("PZ"), rotor.position_m.z, "m below it");
    add(to, name("AX"), rotor.axis.x, "direction of the thrust");
    add(to, name("AY"), rotor.axis.y, "direction of the thrust");
    add(to, name("AZ"), rotor.axis.z, "direction of the thrust");
    add(to, name("CT"), rotor.thrust, "strength; only ratios count");
    add(to, name("KM"), rotor.moment_ratio_m,
        "m, torque over thrust at hover; positive turns the nose right");
  }
  for (int i = 1; i <= geometry.rotor_count; ++i) {
    add_sitl(to, fmt::format("PWM_MAIN_FUNC{}", i), 100.0 + i, true, "output drives this motor");
  }
}

/// Roll, pitch and yaw acceleration per unit of torque setpoint, rad/s².
Vec3 setpoint_gains(const Px4Geometry& geometry, const EmissionPlant& plant,
                    double control_per_command) {
  const Px4Mix mix = px4_mix(geometry);
  double gain[3] = {};
  for (int axis = 0; axis < 3; ++axis) {
    double command[kMaxMotors] = {};
    for (int i = 0; i < geometry.rotor_count; ++i) {
      command[i] = mix.control[i][axis] / control_per_command;
    }
    gain[axis] = demand_gain(plant, command, axis);
  }
  return {gain[0], gain[1], gain[2]};
}

void add_gains(Parameters& to, const char* axis, const RateGains& gains, const char* why) {
  add(to, fmt::format("MC_{}RATE_P", axis), gains.p, why);
  add(to, fmt::format("MC_{}RATE_I", axis), gains.i, "in PX4's proportion to P");
  add(to, fmt::format("MC_{}RATE_D", axis), gains.d, "P times the lag of the rotors; yaw: none");
}

void add_sensing(Parameters& to, const Multirotor& vehicle, const EmittedFor& flight) {
  add_sitl(to, "SENS_GPS0_DELAY", math::rint(static_cast<double>(flight.gps_delay.us) * 1e-3), true,
           "ms, delay of the GPS model");
  if (flight.autopilot_period.us < kOrdinaryStepUs) {
    const double rate_hz = math::rint(1e6 / static_cast<double>(flight.autopilot_period.us));
    add_sitl(to, "IMU_INTEG_RATE", rate_hz, true, "Hz, or PX4 leaves steps unanswered");
    add_sitl(to, "IMU_GYRO_RATEMAX", math::max(rate_hz, kGyroRateMax_hz), true,
             "Hz, or PX4 leaves steps unanswered");
  }
  const Pack& pack = vehicle.network.pack[0];
  add_sitl(to, "BAT_LOW_THR", pack.low_soc, false,
           "charge at which the pack is low (PX4's default: 0.15)");
  add_sitl(to, "BAT_CRIT_THR", pack.critical_soc, false,
           "charge at which it is critical (PX4's default: 0.07)");
  add_sitl(to, "BAT_EMERGEN_THR", pack.emergency_soc, false,
           "charge at which it is an emergency (PX4's default: 0.05)");
  add_sitl(to, "SIM_BAT_DRAIN", 0.0, false, "PX4's own battery simulator off: ours counts");
}

}  // namespace

double px4_motor_signal(double control, double thrust_model_factor) {
  if (!(control > 0.0) || !(thrust_model_factor > 0.0)) return control;
  const double half = (1.0 - thrust_model_factor) / (2.0 * thrust_model_factor);
  return math::sqrt(half * half + control / thrust_model_factor) - half;
}

std::vector<EmittedParameter> px4_parameters(const Multirotor& vehicle, const EmittedFor& flight) {
  const EmissionPlant plant = make_emission_plant(vehicle);
  const Px4Geometry geometry = make_geometry(vehicle, plant);
  const double curvature = fit_curvature(vehicle, {});
  const double hover = model_thrust(curvature, plant.hover.command);
  const Vec3 gain = setpoint_gains(geometry, plant, model_slope(curvature, plant.hover.command));
  const RateGains yaw = yaw_rate_gains(gain.z, kYawIOverP, kHighestYawP);

  Parameters list;
  add_geometry(list, geometry);
  add_sitl(list, "THR_MDL_FAC", curvature, false, "bend of the static thrust curve");
  add(list, "MPC_THR_HOVER", hover, "thrust that carries the weight on a full pack");
  add(list, "MPC_THR_MIN", math::min(kThrustMin, 0.4 * hover), "leaves room below hover");
  add_gains(list, "ROLL", tilt_rate_gains(gain.x, plant.lag_s, kTiltIOverP),
            "for the plant's roll gain and rotor lag");
  add_gains(list, "PITCH", tilt_rate_gains(gain.y, plant.lag_s, kTiltIOverP),
            "for the plant's pitch gain and rotor lag");
  add_gains(list, "YAW", yaw, "for the plant's yaw gain");
  add(list, "MC_YAW_P", math::min(kYawAngleP, yaw.p * gain.z / 1.8), "below the yaw rate loop");
  add_sensing(list, vehicle, flight);
  return list;
}

}  // namespace tactus
