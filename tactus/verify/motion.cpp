// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Analytic cases of pure motion: oscillator, pendulum, Kepler, free rigid body.

#include <algorithm>

#include "tactus/verify/brick.h"
#include "tactus/verify/check.h"
#include "tactus/verify/problems.h"

namespace tactus::verify {
namespace {

constexpr char kTheme[] = "analytic: motion";

/// Largest distance from the exact solution at `samples` instants, the last one at the end.
template <System S>
double worst_distance(const S& system, const SolverConfig& config, TimeUs end, int samples) {
  SmallFlight<S> flight{system, config, system.start()};
  double worst = 0.0;
  for (int i = 1; i <= samples; ++i) {
    const TimeUs t(end.us * static_cast<std::uint64_t>(i) / static_cast<std::uint64_t>(samples));
    flight.fly_to(t);
    worst = std::max(worst, system.distance(flight.x.data(), to_seconds(t)));
  }
  return worst;
}

// Classical RK4 on x'' = −ω²x errs by (ωh)⁵/120 in phase per step: 8.2e-10 after 10⁴ steps of 1 ms.
// RK45: a thousand steps, each within 1e-11.
Rows harmonic_oscillator() {
  const Pendulum oscillator(1.0, true);
  const TimeUs end(10'000'000);
  return {{"rk4 1 ms vs cos 2πt, ten periods",
           worst_distance(oscillator, fixed_config(Method::kRk4, 1000), end, 97), 8.5e-10, "m"},
          {"rk45 1e-11 vs cos 2πt, ten periods",
           worst_distance(oscillator, adaptive_config(1e-11), end, 97), 1e-8, "m"}};
}

// RK4 errs as above, the large swing being slower. RK45 may err by its tolerance in every step:
// some hundred steps of 1e-11 rad and, relative to 12 rad/s, 1e-10 rad/s add up to 1e-8 rad.
Rows pendulum() {
  Rows rows;
  const TimeUs end(10'000'000);
  for (const double start : {0.1, 2.5}) {
    const Pendulum swing(start, false);
    const std::string text = start < 1.0 ? "from 0.1 rad" : "from 2.5 rad";
    rows.push_back({"rk4 1 ms vs Jacobi elliptic, " + text,
                    worst_distance(swing, fixed_config(Method::kRk4, 1000), end, 97), 1e-9, "rad"});
    rows.push_back({"rk45 1e-11 vs Jacobi elliptic, " + text,
                    worst_distance(swing, adaptive_config(1e-11), end, 97), 1e-8, "rad"});
  }
  return rows;
}

Rows kepler() {
  Rows rows;
  const TimeUs period(6'283'185);
  for (const double e : {0.0, 0.5}) {
    const std::string text = e == 0.0 ? "circle" : "e = 0.5";
    const Kepler orbit(e);
    SmallFlight<Kepler> flight{orbit, adaptive_config(1e-12), orbit.start()};
    double worst = 0.0;
    for (std::uint64_t i = 1; i <= 50; ++i) {
      flight.fly_to(TimeUs(period.us * i / 50));
      worst = std::max(worst, orbit.distance(flight.x.data(), to_seconds(flight.now)));
    }
    const double* const x = flight.x.data();
    const std::array<double, 4> start = orbit.start();
    rows.push_back({"rk45 1e-12 vs Kepler's equation, one period, " + text, worst, 1e-10, "m"});
    rows.push_back({"energy vs start, " + text,
                    std::fabs(Kepler::energy(x) - Kepler::energy(start.data())), 1e-11, "J"});
    rows.push_back({"angular momentum vs start, " + text,
                    std::fabs(Kepler::momentum(x) - Kepler::momentum(start.data())), 1e-11,
                    "kg m²/s"});
  }
  return rows;
}

struct BodyError {
  double rate = 0.0;
  double attitude = 0.0;
};

BodyError free_body_error(const SolverConfig& config) {
  const Vec3 inertia{0.01, 0.02, 0.025};
  const Vec3 rate{1.0, 2.0, 3.0};
  const Multirotor brick = make_brick(inertia);
  const FreeBody exact(inertia, rate);
  BrickFlight flight(brick, config, rate);
  BodyError worst;
  for (std::uint64_t i = 1; i <= 20; ++i) {
    const TimeUs t(500'000 * i);
    flight.fly_to(t);
    worst.rate = std::max(worst.rate, norm(flight.rate() - exact.rate(to_seconds(t))));
    worst.attitude = std::max(worst.attitude,
                              attitude_distance(flight.attitude(), exact.attitude(to_seconds(t))));
  }
  return worst;
}

// Lie RK4 errs by about (ωh)⁵/120 per step: 6e-11 rad in all for |ω| = 3.7 rad/s, less because the
// turn itself is exact. RK45 takes a few thousand steps that are within 1e-11 each.
Rows torque_free_body() {
  const BodyError rk45 = free_body_error(adaptive_config(1e-11));
  const BodyError lie = free_body_error(fixed_config(Method::kLieRk4, 1000));
  return {{"plant, rk45 1e-11, rates vs Jacobi elliptic, 10 s", rk45.rate, 1e-10, "rad/s"},
          {"plant, rk45 1e-11, attitude vs Jacobi elliptic, 10 s", rk45.attitude, 1e-10, "rad"},
          {"plant, Lie rk4 1 ms, rates vs Jacobi elliptic, 10 s", lie.rate, 1e-11, "rad/s"},
          {"plant, Lie rk4 1 ms, attitude vs Jacobi elliptic, 10 s", lie.attitude, 1e-11, "rad"}};
}

// The Lie-group method is exact here: what is left is rounding of 10⁴ products. RK4 errs by
// (ωh/2)⁵/120 in half the angle per step: 3.8e-12 rad in all for |ω| = 3.7 rad/s.
Rows constant_rate() {
  const Vec3 rate{1.0, -2.0, 3.0};
  const Multirotor ball = make_brick({0.02, 0.02, 0.02});
  const double angle = 10.0 * std::sqrt(14.0);
  const double s = std::sin(0.5 * angle) / std::sqrt(14.0);
  const Quat exact{std::cos(0.5 * angle), s * rate.x, s * rate.y, s * rate.z};
  Rows rows;
  for (const Method method : {Method::kLieRk4, Method::kRk4}) {
    BrickFlight flight(ball, fixed_config(method, 1000), rate);
    flight.fly_to(TimeUs(10'000'000));
    rows.push_back({std::string("plant, ") + to_text(method) + " 1 ms vs exponential, 10 s",
                    attitude_distance(flight.attitude(), exact),
                    method == Method::kLieRk4 ? 1e-13 : 1e-11, "rad"});
  }
  return rows;
}

}  // namespace

std::vector<Check> motion_checks() {
  return {{"harmonic_oscillator", kTheme, "RK4 and RK45 vs a cosine", harmonic_oscillator},
          {"pendulum", kTheme, "small and large swing vs Jacobi elliptic functions", pendulum},
          {"kepler", kTheme, "circular and eccentric orbit vs Kepler's equation", kepler},
          {"torque_free_body", kTheme, "tumbling plant vs Jacobi's solution", torque_free_body},
          {"constant_rate", kTheme, "steadily turning plant vs the exponential", constant_rate}};
}

}  // namespace tactus::verify
