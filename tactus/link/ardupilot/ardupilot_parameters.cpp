// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/ardupilot/ardupilot_parameters.h"

#include <fmt/format.h>

#include "tactus/autopilot/airframe/rate_gains.h"
#include "tactus/core/checks.h"
#include "tactus/core/math.h"
#include "tactus/link/ardupilot/ardupilot_frame.h"

namespace tactus {
namespace {

using Parameters = std::vector<EmittedParameter>;

// ArduCopter's defaults for what is kept in proportion to them, and its limits.
constexpr double kTiltIOverP = 1.0;
constexpr double kYawIOverP = 0.1;
constexpr double kHighestYawP = 2.5;
constexpr double kYawAngleP = 4.5;
constexpr double kLowestHover = 0.125;
constexpr double kHighestHover = 0.6875;
constexpr double kSpinMax = 0.95;
constexpr double kHighestSpinMin = 0.25;
constexpr double kSeaLevelDensity_kg_m3 = 1.225;

// The main loop wants 1.8 gyro samples per turn; with fewer ArduCopter does not arm.
constexpr double kSamplesPerLoop = 1.8;
constexpr double kDefaultLoop_hz = 400.0;
constexpr double kSlowerLoops_hz[] = {300.0, 250.0, 200.0, 100.0, 50.0};

void add(Parameters& to, std::string name, double value, const char* why) {
  to.push_back({.name = std::move(name), .value = value, .why = why});
}

void add_integer(Parameters& to, std::string name, double value, const char* why) {
  to.push_back({.name = std::move(name), .value = value, .integer = true, .why = why});
}

/// What ArduPilot multiplies every demand with, against thin air: 1 / (density over sea level).
double density_compensation(const Multirotor& vehicle) {
  const double ratio = air_density_at(vehicle.world, Vec3{}) / kSeaLevelDensity_kg_m3;
  return 1.0 / math::clamp(ratio, 0.5, 1.25);
}

/// Commands from the first real thrust to ArduPilot's usual end of the range.
CommandRange spin_range(const EmissionPlant& plant) {
  double idle = 0.0;
  for (int i = 0; i < plant.model.rotor_count; ++i) {
    idle = math::max(idle, plant.model.rotor[i].idle_command);
  }
  return {.lowest = math::min(idle, kHighestSpinMin), .highest = kSpinMax};
}

/// Roll, pitch and yaw acceleration per unit of demand, rad/s².
Vec3 demand_gains(const FrameMatch& match, const EmissionPlant& plant, double thrust_per_command,
                  double compensation) {
  const ArdupilotMix mix = ardupilot_mix(*match.frame);
  double gain[3] = {};
  for (int axis = 0; axis < 3; ++axis) {
    double command[kMaxMotors] = {};
    for (int k = 0; k < match.frame->motor_count; ++k) {
      command[match.rotor[static_cast<std::size_t>(k)]] =
          compensation * mix.tilt_and_yaw[k][axis] / thrust_per_command;
    }
    gain[axis] = demand_gain(plant, command, axis);
  }
  return {gain[0], gain[1], gain[2]};
}

double mean_throttle_share(const ArdupilotFrame& frame) {
  const ArdupilotMix mix = ardupilot_mix(frame);
  double sum = 0.0;
  for (int k = 0; k < frame.motor_count; ++k) sum += mix.throttle[k];
  return sum / frame.motor_count;
}

void add_gains(Parameters& to, const char* axis, const RateGains& gains, const char* why) {
  add(to, fmt::format("ATC_RAT_{}_P", axis), gains.p, why);
  add(to, fmt::format("ATC_RAT_{}_I", axis), gains.i, "in ArduPilot's proportion to P");
  add(to, fmt::format("ATC_RAT_{}_D", axis), gains.d, "P times the lag of the rotors; yaw: none");
}

void add_loop_rate(Parameters& to, DurationUs period) {
  const double most_hz = 1e6 / (static_cast<double>(period.us) * kSamplesPerLoop);
  if (most_hz >= kDefaultLoop_hz) return;
  for (const double rate_hz : kSlowerLoops_hz) {
    if (rate_hz > most_hz) continue;
    add_integer(to, "SCHED_LOOP_RATE", rate_hz, "Hz, the IMU gives 1.8 samples per loop");
    return;
  }
  refuse_key("time.autopilot_s",
             fmt::format("the period is {} us; ArduPilot needs 1.8 IMU samples per "
                         "loop and at least 50 loops per second, so at most 11111 us; its "
                         "ordinary 400 Hz need at most 1388 us",
                         period.us));
}

void add_sensing(Parameters& to, const Multirotor& vehicle, const EmittedFor& flight) {
  const double delay_ms = math::rint(static_cast<double>(flight.gps_delay.us) * 1e-3);
  add_integer(to, "SIM_GPS1_LAG_MS", delay_ms, "ms, delay of the GPS that ArduPilot simulates");
  if (delay_ms > 0.0) add_integer(to, "GPS1_DELAY_MS", delay_ms, "ms, and the one it corrects");
  const Pack& pack = vehicle.network.pack[0];
  const auto charge_mah = [&](double soc) { return ardupilot_charge_mah(vehicle.network, soc); };
  add_integer(to, "BATT_MONITOR", 4.0, "voltage and current of our packs");
  add_integer(to, "BATT_CAPACITY", charge_mah(1.0), "mAh, all packs");
  add(to, "BATT_LOW_MAH", charge_mah(pack.low_soc), "charge at which they are low");
  add(to, "BATT_CRT_MAH", charge_mah(pack.critical_soc), "charge at which they are critical");
}

}  // namespace

std::vector<int> ardupilot_motor_order(const Multirotor& vehicle) {
  return match_frame(vehicle).rotor;
}

std::vector<EmittedParameter> ardupilot_parameters(const Multirotor& vehicle,
                                                   const EmittedFor& flight) {
  const FrameMatch match = match_frame(vehicle);
  const EmissionPlant plant = make_emission_plant(vehicle);
  const CommandRange range = spin_range(plant);
  const double curvature = fit_curvature(vehicle, range);
  const double span = range.highest - range.lowest;
  const double c = (plant.hover.command - range.lowest) / span;
  const double compensation = density_compensation(vehicle);
  const double hover =
      model_thrust(curvature, c) / (compensation * mean_throttle_share(*match.frame));
  const Vec3 gain = demand_gains(match, plant, model_slope(curvature, c) / span, compensation);
  const RateGains yaw = yaw_rate_gains(gain.z, kYawIOverP, kHighestYawP);

  Parameters list;
  add_integer(list, "FRAME_CLASS", match.frame->frame_class, match.frame->name);
  add_integer(list, "FRAME_TYPE", match.frame->frame_type, match.frame->name);
  add_integer(list, "MOT_PWM_MIN", 1000.0, "us, command 0");
  add_integer(list, "MOT_PWM_MAX", 2000.0, "us, command 1");
  add(list, "MOT_SPIN_ARM", 0.7 * range.lowest, "command that turns the motors on the ground");
  add(list, "MOT_SPIN_MIN", range.lowest, "command at which a hundredth of the thrust is there");
  add(list, "MOT_SPIN_MAX", range.highest, "command taken as full thrust");
  add(list, "MOT_THST_EXPO", curvature, "bend of the static thrust curve");
  add(list, "MOT_THST_HOVER", math::clamp(hover, kLowestHover, kHighestHover),
      "thrust that carries the weight on a full pack");
  add_gains(list, "RLL", tilt_rate_gains(gain.x, plant.lag_s, kTiltIOverP),
            "for the plant's roll gain and rotor lag");
  add_gains(list, "PIT", tilt_rate_gains(gain.y, plant.lag_s, kTiltIOverP),
            "for the plant's pitch gain and rotor lag");
  add_gains(list, "YAW", yaw, "for the plant's yaw gain");
  add(list, "ATC_ANG_YAW_P", math::min(kYawAngleP, 0.6 * yaw.p * gain.z),
      "below the yaw rate loop");
  add_loop_rate(list, flight.autopilot_period);
  add_sensing(list, vehicle, flight);
  return list;
}

}  // namespace tactus
