// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Whole flights: the energy ledger, charge, the events of the power system and the rotors,
// failures.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tactus/core/error.h"
#include "tactus/plant/iris.h"
#include "tests/support/exact_energy.h"
#include "tests/support/plant.h"
#include "tests/support/prior_art.h"

namespace tactus {
namespace {

using testing::chemical_energy_j;
using testing::command_all;
using testing::EventList;
using testing::ledger_net;

SolverConfig rk45(double tolerance) {
  SolverConfig config;
  config.method = Method::kRk45;
  const Tolerance t{tolerance, tolerance};
  config.position = config.velocity = config.rate = config.rotor = config.charge =
      config.polarisation = t;
  config.attitude_atol_rad = tolerance;
  return config;
}

MultirotorState in_the_air(const Multirotor& vehicle, double rotor_speed) {
  MultirotorState s = vehicle.initial;
  s.x[2] = -2000.0;
  for (int i = 0; i < vehicle.counts.rotors; ++i) {
    s.x[vehicle.layout.rotor_speed + i] = rotor_speed;
  }
  return s;
}

/// Commands that change every 20 ms and excite all axes mildly.
MultirotorInput wiggle(double t_s) {
  MultirotorInput input;
  for (int i = 0; i < 4; ++i) {
    input.motor_command[i] = 0.55 + 0.02 * std::sin(3.0 * t_s + i) + 0.05 * std::sin(7.0 * t_s);
  }
  input.wind_W_m_s = {3.0 + std::sin(t_s), -2.0 * std::cos(0.7 * t_s), 0.3 * std::sin(2.0 * t_s)};
  return input;
}

struct LedgerResult {
  double mismatch = 0.0;  ///< of the balance, relative to what went through
  double gross_j = 0.0;
};

LedgerResult ledger_result(const Multirotor& vehicle, const MultirotorFlight& flight,
                           double start_j) {
  const double* ledger = flight.state.x + vehicle.layout.ledger;
  double gross = 0.0;
  for (int i = 0; i < kLedgerEntries; ++i) gross += std::fabs(ledger[i]);
  const double stored = stored_energy_j(vehicle, flight.state.x) - start_j;
  return {std::fabs(ledger_net(ledger) - stored) / gross, gross};
}

LedgerResult ledger_after(const Multirotor& vehicle, const SolverConfig& config,
                          std::uint64_t end_us) {
  MultirotorFlight flight = start_flight(vehicle, {}, in_the_air(vehicle, 480.0));
  const double start_j = stored_energy_j(vehicle, flight.state.x);
  for (std::uint64_t t = 0; t < end_us; t += 20'000) {
    fly(vehicle, config, wiggle(static_cast<double>(t) * 1e-6), TimeUs(t + 20'000), flight);
  }
  return ledger_result(vehicle, flight, start_j);
}

TEST(Flight, EnergyLedgerCloses) {
  MultirotorParameters p = iris_parameters();
  p.ledger = true;
  const Multirotor vehicle = make_multirotor(p);
  const LedgerResult result = ledger_after(vehicle, rk45(1e-9), 20'000'000);
  EXPECT_GT(result.gross_j, 3000.0);
  EXPECT_LT(result.mismatch, 1e-9);
}

TEST(Flight, EnergyLedgerOfFixedStepsClosesAtTheMethodsOrder) {
  MultirotorParameters p = iris_quadratic_parameters();
  p.ledger = true;
  // Without ground: such steps do not resolve a landing.
  const Multirotor vehicle = make_multirotor(p, make_world({.ground = {.present = false}}));
  SolverConfig config;
  config.method = Method::kRk4;
  config.step_us = 20'000;
  const double coarse = ledger_after(vehicle, config, 4'000'000).mismatch;
  config.step_us = 10'000;
  const double fine = ledger_after(vehicle, config, 4'000'000).mismatch;
  EXPECT_GT(std::log2(coarse / fine), 3.5);
}

TEST(Flight, EnergyLedgerClosesOverALandingAJamAndRotorStops) {
  MultirotorParameters p = iris_parameters();
  p.ledger = true;
  const Multirotor vehicle = make_multirotor(p);
  MultirotorState s = in_the_air(vehicle, 450.0);
  s.x[2] = -0.6;
  s.x[vehicle.layout.velocity] = 0.7;
  MultirotorFlight flight = start_flight(vehicle, {}, s);
  const double start_j = stored_energy_j(vehicle, flight.state.x);
  EventList events;
  const auto flown = [&](double command, std::uint64_t until_us) {
    fly(vehicle, rk45(1e-9), command_all(command), TimeUs(until_us), flight, &events);
  };
  flown(0.45, 200'000);
  jam_rotor(vehicle, 1, flight.state.x, flight.modes);
  flown(0.2, 2'000'000);
  flown(0.0, 6'000'000);
  EXPECT_GE(events.count(PlantEventKind::kTouchdown), 4);
  EXPECT_EQ(events.count(PlantEventKind::kRotorStopped), 3);
  const double* ledger = flight.state.x + vehicle.layout.ledger;
  EXPECT_GT(ledger[static_cast<int>(LedgerEntry::kImpactLoss)], 1.0);
  EXPECT_LT(ledger_result(vehicle, flight, start_j).mismatch, 1e-9);
}

TEST(Flight, ChargeIsTheIntegralOfCurrent) {
  // Chemical energy drawn equals the energy between the two charges on the open-circuit curve.
  MultirotorParameters p = iris_parameters();
  p.ledger = true;
  const Multirotor vehicle = make_multirotor(p);
  MultirotorFlight flight = start_flight(vehicle, {}, in_the_air(vehicle, 480.0));
  const double before =
      chemical_energy_j(vehicle.network.pack[0], flight.state.x[vehicle.layout.charge]);
  fly(vehicle, rk45(1e-10), command_all(0.55), TimeUs(10'000'000), flight);
  const double after =
      chemical_energy_j(vehicle.network.pack[0], flight.state.x[vehicle.layout.charge]);
  const double drawn = flight.state.x[vehicle.layout.ledger];
  EXPECT_NEAR(before - after, drawn, 1e-7 * drawn);
  EXPECT_GT(drawn, 1000.0);
}

TEST(Flight, ACopyContinuesIdentically) {
  const Multirotor vehicle = make_multirotor(iris_parameters());
  for (const Method method : {Method::kRk4, Method::kRk23, Method::kRk45}) {
    SolverConfig config = rk45(1e-7);
    config.method = method;
    config.step_us = is_adaptive(method) ? 0 : 1000;
    MultirotorFlight a = start_flight(vehicle, {}, in_the_air(vehicle, 450.0));
    fly(vehicle, config, wiggle(0.0), TimeUs(37'123), a);
    MultirotorFlight b = a;
    for (MultirotorFlight* flight : {&a, &b}) {
      fly(vehicle, config, wiggle(1.0), TimeUs(500'000), *flight);
    }
    for (int i = 0; i < vehicle.layout.size; ++i) ASSERT_EQ(a.state.x[i], b.state.x[i]);
    EXPECT_EQ(a.memory.totals.evaluations, b.memory.totals.evaluations);
  }
}

/// What `fly` does, but with an observer, for which the counts are read at run time.
void fly_observed(const Multirotor& vehicle, const SolverConfig& config,
                  const MultirotorInput& input, TimeUs end, MultirotorFlight& flight) {
  MultirotorSamples samples;
  samples.period = DurationUs(1000);
  flight.memory.invalidate_derivative();
  settle(vehicle, input, flight);
  while (flight.now < end) {
    samples.samples.clear();
    if (integrate(vehicle, config, input, {}, end, flight, &samples)) {
      settle(vehicle, input, flight);
    }
  }
}

TEST(Flight, CountsKnownToTheCompilerGiveTheSameBits) {
  for (const MultirotorParameters& p : {iris_quadratic_parameters(), iris_parameters()}) {
    const Multirotor vehicle = make_multirotor(p);
    for (const Method method : {Method::kRk45, Method::kRk4}) {
      SolverConfig config = default_config(method);
      config.step_us = 1000;
      MultirotorFlight known = start_flight(vehicle, {}, vehicle.initial);
      MultirotorFlight read = known;
      for (std::uint64_t t = 0; t < 3'000'000; t += 20'000) {
        // From the ground into the air and back.
        const double share = t < 1'000'000 ? 1.5 : t < 1'500'000 ? 0.6 : 0.0;
        MultirotorInput input = wiggle(static_cast<double>(t) * 1e-6);
        for (double& command : input.motor_command) command *= share;
        fly(vehicle, config, input, TimeUs(t + 20'000), known);
        fly_observed(vehicle, config, input, TimeUs(t + 20'000), read);
      }
      EXPECT_GT(known.memory.totals.events, 8U);
      EXPECT_EQ(known.memory.totals.accepted, read.memory.totals.accepted);
      for (int i = 0; i < vehicle.layout.size; ++i) {
        EXPECT_EQ(known.state.x[i], read.state.x[i]) << state_entry_name(vehicle.counts, i);
      }
    }
  }
}

TEST(Flight, RotorsStartStopAndStartAgainByEvents) {
  const Multirotor vehicle = make_multirotor(iris_parameters());
  // On its feet: in a fall the rotors would windmill.
  MultirotorFlight flight = start_flight(vehicle, {}, vehicle.initial);
  EXPECT_EQ(flight.modes.rotor_stopped, 15U);
  EventList events;
  fly(vehicle, rk45(1e-7), command_all(0.01), TimeUs(100'000), flight, &events);  // dead zone
  EXPECT_EQ(events.count(PlantEventKind::kRotorStarted), 0);
  events.entries.clear();
  fly(vehicle, rk45(1e-7), command_all(0.1), TimeUs(1'000'000), flight, &events);
  EXPECT_EQ(events.count(PlantEventKind::kRotorStarted), 4);
  EXPECT_EQ(events.entries[0].time.us, 100'000U);
  EXPECT_GT(flight.state.x[vehicle.layout.rotor_speed], 20.0);
  fly(vehicle, rk45(1e-7), command_all(0.0), TimeUs(20'000'000), flight, &events);
  EXPECT_EQ(events.count(PlantEventKind::kRotorStopped), 4);
  EXPECT_EQ(flight.state.x[vehicle.layout.rotor_speed], 0.0);
  EXPECT_EQ(flight.modes.rotor_stopped, 15U);
}

TEST(Flight, AJammedRotorStaysPutUntilReleased) {
  const Multirotor vehicle = make_multirotor(iris_parameters());
  MultirotorFlight flight = start_flight(vehicle, {}, in_the_air(vehicle, 480.0));
  jam_rotor(vehicle, 2, flight.state.x, flight.modes);
  flight.memory.invalidate_derivative();
  fly(vehicle, rk45(1e-7), command_all(0.5), TimeUs(200'000), flight);
  EXPECT_EQ(flight.state.x[vehicle.layout.rotor_speed + 2], 0.0);
  release_rotor(2, flight.modes);
  fly(vehicle, rk45(1e-7), command_all(0.5), TimeUs(400'000), flight);
  EXPECT_GT(flight.state.x[vehicle.layout.rotor_speed + 2], 100.0);
}

TEST(Flight, BrownOutIsANamedEventAndTheBusRestarts) {
  MultirotorParameters p = iris_parameters();
  p.power.bus[0].undervoltage_v = 9.0;
  p.power.bus[0].restart_v = 10.0;
  p.power.bus[0].restart_delay = DurationUs(500'000);
  p.power.pack[0].r0_ohm = 0.10;  // tired pack
  const Multirotor vehicle = make_multirotor(p);
  MultirotorFlight flight = start_flight(vehicle, {}, in_the_air(vehicle, 480.0));
  EventList events;
  fly(vehicle, rk45(1e-7), command_all(1.0), TimeUs(300'000), flight, &events);
  ASSERT_GE(events.count(PlantEventKind::kUndervoltage), 1);
  EXPECT_TRUE(has_bit(flight.modes.bus_down, 0));
  EXPECT_EQ(outputs(vehicle, command_all(1.0), flight).motor_current_a[0], 0.0);
  fly(vehicle, rk45(1e-7), command_all(0.3), TimeUs(2'000'000), flight, &events);
  ASSERT_EQ(events.count(PlantEventKind::kBusRestarted), 1);
  std::uint64_t down_us = 0, restarting_us = 0, up_us = 0;
  for (const auto& e : events.entries) {
    if (e.event.kind == PlantEventKind::kUndervoltage) down_us = e.time.us;
    if (e.event.kind == PlantEventKind::kBusRestarting) restarting_us = e.time.us;
    if (e.event.kind == PlantEventKind::kBusRestarted) up_us = e.time.us;
  }
  EXPECT_GE(restarting_us, down_us);
  EXPECT_EQ(up_us, restarting_us + 500'000);
  EXPECT_EQ(flight.modes.bus_down, 0U);
}

TEST(Flight, EscsThatStayOffAfterABrownOutStayOff) {
  MultirotorParameters p = iris_parameters();
  p.power.bus[0].undervoltage_v = 9.0;
  p.power.bus[0].restart_v = 10.0;
  p.power.bus[0].restart_delay = DurationUs(1'000);
  p.power.bus[0].esc = EscBrownOut::kStaysOff;
  p.power.pack[0].r0_ohm = 0.10;
  const Multirotor vehicle = make_multirotor(p);
  MultirotorFlight flight = start_flight(vehicle, {}, in_the_air(vehicle, 480.0));
  fly(vehicle, rk45(1e-7), command_all(1.0), TimeUs(2'000'000), flight);
  EXPECT_EQ(flight.modes.bus_down, 0U);
  EXPECT_EQ(outputs(vehicle, command_all(1.0), flight).motor_current_a[0], 0.0);
}

TEST(Flight, UnpoweredControllersCoastEvenIfTheyBrakeWhenStopped) {
  MultirotorParameters p = iris_parameters();
  for (int i = 0; i < 4; ++i) p.rotor[i].motor.stop = MotorStop::kBrake;
  const Multirotor vehicle = make_multirotor(p);
  MultirotorFlight flight = start_flight(vehicle, {}, in_the_air(vehicle, 480.0));
  MultirotorInput input = command_all(0.0);
  EXPECT_LT(outputs(vehicle, input, flight).motor_current_a[0], 0.0);  // shorted windings
  input.pack[0].connected = false;
  settle(vehicle, input, flight);
  EXPECT_EQ(outputs(vehicle, input, flight).motor_current_a[0], 0.0);
}

TEST(Flight, LosingTheOperatingPointIsABrownOut) {
  // Seventy watts behind 0.45 Ω: the pack cannot supply it once its voltage has sagged to 11.2 V.
  MultirotorParameters p = iris_parameters();
  p.power.bus[0].avionics_power_w = 70.0;
  p.power.bus[0].undervoltage_v = 0.0;
  p.power.pack[0].r0_ohm = 0.45;
  p.power.pack[0].capacity_ah = 0.05;
  const Multirotor vehicle = make_multirotor(p);
  MultirotorFlight flight = start_flight(vehicle, {}, in_the_air(vehicle, 0.0));
  EventList events;
  fly(vehicle, rk45(1e-7), {}, TimeUs(30'000'000), flight, &events);
  ASSERT_GE(events.entries.size(), 1U);
  EXPECT_EQ(events.entries[0].event.kind, PlantEventKind::kBrownOut);
  EXPECT_EQ(events.count(PlantEventKind::kUndervoltage), 0);
}

TEST(Flight, PullingThePlugIsOneEventAtThatInstant) {
  const Multirotor vehicle = make_multirotor(iris_parameters());
  MultirotorFlight flight = start_flight(vehicle, {}, in_the_air(vehicle, 480.0));
  MultirotorInput input = command_all(0.55);
  fly(vehicle, rk45(1e-7), input, TimeUs(100'000), flight);
  input.pack[0].connected = false;
  EventList events;
  fly(vehicle, rk45(1e-7), input, TimeUs(200'000), flight, &events);
  ASSERT_EQ(events.entries.size(), 1U);
  EXPECT_EQ(events.entries[0].event.kind, PlantEventKind::kBrownOut);
  EXPECT_EQ(events.entries[0].time.us, 100'000U);
}

TEST(Flight, ABusMayRestartWithoutDelayAndExactlyAtTheEnd) {
  MultirotorParameters p = iris_parameters();
  p.power.bus[0].restart_delay = DurationUs(0);
  Multirotor vehicle = make_multirotor(p);
  MultirotorInput unplugged, plugged;
  unplugged.pack[0].connected = false;
  MultirotorFlight flight = start_flight(vehicle, unplugged, in_the_air(vehicle, 0.0));
  EXPECT_TRUE(has_bit(flight.modes.bus_down, 0));
  EventList events;
  fly(vehicle, rk45(1e-7), plugged, TimeUs(1'000), flight, &events);
  EXPECT_EQ(events.count(PlantEventKind::kBusRestarting), 1);
  EXPECT_EQ(events.count(PlantEventKind::kBusRestarted), 1);

  p.power.bus[0].restart_delay = DurationUs(50'000);
  vehicle = make_multirotor(p);
  flight = start_flight(vehicle, unplugged, in_the_air(vehicle, 0.0));
  fly(vehicle, rk45(1e-7), plugged, TimeUs(50'000), flight, &events);
  EXPECT_EQ(flight.modes.bus_down, 0U);
}

TEST(Flight, OvervoltageBeginsAndEnds) {
  // Braking rotors lift the bus of a pack behind a large resistance.
  MultirotorParameters p = iris_parameters();
  p.power.bus[0].overvoltage_v = 13.2;
  p.power.pack[0].r0_ohm = 0.1;
  for (int i = 0; i < 4; ++i) p.rotor[i].motor.mode = MotorMode::kDamped;
  const Multirotor vehicle = make_multirotor(p);
  MultirotorFlight flight = start_flight(vehicle, {}, in_the_air(vehicle, 800.0));
  EventList events;
  fly(vehicle, rk45(1e-7), command_all(0.45), TimeUs(2'000'000), flight, &events);
  ASSERT_GE(events.entries.size(), 2U);
  EXPECT_EQ(events.entries[0].event.kind, PlantEventKind::kOvervoltage);
  EXPECT_EQ(events.entries[1].event.kind, PlantEventKind::kOvervoltageEnded);
}

TEST(Flight, ChargeFedIntoAFullPackIsNotLost) {
  MultirotorParameters p = iris_parameters();
  for (int i = 0; i < 4; ++i) p.rotor[i].motor.mode = MotorMode::kDamped;
  p.power.bus[0].avionics_power_w = 0.0;
  const Multirotor vehicle = make_multirotor(p);
  MultirotorFlight flight = start_flight(vehicle, {}, in_the_air(vehicle, 800.0));
  fly(vehicle, rk45(1e-9), command_all(0.4), TimeUs(50'000), flight);
  EXPECT_GT(flight.state.x[vehicle.layout.charge], 1.0);
  EXPECT_EQ(flight.memory.totals.projected, 0U);
}

TEST(Flight, TooManyEventsStopTheRunWhateverTheIntervals) {
  // A bus that browns out and restarts at once, again and again.
  MultirotorParameters p = iris_parameters();
  p.power.bus[0].undervoltage_v = 11.0;
  p.power.bus[0].restart_v = 11.5;
  p.power.bus[0].restart_delay = DurationUs(50);
  p.power.pack[0].r0_ohm = 0.2;
  const Multirotor vehicle = make_multirotor(p);
  MultirotorFlight flight = start_flight(vehicle, {}, in_the_air(vehicle, 300.0));
  try {
    for (std::uint64_t t = 1000; t <= 2'000'000; t += 1000) {
      fly(vehicle, rk45(1e-6), command_all(1.0), TimeUs(t), flight);
    }
    FAIL() << "never stopped";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("found events"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("bus 0"), std::string::npos) << e.what();
  }
}

TEST(Flight, AnEmptyPackIsCutOff) {
  MultirotorParameters p = iris_parameters();
  p.power.pack[0].soc0 = 0.0005;
  p.power.bus[0].undervoltage_v = 0.0;
  const Multirotor vehicle = make_multirotor(p);
  MultirotorFlight flight = start_flight(vehicle, {}, in_the_air(vehicle, 480.0));
  EventList events;
  fly(vehicle, rk45(1e-7), command_all(0.6), TimeUs(5'000'000), flight, &events);
  ASSERT_EQ(events.count(PlantEventKind::kPackEmpty), 1);
  EXPECT_EQ(outputs(vehicle, command_all(0.6), flight).power.pack_current_a[0], 0.0);
  EXPECT_GE(flight.state.x[vehicle.layout.charge], -1e-9);
}

TEST(Flight, ANonFiniteInputIsNamed) {
  const Multirotor vehicle = make_multirotor(iris_parameters());
  MultirotorFlight flight = start_flight(vehicle, {}, in_the_air(vehicle, 480.0));
  MultirotorInput input = command_all(0.5);
  input.wind_W_m_s.y = std::nan("");
  try {
    fly(vehicle, rk45(1e-7), input, TimeUs(4000), flight);
    FAIL() << "accepted";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ExitCode::kRunStopped);
    EXPECT_NE(std::string(e.what()).find("wind_ned_m_s.y"), std::string::npos) << e.what();
  }
}

TEST(Flight, AnInputOutOfRangeIsNamed) {
  const Multirotor vehicle = make_multirotor(iris_parameters());
  const auto message = [&](const MultirotorInput& input) {
    MultirotorFlight flight = start_flight(vehicle, {}, in_the_air(vehicle, 480.0));
    try {
      fly(vehicle, rk45(1e-7), input, TimeUs(4000), flight);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  MultirotorInput input = command_all(0.5);
  input.motor_command[2] = 1.5;
  EXPECT_NE(message(input).find("motor_command[2] = 1.5"), std::string::npos);
  input = command_all(0.5);
  input.pack[0].resistance_scale = 0.0;
  EXPECT_NE(message(input).find("pack[0].resistance_scale = 0"), std::string::npos);
}

TEST(Flight, AStartThatIsNoStateIsRefused) {
  const Multirotor vehicle = make_multirotor(iris_parameters());
  MultirotorState s = vehicle.initial;
  s.x[vehicle.layout.attitude] = 0.0;
  EXPECT_THROW(start_flight(vehicle, {}, s), Error);
  s = vehicle.initial;
  s.x[vehicle.layout.charge] = std::nan("");
  EXPECT_THROW(start_flight(vehicle, {}, s), Error);
}

TEST(Flight, LeavingTheAtmosphereIsNamed) {
  const Multirotor vehicle = make_multirotor(iris_parameters());
  MultirotorState s = in_the_air(vehicle, 0.0);
  s.x[2] = -85'500.0;
  s.x[vehicle.layout.velocity + 2] = -500.0;
  MultirotorFlight flight = start_flight(vehicle, {}, s);
  try {
    fly(vehicle, rk45(1e-7), {}, TimeUs(10'000'000), flight);
    FAIL() << "flew out of the atmosphere";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("altitude outside"), std::string::npos) << e.what();
  }
}

TEST(Flight, ANonFiniteStateIsNamedWithinOneStepWhereverItIs) {
  MultirotorParameters p = iris_parameters();
  p.ledger = true;
  const Multirotor vehicle = make_multirotor(p);
  for (const Method method :
       {Method::kEuler, Method::kRk4, Method::kRk23, Method::kRk45, Method::kLieRk4}) {
    SolverConfig config = rk45(1e-7);
    config.method = method;
    config.step_us = is_adaptive(method) ? 0 : 200;
    for (int i = 0; i < vehicle.layout.size; ++i) {
      MultirotorFlight flight = start_flight(vehicle, {}, in_the_air(vehicle, 480.0));
      flight.state.x[i] = std::nan("");
      try {
        fly(vehicle, config, command_all(0.5), TimeUs(4000), flight);
        ADD_FAILURE() << to_text(method) << " accepted " << state_entry_name(vehicle.counts, i);
      } catch (const Error& e) {
        EXPECT_EQ(e.code(), ExitCode::kRunStopped);
        EXPECT_LE(flight.now.us, 1000U);
        EXPECT_NE(std::string(e.what()).find("non-finite"), std::string::npos) << e.what();
        // The state is checked before the first stage, so the entry itself is named. This says
        // nothing of a value that becomes non-finite within a step: by then it has spread, and the
        // first entry of the state that it reached is named.
        const std::string name = state_entry_name(vehicle.counts, i);
        EXPECT_NE(std::string(e.what()).find(name), std::string::npos) << e.what();
      }
    }
  }
}

TEST(Flight, WindRampContinuesAcrossAnEvent) {
  // A pack that empties inside the interval cuts it; the same flight with that instant as a
  // boundary, where the caller hands over the ramped wind himself.
  MultirotorParameters p = iris_parameters();
  p.power.pack[0].soc0 = 1e-5;
  const Multirotor vehicle = make_multirotor(p);
  const SolverConfig config = rk45(1e-9);
  MultirotorInput input = command_all(0.55);
  input.wind_slope_W_m_s2 = {20.0, 0.0, 0.0};
  MultirotorFlight whole = start_flight(vehicle, {}, in_the_air(vehicle, 480.0));
  MultirotorFlight cut = whole;
  EventList events;
  fly(vehicle, config, input, TimeUs(400'000), whole, &events);
  ASSERT_GE(events.entries.size(), 1U);
  const TimeUs at = events.entries[0].time;
  ASSERT_GT(at.us, 1000U);
  fly(vehicle, config, input, at, cut);
  input.wind_W_m_s = to_seconds(at) * input.wind_slope_W_m_s2;
  fly(vehicle, config, input, TimeUs(400'000), cut);
  for (int i = 0; i < vehicle.layout.size; ++i) {
    EXPECT_EQ(whole.state.x[i], cut.state.x[i]) << state_entry_name(vehicle.counts, i);
  }
  const Vec3 air = outputs(vehicle, input, cut, TimeUs(400'000) - at).air_velocity_B_m_s;
  EXPECT_NEAR(norm(air), 8.0, 0.8);  // the ramp has reached 20 m/s² · 0.4 s
}

}  // namespace
}  // namespace tactus
