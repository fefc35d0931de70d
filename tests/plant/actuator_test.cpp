// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Step responses of the actuators against their closed forms.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tactus/core/error.h"
#include "tactus/plant/actuator.h"
#include "tactus/solver/advance.h"

namespace tactus {
namespace {

struct StepResponse {
  static constexpr int kCapacity = 2;
  ActuatorParameters p;
  double command = 1.0;
  StateGroups state_groups;

  int size() const { return actuator_order(p.kind); }
  const StateGroups& groups() const { return state_groups; }
  Status derivative(double, const double* x, double* dx) const {
    if (p.kind == ActuatorKind::kFirstOrder) {
      dx[0] = first_order_rate(p, command, x[0]);
    } else {
      const SecondOrderRates rates = second_order_rates(p, command, x[0], x[1]);
      dx[0] = rates.output_rate;
      dx[1] = rates.rate_rate;
    }
    return Status::kOk;
  }
};

double output_after(const ActuatorParameters& p, std::uint64_t t_us, std::uint64_t step_us = 100) {
  StepResponse system{p, 1.0, {}};
  SolverConfig config;
  config.step_us = step_us;
  SolverMemory<2> memory;
  double x[2] = {0.0, 0.0};
  EXPECT_EQ(advance(system, config, memory, TimeUs(0), TimeUs(t_us), x).status, Status::kOk);
  return x[0];
}

TEST(Actuator, FirstOrderIsAnExponential) {
  ActuatorParameters p;
  p.kind = ActuatorKind::kFirstOrder;
  p.time_constant_s = 0.05;
  for (const std::uint64_t t_us : {1'000u, 20'000u, 50'000u, 300'000u}) {
    EXPECT_NEAR(output_after(p, t_us), -std::expm1(-static_cast<double>(t_us) * 1e-6 / 0.05),
                1e-12);
  }
}

TEST(Actuator, FirstOrderRateLimitRampsThenDecays) {
  ActuatorParameters p;
  p.kind = ActuatorKind::kFirstOrder;
  p.time_constant_s = 0.1;
  p.rate_limit_per_s = 2.0;
  // Ramp until (1 − y)/τ = r, i.e. y = 0.8 at 0.4 s, then exponential.
  EXPECT_NEAR(output_after(p, 300'000), 0.6, 1e-12);
  EXPECT_NEAR(output_after(p, 500'000), 1.0 - 0.2 * std::exp(-1.0), 1e-9);
}

TEST(Actuator, SecondOrderMatchesTheDampedOscillator) {
  ActuatorParameters p;
  p.kind = ActuatorKind::kSecondOrder;
  const double wn = p.natural_frequency_rad_s, zeta = p.damping_ratio;
  const double wd = wn * std::sqrt(1.0 - zeta * zeta);
  for (const std::uint64_t t_us : {10'000u, 100'000u, 250'000u, 1'000'000u}) {
    const double t = static_cast<double>(t_us) * 1e-6;
    const double exact =
        1.0 - std::exp(-zeta * wn * t) * (std::cos(wd * t) + zeta * wn / wd * std::sin(wd * t));
    EXPECT_NEAR(output_after(p, t_us), exact, 1e-11);
  }
}

TEST(Actuator, SecondOrderRateLimitHoldsAndLeavesTheRampInTime) {
  ActuatorParameters p;
  p.kind = ActuatorKind::kSecondOrder;
  p.rate_limit_per_s = 2.0;
  // On the ramp the law asks for more rate until ωn²(1 − y) = 2ζωn r: y = 1 − 2ζr/ωn.
  const double leave = 1.0 - 2.0 * p.damping_ratio * 2.0 / p.natural_frequency_rad_s;
  StepResponse system{p, 1.0, {}};
  SolverConfig config;
  config.step_us = 10;
  SolverMemory<2> memory;
  double x[2] = {0.0, 0.0};
  double previous = 0.0;
  for (int k = 0; k < 100'000; ++k) {
    advance(system, config, memory, TimeUs(10u * static_cast<unsigned>(k)),
            TimeUs(10u * static_cast<unsigned>(k) + 10u), x);
    EXPECT_LE((x[0] - previous) * 1e5, 2.0 + 1e-9);
    previous = x[0];
    if (x[0] > 0.2 && x[0] < leave - 1e-4) {
      ASSERT_NEAR(x[1], 2.0, 5e-3) << "still on the ramp at " << x[0];
    }
  }
  EXPECT_NEAR(x[0], 1.0, 1e-4);
}

TEST(Actuator, BadParametersAreRefused) {
  ActuatorParameters p;
  p.kind = ActuatorKind::kFirstOrder;
  p.time_constant_s = 0.0;
  EXPECT_THROW(validate(p, "a"), Error);
  p.time_constant_s = std::numeric_limits<double>::infinity();
  EXPECT_THROW(validate(p, "a"), Error);
  p = {};
  p.kind = ActuatorKind::kSecondOrder;
  p.natural_frequency_rad_s = -1.0;
  EXPECT_THROW(validate(p, "a"), Error);
  p = {};
  p.rate_limit_per_s = 0.0;
  EXPECT_THROW(validate(p, "a"), Error);
}

}  // namespace
}  // namespace tactus
