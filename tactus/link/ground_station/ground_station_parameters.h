// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The parameters of a built-in autopilot as a ground station sees them: real numbers with names of
// at most 16 characters (CRUISE_SPEED is autopilot.cruise_speed_m_s of a spec). A value that is out
// of range is refused by sending the one in force.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "tactus/autopilot/builtin/builtin_vehicle.h"
#include "tactus/autopilot/parameters/builtin_parameters.h"
#include "tactus/link/mavlink/mavlink_transfer.h"

namespace tactus {

/// In the order of the field list of BuiltinParameters.
std::span<const std::string_view> station_parameter_names();

class StationParameters {
 public:
  void take(const mavlink::ParamRequestList& message);
  void take(const mavlink::ParamRequestRead& message, const BuiltinVehicle& vehicle,
            Outbox& outbox) const;
  /// What is wrong with it; empty: it is in force.
  std::string take(const mavlink::ParamSet& message, BuiltinVehicle& vehicle, Outbox& outbox) const;
  /// Some of those that were asked for.
  void act(const BuiltinVehicle& vehicle, Outbox& outbox);

 private:
  std::size_t listed_ = station_parameter_names().size();  ///< all: nothing is asked for
};

}  // namespace tactus
