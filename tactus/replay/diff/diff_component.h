// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Which part of a simulation a number belongs to, and where in the work of a boundary it comes to
// be. Of keys: owner_of_key in spec_keys.h.

#include <cstdint>
#include <string_view>

#include "tactus/signal/component.h"

namespace tactus {

/// Owner of a number, by its name: "battery[0].voltage_v", "state.rotor_speed_rad_s[1]".
Component owner_of_leaf(std::string_view leaf);

/// Where in the work of an instant a number is made, in this order (contract C3). State comes
/// first: it is the result of the interval before, and scenario and wind see it.
enum class Phase : std::uint8_t {
  kBoundary,  ///< that there is a boundary at all
  kState,
  kScenario,
  kWind,
  kOutputs,
  kSensors,
  kAutopilot,
  kDiscontinuities,
  kLog,
  kChain,
};

/// Of a number on the bus or of the plant's state as it is before discontinuities.
Phase phase_of_leaf(std::string_view leaf);

}  // namespace tactus
