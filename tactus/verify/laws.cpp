// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Conservation laws of the coupled plant: power, energy, angular momentum.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "tactus/plant/iris.h"
#include "tactus/verify/check.h"
#include "tactus/verify/iris_flight.h"
#include "tactus/verify/numbers.h"

namespace tactus::verify {
namespace {

/// A state with every part excited, well above the ground.
MultirotorState random_state(const Multirotor& vehicle, Numbers& random) {
  const MultirotorLayout& at = vehicle.layout;
  MultirotorState s = vehicle.initial;
  for (int i = 0; i < 3; ++i) {
    s.x[at.position + i] = random.within(-20.0, 20.0);
    s.x[at.velocity + i] = random.within(-8.0, 8.0);
    s.x[at.rate + i] = random.within(-4.0, 4.0);
  }
  s.x[at.position + 2] -= 60.0;
  Quat q;
  for (double* part : {&q.w, &q.x, &q.y, &q.z}) *part = random.within(-1.0, 1.0);
  store(s.x + at.attitude, normalized(q));
  for (int i = 0; i < vehicle.counts.rotors; ++i) {
    s.x[at.rotor_speed + i] = random.within(10.0, 900.0);
  }
  s.x[at.charge] = random.within(0.05, 1.0);
  s.x[at.rc_voltage] = random.within(-0.1, 0.2);
  return s;
}

MultirotorInput random_input(Numbers& random) {
  MultirotorInput input;
  for (double& command : input.motor_command) command = random.within(0.0, 1.0);
  input.wind_W_m_s = {random.within(-8.0, 8.0), random.within(-8.0, 8.0), random.within(-3.0, 3.0)};
  return input;
}

/// Sources minus losses of ten flows, and their gross sum.
struct Balance {
  double net = 0.0;
  double gross = 0.0;
};

Balance balance(const double* flow) {
  const auto of = [flow](LedgerEntry entry) { return flow[static_cast<int>(entry)]; };
  Balance b;
  b.net = of(LedgerEntry::kChemical) + of(LedgerEntry::kRotorAir) + of(LedgerEntry::kDragAir) +
          of(LedgerEntry::kContact) + of(LedgerEntry::kGravity) - of(LedgerEntry::kPackLoss) -
          of(LedgerEntry::kEscLoss) - of(LedgerEntry::kCopperLoss) -
          of(LedgerEntry::kFrictionLoss) - of(LedgerEntry::kAvionics);
  for (int i = 0; i < kLedgerEntries; ++i) b.gross += std::fabs(flow[i]);
  return b;
}

// Rounding of some hundred operations.
Rows power_balance() {
  Rows rows;
  for (const bool damped : {false, true}) {
    MultirotorParameters p = damped ? iris_quadratic_parameters() : iris_parameters();
    for (RotorParameters& rotor : p.rotor) {
      if (damped) rotor.motor.mode = MotorMode::kDamped;
    }
    const Multirotor iris = make_multirotor(p);
    Numbers random("verify.power_balance");
    double worst = 0.0;
    for (int i = 0; i < 5000; ++i) {
      const MultirotorState state = random_state(iris, random);
      const MultirotorInput input = random_input(random);
      double dx[kMultirotorCapacity];
      MultirotorEnergy energy;
      evaluate(RunTimeShape{&iris}, iris, MultirotorModes{}, input, 0.0, state.x, dx, nullptr,
               &energy);
      const Balance b = balance(energy.flow_w);
      worst = std::max(
          worst, std::fabs(b.net - energy.storing_w) / (b.gross + std::fabs(energy.storing_w)));
    }
    rows.push_back({damped ? "regenerating, quadratic: sources vs losses and storage"
                           : "blade element: sources vs losses and storage, 5000 states",
                    worst, 1e-12, "1"});
  }
  return rows;
}

/// Stored energy against the integrated ledger over the swaying flight, relative to what moved.
double ledger_error(const SolverConfig& config) {
  MultirotorParameters p = iris_parameters();
  p.ledger = true;
  // Steps of 5 ms would not resolve a landing.
  const Multirotor iris = make_multirotor(p, make_world({.ground = {.present = false}}));
  const HoverTrim trim = hover_trim(iris);
  const std::vector<MultirotorInput> inputs = swaying_inputs(iris, trim);
  MultirotorFlight flight = start_flight(iris, inputs.front(), trim.state);
  const double before = stored_energy_j(iris, flight.state.x);
  for (const MultirotorInput& input : inputs) {
    fly(iris, config, input, flight.now + kHoldPeriod, flight);
  }
  const Balance b = balance(flight.state.x + iris.layout.ledger);
  return std::fabs(stored_energy_j(iris, flight.state.x) - before - b.net) / b.gross;
}

/// How many powers of two the error falls by when the step of RK4 is halved.
double ledger_order() {
  const auto error_at = [](std::uint64_t step_us) {
    SolverConfig config = default_config(Method::kRk4);
    config.step_us = step_us;
    return ledger_error(config);
  };
  return std::log2(error_at(5000) / error_at(2500));
}

Rows energy_ledger() {
  return {{"rk45 1e-9: stored energy vs ledger, 10 s flight", ledger_error(tight_config(1e-9)),
           1e-9, "1"},
          {"rk4: order of the ledger's error vs 4", std::fabs(ledger_order() - 4.0), 0.1, "1"}};
}

Rows rotor_jam() {
  const Multirotor iris = make_multirotor(iris_parameters());
  Numbers random("verify.rotor_jam");
  double worst = 0.0;
  for (int i = 0; i < 1000; ++i) {
    MultirotorState state = random_state(iris, random);
    MultirotorModes modes;
    const Vec3 before = angular_momentum_B(iris, state.x);
    jam_rotor(iris, i % 4, state.x, modes);
    worst = std::max(worst, norm(angular_momentum_B(iris, state.x) - before) / norm(before));
  }
  return {{"angular momentum after a rotor jam vs before, 1000 states", worst, 1e-12, "1"}};
}

}  // namespace

std::vector<Check> law_checks() {
  return {
      {"power_balance", kLaws, "sources vs losses plus storage in every right-hand side",
       power_balance},
      {"energy_ledger", kLaws, "stored energy vs integrated powers over a flight", energy_ledger},
      {"rotor_jam", kLaws, "angular momentum through a rotor jam", rotor_jam}};
}

}  // namespace tactus::verify
