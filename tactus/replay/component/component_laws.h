// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The laws of the plant's components, each cut free from the others: what couples them is given.

#include <string_view>
#include <vector>

#include "tactus/signal/bus.h"
#include "tactus/vehicle/multirotor_flight.h"

namespace tactus {

/// What the rest of the plant gives a component at one evaluation of the right-hand side.
struct Coupling {
  double bus_v[kMaxBuses] = {};
  Vec3 angular_acceleration_B_rad_s2;
};

/// A component: its part of a vehicle, of the state, of the outputs and of the derivative.
class ComponentLaws {
 public:
  virtual ~ComponentLaws() = default;
  /// Takes the component's parameters from another vehicle of the same layout.
  virtual void take_parameters(const Multirotor& from, Multirotor& vehicle) const = 0;
  [[nodiscard]] virtual bool owns_entry(const MultirotorLayout& at, int entry) const = 0;
  [[nodiscard]] virtual bool owns_output(std::string_view leaf) const = 0;
  /// Overwrites the component's outputs on the bus; everything that it reads is there as recorded.
  virtual void outputs(const Multirotor& vehicle, const MultirotorFlight& flight,
                       Bus& bus) const = 0;
  /// Overwrites the component's entries of dx.
  virtual void rates(const MultirotorSystem& system, double t_s, const double* x,
                     const Coupling& coupling, double* dx) const = 0;
};

const ComponentLaws& battery_laws();
const ComponentLaws& propulsion_laws();

}  // namespace tactus
