// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The smallest use of the library: an Iris spins up on the ground, climbs for a second, loses its
// motors and falls. Prints a row every 0.2 s, the events of its first rotor and foot at their
// microsecond, and the digest of the last state, which is the same on every machine.

#include <cstdio>
#include <exception>

#include "tactus/core/digest.h"
#include "tactus/plant/iris.h"
#include "tactus/vehicle/multirotor_flight.h"

namespace {

class PrintEvents : public tactus::PlantEventSink {
 public:
  void on_event(tactus::TimeUs time, tactus::PlantEvent event) override {
    if (event.index != 0) return;  // the others do the same
    std::printf("%9.6f s  %s\n", tactus::to_seconds(time), to_text(event.kind));
  }
};

void fly_and_drop() {
  const tactus::Multirotor iris = tactus::make_multirotor(tactus::iris_parameters());
  const tactus::SolverConfig solver = tactus::default_config(tactus::Method::kRk45);

  tactus::MultirotorInput input;
  tactus::MultirotorFlight flight = start_flight(iris, input, iris.initial);
  const double parked_down_m = iris.initial.x[iris.layout.position + 2];
  PrintEvents events;
  for (std::uint64_t t_us = 0; t_us < 4'000'000; t_us += 200'000) {
    const double command = t_us < 1'000'000 ? 0.62 : 0.0;
    for (double& motor : input.motor_command) motor = command;
    fly(iris, solver, input, tactus::TimeUs(t_us + 200'000), flight, &events);
    const tactus::MultirotorOutputs out = outputs(iris, input, flight);
    std::printf("%9.6f s  height %7.3f m  climb %7.3f m/s  rotor %6.1f rad/s  bus %6.3f V\n",
                to_seconds(flight.now), parked_down_m - flight.state.x[iris.layout.position + 2],
                -flight.state.x[iris.layout.velocity + 2], flight.state.x[iris.layout.rotor_speed],
                out.power.bus_v[0]);
  }
  tactus::Digest digest;
  visit_state_fields(
      iris.counts, flight.state.x,
      [&](const char*, const char*, tactus::Component, auto part) { digest.add(part); });
  std::printf("digest %s\n", to_hex(digest.result()).c_str());
}

}  // namespace

int main() {
  try {
    fly_and_drop();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "drop: %s\n", error.what());
    return 1;
  }
}
