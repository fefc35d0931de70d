// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Speed of the coupled Iris on one core: RK4 steps at 1 ms, with and without guards, with both
// propellers; what RK45 needs for the same error; cost of the elementary functions against libm.
// Times are CPU times, the best of several repeats: use an otherwise idle machine all the same.
// `bench_plant quadratic COUNT` and `bench_plant blade_element COUNT` only evaluate so many
// right-hand sides, for bench/instructions.sh.

#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <vector>

#include "tactus/plant/iris.h"
#include "tactus/vehicle/multirotor_flight.h"
#include "tests/same_bits/pilot.h"

namespace tactus {
namespace {

constexpr int kRepeats = 20;

double cpu_time_s() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Least CPU time of one call.
template <class Work>
double best_time_s(Work work) {
  double best_s = 1e300;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    const double begin_s = cpu_time_s();
    work();
    const double took_s = cpu_time_s() - begin_s;
    if (took_s < best_s) best_s = took_s;
  }
  return best_s;
}

volatile double sink;  // keeps results alive

Multirotor make_iris(PropellerKind kind) {
  return make_multirotor(kind == PropellerKind::kQuadratic ? iris_quadratic_parameters()
                                                           : iris_parameters());
}

MultirotorState hovering(const Multirotor& vehicle) {
  MultirotorState state = vehicle.initial;
  state.x[vehicle.layout.position + 2] = -50.0;
  for (int i = 0; i < vehicle.counts.rotors; ++i) state.x[vehicle.layout.rotor_speed + i] = 495.0;
  return state;
}

MultirotorInput near_hover() {
  MultirotorInput input;
  for (double& command : input.motor_command) command = 0.55;
  input.motor_command[0] += 1e-5;
  input.wind_W_m_s = {1.0, 0.5, 0.0};
  return input;
}

// ---- RK4 at 1 ms, inputs held for 4 ms.

double rk4_step_s(const Multirotor& vehicle, bool with_guards) {
  constexpr int kSteps = 4000;
  const MultirotorModes modes;
  const MultirotorInput input = near_hover();
  MultirotorSystem system = make_system(vehicle, modes, input);
  system.watch = with_guards;
  SolverConfig config = default_config(Method::kRk4);
  config.step_us = 1'000;
  return best_time_s([&] {
           MultirotorState state = hovering(vehicle);
           SolverMemory<kMultirotorCapacity> memory;
           for (std::uint64_t t = 0; t < kSteps * 1'000; t += 4'000) {
             memory.invalidate_derivative();
             advance(system, config, memory, TimeUs(t), TimeUs(t + 4'000), state.x);
           }
           sink = state.x[0];
         }) /
         kSteps;
}

void evaluate_often(const Multirotor& vehicle, int count) {
  const MultirotorModes modes;
  const MultirotorInput input = near_hover();
  const MultirotorSystem system = make_system(vehicle, modes, input);
  const MultirotorState state = hovering(vehicle);
  double dx[kMultirotorCapacity];
  for (int i = 0; i < count; ++i) system.derivative(0.0, state.x, dx);
  sink = dx[0];
}

double evaluation_s(const Multirotor& vehicle) {
  constexpr int kCount = 10'000;
  return best_time_s([&vehicle] { evaluate_often(vehicle, kCount); }) / kCount;
}

void print_steps() {
  fmt::print("RK4 steps of 1 ms on one core\n{:<38}{:>12}{:>14}{:>10}\n", "", "ns/step", "steps/s",
             "ratio");
  double baseline_s = 0.0;
  for (const PropellerKind kind : {PropellerKind::kQuadratic, PropellerKind::kBladeElement}) {
    const Multirotor vehicle = make_iris(kind);
    const char* propeller = kind == PropellerKind::kQuadratic ? "quadratic" : "blade element";
    for (const bool with_guards : {false, true}) {
      const double step_s = rk4_step_s(vehicle, with_guards);
      if (baseline_s == 0.0) baseline_s = step_s;
      fmt::print("{:<38}{:>12.0f}{:>14.0f}{:>10.2f}\n",
                 fmt::format("{}, guards {}{}", propeller, with_guards ? "on" : "off",
                             step_s == baseline_s ? " (baseline)" : ""),
                 1e9 * step_s, 1.0 / step_s, step_s / baseline_s);
    }
    fmt::print("{:<38}{:>12.0f}\n", fmt::format("{}, one right-hand side", propeller),
               1e9 * evaluation_s(vehicle));
  }
}

// ---- What RK45 needs for the error of RK4.

constexpr std::uint64_t kFlight_us = 10'000'000;
constexpr std::uint64_t kHold_us = 20'000;

/// Inputs of a flight under the pilot, so that all methods fly the same ones.
std::vector<MultirotorInput> record_inputs(const Multirotor& vehicle, const SolverConfig& config) {
  std::vector<MultirotorInput> inputs;
  MultirotorInput input;
  MultirotorFlight flight = start_flight(vehicle, input, hovering(vehicle));
  same_bits::Pilot pilot;
  same_bits::Weather weather;
  for (std::uint64_t t = 0; t < kFlight_us; t += kHold_us) {
    weather.blow(flight.now, flight.state.x, vehicle.layout, input);
    pilot.command(vehicle, {{t > kFlight_us / 2 ? 5.0 : 0.0, 0.0, -50.0}}, flight.state.x, input);
    inputs.push_back(input);
    fly(vehicle, config, input, TimeUs(t + kHold_us), flight);
  }
  return inputs;
}

struct Flown {
  Vec3 position_m;
  SolverTotals totals;
};

Flown fly_inputs(const Multirotor& vehicle, const SolverConfig& config,
                 const std::vector<MultirotorInput>& inputs) {
  MultirotorFlight flight = start_flight(vehicle, inputs[0], hovering(vehicle));
  for (const MultirotorInput& input : inputs) {
    fly(vehicle, config, input, flight.now + DurationUs(kHold_us), flight);
  }
  return {load_vec3(flight.state.x + vehicle.layout.position), flight.memory.totals};
}

SolverConfig rk45(double tolerance) {
  SolverConfig config = default_config(Method::kRk45);
  config.position = config.velocity = config.rate = {tolerance, tolerance};
  config.attitude_atol_rad = tolerance;
  return config;
}

void print_adaptive() {
  const Multirotor vehicle = make_iris(PropellerKind::kQuadratic);
  const std::vector<MultirotorInput> inputs = record_inputs(vehicle, rk45(1e-8));
  SolverConfig rk4 = default_config(Method::kRk4);
  rk4.step_us = 100;
  const Vec3 truth = fly_inputs(vehicle, rk4, inputs).position_m;  // error 1e-4 of that at 1 ms
  rk4.step_us = 1'000;
  fmt::print("\n10 s under varying commands and wind, guards on; error against RK4 at 0.1 ms\n");
  fmt::print("{:<38}{:>12}{:>14}{:>10}{:>10}\n", "", "error m", "evaluations", "steps", "ratio");
  const auto print = [&](std::string_view name, const Flown& flown, double baseline) {
    const auto evaluations = static_cast<double>(flown.totals.evaluations);
    fmt::print("{:<38}{:>12.2e}{:>14}{:>10}{:>10.2f}\n", name, norm(flown.position_m - truth),
               flown.totals.evaluations, flown.totals.accepted, evaluations / baseline);
  };
  const Flown fixed = fly_inputs(vehicle, rk4, inputs);
  const auto baseline = static_cast<double>(fixed.totals.evaluations);
  print("RK4, 1 ms (baseline)", fixed, baseline);
  for (double tolerance = 1e-4; tolerance > 1e-14; tolerance *= 0.1) {
    const Flown adaptive = fly_inputs(vehicle, rk45(tolerance), inputs);
    print(fmt::format("RK45, tolerance {:.0e}", tolerance), adaptive, baseline);
    if (norm(adaptive.position_m - truth) <= norm(fixed.position_m - truth)) break;
  }
}

// ---- Elementary functions.

template <class Own, class Libm>
void print_function(const char* name, double low, double high, Own own, Libm libm) {
  constexpr int kCount = 1000;
  double x[kCount];
  for (int i = 0; i < kCount; ++i) x[i] = low + (high - low) * i / kCount;
  const auto time_s = [&x](auto function) {
    return best_time_s([&] {
             double sum = 0.0;
             for (const double value : x) sum += function(value);
             sink = sum;
           }) /
           kCount;
  };
  const double own_s = time_s(own);
  const double libm_s = time_s(libm);
  fmt::print("{:<38}{:>12.1f}{:>14.1f}{:>10.2f}\n", name, 1e9 * own_s, 1e9 * libm_s,
             own_s / libm_s);
}

void print_functions() {
  fmt::print("\nElementary functions\n{:<38}{:>12}{:>14}{:>10}\n", "", "own ns", "libm ns",
             "ratio");
  print_function("sin, |x| < 10", -10, 10, math::sin, [](double x) { return std::sin(x); });
  print_function("cos, |x| < 10", -10, 10, math::cos, [](double x) { return std::cos(x); });
  print_function("tan, |x| < 10", -10, 10, math::tan, [](double x) { return std::tan(x); });
  print_function("asin", -1, 1, math::asin, [](double x) { return std::asin(x); });
  print_function("atan, |x| < 10", -10, 10, math::atan, [](double x) { return std::atan(x); });
  print_function("exp, |x| < 10", -10, 10, math::exp, [](double x) { return std::exp(x); });
  print_function("expm1, |x| < 1", -1, 1, math::expm1, [](double x) { return std::expm1(x); });
  print_function("log, 0 to 100", 0.1, 100, math::log, [](double x) { return std::log(x); });
  print_function("log1p", -0.5, 1, math::log1p, [](double x) { return std::log1p(x); });
  print_function("cbrt", 0.1, 100, math::cbrt, [](double x) { return std::cbrt(x); });
  print_function(
      "pow(x, 0.3), 0 to 100", 0.1, 100, [](double x) { return math::pow(x, 0.3); },
      [](double x) { return std::pow(x, 0.3); });
  print_function(
      "atan2(x, 2)", -10, 10, [](double x) { return math::atan2(x, 2.0); },
      [](double x) { return std::atan2(x, 2.0); });
}

}  // namespace
}  // namespace tactus

int main(int argc, char** argv) {
  using tactus::PropellerKind;
  if (argc == 3) {
    const bool quadratic = std::string_view(argv[1]) == "quadratic";
    tactus::evaluate_often(
        tactus::make_iris(quadratic ? PropellerKind::kQuadratic : PropellerKind::kBladeElement),
        std::atoi(argv[2]));
    return 0;
  }
  tactus::print_steps();
  tactus::print_adaptive();
  tactus::print_functions();
  return 0;
}
