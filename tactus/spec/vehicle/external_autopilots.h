// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <memory>

#include "tactus/autopilot/autopilot.h"
#include "tactus/autopilot/builtin/builtin_vehicle.h"
#include "tactus/plant/multirotor_model.h"
#include "tactus/spec/model/spec.h"

namespace tactus {

/// Makes the autopilots that are not ours, and ground stations: flight/external_autopilots.h. The
/// simulation alone has none, so that it needs neither sockets nor loaded libraries.
class ExternalAutopilots {
 public:
  ExternalAutopilots() = default;
  ExternalAutopilots(const ExternalAutopilots&) = delete;
  ExternalAutopilots& operator=(const ExternalAutopilots&) = delete;
  virtual ~ExternalAutopilots() = default;

  /// Starts nothing. Throws Error that names the key if the aircraft, the mission or a path does
  /// not fit.
  [[nodiscard]] virtual std::unique_ptr<Autopilot> make(const Spec& spec,
                                                        const Multirotor& vehicle) const = 0;

  /// The built-in autopilot with the ground station of the spec. Opens nothing. Throws Error that
  /// names the key.
  [[nodiscard]] virtual std::unique_ptr<Autopilot> with_ground_station(
      std::unique_ptr<BuiltinVehicle> autopilot, const Spec& spec) const = 0;
};

}  // namespace tactus
