// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Convergence order of every integrator, and drift of the Lie-group method from the group.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tactus/verify/brick.h"
#include "tactus/verify/check.h"
#include "tactus/verify/problems.h"

namespace tactus::verify {
namespace {

constexpr char kTheme[] = "order";

/// Steps in microseconds for which the leading error term rules and rounding does not.
struct MethodOrder {
  Method method;
  double order;
  std::array<std::uint64_t, 3> steps_us;
};
constexpr MethodOrder kMethodOrders[] = {
    {Method::kEuler, 1.0, {200, 100, 50}},      {Method::kRk23, 3.0, {4000, 2000, 1000}},
    {Method::kRk4, 4.0, {8000, 4000, 2000}},    {Method::kRk45, 5.0, {16'000, 8000, 4000}},
    {Method::kLieRk4, 4.0, {8000, 4000, 2000}},
};

/// A method that is made to take steps of one length.
SolverConfig constant_step_config(Method method, std::uint64_t step_us) {
  SolverConfig config = fixed_config(method, step_us);
  config.h_init_us = config.h_max_us = step_us;
  config.max_attempts = 1'000'000'000;
  config.position = config.velocity = config.rate = {0.0, math::infinity()};
  config.attitude_atol_rad = math::infinity();
  return config;
}

/// Slope of log(error) over log(step), least squares.
template <class Error>
double measured_order(const MethodOrder& m, Error error_at) {
  double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
  for (const std::uint64_t step_us : m.steps_us) {
    const double lx = std::log(static_cast<double>(step_us));
    const double ly = std::log(error_at(constant_step_config(m.method, step_us)));
    sx += lx;
    sy += ly;
    sxx += lx * lx;
    sxy += lx * ly;
  }
  const auto n = static_cast<double>(m.steps_us.size());
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

constexpr TimeUs kEnd(3'200'000);

template <System S>
double small_error(const S& system, const SolverConfig& config) {
  SmallFlight<S> flight{system, config, system.start()};
  flight.fly_to(kEnd);
  return system.distance(flight.x.data(), to_seconds(kEnd));
}

// A tenth: what a straight line through three errors can show while the next term is a few percent.
Rows convergence_order() {
  const Pendulum pendulum = [] {
    Pendulum p(2.0, false);
    p.omega0 = 2.0;
    return p;
  }();
  const Vec3 inertia{0.01, 0.02, 0.03}, rate{2.1, 0.0, 2.9};
  const Multirotor brick = make_brick(inertia);
  const Quat attitude = FreeBody(inertia, rate).attitude(to_seconds(kEnd));
  const auto attitude_error = [&](const SolverConfig& config) {
    BrickFlight flight(brick, config, rate);
    flight.fly_to(kEnd);
    return attitude_distance(normalized(flight.attitude()), attitude);
  };
  Rows rows;
  for (const MethodOrder& m : kMethodOrders) {
    const double orders[3] = {
        measured_order(m, [&](const SolverConfig& c) { return small_error(pendulum, c); }),
        measured_order(m, [&](const SolverConfig& c) { return small_error(Driven{}, c); }),
        measured_order(m, attitude_error)};
    double worst = 0.0;
    for (const double order : orders) worst = std::max(worst, std::fabs(order - m.order));
    rows.push_back({fmt::format("{} vs {:.0f}: pendulum {:.2f}, driven {:.2f}, attitude {:.2f}",
                                to_text(m.method), m.order, orders[0], orders[1], orders[2]),
                    worst, 0.1, "1"});
  }
  return rows;
}

Rows lie_group_norm() {
  const Multirotor brick = make_brick({0.01, 0.02, 0.03});
  BrickFlight flight(brick, fixed_config(Method::kLieRk4, 1000), {2.1, 0.3, 2.9});
  double worst = 0.0;
  for (std::uint64_t i = 1; i <= 600; ++i) {
    flight.fly_to(TimeUs(100'000 * i));
    worst = std::max(worst, std::fabs(norm(flight.attitude()) - 1.0));
  }
  return {{"|q| of Lie rk4, never normalised, vs 1, 60 s at 1 kHz", worst, 1e-12, "1"}};
}

}  // namespace

std::vector<Check> order_checks() {
  return {
      {"convergence_order", kTheme, "measured order of every method vs theory", convergence_order},
      {"lie_group_norm", kTheme, "length of the quaternion vs one", lie_group_norm}};
}

}  // namespace tactus::verify
