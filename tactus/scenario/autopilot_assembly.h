// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The autopilot of a spec: the built-in one, the PX4 library, or a program outside.

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "tactus/autopilot/autopilot.h"
#include "tactus/link/datagram_port.h"
#include "tactus/plant/multirotor_model.h"
#include "tactus/scenario/spec.h"

namespace tactus {

/// What an autopilot outside may need of the program that flies it.
struct OutsideHelp {
  using Received = std::shared_ptr<const std::vector<ReceivedBytes>>;

  std::function<bool()> interrupted;  ///< the user wants to stop; looked at in every wait
  FlightClocks clocks{};              ///< measure what the PX4 library takes
  /// What a ground station sent in a recorded flight, to be heard again; null: a live one.
  Received from_ground_station{};
};

/// Position of a parameter in the list of the spec's autopilot, for ParameterChange::index. Throws
/// Error(kBadInput) if there is none, or the value is out of range, as far as that is known before
/// the flight.
int parameter_index(const Spec& spec, std::string_view key, double value);

/// Starts nothing. `vehicle` is null for a rover. Throws Error that names the key if the aircraft,
/// the mission or a path does not fit.
std::unique_ptr<Autopilot> make_autopilot(const Spec& spec, const Multirotor* vehicle,
                                          const OutsideHelp& help);

}  // namespace tactus
