// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What is not ours, from a spec: the PX4 library, PX4 and ArduPilot as programs, ground stations.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tactus/autopilot/autopilot.h"
#include "tactus/autopilot/builtin/builtin_vehicle.h"
#include "tactus/autopilot/parameters/emitted_parameters.h"
#include "tactus/link/net/datagram_port.h"
#include "tactus/link/net/outside_network.h"
#include "tactus/plant/multirotor_model.h"
#include "tactus/scenario/autopilot_assembly.h"
#include "tactus/spec/model/spec.h"

namespace tactus {

/// Those that follow from the aircraft, and those that the spec gives, which win.
std::vector<EmittedParameter> with_given(std::vector<EmittedParameter> emitted, const Spec& spec);

/// What a flight of this spec decides about an autopilot's parameters.
EmittedFor emitted_for(const Spec& spec, DurationUs autopilot_period);

/// What they may need of the program that flies them.
struct ExternalAutopilotOptions {
  using Received = std::shared_ptr<const std::vector<ReceivedBytes>>;

  std::function<bool()> interrupted{};  ///< the user wants to stop; asked in every wait
  FlightClocks clocks{};                ///< measure what the PX4 library takes
  /// Gets what the user has to do now: start a program that is awaited.
  std::function<void(const std::string&)> tell{};
  std::string trace{};  ///< file for that of a conducted program; empty: none
  /// What a ground station sent in a recorded flight, to be received again; null: a live one.
  Received from_ground_station{};
  /// Makes those who may talk to an external autopilot, if the spec says that any may; empty: who
  /// is on this machine.
  std::function<std::unique_ptr<OutsideNetwork>()> outside{};
};

/// For AssembleOptions::external: every kind that a spec can name.
std::shared_ptr<const ExternalAutopilots> external_autopilots(
    ExternalAutopilotOptions options = {});

/// The built-in autopilot with the ground station of the spec, or with what a recorded one sent.
/// Opens nothing. Throws Error that names the key.
std::unique_ptr<Autopilot> with_ground_station(
    std::unique_ptr<BuiltinVehicle> autopilot, const Spec& spec,
    const ExternalAutopilotOptions::Received& from_ground_station);

}  // namespace tactus
