// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What tests of emitted parameters share: the shipped aircraft, a thrust stand made of the whole
// plant, filters of flight software, and attitude steps flown by the plant under a controller that
// the test writes down.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "tactus/autopilot/parameters/emitted_parameters.h"
#include "tactus/files/disk_files.h"
#include "tactus/spec/reader/load_spec.h"
#include "tactus/vehicle/multirotor_flight.h"

namespace tactus::testing {

inline constexpr const char* kMultirotors[] = {"iris", "iris_prior_art", "hexa",
                                               "octa", "racer",          "heavy"};

inline MultirotorParameters shipped(const std::string& name) {
  return multirotor_of(load_spec(data_root() + "/aircraft/" + name + ".toml").spec);
}

inline double value_of(const std::vector<EmittedParameter>& list, const std::string& name) {
  for (const EmittedParameter& parameter : list) {
    if (parameter.name == name) return parameter.value;
  }
  ADD_FAILURE() << "no parameter " << name;
  return 0.0;
}

inline bool has(const std::vector<EmittedParameter>& list, const std::string& name) {
  for (const EmittedParameter& parameter : list) {
    if (parameter.name == name) return true;
  }
  return false;
}

/// Thrusts and air torques of the whole plant once the rotors have settled: a body too heavy to
/// move, no gravity, no ground, packs that do not change.
inline MultirotorOutputs on_thrust_stand(MultirotorParameters p, const MultirotorInput& input) {
  p.body.mass_kg *= 1e9;
  for (auto& row : p.body.inertia_kg_m2.m) {
    for (double& entry : row) entry *= 1e9;
  }
  for (int j = 0; j < p.power.pack_count; ++j) {
    p.power.pack[j].rc_count = 0;
    p.power.pack[j].capacity_ah *= 1e6;
  }
  const World nothing =
      make_world({.ground = {.present = false}, .gravity = {.uniform_m_s2 = 0.0}});
  const Multirotor vehicle = make_multirotor(p, nothing);
  MultirotorState state = vehicle.initial;
  state.x[vehicle.layout.position + 2] = 0.0;
  MultirotorFlight flight = start_flight(vehicle, input, state);
  fly(vehicle, default_config(Method::kRk45), input, TimeUs(6'000'000), flight);
  return outputs(vehicle, input, flight);
}

/// Moment of settled rotors on the body.
inline Vec3 moment_of(const MultirotorParameters& p, const MultirotorOutputs& out) {
  Vec3 moment;
  for (int i = 0; i < p.rotor_count; ++i) {
    const RotorParameters& rotor = p.rotor[i];
    moment += cross(rotor.position_B_m, -out.thrust_n[i] * rotor.axis_B) +
              (rotor.reaction_sign * out.rotor_torque_nm[i]) * rotor.axis_B;
  }
  return moment;
}

/// Butterworth low-pass of second order, bilinear.
class LowPass2 {
 public:
  LowPass2(double cutoff_hz, double dt_s) {
    const double k = std::tan(M_PI * cutoff_hz * dt_s);
    const double norm = 1.0 / (1.0 + std::sqrt(2.0) * k + k * k);
    b_ = k * k * norm;
    a1_ = 2.0 * (k * k - 1.0) * norm;
    a2_ = (1.0 - std::sqrt(2.0) * k + k * k) * norm;
  }
  double update(double x) {
    const double w = x - a1_ * w1_ - a2_ * w2_;
    const double y = b_ * (w + 2.0 * w1_ + w2_);
    w2_ = w1_;
    w1_ = w;
    return y;
  }

 private:
  double b_, a1_, a2_;
  double w1_ = 0.0, w2_ = 0.0;
};

/// First order, as flight software writes it.
class LowPass1 {
 public:
  LowPass1(double cutoff_hz, double dt_s)
      : alpha_(dt_s / (dt_s + 1.0 / (2.0 * M_PI * cutoff_hz))) {}
  double update(double x) { return y_ += alpha_ * (x - y_); }

 private:
  double alpha_;
  double y_ = 0.0;
};

struct Euler {
  double angle[3];  ///< roll, pitch, yaw
  double rate[3];   ///< body rates
};

inline Euler euler_of(const Multirotor& vehicle, const MultirotorFlight& flight) {
  const double* x = flight.state.x;
  const Quat q = load_quat(x + vehicle.layout.attitude);
  const Vec3 w = load_vec3(x + vehicle.layout.rate);
  return {{std::atan2(2.0 * (q.w * q.x + q.y * q.z), 1.0 - 2.0 * (q.x * q.x + q.y * q.y)),
           std::asin(2.0 * (q.w * q.y - q.z * q.x)),
           std::atan2(2.0 * (q.w * q.z + q.x * q.y), 1.0 - 2.0 * (q.y * q.y + q.z * q.z))},
          {w.x, w.y, w.z}};
}

/// Commands for the rotors, given angles, rates and the wanted angles.
using StepController = std::function<void(const Euler&, const double* wanted, double* command)>;

struct StepResponse {
  double overshoot = 0.0;  ///< of the step
  double settled_s = 0.0;  ///< within 5 % from then on
  double coupling = 0.0;   ///< largest of the other two angles over the step
};

/// Hovers for 2 s, then asks for another angle about one axis and observes for 5 s.
inline StepResponse attitude_step(const MultirotorParameters& p, std::uint64_t period_us,
                                  double hover_speed_rad_s, int axis, double step_rad,
                                  const StepController& controller) {
  const Multirotor vehicle = make_multirotor(p);
  MultirotorState state = vehicle.initial;
  state.x[vehicle.layout.position + 2] = -100.0;
  for (int i = 0; i < p.rotor_count; ++i) {
    state.x[vehicle.layout.rotor_speed + i] = hover_speed_rad_s;
  }
  MultirotorInput input;
  MultirotorFlight flight = start_flight(vehicle, input, state);
  const SolverConfig config = default_config(Method::kRk45);
  StepResponse response;
  for (std::uint64_t t = 0; t < 7'000'000; t += period_us) {
    const bool stepped = t >= 2'000'000;
    double wanted[3] = {};
    if (stepped) wanted[axis] = step_rad;
    const Euler euler = euler_of(vehicle, flight);
    controller(euler, wanted, input.motor_command);
    fly(vehicle, config, input, TimeUs(t + period_us), flight);
    if (!stepped) continue;
    for (int other = 0; other < 3; ++other) {
      const double relative = euler.angle[other] / step_rad;
      if (other != axis) response.coupling = std::fmax(response.coupling, std::fabs(relative));
    }
    const double error = euler.angle[axis] / step_rad - 1.0;
    response.overshoot = std::fmax(response.overshoot, error);
    if (std::fabs(error) > 0.05) response.settled_s = static_cast<double>(t - 2'000'000) * 1e-6;
  }
  return response;
}

}  // namespace tactus::testing
