// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Analytic cases of plant models: free fall, battery, actuators.

#include <algorithm>
#include <cmath>

#include "tactus/plant/iris.h"
#include "tactus/verify/check.h"
#include "tactus/verify/iris_flight.h"
#include "tactus/verify/problems.h"
#include "tactus/world/gravity.h"

namespace tactus::verify {
namespace {

/// Distance fallen and its closed form after three seconds.
double fall_error(double linear_drag_n_s_m) {
  MultirotorParameters p = iris_parameters();
  p.gear.count = 0;
  p.body.drag_area_m2 = {};
  p.body.linear_drag_n_s_m = linear_drag_n_s_m;
  const Multirotor iris = make_multirotor(p, make_world({.ground = {.present = false}}));
  MultirotorFlight flight = start_flight(iris, {}, iris.initial);
  fly(iris, fixed_config(Method::kRk4, 1000), {}, TimeUs(3'000'000), flight);
  const double t = 3.0, g = kStandardGravity_m_s2;
  double exact = 0.5 * g * t * t;
  if (linear_drag_n_s_m > 0.0) {
    const double tau = p.body.mass_kg / linear_drag_n_s_m;
    exact = g * tau * (t + tau * std::expm1(-t / tau));
  }
  return std::fabs(flight.state.x[iris.layout.position + 2] - exact);
}

// A parabola is integrated exactly and an exponential of 1.5 s to (h/τ)⁵ per step: rounding of 3000
// steps at 44 m, ulp 7e-15, remains.
Rows free_fall() {
  return {{"whole Iris, rk4 1 ms vs ½ g t², 3 s", fall_error(0.0), 1e-11, "m"},
          {"with linear drag vs its exponential, 3 s", fall_error(1.0), 1e-11, "m"}};
}

/// A pack under constant current.
struct LoadedPack {
  static constexpr int kCapacity = 1 + kMaxRcPairs;
  Pack pack;
  double current_a = 0.0;
  StateGroups state_groups;

  [[nodiscard]] int size() const { return 1 + pack.rc_count; }
  [[nodiscard]] const StateGroups& groups() const { return state_groups; }
  [[nodiscard]] bool depends_on_time() const { return false; }
  Status derivative(double, const double* x, double* dx) const {
    PackState state;
    state.soc = x[0];
    for (int k = 0; k < pack.rc_count; ++k) state.v_rc_v[k] = x[1 + k];
    const PackRates rates = pack_rates(pack, state, current_a);
    dx[0] = rates.soc_per_s;
    for (int k = 0; k < pack.rc_count; ++k) dx[1 + k] = rates.v_rc_v_s[k];
    return Status::kOk;
  }
};

// RK4 errs by (h/τ)⁵/120 per step; with h = 10 ms and the faster pair at 0.4 s that is 8e-11 of
// the step of 0.2 V per step, of which one time constant (40 steps) counts. Charge falls by equal
// amounts: 6000 roundings of half an ulp, 1.1e-16, are 7e-13.
Rows battery_step() {
  PackParameters p;
  p.capacity_ah = 5.0;
  p.rc_count = 2;
  p.rc[0] = {0.015, 2000.0};
  p.rc[1] = {0.010, 40.0};
  const double current = 20.0;
  SmallFlight<LoadedPack> flight{
      {make_pack(p, "pack"), current, {}}, fixed_config(Method::kRk4, 10'000), {1.0, 0.0, 0.0}};
  double voltage_error = 0.0, charge_error = 0.0;
  for (std::uint64_t i = 1; i <= 120; ++i) {
    flight.fly_to(TimeUs(500'000 * i));
    const double t = to_seconds(flight.now);
    charge_error =
        std::max(charge_error, std::fabs(flight.x[0] - (1.0 - current * t / (3600.0 * 5.0))));
    for (std::size_t k = 0; k < 2; ++k) {
      const double r = p.rc[k].r_ohm, c = p.rc[k].c_farad;
      const double exact = -current * r * std::expm1(-t / (r * c));
      voltage_error = std::max(voltage_error, std::fabs(flight.x[1 + k] - exact));
    }
  }
  return {{"RC voltages, rk4 10 ms vs exponentials, 20 A for 60 s", voltage_error, 1e-9, "V"},
          {"charge vs I t / Q", charge_error, 7e-13, "1"}};
}

struct Actuator {
  static constexpr int kCapacity = 2;
  ActuatorParameters p;
  StateGroups state_groups;

  [[nodiscard]] int size() const { return actuator_order(p.kind); }
  [[nodiscard]] const StateGroups& groups() const { return state_groups; }
  [[nodiscard]] bool depends_on_time() const { return false; }
  Status derivative(double, const double* x, double* dx) const {
    if (p.kind == ActuatorKind::kFirstOrder) {
      dx[0] = first_order_rate(p, 1.0, x[0]);
    } else {
      const SecondOrderRates rates = second_order_rates(p, 1.0, x[0], x[1]);
      dx[0] = rates.output_rate;
      dx[1] = rates.rate_rate;
    }
    return Status::kOk;
  }
};

template <class Exact>
double actuator_error(const ActuatorParameters& p, Exact exact) {
  SmallFlight<Actuator> flight{{p, {}}, fixed_config(Method::kRk4, 250), {}};
  double worst = 0.0;
  for (std::uint64_t i = 1; i <= 50; ++i) {
    flight.fly_to(TimeUs(10'000 * i));
    worst = std::max(worst, std::fabs(flight.x[0] - exact(to_seconds(flight.now))));
  }
  return worst;
}

// (h/τ)⁵/120 per step and one time constant of steps: (0.005)⁴/120 = 5e-12.
Rows actuator_step() {
  ActuatorParameters first;
  first.kind = ActuatorKind::kFirstOrder;
  ActuatorParameters limited = first;
  limited.time_constant_s = 0.1;
  limited.rate_limit_per_s = 2.0;
  ActuatorParameters second;
  second.kind = ActuatorKind::kSecondOrder;
  const double wn = second.natural_frequency_rad_s, zeta = second.damping_ratio;
  const double wd = wn * std::sqrt(1.0 - zeta * zeta);
  return {{"first order, rk4 0.25 ms vs exponential",
           actuator_error(first, [&](double t) { return -std::expm1(-t / 0.05); }), 1e-11, "1"},
          // The ramp ends at 0.4 s, a step end to within rounding of y: 1e-14 times the slope.
          {"first order, rate limit vs ramp and exponential",
           actuator_error(
               limited,
               [](double t) { return t < 0.4 ? 2.0 * t : 1.0 - 0.2 * std::exp(-(t - 0.4) / 0.1); }),
           1e-11, "1"},
          {"second order, rk4 0.25 ms vs damped oscillation",
           actuator_error(second,
                          [&](double t) {
                            return 1.0 - std::exp(-zeta * wn * t) *
                                             (std::cos(wd * t) + zeta * wn / wd * std::sin(wd * t));
                          }),
           1e-11, "1"}};
}

}  // namespace

std::vector<Check> plant_checks() {
  return {{"free_fall", kPlant, "falling Iris vs Galileo, and with linear drag", free_fall},
          {"battery_step", kPlant, "pack under a step of current vs exponentials", battery_step},
          {"actuator_step", kPlant, "first and second order steps vs closed forms", actuator_step}};
}

}  // namespace tactus::verify
