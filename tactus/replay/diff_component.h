// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Which part of a simulation a number or a key of the spec belongs to, and where in the work of a
// boundary a number comes to be.

#include <cstdint>
#include <string_view>

#include "tactus/signal/component.h"

namespace tactus {

/// Owner of a number, by its name: "battery[0].voltage_v", "state.rotor_speed_rad_s[1]".
Component owner_of_leaf(std::string_view leaf);

/// Owner of a key of the spec, by its first part: "pack.main.r0_ohm".
Component owner_of_key(std::string_view key);

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
