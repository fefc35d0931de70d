// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A minute of coupled flight in the air, without guards: what a device can fly on its own. The
// flight with ground and events is in probe.cpp.

#include "tactus/core/status.h"
#include "tactus/vehicle/multirotor_system.h"
#include "tests/same_bits/pilot.h"

namespace tactus::same_bits {

inline constexpr double kHoverSpeed_rad_s = 495.0;

/// The multirotor without its guards. The right-hand side is kept out of line, or a device compiler
/// would copy it into every stage of every method.
struct AirSystem {
  static constexpr int kCapacity = MultirotorSystem::kCapacity;
  MultirotorSystem multirotor;

  TACTUS_HD int size() const { return multirotor.size(); }
  TACTUS_HD const StateGroups& groups() const { return multirotor.groups(); }
  TACTUS_HD bool depends_on_time() const { return multirotor.depends_on_time(); }
  TACTUS_HD int project(double* x) const { return multirotor.project(x); }
  TACTUS_NOINLINE TACTUS_HD Status derivative(double t_s, const double* x, double* dx) const {
    return multirotor.derivative(t_s, x, dx);
  }
};

TACTUS_HD constexpr SolverConfig air_config(Method method) {
  SolverConfig config = default_config(method);
  config.step_us = method == Method::kEuler ? 1'000 : 2'000;
  return config;
}

/// Time, commands, wind and state at every boundary go to the sink.
template <Method method, class Sink>
TACTUS_NOINLINE TACTUS_HD Status air_flight(const Multirotor& vehicle, Sink& sink) {
  const SolverConfig config = air_config(method);
  MultirotorState state = vehicle.initial;
  state.x[vehicle.layout.position + 2] = -20.0;
  for (int i = 0; i < vehicle.counts.rotors; ++i) {
    state.x[vehicle.layout.rotor_speed + i] = kHoverSpeed_rad_s;
  }
  const MultirotorModes modes;
  MultirotorInput input;
  const AirSystem system{make_system(vehicle, modes, input)};
  SolverMemory<kMultirotorCapacity> memory;
  Pilot pilot;
  Weather weather;
  for (std::uint64_t now_us = 0; now_us < kFlight_us; now_us += kPeriod_us) {
    const TimeUs now(now_us);
    weather.blow(now, state.x, vehicle.layout, input);
    pilot.command(vehicle, setpoint_in_air(to_seconds(DurationUs(now_us))), state.x, input);
    memory.invalidate_derivative();
    const AdvanceResult result =
        advance_with<method>(system, config, memory, now, now + DurationUs(kPeriod_us), state.x);
    if (result.status != Status::kOk) return result.status;
    for (int i = 0; i < vehicle.counts.rotors; ++i) sink.add(input.motor_command[i]);
    sink.add(input.wind_W_m_s.x);
    sink.add(input.wind_W_m_s.y);
    sink.add(input.wind_W_m_s.z);
    for (int i = 0; i < vehicle.layout.size; ++i) sink.add(state.x[i]);
  }
  return Status::kOk;
}

}  // namespace tactus::same_bits
