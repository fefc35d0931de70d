// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The coupled Iris flown by RK45 and by SUNDIALS with the same held inputs, ten seconds.

#include <vector>

#include "cli/extra/sundials_reference.h"
#include "tactus/verify/flight_distance.h"
#include "tactus/verify/iris_flight.h"

namespace tactus::verify {

inline IndependentComparison compare_with_sundials(const MultirotorParameters& parameters,
                                                   const World& world = make_world({})) {
  const Multirotor vehicle = make_multirotor(parameters, world);
  const HoverTrim trim = hover_trim(vehicle);
  const std::vector<MultirotorInput> inputs = swaying_inputs(vehicle, trim);
  const MultirotorModes modes;
  MultirotorInput held = inputs.front();
  const MultirotorSystem system = make_system(vehicle, modes, held);
  const auto f = [&](double t_s, const double* x, double* dx) { system.derivative(t_s, x, dx); };
  const std::vector<double> start(trim.state.x, trim.state.x + vehicle.layout.size);
  SundialsReference coarse(f, start, 1e-11);
  SundialsReference fine(f, start, 1e-13);
  MultirotorFlight flight = start_flight(vehicle, held, trim.state);
  const SolverConfig config = tight_config(1e-9);
  IndependentComparison comparison;
  for (const MultirotorInput& input : inputs) {
    held = input;
    coarse.advance(to_seconds(kHoldPeriod));
    fine.advance(to_seconds(kHoldPeriod));
    fly(vehicle, config, input, flight.now + kHoldPeriod, flight);
    comparison.own.add(vehicle.layout, coarse.x().data(), fine.x().data());
    comparison.tactus.add(vehicle.layout, flight.state.x, fine.x().data());
  }
  return comparison;
}

}  // namespace tactus::verify
