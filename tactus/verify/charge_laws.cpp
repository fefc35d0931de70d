// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Conservation of charge: what packs give and loads take, and Kirchhoff's law.

#include <algorithm>
#include <cmath>
#include <vector>

#include "tactus/plant/iris.h"
#include "tactus/verify/check.h"
#include "tactus/verify/iris_flight.h"
#include "tactus/verify/numbers.h"

namespace tactus::verify {
namespace {

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

std::vector<Check> charge_law_checks() {
  return {{"charge", kLaws, "charge used vs integrated current", charge},
          {"power_network", kLaws, "Kirchhoff's law on random networks, feasible or not",
           power_network}};
}

}  // namespace tactus::verify
