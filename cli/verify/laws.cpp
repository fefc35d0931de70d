// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Conservation laws of the coupled plant: power, energy, angular momentum, charge, Kirchhoff.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "cli/verify/check.h"
#include "cli/verify/iris_flight.h"
#include "tactus/core/random.h"
#include "tactus/plant/iris.h"

namespace tactus::verify {
namespace {

constexpr char kTheme[] = "laws";

/// Numbers one after the other, the same in every run.
class Numbers {
 public:
  explicit Numbers(std::string_view name) : stream_(1, name) {}
  double within(double low, double high) { return low + (high - low) * stream_.uniform(tick_++); }
  double log_within(double low, double high) {
    return std::exp(within(std::log(low), std::log(high)));
  }
  bool chance(double probability) { return within(0.0, 1.0) < probability; }
  int below(int count) { return std::min(count - 1, static_cast<int>(within(0.0, count))); }

 private:
  RandomStream stream_;
  std::uint64_t tick_ = 0;
};

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
  p.ground.present = false;  // steps of 5 ms would not resolve a landing
  const Multirotor iris = make_multirotor(p);
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

// ∫ I dt of the pack over part of the swaying flight. Simpson's rule errs by (h/τ)⁴/180 of what
// varies: 1.4e-10 for h = 0.5 ms and rotors of 40 ms.
Rows charge() {
  const Multirotor iris = make_multirotor(iris_parameters());
  const HoverTrim trim = hover_trim(iris);
  const std::vector<MultirotorInput> inputs = swaying_inputs(iris, trim);
  MultirotorFlight flight = start_flight(iris, inputs.front(), trim.state);
  const SolverConfig config = tight_config(1e-10);
  constexpr DurationUs kPiece(500);
  const auto current = [&](const MultirotorInput& input) {
    return outputs(iris, input, flight).power.pack_current_a[0];
  };
  double drawn_c = 0.0;
  for (int k = 0; k < 100; ++k) {
    const MultirotorInput& input = inputs[static_cast<std::size_t>(k)];
    for (DurationUs done; done < kHoldPeriod; done += 2 * kPiece) {
      double sum = current(input);
      fly(iris, config, input, flight.now + kPiece, flight);
      sum += 4.0 * current(input);
      fly(iris, config, input, flight.now + kPiece, flight);
      sum += current(input);
      drawn_c += sum * to_seconds(kPiece) / 3.0;
    }
  }
  const double used_c = (trim.state.x[iris.layout.charge] - flight.state.x[iris.layout.charge]) *
                        iris.network.pack[0].charge_c;
  return {{"Δsoc · Q vs ∫ I dt by Simpson, 2 s flight", std::fabs(used_c - drawn_c) / drawn_c,
           1e-10, "1"}};
}

LoadCurve random_load(Numbers& random, double volts) {
  Motor motor;
  motor.resistance_ohm = random.log_within(0.02, 0.5);
  motor.conductance_s = 1.0 / motor.resistance_ohm;
  motor.efficiency = random.within(0.9, 1.0);
  motor.inverse_efficiency = 1.0 / motor.efficiency;
  MotorElectrical e;
  e.duty = random.chance(0.1) ? 0.0 : random.within(0.02, 1.0);
  e.back_emf_v = random.within(0.0, 0.9) * volts;
  e.upper_a = random.log_within(1.0, 100.0);
  e.lower_a = random.chance(0.5) ? -e.upper_a : 0.0;
  LoadCurve curve;
  motor_load_curve(motor, e, curve);
  return curve;
}

/// Packs and motors on one bus. The first pack has no diode, so the bus always has a sink.
struct OneBus {
  PowerNetworkParameters parameters;
  PowerNetwork network;
  PackSource source[kMaxPacks] = {};
  LoadCurve motor[kMaxMotors] = {};
  double volts = 0.0;
};

OneBus random_bus(Numbers& random) {
  OneBus bus;
  PowerNetworkParameters& p = bus.parameters;
  p.pack_count = 1 + random.below(kMaxPacks);
  p.motor_count = 1 + random.below(kMaxMotors);
  bus.network = make_power_network(p, "network");
  bus.volts = random.log_within(5.0, 60.0);
  for (int j = 0; j < p.pack_count; ++j) {
    bus.source[j] = {random.within(0.6, 1.0) * bus.volts, 1.0 / random.log_within(1e-3, 0.3),
                     j > 0 && random.chance(0.25)};
  }
  for (int i = 0; i < p.motor_count; ++i) bus.motor[i] = random_load(random, bus.volts);
  return bus;
}

/// What packs and motors leave for the avionics at a voltage.
double available_w(const OneBus& bus, double v) {
  double current_a = 0.0;
  for (int j = 0; j < bus.parameters.pack_count; ++j) {
    const double pack_a = (bus.source[j].emf_v - v) * bus.source[j].conductance_s;
    current_a += bus.source[j].diode ? std::max(0.0, pack_a) : pack_a;
  }
  for (int i = 0; i < bus.parameters.motor_count; ++i) current_a -= current_at(bus.motor[i], v);
  return v * current_a;
}

/// The largest power for avionics by brute force: a grid, then finer grids around its best point.
double most_available_w(const OneBus& bus) {
  double top_v = bus.volts;
  while (available_w(bus, top_v) > 0.0) top_v *= 2.0;
  double low = 0.0, high = top_v, best = 0.0;
  for (int pass = 0; pass < 4; ++pass) {
    const int cells = pass == 0 ? 256 : 32;
    const double width = (high - low) / cells;
    double best_v = low;
    for (int i = 0; i <= cells; ++i) {
      const double power_w = available_w(bus, low + width * i);
      if (power_w <= best) continue;
      best = power_w;
      best_v = low + width * i;
    }
    low = std::max(0.0, best_v - width);
    high = best_v + width;
  }
  return best;
}

// 1e-10 V is a hundred thousand ulp of 12 V: currents of hundreds of amperes through milliohms.
// A tenth of the networks asks for more than there is. Brute force knows the most to a per mille,
// so the demand keeps 2 % away from it.
Rows power_network() {
  constexpr int kNetworks = 20'000;
  Numbers random("verify.power_network");
  double residual_v = 0.0, sum_error = 0.0;
  int infeasible = 0, misjudged = 0;
  for (int trial = 0; trial < kNetworks; ++trial) {
    const OneBus bus = random_bus(random);
    const bool too_much = random.chance(0.1);
    const double share = too_much ? random.within(1.02, 3.0) : random.within(0.0, 0.98);
    const double avionics_w[kMaxBuses] = {
        random.chance(0.2) && !too_much ? 0.0 : share * most_available_w(bus)};
    PowerSolution s;
    solve_power_network(bus.network, bus.source, bus.motor, avionics_w, s);
    add_load_currents(bus.network, bus.motor, avionics_w, s);
    infeasible += too_much ? 1 : 0;
    misjudged +=
        s.condition[0] == (too_much ? BusCondition::kNoOperatingPoint : BusCondition::kOk) ? 0 : 1;
    double supply_a = 0.0, magnitude_a = 0.01;
    for (int j = 0; j < bus.parameters.pack_count; ++j) {
      supply_a += s.pack_current_a[j];
      magnitude_a += std::fabs(s.pack_current_a[j]);
    }
    const PowerBus& wiring = bus.network.bus[0];
    residual_v = std::max(residual_v, std::fabs(bus_residual_v(wiring, bus.source, s, 0)));
    sum_error = std::max(sum_error, std::fabs(supply_a - s.load_current_a[0]) / magnitude_a);
  }
  const double share_error = std::fabs(infeasible / static_cast<double>(kNetworks) - 0.1);
  return {{"Kirchhoff's law vs zero, 20,000 random networks", residual_v, 1e-10, "V"},
          {"pack currents vs load, relative to what flows", sum_error, 1e-9, "1"},
          {"feasible or not vs brute force, networks misjudged", static_cast<double>(misjudged),
           0.0, "1"},
          {"share of infeasible networks vs a tenth", share_error, 0.01, "1"}};
}

}  // namespace

std::vector<Check> law_checks() {
  return {
      {"power_balance", kTheme, "sources vs losses plus storage in every right-hand side",
       power_balance},
      {"energy_ledger", kTheme, "stored energy vs integrated powers over a flight", energy_ledger},
      {"rotor_jam", kTheme, "angular momentum through a rotor jam", rotor_jam},
      {"charge", kTheme, "charge used vs integrated current", charge},
      {"power_network", kTheme, "Kirchhoff's law on random networks, feasible or not",
       power_network}};
}

}  // namespace tactus::verify
