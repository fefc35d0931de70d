// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Contract C8: after the start, stepping does not allocate; events included.

#include <gtest/gtest.h>

#include "tactus/plant/iris.h"
#include "tactus/vehicle/multirotor_flight.h"
#include "tests/same_bits/pilot.h"
#include "tests/support/allocations.h"

namespace tactus {
namespace {

class EventCounts : public PlantEventSink {
 public:
  void on_event(TimeUs, PlantEvent event) override { ++count[static_cast<int>(event.kind)]; }
  [[nodiscard]] int of(PlantEventKind kind) const { return count[static_cast<int>(kind)]; }
  int count[16] = {};
};

class SteppingDoesNotAllocate : public ::testing::TestWithParam<Method> {
 protected:
  SteppingDoesNotAllocate() {
    MultirotorParameters p = iris_quadratic_parameters();
    p.ledger = true;
    vehicle = make_multirotor(p);
    config = default_config(GetParam());
    config.step_us = GetParam() == Method::kEuler ? 250 : 1'000;
    flight = start_flight(vehicle, input, vehicle.initial);
  }

  void fly_until(double end_s) {
    while (flight.now < TimeUs(static_cast<std::uint64_t>(end_s * 1e6))) {
      weather.blow(flight.now, flight.state.x, vehicle.layout, input);
      pilot.command(vehicle, same_bits::setpoint_from_ground(to_seconds(flight.now - TimeUs(0))),
                    flight.state.x, input);
      fly(vehicle, config, input, flight.now + DurationUs(same_bits::kPeriod_us), flight, &events);
    }
  }

  Multirotor vehicle;
  SolverConfig config;
  MultirotorInput input;
  MultirotorFlight flight;
  same_bits::Pilot pilot;
  same_bits::Weather weather;
  EventCounts events;
};

TEST_P(SteppingDoesNotAllocate, FromTheGroundAndBack) {
  const long before = allocations;
  fly_until(60.0);
  const long during = allocations - before;
  EXPECT_EQ(during, 0);
  EXPECT_GT(before, 0) << "the counter does not count";
  EXPECT_GE(events.of(PlantEventKind::kTouchdown), 4);
  EXPECT_GE(events.of(PlantEventKind::kLiftoff), 4);
  EXPECT_GE(events.of(PlantEventKind::kRotorStarted), 4);
  EXPECT_GE(events.of(PlantEventKind::kRotorStopped), 4);
}

TEST_P(SteppingDoesNotAllocate, ThroughABrownOut) {
  const long before = allocations;
  fly_until(4.0);
  input.pack[0].connected = false;
  fly_until(4.1);
  input.pack[0].connected = true;
  fly_until(5.5);
  const long during = allocations - before;
  EXPECT_EQ(during, 0);
  EXPECT_EQ(events.of(PlantEventKind::kBrownOut), 1);
  EXPECT_EQ(events.of(PlantEventKind::kBusRestarting), 1);
  EXPECT_EQ(events.of(PlantEventKind::kBusRestarted), 1);
}

INSTANTIATE_TEST_SUITE_P(Methods, SteppingDoesNotAllocate,
                         ::testing::Values(Method::kEuler, Method::kRk4, Method::kRk23,
                                           Method::kRk45, Method::kLieRk4),
                         [](const auto& method) { return to_text(method.param); });

}  // namespace
}  // namespace tactus
