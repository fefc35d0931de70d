// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// What a plant remembers of an instant is what a recomputation gives. A wrong entry of each kind is
// found and named, and a validated flight stops there.

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "tactus/engine/run.h"
#include "tactus/vehicle/held_flight.h"
#include "tests/support/engine.h"

namespace tactus {

/// Reaches into a flight as a bug would.
struct InstantCacheMistake {
  static InstantCache& cache(HeldFlight& flight) { return flight.cache_; }
  static MultirotorFlight& state(HeldFlight& flight) { return flight.flight_; }
  static double& derivative(HeldFlight& flight, int i) { return cache(flight).derivative_[i]; }
  static double& guard(HeldFlight& flight, int k) { return cache(flight).guards_[k]; }
  static detail::Electrical& circuit(HeldFlight& flight) { return cache(flight).circuit_; }
  static MultirotorOutputs& outputs(HeldFlight& flight) { return cache(flight).outputs_; }
  static detail::Electrical& end_circuit(HeldFlight& flight) { return cache(flight).end_circuit_; }
  static bool& settled(HeldFlight& flight) { return flight.is_settled_; }
};

namespace {

using namespace tactus::testing;  // NOLINT(google-build-using-namespace)
using Mistake = InstantCacheMistake;

constexpr TimeUs kEnd{20'000};

MultirotorInput hovering(double command = 0.55) {
  MultirotorInput input;
  for (double& motor : input.motor_command) motor = command;
  return input;
}

/// In the air, settled, outputs published: everything of the instant is known.
HeldFlight at_a_boundary() {
  HeldFlight flight(quick_iris(), at_height(*quick_iris(), 100.0, 480.0));
  flight.hold(hovering(), TimeUs());
  flight.settle(nullptr);
  (void)flight.outputs();
  return flight;
}

/// One interval later: the end stage and the solver's derivative are known.
HeldFlight after_an_interval() {
  HeldFlight flight = at_a_boundary();
  flight.advance(solver_for(Method::kRk45), {}, kEnd, nullptr, nullptr, {});
  return flight;
}

std::string found(HeldFlight flight, const std::function<void(HeldFlight&)>& mistake) {
  EXPECT_NO_THROW(flight.check_caches());
  mistake(flight);
  return refusal([&] { flight.check_caches(); }, ExitCode::kRunStopped);
}

void expect_named(const std::string& text, const std::string& name) {
  EXPECT_NE(text.find(name), std::string::npos) << text;
}

TEST(Caches, EveryWrongEntryOfTheInstantIsNamed) {
  const HeldFlight flight = at_a_boundary();
  const int down = quick_iris()->layout.velocity + 2;
  expect_named(found(flight, [&](HeldFlight& f) { Mistake::derivative(f, down) += 1e-15; }),
               "t = 0 us: the derivative of state.velocity_ned_m_s[2] was remembered as");
  expect_named(found(flight, [](HeldFlight& f) { Mistake::guard(f, 0) -= 1.0; }),
               "the guard \"gear point 0 touches or lifts\"");
  expect_named(found(flight, [](HeldFlight& f) { Mistake::circuit(f).solution.bus_v[0] += 1.0; }),
               "the circuit: bus_v[0]");
  expect_named(found(flight, [](HeldFlight& f) { Mistake::circuit(f).motor[3].duty = 0.5; }),
               "the circuit: duty[3]");
  expect_named(found(flight, [](HeldFlight& f) { Mistake::outputs(f).thrust_n[2] = -0.0; }),
               "output thrust_n[2]");
}

TEST(Caches, EveryWrongEntryAfterAnIntervalIsNamed) {
  const HeldFlight flight = after_an_interval();
  ASSERT_TRUE(flight.flight().memory.step.derivative_valid);
  expect_named(found(flight, [](HeldFlight& f) { Mistake::state(f).memory.derivative[13] += 1.0; }),
               "t = 20000 us: the solver's derivative of state.rotor_speed_rad_s[0]");
  expect_named(found(flight, [](HeldFlight& f) { Mistake::outputs(f).air.pressure_pa += 1.0; }),
               "output air.pressure_pa");
  expect_named(
      found(flight,
            [](HeldFlight& f) { Mistake::end_circuit(f).solution.pack_current_a[0] += 1.0; }),
      "the circuit of the interval's last stage: pack.current_a[0]");
}

TEST(Caches, AStateThatChangedUnnoticedIsFound) {
  // What the owner's operations rule out: state or modes change, and nothing is cleared.
  const auto turned = [](HeldFlight& f) { Mistake::state(f).state.x[13] += 1.0; };
  expect_named(found(at_a_boundary(), turned), "when computed anew");
  expect_named(found(after_an_interval(), turned), "when computed anew");
  HeldFlight flight = at_a_boundary();
  flight.jam(1);
  expect_named(found(flight,
                     [](HeldFlight& f) {
                       Mistake::state(f).state.x[2] = 1.0;  // below the ground
                       Mistake::settled(f) = true;
                     }),
               "fires, though all are said to be settled");
}

TEST(Caches, EveryOperationLeavesThemRight) {
  for (const Method method : {Method::kEuler, Method::kRk4, Method::kRk23, Method::kRk45}) {
    HeldFlight flight = at_a_boundary();
    const auto step = [&](auto&& operation) {
      operation();
      EXPECT_NO_THROW(flight.check_caches());
      flight.settle(nullptr);
      EXPECT_NO_THROW(flight.check_caches());
      (void)flight.outputs();
      EXPECT_NO_THROW(flight.check_caches());
      const TimeUs end = flight.flight().now + DurationUs(4'000);
      flight.advance(solver_for(method, 250), {}, end, nullptr, nullptr, {});
      EXPECT_NO_THROW(flight.check_caches());
    };
    step([] {});
    step([&] { flight.hold(hovering(0.6), flight.flight().now); });
    step([&] { flight.jam(2); });
    step([&] { flight.release(2); });
    StateWriter saved;
    flight.save(saved);
    flight.save_settled(saved);
    step([] {});
    StateReader reader(saved.bytes());
    flight.load(reader);
    flight.load_settled(reader);
    EXPECT_NO_THROW(flight.check_caches());
  }
}

/// Leaves a derivative behind that is not that of the state.
RunSetup forgetful_setup() {
  RunSetup setup = piloted_setup(kEnd);
  setup.plant = make_multirotor_plant(
      quick_iris(), solver_for(Method::kRk45), at_height(*quick_iris(), 100.0, 480.0),
      [](const Multirotor& vehicle, const SolverConfig& config, const MultirotorInput& held,
         WatchList watches, TimeUs end, MultirotorFlight& flight, MultirotorSamples* samples) {
        const bool fired = integrate(vehicle, config, held, watches, end, flight, samples);
        if (end == TimeUs(12'000)) flight.memory.derivative[5] += 1e-9;
        return fired;
      });
  return setup;
}

TEST(Caches, AValidatedFlightStopsAtTheFirstWrongEntry) {
  Observers none;
  tactus::Run unchecked(forgetful_setup());
  fly(unchecked, none);
  EXPECT_TRUE(unchecked.finished());
  tactus::Run run(forgetful_setup());
  expect_named(refusal([&] { fly_validated(run, none); }, ExitCode::kRunStopped),
               "t = 12000 us: the solver's derivative of state.velocity_ned_m_s[2]");
}

TEST(Caches, ASavedStateThatIsNoneIsRefused) {
  const auto refused = [](const std::function<void(HeldFlight&)>& alter) {
    HeldFlight flight = at_a_boundary();
    alter(flight);
    StateWriter saved;
    flight.save(saved);
    StateReader reader(saved.bytes());
    HeldFlight other = at_a_boundary();
    return refusal([&] { other.load(reader); }, ExitCode::kBadInput);
  };
  expect_named(refused([](HeldFlight& f) { Mistake::state(f).state.x[6] = 2.0; }),
               "an attitude of length 2");
  expect_named(refused([](HeldFlight& f) { Mistake::state(f).state.x[3] = math::canonical_nan(); }),
               "velocity_ned_m_s[0]");
  expect_named(refused([](HeldFlight& f) { Mistake::state(f).modes.bus_down = 2; }), "a mode of");
  expect_named(refused([](HeldFlight& f) { Mistake::state(f).events.start = TimeUs(1); }),
               "counts events since");
}

}  // namespace
}  // namespace tactus
