// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Extra guards that a caller sets on a plant: g = sign · (value − threshold), fires when g
// goes from negative to not negative. `when` conditions of a scenario become watches, so that their
// instant is found within the interval like that of the plant's own events.

#include <cstdint>

namespace tactus {

/// What can be watched: functions of the continuous state and the held input.
enum class WatchQuantity : std::uint8_t {
  kPosition,       ///< index 0 to 2: north, east, down
  kVelocity,       ///< index 0 to 2
  kRate,           ///< index 0 to 2: body rates
  kHeight,         ///< above the ground plane
  kSpeed,          ///< length of the velocity
  kTilt,           ///< between body down and world down
  kRotorSpeed,     ///< index: rotor
  kStateOfCharge,  ///< index: pack
  kBusVoltage,     ///< index: bus
};

struct Watch {
  WatchQuantity quantity = WatchQuantity::kHeight;
  int index = 0;
  double sign = 1.0;  ///< 1: fires above the threshold, −1: below
  double threshold = 0.0;
};

inline constexpr int kMaxWatches = 16;

/// Watches that are active over one interval.
struct WatchList {
  const Watch* watch = nullptr;
  int count = 0;
};

}  // namespace tactus
